import type { ToolContext } from '../../server/tools/tool.ts';
import { createMemoryWorkspace } from './memory-workspace.ts';

/** A context to run tools in: noon UTC on Friday 20 November 2026, in Paris, over an empty workspace. */
export function toolContext(parts: Partial<ToolContext> = {}): ToolContext {
  return {
    workspace: createMemoryWorkspace(),
    now: new Date('2026-11-20T12:00:00.000Z'),
    timeZone: 'Europe/Paris',
    signal: new AbortController().signal,
    ...parts,
  };
}
