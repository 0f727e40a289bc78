import { DATA_TOOLS } from './data.ts';
import { DATE_TOOLS } from './dates.ts';
import { ENCODING_TOOLS } from './encoding.ts';
import { MATHS_TOOLS } from './maths.ts';
import { NOTE_TOOLS } from './notes.ts';
import { SEARCH_TOOLS } from './search.ts';
import { TEXT_TOOLS } from './text.ts';
import type { Tool } from './tool.ts';

/** Every tool there is, for any agent to use. */
export const ALL_TOOLS: readonly Tool[] = [
  ...MATHS_TOOLS,
  ...DATE_TOOLS,
  ...TEXT_TOOLS,
  ...DATA_TOOLS,
  ...ENCODING_TOOLS,
  ...NOTE_TOOLS,
  ...SEARCH_TOOLS,
];

const byName: ReadonlyMap<string, Tool> = new Map(ALL_TOOLS.map((tool) => [tool.name, tool]));

/** The tool of that name, or null. */
export function findTool(name: string): Tool | null {
  return byName.get(name) ?? null;
}
