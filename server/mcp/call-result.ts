/** What a tool of a server gave, as plain data: texts as they are, pictures and files as a note of what they were. */
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import { ToolError } from '../tools/tool.ts';
import type { Mask } from '../secrets/mask.ts';

const MAX_ERROR_CHARACTERS = 2_000;
/** Base64 holds three bytes in four characters. */
const BYTES_PER_CHARACTER = 3 / 4;

/**
 * The outcome of a call. Structured content when there is some, else the only text, else a list of pieces. Throws ToolError
 * with the server's words when the tool says that it failed.
 */
export function readResult({ content, structuredContent, isError }: CallToolResult, mask: Mask): unknown {
  const pieces = content.map((block) => readBlock(block, mask));
  if (isError === true) throw new ToolError(inWords(pieces));
  const others = pieces.filter((piece) => typeof piece !== 'string');
  if (structuredContent !== undefined) {
    const structured = maskAll(structuredContent, mask);
    return others.length === 0 ? structured : { result: structured, attached: others };
  }
  const [only] = pieces;
  return pieces.length === 1 && typeof only === 'string' ? { text: only } : { content: pieces };
}

type Piece = string | Readonly<Record<string, unknown>>;

function readBlock(block: ContentBlock, mask: Mask): Piece {
  switch (block.type) {
    case 'text':
      return mask(block.text);
    case 'image':
    case 'audio':
      return { left_out: block.type, type: block.mimeType, bytes: bytesOf(block.data) };
    case 'resource_link':
      return { resource: mask(block.uri), name: block.name };
    case 'resource': {
      const { resource } = block;
      const { uri, mimeType = null } = resource;
      return 'text' in resource
        ? { resource: mask(uri), type: mimeType, text: mask(resource.text) }
        : { left_out: 'resource', resource: mask(uri), type: mimeType, bytes: bytesOf(resource.blob) };
    }
    default:
      return { left_out: 'something of a kind that Parley does not know' };
  }
}

const bytesOf = (base64: string): number =>
  Math.floor(base64.replace(/=+$/, '').length * BYTES_PER_CHARACTER);

function inWords(pieces: readonly Piece[]): string {
  const said = pieces
    .filter((piece) => typeof piece === 'string')
    .join('\n')
    .trim();
  if (said === '') return 'The tool says that it failed, and not why.';
  return said.length <= MAX_ERROR_CHARACTERS
    ? said
    : `${said.slice(0, MAX_ERROR_CHARACTERS).toWellFormed()}…`;
}

function maskAll(value: unknown, mask: Mask): unknown {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((item) => maskAll(item, mask));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, maskAll(item, mask)]));
  }
  return value;
}
