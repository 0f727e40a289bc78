import { basename } from 'node:path';
import { placeOfFolder } from '../../store/allowed-folder-repository.ts';
import { Type, type Static } from 'typebox';
import { visibleLine } from '../../../shared/visible.ts';
import { decodeText } from '../../lib/decode-text.ts';
import { defineTool, ToolError, type Tool } from '../tool.ts';
import { diffFile } from './diff-file.ts';
import { sizeWords } from './file-words.ts';
import { pathNames, requirePlainName } from './path-text.ts';
import type { ResolvedPath, PathResolver } from './resolve-path.ts';
import { readAtMost } from './read-file.ts';
import { replaceFile } from './replace-file.ts';
import { requireFile, withFile } from './safe-open.ts';
import { inStyleOf, readContent } from './text.ts';

/** Longest text of one call, in UTF-16 code units. */
const MAX_TEXT_CHARACTERS = 1_000_000;
/** Largest file that is added to, in bytes. */
const MAX_APPENDED_BYTES = 10_000_000;

/** How much of a file shows its line ends. */
const STYLE_BYTES = 1_000_000;
/** Longest time that reading that may take, in milliseconds. */
const READING_MS = 5_000;

/** A call's input, looked at. */
interface Writing {
  resolved: ResolvedPath;
  text: string;
  append: boolean;
}

/** What `write_file` takes. */
export const WriteFileInput = Type.Object({
  path: Type.String({ minLength: 1, description: 'The file, like “Notes/todo.md”.' }),
  text: Type.String({ description: 'Its whole new text; with append, the text to add.' }),
  append: Type.Optional(Type.Boolean({ description: 'Add at the end, on a new line. Default false.' })),
});

/** The tool that writes a file: a new one, in place of another, or to the end of one. */
export function createWriteFile(resolver: PathResolver): Tool {
  async function read({ path, text, append = false }: Static<typeof WriteFileInput>): Promise<Writing> {
    if (text.length > MAX_TEXT_CHARACTERS) {
      throw new ToolError(
        `The text is too long: ${MAX_TEXT_CHARACTERS.toLocaleString('en')} characters is the most.`,
      );
    }
    if (!text.isWellFormed() || text.includes('\0'))
      throw new ToolError('The text holds characters that no text file can hold.');
    if (/[\\/]$/.test(path)) throw new ToolError(`“${path}” names a folder; add the file’s name.`);
    pathNames(path).forEach(requirePlainName);
    const resolved = await resolver.find(path);
    if (resolved.stats !== null) requireFile(resolved);
    return { resolved, text, append };
  }

  return defineTool({
    name: 'write_file',
    description:
      'Writes a text file in a folder that the person allowed: creates it, replaces all of it, or with append adds to its end. ' +
      'The person is asked first. Missing folders are created.',
    input: WriteFileInput,
    async describe(input) {
      try {
        const writing = await read(input);
        const { resolved, text, append } = writing;
        const { folder } = resolved;
        const diff = append ? null : await diffFile(resolved, (await replacing(resolved, text)).text);
        return {
          summary: describe(writing),
          ...(diff !== null && { diff }),
          basis: basisOf(resolved),
          place: { id: placeOfFolder(folder.id), name: folder.name },
        };
      } catch (error) {
        if (!(error instanceof ToolError)) throw error;
        // With a basis, so that a yes to this isn't a yes to what may be possible later.
        return { summary: `This can’t be done: ${error.message}`, basis: 'nothing', place: 'unknown' };
      }
    },
    async run(input, { signal, basis, place: allowedAt }) {
      const { resolved, text, append } = await read(input);
      if (allowedAt !== undefined && allowedAt !== placeOfFolder(resolved.folder.id)) {
        throw new ToolError(
          `“${resolved.shown}” now leads somewhere else, so it was not changed. Look at it, and ask again.`,
        );
      }
      if (basis !== undefined && basis !== basisOf(resolved)) {
        throw new ToolError(
          `“${resolved.shown}” has changed since you were asked, so it was not changed. Look at it, and ask again.`,
        );
      }
      const bytes = append ? await appended(resolved, text, signal) : (await replacing(resolved, text)).bytes;
      signal.throwIfAborted();
      await replaceFile(resolved, bytes);
      const done = resolved.stats === null ? 'made' : append ? 'added to' : 'replaced';
      return { path: resolved.shown, done, size: bytes.length };
    },
  });
}

/** What the approval is based on: which file is there, if any, and its state. */
const basisOf = ({ real, stats }: ResolvedPath): string =>
  stats === null ? `none at ${real}` : [real, stats.dev, stats.ino, stats.size, stats.mtimeNs].join(' ');

function describe({ resolved, text, append }: Writing): string {
  const { stats } = resolved;
  const real = visibleLine(resolved.real);
  const length = Array.from(text).length;
  const characters = length === 1 ? '1 character' : `${length.toLocaleString('en')} characters`;
  if (stats === null) return `Makes a new file with ${characters}: ${real}`;
  const size = `${stats.size.toLocaleString('en')} ${stats.size === 1n ? 'byte' : 'bytes'}`;
  return append
    ? `Adds ${characters} to the end of a file that has ${size}: ${real}`
    : `Replaces all of a file that has ${size} with ${characters}: ${real}`;
}

/** The new text in the style and encoding of the file that it replaces, as far as its beginning can be read. */
async function replacing(resolved: ResolvedPath, text: string): Promise<{ text: string; bytes: Buffer }> {
  const plain = { text, bytes: Buffer.from(text) };
  if (resolved.stats === null) return plain;
  const signal = AbortSignal.timeout(READING_MS);
  const reading = withFile(resolved, (handle) => readAtMost(handle, STYLE_BYTES, signal));
  const old = await reading.catch(() => Buffer.alloc(0));
  const before = await decodeText(old, old.length === STYLE_BYTES);
  if (before === null) return plain;
  const styled = inStyleOf(before, text);
  return { text: styled, bytes: await inEncoding(resolved, styled, before.encoding) };
}

async function inEncoding({ shown }: ResolvedPath, text: string, encoding: string): Promise<Buffer> {
  const { encodeText } = await import('../../lib/text-decoder.ts');
  const bytes = encodeText(text, encoding);
  if (bytes !== null) return bytes;
  throw new ToolError(
    `“${shown}” is text in ${encoding}, in which Parley can’t write all of these characters, so it was not changed. Write a new file, or have the person save this one as UTF-8.`,
  );
}

/** The whole new content: what was there, byte for byte, then the new text with the same line endings. */
async function appended(resolved: ResolvedPath, text: string, signal: AbortSignal): Promise<Buffer> {
  if (resolved.stats === null) return Buffer.from(text);
  const before = await withFile(resolved, (handle, size) => {
    if (size > MAX_APPENDED_BYTES) {
      throw new ToolError(`“${resolved.shown}” is too large to be added to: it has ${sizeWords(size)}.`);
    }
    return readAtMost(handle, MAX_APPENDED_BYTES, signal);
  });
  const content = await readContent(before, basename(resolved.real));
  if ('guess' in content)
    throw new ToolError(`“${resolved.shown}” is ${content.guess}, so no text can be added to it.`);
  const lineEnd = content.text.includes('\r\n') ? '\r\n' : '\n';
  const needsLine = content.text !== '' && !content.text.endsWith('\n');
  const added = text.replace(/\r?\n/g, lineEnd);
  return Buffer.concat([
    before,
    await inEncoding(resolved, needsLine ? lineEnd + added : added, content.encoding),
  ]);
}
