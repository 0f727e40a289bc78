import { formatJsonTool } from './data-json.ts';
import type { Tool } from './tool.ts';

/** Tools that work on JSON and on tables (CSV, Markdown, JSON lists). */
export const DATA_TOOLS: Tool[] = [formatJsonTool];
