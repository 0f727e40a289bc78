import { lstat } from 'node:fs/promises';
import { basename } from 'node:path';
import { decodeText } from '../../lib/decode-text.ts';
import { ToolError } from '../tool.ts';
import { codeOf } from './file-words.ts';
import type { ResolvedPath, PathResolver } from './resolve-path.ts';
import { readAtMost } from './read-file.ts';
import { withFile } from './safe-open.ts';
import { looksBinary } from './text.ts';
import { walk, type Met, type Omissions } from './walk.ts';

/** How far a search goes; what it has found until then is its answer, with a note. */
export interface SearchBounds {
  matches: number;
  /** Files and folders that are looked at. */
  visited: number;
  depth: number;
  /** Bytes that are read of all files together, and of one. */
  totalBytes: number;
  fileBytes: number;
  milliseconds: number;
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

/** What is searched for, and where the search ends. */
export interface Wanted {
  resolver: PathResolver;
  bounds: SearchBounds;
  signal: AbortSignal;
  name: string | null;
  /** In small letters. */
  text: string | null;
}

/** Searches from the roots down, folder after folder. */
export async function search(
  roots: readonly ResolvedPath[],
  { resolver, bounds, signal, name, text }: Wanted,
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
    if (met.kind !== 'file' || (name !== null && !fitsPattern(basename(met.real), name))) continue;
    if (text === null) {
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
    ...(tooLarge > 0 ? [`${tooLarge} large files were not searched for the text.`] : []),
    ...(unread > 0 ? [`${unread} files or folders could not be read.`] : []),
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
