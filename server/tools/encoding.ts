import { generateUuidTool } from './encoding-uuid.ts';
import type { Tool } from './tool.ts';

/** Tools that encode, decode, hash and make up random values. */
export const ENCODING_TOOLS: Tool[] = [generateUuidTool];
