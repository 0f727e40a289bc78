/** The result of a server's tool: texts as plain data, with a note for each picture and file, which come separately. */
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import { MAX_STEP_FILE_BYTES, MAX_STEP_FILES } from '../../shared/limits.ts';
import { OutputWithFiles, ToolError, type ToolFile } from '../tools/tool.ts';
import type { Mask } from '../secrets/mask.ts';
import { attempt } from '../../shared/attempt.ts';
import { MAX_TOOL_FILE_NAME_LENGTH, mediaTypeOf } from '../lib/media-type.ts';

const MAX_ERROR_CHARACTERS = 2_000;
/** Base64 holds three bytes in four characters. */
const BYTES_PER_CHARACTER = 3 / 4;

/**
 * The output of a call: structured content if there is any, else the only text, else a list of pieces; with files if
 * there are any. Throws ToolError with the server's words when the tool reports a failure.
 */
export function readResult(result: CallToolResult, mask: Mask): unknown {
  const files: ToolFile[] = [];
  const pieces = result.content.map((block) => readBlock(block, mask, files));
  if (result.isError === true) throw new ToolError(inWords(pieces));
  const output = outputOf(result, pieces, mask);
  return files.length === 0 ? output : new OutputWithFiles(output, files);
}

function outputOf(
  { content, structuredContent }: CallToolResult,
  pieces: readonly Piece[],
  mask: Mask,
): unknown {
  const others = pieces.filter((piece) => typeof piece !== 'string');
  if (structuredContent !== undefined) {
    // Some servers repeat the bytes of their pictures and files here, which no model can read.
    const known = new Set(content.map(base64Of));
    const structured = replaceTexts(structuredContent, (text) =>
      text !== '' && known.has(text) ? ATTACHED : mask(text),
    );
    return others.length === 0 ? structured : { result: structured, attached: others };
  }
  const [only] = pieces;
  return pieces.length === 1 && typeof only === 'string' ? { text: only } : { content: pieces };
}

/** Replaces the bytes of a file that is attached. */
const ATTACHED = '(attached)';

/** The bytes of a picture or file as the server sent them; null: it is none. */
function base64Of(block: ContentBlock): string | null {
  if (block.type === 'image' || block.type === 'audio') return block.data;
  return block.type === 'resource' && 'blob' in block.resource ? block.resource.blob : null;
}

type Piece = string | Readonly<Record<string, unknown>>;

function readBlock(block: ContentBlock, mask: Mask, files: ToolFile[]): Piece {
  switch (block.type) {
    case 'text':
      return mask(block.text);
    case 'image':
    case 'audio':
      return takeFile(files, { kind: block.type, type: block.mimeType, base64: block.data });
    case 'resource_link':
      return { resource: mask(block.uri), name: block.name };
    case 'resource': {
      const { resource } = block;
      const { mimeType: type = null } = resource;
      const uri = mask(resource.uri);
      if ('text' in resource) return { resource: uri, type, text: mask(resource.text) };
      const file = { kind: 'resource', type: type ?? '', base64: resource.blob, uri };
      return { resource: uri, ...takeFile(files, file) };
    }
  }
}

interface GivenFile {
  kind: string;
  type: string;
  base64: string;
  uri?: string;
}

/** Adds a file if there is room; returns the note on it for the texts. */
function takeFile(files: ToolFile[], file: GivenFile): Exclude<Piece, string> {
  const { kind, type, base64 } = file;
  const mediaType = mediaTypeOf(type);
  const bytes = bytesOf(base64);
  const why =
    bytes > MAX_STEP_FILE_BYTES
      ? `larger than ${MAX_STEP_FILE_BYTES / 1024 / 1024} MiB`
      : files.length >= MAX_STEP_FILES
        ? `more than ${MAX_STEP_FILES} files`
        : null;
  if (why !== null) return { left_out: kind, type: mediaType, bytes, why };
  const data = Buffer.from(base64, 'base64');
  const name = fileName(file, mediaType, files.length + 1);
  files.push({ name, mediaType, data });
  return { file: name, type: mediaType, bytes: data.length };
}

const bytesOf = (base64: string): number =>
  Math.floor(base64.replace(/(?<!=)=+$/, '').length * BYTES_PER_CHARACTER);

function inWords(pieces: readonly Piece[]): string {
  const joined = pieces
    .filter((piece) => typeof piece === 'string')
    .join('\n')
    .trim();
  if (joined === '') return 'The tool says that it failed, and not why.';
  return joined.length <= MAX_ERROR_CHARACTERS
    ? joined
    : `${joined.slice(0, MAX_ERROR_CHARACTERS).toWellFormed()}…`;
}

/** The same JSON with other texts; names of fields stay. */
const replaceTexts = (value: unknown, replace: (text: string) => string): unknown =>
  JSON.parse(JSON.stringify(value), (_name, part: unknown) =>
    typeof part === 'string' ? replace(part) : part,
  );

const EXTENSIONS: Readonly<Record<string, string>> = {
  jpeg: 'jpg',
  mpeg: 'mp3',
  plain: 'txt',
  'octet-stream': 'bin',
  'svg+xml': 'svg',
};

/** A name for the file: the last part of its address, or its kind with a number: `image-1.png`. */
function fileName({ kind, uri = '' }: GivenFile, mediaType: string, number: number): string {
  const [, last = ''] = /(?<![^/?#])([^/?#]+)\/?(?:[?#].*)?$/s.exec(uri) ?? [];
  const own = (attempt(() => decodeURIComponent(last)) ?? last)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\]+/gu, ' ')
    .trim();
  if (own !== '') return own.slice(0, MAX_TOOL_FILE_NAME_LENGTH).toWellFormed();
  const [, subtype = ''] = mediaType.split('/');
  const extension = EXTENSIONS[subtype] ?? subtype.replace(/^x-/, '');
  return `${kind}-${number}.${extension}`;
}
