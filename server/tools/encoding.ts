import { hashTextTool } from './encoding-hash.ts';
import { decodeJwtTool } from './encoding-jwt.ts';
import { generatePasswordTool, randomChoiceTool, randomNumbersTool } from './encoding-random.ts';
import { decodeTextTool, encodeTextTool } from './encoding-text.ts';
import { generateUuidTool } from './encoding-uuid.ts';
import type { Tool } from './tool.ts';

/** Tools that encode, decode, hash and make up random values. */
export const ENCODING_TOOLS: Tool[] = [
  encodeTextTool,
  decodeTextTool,
  hashTextTool,
  decodeJwtTool,
  generateUuidTool,
  generatePasswordTool,
  randomNumbersTool,
  randomChoiceTool,
];
