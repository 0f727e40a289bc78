import type { Tool } from './tool.ts';

/** Dates, times and zones. */
export const DATE_TOOLS: Tool[] = [];
