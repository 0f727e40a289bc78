/**
 * Files in a message are plain Markdown: each is a fenced block after the text, with its language and name in the fence's
 * first line. So whatever reads the message understands them, and they can be read back from it.
 */
import { fileBlock } from '../../shared/file-block.ts';
import type { TextFile } from './files.ts';

/** What a person is writing: text, and files that go with it. */
export interface Writing {
  text: string;
  files: readonly TextFile[];
}

export const NOTHING_WRITTEN: Writing = { text: '', files: [] };

const OPENING = /^(`{3,})(\S+) ([^`\n]+)$/;

/** Text and files as one Markdown text. */
export function joinWriting({ text, files }: Writing): string {
  const blocks = files.map(fileBlock);
  return (text === '' ? blocks : [text, ...blocks]).join('\n\n');
}

/**
 * Text and files as they were before {@link joinWriting}: the blocks at the end that look just as it writes them. Joining the
 * result gives the same text again, whatever it was.
 */
export function splitWriting(joined: string): Writing {
  const lines = joined.split('\n');
  for (const [start, line] of lines.entries()) {
    if (!OPENING.test(line) || (start > 0 && lines[start - 1] !== '')) continue;
    const files = readBlocks(lines, start);
    if (files === null) continue;
    const writing = { text: start === 0 ? '' : lines.slice(0, start - 1).join('\n'), files };
    if (joinWriting(writing) === joined) return writing;
  }
  return { text: joined, files: [] };
}

/** The files from that line to the end; null when there is anything else. */
function readBlocks(lines: readonly string[], start: number): TextFile[] | null {
  const files: TextFile[] = [];
  for (let at = start; at < lines.length;) {
    const [, fence = '', , name = ''] = OPENING.exec(lines[at] ?? '') ?? [];
    const end = fence === '' ? -1 : lines.indexOf(fence, at + 1);
    if (end === -1) return null;
    const text = lines
      .slice(at + 1, end)
      .map((line) => `${line}\n`)
      .join('');
    files.push({ id: crypto.randomUUID(), name, text, bytes: new TextEncoder().encode(text).length });
    if (end + 1 === lines.length) return files;
    if (lines[end + 1] !== '') return null;
    at = end + 2;
  }
  return null;
}

/** Whether there is nothing to send or keep. */
export const isBlank = ({ text, files }: Writing): boolean => text === '' && files.length === 0;
