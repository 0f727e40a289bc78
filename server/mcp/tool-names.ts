import { createHash } from 'node:crypto';
import { toolPrefix } from '../store/mcp-repository.ts';

/** Longest name of a tool, in characters. */
const MAX_TOOL_NAME = 64;
const HASH_CHARACTERS = 6;

/**
 * What models call a server's tool by. A name that had to be changed gets a few characters made from the whole of it, so that
 * no two are the same and none ever depends on which others there are: what a person allowed stays with the tool they meant.
 */
export function toolNameFor(slug: string, tool: string): string {
  const prefix = toolPrefix(slug);
  const clean = tool.replace(/[^A-Za-z0-9_-]+/g, '_');
  const plain = `${prefix}${clean}`;
  if (clean === tool && plain.length <= MAX_TOOL_NAME) return plain;
  const hash = createHash('sha256').update(tool).digest('hex').slice(0, HASH_CHARACTERS);
  return `${plain.slice(0, MAX_TOOL_NAME - 1 - HASH_CHARACTERS)}_${hash}`;
}
