/**
 * Files in the text of a message, as in imported chats: fenced blocks of Markdown at its end, with language and name in the
 * fence's first line (shared/file-block.ts).
 */
import { fileBlock } from '../../shared/file-block.ts';

/** A text file inside a message. */
export interface FileBlock {
  name: string;
  text: string;
  /** Its size in UTF-8. */
  bytes: number;
}

const OPENING = /^(`{3,})([^\s`]\S*) ([^`\n]+)$/;

const join = (text: string, files: readonly FileBlock[]): string =>
  [...(text === '' ? [] : [text]), ...files.map(fileBlock)].join('\n\n');

/** Splits a message into its text and the blocks at its end that have exactly the form of files. */
export function splitFileBlocks(content: string): { text: string; files: readonly FileBlock[] } {
  const lines = content.split('\n');
  for (const [start, line] of lines.entries()) {
    if (!OPENING.test(line) || (start > 0 && lines[start - 1] !== '')) continue;
    const files = readBlocks(lines, start);
    if (files === null) continue;
    const text = start === 0 ? '' : lines.slice(0, start - 1).join('\n');
    if (join(text, files) === content) return { text, files };
  }
  return { text: content, files: [] };
}

/** The files from that line to the end; null if there is anything else. */
function readBlocks(lines: readonly string[], start: number): FileBlock[] | null {
  const files: FileBlock[] = [];
  for (let at = start; at < lines.length;) {
    const [, fence = '', , name = ''] = OPENING.exec(lines[at] ?? '') ?? [];
    const end = fence === '' ? -1 : lines.indexOf(fence, at + 1);
    if (end === -1) return null;
    const text = lines
      .slice(at + 1, end)
      .map((line) => `${line}\n`)
      .join('');
    files.push({ name, text, bytes: new TextEncoder().encode(text).length });
    if (end + 1 === lines.length) return files;
    if (lines[end + 1] !== '') return null;
    at = end + 2;
  }
  return null;
}
