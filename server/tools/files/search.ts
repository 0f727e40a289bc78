import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolError } from '../tool.ts';
import { codeOf } from './file-words.ts';
import type { Place, Places } from './places.ts';
import { readAtMost } from './read-file.ts';
import { readFolder, withFile } from './safe-open.ts';
import { looksBinary } from './text.ts';
import { fitsPattern } from './wildcard.ts';

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
  /** Counted from 1; absent where the name alone was asked for. */
  line?: number;
  text?: string;
}

/** What is searched for, and where the search ends. */
export interface Wanted {
  places: Places;
  bounds: SearchBounds;
  signal: AbortSignal;
  name: string | null;
  /** In small letters. */
  text: string | null;
}

/** One search, once, from its roots down, folder after folder. */
export class Search {
  readonly #wanted: Wanted;
  readonly #matches: Match[] = [];
  /** Roots may lie in one another. */
  readonly #seen = new Set<string>();
  readonly #deadline: number;
  #visited = 0;
  #bytes = 0;
  #tooLarge = 0;
  #unread = 0;
  #isCut = false;

  constructor(wanted: Wanted) {
    this.#wanted = wanted;
    this.#deadline = performance.now() + wanted.bounds.milliseconds;
  }

  async run(roots: readonly Place[]): Promise<void> {
    const waiting: { real: string; shown: string; depth: number }[] = [];
    for (const { real, shown, stats } of roots) {
      if (stats?.isDirectory() === true) waiting.push({ real, shown, depth: 0 });
      else await this.#look(real, shown);
    }
    for (let folder = waiting.shift(); folder !== undefined && !this.#mustEnd(); folder = waiting.shift()) {
      if (this.#seen.has(folder.real)) continue;
      this.#seen.add(folder.real);
      const { bounds } = this.#wanted;
      const listed = await readFolder(folder.real, folder.shown, bounds.visited).catch(() => null);
      if (listed === null) this.#unread += 1;
      this.#isCut ||= listed?.isCut === true;
      for (const { name, kind } of listed?.entries ?? []) {
        if (this.#mustEnd()) break;
        const real = join(folder.real, name);
        const shown = `${folder.shown}/${name}`;
        if (kind === 'file') await this.#look(real, shown);
        if (kind !== 'folder' || PASSED_OVER.has(name)) continue;
        if (folder.depth >= bounds.depth) this.#isCut = true;
        else if (await this.#mayEnter(real)) waiting.push({ real, shown, depth: folder.depth + 1 });
      }
    }
  }

  answer(): Record<string, unknown> {
    const notes = [
      ...(this.#isCut
        ? ['The search ended before it had seen everything: search in one folder, or for less.']
        : []),
      ...(this.#tooLarge > 0 ? [`${this.#tooLarge} large files were not searched for the text.`] : []),
      ...(this.#unread > 0 ? [`${this.#unread} files or folders could not be read.`] : []),
    ];
    return { matches: this.#matches, ...(notes.length > 0 && { note: notes.join(' ') }) };
  }

  #mustEnd(): boolean {
    const { bounds, signal } = this.#wanted;
    signal.throwIfAborted();
    const isOver =
      this.#matches.length >= bounds.matches ||
      this.#visited >= bounds.visited ||
      this.#bytes >= bounds.totalBytes ||
      performance.now() > this.#deadline;
    this.#isCut ||= isOver;
    return isOver;
  }

  async #mayEnter(real: string): Promise<boolean> {
    this.#visited += 1;
    const stats = await lstat(real, { bigint: true }).catch(() => null);
    return stats !== null && !(await this.#wanted.places.isOwnData(stats));
  }

  async #look(real: string, shown: string): Promise<void> {
    const { name, text } = this.#wanted;
    this.#visited += 1;
    if (this.#seen.has(real)) return;
    this.#seen.add(real);
    if (name !== null && !fitsPattern(shown.slice(shown.lastIndexOf('/') + 1), name)) return;
    if (text === null) this.#matches.push({ path: shown });
    else await this.#lookInside(real, shown, text);
  }

  async #lookInside(real: string, shown: string, text: string): Promise<void> {
    const { bounds, signal } = this.#wanted;
    try {
      const stats = await lstat(real, { bigint: true });
      const bytes = await withFile({ real, shown, stats }, async (handle, size) => {
        if (size > bounds.fileBytes) return null;
        return readAtMost(handle, bounds.fileBytes, signal);
      });
      if (bytes === null) {
        this.#tooLarge += 1;
        return;
      }
      this.#bytes += bytes.length;
      if (looksBinary(bytes)) return;
      const found = linesWith(bytes.toString('utf8'), text);
      const room = bounds.matches - this.#matches.length;
      this.#matches.push(...found.slice(0, room).map((match) => ({ path: shown, ...match })));
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ToolError) && codeOf(error) === null) throw error;
      this.#unread += 1;
    }
  }
}

/** The first lines that hold the words, cut around them. */
function linesWith(content: string, text: string): { line: number; text: string }[] {
  if (!content.toLowerCase().includes(text)) return [];
  const found: { line: number; text: string }[] = [];
  for (const [index, line] of content.split(/\r?\n/).entries()) {
    const at = line.toLowerCase().indexOf(text);
    if (at < 0) continue;
    const from = Math.max(0, at - MAX_LINE_CHARACTERS / 3);
    found.push({
      line: index + 1,
      text: line
        .slice(from, from + MAX_LINE_CHARACTERS)
        .trim()
        .toWellFormed(),
    });
    if (found.length >= MATCHES_PER_FILE) break;
  }
  return found;
}
