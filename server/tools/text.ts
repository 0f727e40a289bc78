import { changeCaseTool } from './text-case.ts';
import { countTextTool } from './text-count.ts';
import { extractFromTextTool } from './text-extract.ts';
import { formatTextTool, replaceTextTool, reverseTextTool } from './text-format.ts';
import { removeDuplicatesTool, sortListTool } from './text-lists.ts';
import { summariseTextTool } from './text-summary.ts';
import type { Tool } from './tool.ts';

/** Tools that work on plain text. */
export const TEXT_TOOLS: Tool[] = [
  summariseTextTool,
  countTextTool,
  sortListTool,
  removeDuplicatesTool,
  extractFromTextTool,
  changeCaseTool,
  formatTextTool,
  reverseTextTool,
  replaceTextTool,
];
