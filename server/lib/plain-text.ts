/** Markdown as plain words, for titles and notifications. */
import { PATH_START } from '../../shared/windows-path.ts';

/** Longer lines are cut first: a title needs no more, and long text stays cheap. */
const MAX_SCANNED = 1_000;
const FENCE = /^\s*(```|~~~)[^`]*$/;
/** Markdown at the start of a line: headings, quotes, alerts, list items and check boxes. */
const LINE_START = /^(?:\s*(?:#{1,6}(?=\s|$)|>|\[!\w+\]|[-*+](?=\s|$)|\d{1,9}[.)](?=\s)|\[[ xX]\](?=\s)))+/;
const RULE = /^[\s\-*_=|:#>~`]*$/;
const LINK = /!?\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g;
const EMPHASIS = /(?<![\w/])(\*\*|__|~~)(?=\S)(.+?)(?<=\S)\1/g;
const ITALIC = /(?<![\p{L}\p{N}*_])([*_])(?=[^\s*_])([^*_]+?)(?<=\S)\1(?![\p{L}\p{N}*_])/gu;
const CODE = /(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/g;
/**
 * Control characters, halves of surrogate pairs, marks that turn or hide text, and blanks that are no white space. Joiners and
 * variation selectors stay where they make a letter or an emoji what it is.
 */
export const INVISIBLE =
  /(?![\u200c\u200d\ufe0f])[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]|(?<=^|[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{P}\p{Z}])[\u200c\u200d\ufe0f]+/gu;
/** Something visible: not only joiners and accents. */
export const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;
const ELLIPSIS = '…';

/** Created when a text is first cut: its data takes as long to load as everything else in this folder. */
let graphemes: Intl.Segmenter | null = null;

/** Characters that are literal in Markdown after a backslash, but for paths. */
const ESCAPED = new RegExp(`${PATH_START.source}|${String.raw`\\([!-/:-@[-\x60{-~])`}`, 'gi');

/**
 * The text in one line of plain words: without Markdown's marks, code fences and line breaks, whole words and at most
 * `maxCharacters` (code points). Empty when there are no words at all. Reads only as much of the text as it needs.
 */
export function plainLine(text: string, maxCharacters: number): string {
  let words = '';
  for (const { line } of textLines(text)) {
    const row = line.trimStart().startsWith('|') ? line.replaceAll('|', ' ') : line;
    const plain = plainText(row).replace(ESCAPED, (part, sign?: string) => sign ?? part);
    if (VISIBLE.test(plain)) words += words === '' ? plain : ` ${plain}`;
    // There are at most twice as many code units as code points.
    if (words.length > maxCharacters * 2) break;
  }
  return shorten(words, maxCharacters);
}

/** Lines one after the other, without splitting a long text as a whole, and whether code fences surround each; not the fences. */
export function* textLines(text: string): Generator<{ line: string; isCode: boolean }> {
  let start = 0;
  let isCode = false;
  while (start < text.length) {
    const end = /\r\n|[\n\r\u2028\u2029]/.exec(text.slice(start, start + MAX_SCANNED));
    const stop = end === null ? start + MAX_SCANNED : start + end.index;
    const line = text.slice(start, stop);
    if (FENCE.test(line)) isCode = !isCode;
    else yield { line, isCode };
    start = stop + (end === null ? 0 : end[0].length);
  }
}

/** A line of Markdown without its marks. Empty for a rule. */
export function plainText(line: string): string {
  const text = line.replace(/\t/g, ' ').replace(INVISIBLE, '');
  if (RULE.test(text)) return '';
  return (
    text
      .replace(LINE_START, '')
      .replace(LINK, '$1')
      // A picture may be the text of a link.
      .replace(LINK, '$1')
      .replace(CODE, '$2')
      .replace(EMPHASIS, '$2')
      .replace(ITALIC, '$2')
      .replace(/\s+/gu, ' ')
      .trim()
  );
}

/** Whole words, if they fill a third, and at most `maxCharacters` (code points), the cut marked by an ellipsis. */
export function shorten(words: string, maxCharacters: number): string {
  // A character has at least one code unit, so a short text needs no counting.
  if (words.length <= maxCharacters) return words;
  const whole = prefix(words, maxCharacters);
  if (whole.length === words.length) return words;
  const lastSpace = words[whole.length] === ' ' ? whole.length : whole.lastIndexOf(' ');
  if (lastSpace < maxCharacters / 3) return prefix(words, maxCharacters - 1) + ELLIPSIS;
  const cut = whole.slice(0, lastSpace).replace(/(?<![\s,;:–—-])[\s,;:–—-]+$/u, '');
  return Array.from(cut).length < maxCharacters ? cut + ELLIPSIS : cut;
}

/** As much of the text as fits into `codePoints` without splitting what a reader sees as one character. */
function prefix(text: string, codePoints: number): string {
  let length = 0;
  let used = 0;
  graphemes ??= new Intl.Segmenter('und', { granularity: 'grapheme' });
  for (const { segment } of graphemes.segment(text)) {
    used += Array.from(segment).length;
    if (used > codePoints) break;
    length += segment.length;
  }
  return text.slice(0, length);
}
