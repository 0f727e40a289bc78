/** How many columns text takes on a terminal, and making it fit. */

/** East Asian wide and full-width characters, and pictures. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}\ufe0f]|\p{Emoji_Presentation}/u;
const NOTHING_TO_SEE = /^[\p{M}\p{Cf}\p{Cc}]+$/u;
const PLAIN = /^[\x20-\x7e]*$/;

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** What a reader sees as single characters. */
export const graphemesOf = (text: string): string[] =>
  Array.from(segmenter.segment(text), ({ segment }) => segment);

/** The columns of one character, as {@link graphemesOf} gives them. */
export const isWide = (grapheme: string): boolean => WIDE.test(grapheme);
const widthOfOne = (grapheme: string): number =>
  isWide(grapheme) ? 2 : NOTHING_TO_SEE.test(grapheme) ? 0 : 1;

/** The columns of a text in one line, without control characters. */
export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  return graphemesOf(text).reduce((sum, grapheme) => sum + widthOfOne(grapheme), 0);
}

/** The text in one line of at most so many columns, with an ellipsis where it was cut. */
export function fit(text: string, columns: number): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  return widthOf(line) <= columns ? line : `${firstColumns(line, columns - 1).trimEnd()}…`;
}

/** As much of the text's start as fits, at least one character. */
export function firstColumns(text: string, columns: number): string {
  let used = 0;
  let length = 0;
  for (const grapheme of graphemesOf(text)) {
    used += widthOfOne(grapheme);
    if (used > columns && length > 0) break;
    length += grapheme.length;
  }
  return text.slice(0, length);
}

/** The text, followed by as many spaces as it takes to fill the columns. */
export const padTo = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - widthOf(text)));
