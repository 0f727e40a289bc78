/** The part of a text around what was searched for, cut so that it can be shown in a line or two. */
import type { SnippetPart } from '../../shared/api/search.ts';

/** A match in a text, in UTF-16 code units. */
export interface TextRange {
  start: number;
  end: number;
}

const MAX_CHARACTERS = 180;
/** How much text comes before the first match. */
const LEAD_CHARACTERS = 40;
const ELLIPSIS = '…';
const SPACE_BEFORE = /^[\s\p{Cc}]+/u;
const SPACE_AFTER = /(?<![\s\p{Cc}])[\s\p{Cc}]+$/u;

/** `ranges` in the order of the text; overlapping ones are joined. White space becomes single spaces. */
export function cutSnippet(text: string, ranges: readonly TextRange[]): SnippetPart[] {
  const first = bestStart(ranges);
  const start = first <= LEAD_CHARACTERS ? 0 : cutForward(text, first - LEAD_CHARACTERS, first);
  const end = cutBack(text, start + MAX_CHARACTERS);
  const shown = text.slice(start, end);
  const from = start + (SPACE_BEFORE.exec(shown)?.[0].length ?? 0);
  const to = end - (SPACE_AFTER.exec(shown)?.[0].length ?? 0);
  const parts: SnippetPart[] = [];
  const add = (piece: string, match: boolean): void => {
    const last = parts.at(-1);
    if (last?.match === match) last.text += piece;
    else if (piece !== '') parts.push({ text: piece, match });
  };
  const take = (a: number, b: number, match: boolean): void =>
    add(text.slice(a, b).replace(/[\s\p{Cc}]+/gu, ' '), match);
  if (start > 0) add(ELLIPSIS, false);
  let at = from;
  for (const range of ranges) {
    if (range.end <= at || range.start >= to) continue;
    take(at, Math.max(at, range.start), false);
    take(Math.max(at, range.start), Math.min(range.end, to), true);
    at = Math.min(range.end, to);
  }
  if (at < to) take(at, to, false);
  if (end < text.length) add(ELLIPSIS, false);
  return parts;
}

/** Where the part of the text with the most matches starts. */
function bestStart(ranges: readonly TextRange[]): number {
  let best = { start: ranges[0]?.start ?? 0, count: 0 };
  let from = 0;
  ranges.forEach((range, index) => {
    while (from < index && (ranges[from]?.start ?? 0) < range.end - (MAX_CHARACTERS - LEAD_CHARACTERS))
      from += 1;
    const count = index - from + 1;
    const start = ranges[from]?.start;
    if (count > best.count && start !== undefined) best = { start, count };
  });
  return best.start;
}

/** The next start of a word from `index`, before `limit`; never within a surrogate pair. */
function cutForward(text: string, index: number, limit: number): number {
  const space = text.slice(index, limit).search(/\s\S/u);
  return space === -1 ? wholeAt(text, index) : index + space + 1;
}

/** The last end of a word up to `index`, unless that is far away; never within a surrogate pair. */
function cutBack(text: string, index: number): number {
  if (index >= text.length) return text.length;
  const tail = text.slice(index - 20, index + 1);
  const space = tail.search(/\s\S*$/u);
  return space === -1 ? wholeAt(text, index) : index - 20 + space;
}

const wholeAt = (text: string, index: number): number => {
  const code = text.charCodeAt(index);
  return code >= 0xdc00 && code <= 0xdfff ? index - 1 : index;
};
