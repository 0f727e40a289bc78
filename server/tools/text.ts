import { countTextTool } from './text-count.ts';
import type { Tool } from './tool.ts';

/** Tools that work on plain text. */
export const TEXT_TOOLS: Tool[] = [countTextTool];
