import { lstat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Type } from 'typebox';
import { count } from '../../../shared/numbers.ts';
import { decodeText } from '../../lib/decode-text.ts';
import { defineTool, ToolError, type Tool } from '../tool.ts';
import { codeOf, NO_FOLDER, notThere } from './file-words.ts';
import { readAtMost } from './read-file.ts';
import type { ResolvedPath, PathResolver } from './resolve-path.ts';
import { withFile } from './safe-open.ts';
import { looksBinary } from './text.ts';
import { walk, type Met, type Omissions } from './walk.ts';

/** How far a search goes; what it has found until then is its answer, with a note. */
const BOUNDS = {
  matches: 100,
  /** Files and folders that are looked at. */
  visited: 20_000,
  depth: 20,
  /** Bytes that are read of all files together, and of one. */
  totalBytes: 50_000_000,
  fileBytes: 2_000_000,
  milliseconds: 20_000,
};
const MAX_WORDS = 500;

/** What `search_files` takes. */
export const SearchFilesInput = Type.Object({
  name: Type.Optional(Type.String({ description: 'Part of the file’s name, or a pattern with * and ?.' })),
  text: Type.Optional(Type.String({ description: 'Words to find within one line, exactly as written.' })),
  path: Type.Optional(Type.String({ description: 'The folder to search; absent: all allowed folders.' })),
});

/** The tool that finds files by name, by the text in them, or both. */
export const createSearchFiles = (resolver: PathResolver, bounds = BOUNDS): Tool =>
  defineTool({
    name: 'search_files',
    description:
      'Finds files in the folders that the person allowed: by name (a part of it, or a pattern like “*.md”), by words in ' +
      'them, or both. Skips folders called .git and node_modules. Ignores case.',
    input: SearchFilesInput,
    async run({ name = '', text = '', path = '' }, { signal }) {
      if (name === '' && text === '')
        throw new ToolError('Give a “name” or a “text” to search for, or both.');
      if (name.length > MAX_WORDS || text.length > MAX_WORDS) {
        throw new ToolError(`A search takes at most ${MAX_WORDS} characters.`);
      }
      const wanted = { name, text: text.toLowerCase() };
      return search(await findRoots(resolver, path), wanted, resolver, bounds, signal);
    },
  });

async function findRoots(resolver: PathResolver, path: string): Promise<ResolvedPath[]> {
  if (path !== '') {
    const resolved = await resolver.find(path);
    if (resolved.stats === null) throw new ToolError(notThere(resolved.shown));
    return [resolved];
  }
  const folders = (await resolver.folders()).filter(({ available }) => available);
  if (folders.length === 0) throw new ToolError(NO_FOLDER);
  return Promise.all(folders.map((folder) => resolver.find(folder.path)));
}

const MATCHES_PER_FILE = 5;
const MAX_LINE_CHARACTERS = 240;
/** Made by programs, and full of files that nobody means. */
const PASSED_OVER: ReadonlySet<string> = new Set(['.git', 'node_modules']);

interface Match {
  path: string;
  /** Counted from 1; absent where only a name was searched for. */
  line?: number;
  text?: string;
}

/** Searches from the roots down, folder after folder; `text` is in small letters, and what is empty isn't searched for. */
async function search(
  roots: readonly ResolvedPath[],
  { name, text }: { name: string; text: string },
  resolver: PathResolver,
  bounds: typeof BOUNDS,
  signal: AbortSignal,
): Promise<{ matches: Match[]; note?: string }> {
  const deadline = performance.now() + bounds.milliseconds;
  const matches: Match[] = [];
  const omitted: Omissions = { isCut: false, hasDeeper: false, failures: [] };
  const extent = { depth: bounds.depth + 1, entries: bounds.visited, skipped: PASSED_OVER, signal };
  let visited = 0;
  let bytes = 0;
  let tooLarge = 0;
  for await (const met of walk(resolver, roots, extent, omitted)) {
    signal.throwIfAborted();
    const isOver =
      matches.length >= bounds.matches ||
      visited >= bounds.visited ||
      bytes >= bounds.totalBytes ||
      performance.now() > deadline;
    omitted.isCut ||= isOver;
    if (isOver) break;
    visited += 1;
    if (met.kind !== 'file' || !fitsPattern(basename(met.real), name)) continue;
    if (text === '') {
      matches.push({ path: met.shown });
      continue;
    }
    try {
      const content = await readContent(met, bounds.fileBytes, signal);
      if (content === null) tooLarge += 1;
      else bytes += content.length;
      const decoded = content === null || looksBinary(content) ? null : await decodeText(content);
      if (decoded === null) continue;
      const found = linesWith(decoded.text, text).slice(0, bounds.matches - matches.length);
      matches.push(...found.map((match) => ({ path: met.shown, ...match })));
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ToolError) && codeOf(error) === null) throw error;
      omitted.failures.push(error);
    }
  }
  const unread = omitted.failures.length;
  const notes = [
    ...(omitted.isCut || omitted.hasDeeper
      ? ['The search ended before it had seen everything: search in one folder, or for less.']
      : []),
    ...(tooLarge > 0 ? [`Too large to search for the text: ${count(tooLarge, 'file')}.`] : []),
    ...(unread > 0 ? [`${unread} of the files and folders could not be read.`] : []),
  ];
  return { matches, ...(notes.length > 0 && { note: notes.join(' ') }) };
}

/** Null: the file is too large. */
async function readContent(
  { real, shown }: Met,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer | null> {
  const stats = await lstat(real, { bigint: true });
  return withFile({ real, shown, stats }, async (handle, size) =>
    size > maxBytes ? null : readAtMost(handle, maxBytes, signal),
  );
}

/** The first lines that hold the words, cut around them. */
function linesWith(content: string, text: string): { line: number; text: string }[] {
  if (!content.toLowerCase().includes(text)) return [];
  const found: { line: number; text: string }[] = [];
  for (const [index, line] of content.split(/\r?\n/).entries()) {
    const at = line.toLowerCase().indexOf(text);
    if (at < 0) continue;
    const from = Math.max(0, at - MAX_LINE_CHARACTERS / 3);
    const around = line.slice(from, from + MAX_LINE_CHARACTERS).trim();
    found.push({ line: index + 1, text: around.toWellFormed() });
    if (found.length >= MATCHES_PER_FILE) break;
  }
  return found;
}

/**
 * Whether a name fits a pattern with `*` (anything) and `?` (one character); without either, whether the name holds it. Capitals
 * make no difference. A regular expression made of a stranger's pattern could take forever.
 */
function fitsPattern(name: string, pattern: string): boolean {
  const text = Array.from(name.toLowerCase());
  const signs = Array.from(pattern.toLowerCase());
  if (!signs.includes('*') && !signs.includes('?')) return text.join('').includes(signs.join(''));
  /** Whether the pattern so far fits the first so many characters of the name. */
  let fits = [true, ...text.map(() => false)];
  for (const sign of signs) {
    const first = fits.indexOf(true);
    fits = fits.map((_, count) => {
      if (sign === '*') return first !== -1 && count >= first;
      return fits[count - 1] === true && (sign === '?' || sign === text[count - 1]);
    });
  }
  return fits.at(-1) === true;
}
