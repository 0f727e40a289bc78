import { Value } from 'typebox/value';
import { DATE_TOOLS, MATHS_TOOLS } from '../../server/tools/index.ts';
import type { Tool, ToolContext, WorkspacePort } from '../../server/tools/tool.ts';

/** Friday, 20 November 2026, 11:00 in Paris. */
const NOW = new Date('2026-11-20T10:00:00Z');
const TIME_ZONE = 'Europe/Paris';

const TOOLS = new Map<string, Tool>([...MATHS_TOOLS, ...DATE_TOOLS].map((tool) => [tool.name, tool]));

const noWorkspace = new Proxy({} as WorkspacePort, {
  get: () => () => Promise.reject(new Error('these tools have no business in the workspace')),
});

export function toolContext(timeZone = TIME_ZONE): ToolContext {
  return { workspace: noWorkspace, now: NOW, timeZone, signal: new AbortController().signal };
}

/** Runs a tool as the agent would: its input must fit its schema. */
export async function runTool(
  name: string,
  input: Record<string, unknown>,
  timeZone = TIME_ZONE,
): Promise<unknown> {
  const tool = TOOLS.get(name);
  if (!tool) throw new Error(`no tool ${name}`);
  if (!Value.Check(tool.input, input)) throw new Error(`${name} does not take ${JSON.stringify(input)}`);
  return tool.run(input, toolContext(timeZone));
}
