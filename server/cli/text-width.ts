/** How many columns text takes on a terminal, and making it fit. */
import widthOf from 'fast-string-width';
import { wrapAnsi } from 'fast-wrap-ansi';

export { widthOf };

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** The text in one line of at most so many columns, with an ellipsis where it was cut. */
export function fit(text: string, columns: number): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  if (widthOf(line) <= columns) return line;
  let start = '';
  for (const { segment } of segmenter.segment(line)) {
    if (widthOf(start + segment) >= columns) break;
    start += segment;
  }
  return `${start.trimEnd()}…`;
}

/** The text, followed by as many spaces as it takes to fill the columns. */
export const padTo = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - widthOf(text)));

/** The text, which may have formats, as lines of at most so many columns; longer words are cut. `trim`: whether blanks around lines go. */
export const wrap = (text: string, columns: number, trim = true): string[] =>
  wrapAnsi(text, columns, { hard: true, trim }).split('\n');
