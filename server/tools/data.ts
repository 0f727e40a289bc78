import { convertTableTool } from './data-convert.ts';
import { checkJsonTool, formatJsonTool, getJsonValueTool } from './data-json.ts';
import { tableStatisticsTool } from './data-statistics.ts';
import type { Tool } from './tool.ts';

/** Tools that work on JSON and on tables (CSV, Markdown, JSON lists). */
export const DATA_TOOLS: Tool[] = [
  checkJsonTool,
  formatJsonTool,
  getJsonValueTool,
  convertTableTool,
  tableStatisticsTool,
];
