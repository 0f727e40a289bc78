/**
 * A reply that is being written may end anywhere: within bold text, a link, the line that will turn out to be a list. Drawn
 * as it is, it flickers. So the end is drawn as it will most likely turn out; everything before it stays untouched.
 */
import { withoutOtherMarks } from '../../shared/markdown-rules.ts';
import type { MarkdownNode } from './markdown.ts';

/** Only marks whose meaning the next characters decide: `-` alone would make a heading of the line before. */
const MARKS_ONLY = /^(?:[-=*+#>|:~`$ \t]+|[ \t]*\d{1,9}[.)]?)$/;
/** In longer lines nothing is left out or closed: they aren't just the start of something. */
const LONGEST_LINE = 4_000;
const OPEN_LINK = /!?\[([^[\]\n]*)\](?:\([^()\n]*)?$/;

/** `text` without a last line that has only started something. */
export function withoutBareMarks(text: string): string {
  const end = text.lastIndexOf('\n');
  if (end === -1 || text.length - end > LONGEST_LINE) return text;
  return MARKS_ONLY.test(text.slice(end + 1)) ? text.slice(0, end) : text;
}

/** `text` with everything that its last line leaves open closed: emphasis, code, a link whose address is still coming. */
export function closeOpenMarks(text: string): string {
  const start = text.lastIndexOf('\n') + 1;
  const line = text.slice(start);
  if (line.length > LONGEST_LINE) return text;
  const code = line.match(/`+/g) ?? [];
  if (code.length % 2 === 1) {
    const mark = code.at(-1) ?? '';
    return line.endsWith(mark) ? text.slice(0, -mark.length) : text + mark;
  }
  const outsideCode = withoutOtherMarks(line.replace(/(?<!`)`+[^`]+`+/g, ''));
  const link = OPEN_LINK.exec(line);
  const written = link ? text.slice(0, start + link.index) + (link[1] ?? '') : text;
  const bold = outsideCode.match(/\*\*/g)?.length ?? 0;
  if (bold % 2 === 0) return written;
  // Closing marks count only right after a word.
  return written.endsWith('*') ? written.replace(/(?<!\*)\*+$/, '') : `${written.trimEnd()}**`;
}

/** Whether the end of a text with such a tree may be completed: not in code, tables or formulas. */
export const isProse = (last: MarkdownNode | undefined): boolean =>
  ['paragraph', 'list', 'blockquote', 'heading'].includes(last?.type ?? '');
