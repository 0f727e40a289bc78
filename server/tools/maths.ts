import type { Tool } from './tool.ts';

/** Calculation and units. */
export const MATHS_TOOLS: Tool[] = [];
