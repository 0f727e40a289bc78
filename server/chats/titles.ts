import { MAX_TITLE_CHARACTERS, NEW_CHAT_TITLE } from '../../shared/limits.ts';

/** Longer lines are cut before anything else looks at them: a title needs no more, and long text stays cheap. */
const MAX_SCANNED = 1_000;
const FENCE = /^\s*(```|~~~)[^`]*$/;
/** What opens a line in Markdown: headings, quotes, list items and check boxes. */
const LINE_START = /^(?:\s*(?:#{1,6}(?=\s|$)|>|[-*+](?=\s|$)|\d{1,9}[.)](?=\s)|\[[ xX]\](?=\s)))+/;
const RULE = /^[\s\-*_=|:#>~`]*$/;
const LINK = /!?\[([^\]]*)\]\([^)]*\)/g;
const EMPHASIS = /(\*\*|__|~~)(?=\S)(.+?)(?<=\S)\1/g;
const ITALIC = /(?<![\p{L}\p{N}*_])([*_])(?=[^\s*_])([^*_]+?)(?<=\S)\1(?![\p{L}\p{N}*_])/gu;
const CODE = /(`+)(.+?)\1/g;
/** Control characters, halves of surrogate pairs, and marks that turn or hide text. */
const INVISIBLE =
  /[\p{Cc}\p{Cs}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]/gu;
/** What only leads over to the next line: "Sort these:" is titled "Sort these". */
const LEAD_OVER = /[\s,:]+$/u;
/** Something to see: not only joiners and accents. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;
const ELLIPSIS = '…';

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/**
 * A chat's title from the text of a message: the first line that says something, without Markdown's marks, whole words
 * and at most 60 characters (code points). "New chat" when there are no words at all.
 */
export function titleFrom(text: string): string {
  for (const line of linesOf(text)) {
    const words = plainText(line);
    if (words !== '') return shorten(words);
  }
  return NEW_CHAT_TITLE;
}

/** Lines one after the other, without splitting a long text as a whole. Code fences themselves say nothing. */
function* linesOf(text: string): Generator<string> {
  let start = 0;
  while (start < text.length) {
    const end = /\r\n|[\n\r\u2028\u2029]/.exec(text.slice(start, start + MAX_SCANNED));
    const stop = end === null ? start + MAX_SCANNED : start + end.index;
    const line = text.slice(start, stop);
    if (!FENCE.test(line)) yield line;
    start = stop + (end === null ? 0 : end[0].length);
  }
}

function plainText(line: string): string {
  const text = line.replace(/\t/g, ' ').replace(INVISIBLE, '');
  if (RULE.test(text)) return '';
  const words = text
    .replace(LINE_START, '')
    .replace(LINK, '$1')
    .replace(CODE, '$2')
    .replace(EMPHASIS, '$2')
    .replace(ITALIC, '$2')
    .replace(/\s+/gu, ' ')
    .trim();
  const bare = words.replace(LEAD_OVER, '');
  return VISIBLE.test(bare) ? bare : '';
}

function shorten(words: string): string {
  // A character has at least one code unit, so a short text needs no counting.
  if (words.length <= MAX_TITLE_CHARACTERS) return words;
  const whole = prefix(words, MAX_TITLE_CHARACTERS);
  if (whole.length === words.length) return words;
  const lastSpace = words[whole.length] === ' ' ? whole.length : whole.lastIndexOf(' ');
  if (lastSpace <= 0) return prefix(words, MAX_TITLE_CHARACTERS - 1) + ELLIPSIS;
  const title = whole.slice(0, lastSpace).replace(/[\s,;:–—-]+$/u, '');
  return Array.from(title).length < MAX_TITLE_CHARACTERS ? title + ELLIPSIS : title;
}

/** As much of the text as fits in so many code points without splitting what a reader sees as one character. */
function prefix(text: string, codePoints: number): string {
  let length = 0;
  let used = 0;
  for (const { segment } of graphemes.segment(text)) {
    used += Array.from(segment).length;
    if (used > codePoints) break;
    length += segment.length;
  }
  return text.slice(0, length);
}
