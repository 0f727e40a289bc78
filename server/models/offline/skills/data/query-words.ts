/** The words in which people ask about the rows of a table. */
import type { CellTest, RowFigure } from '../../../../tools/data-query.ts';
import { NUMBER_WORDS, ORDINAL_WORDS } from '../../../../tools/number-words.ts';

export const SMALL = `(?:\\d{1,4}|${NUMBER_WORDS.slice(1, 13).join('|')})`;
export const ORDINAL = `(?:${ORDINAL_WORDS.slice(0, 10).join('|')}|\\d{1,2}(?:st|nd|rd|th))`;
const MOST = 'highest|largest|biggest|greatest|most|maximum|max';
const LEAST = 'lowest|smallest|fewest|least|minimum|min';
const PRICE = /^(?:unit )?(?:price|cost)s?$/i;
/** What is the most of a column: by its name (null), or by words that stand for one. */
export const BEST: readonly (readonly [words: string, column: RegExp | null, isDescending: boolean])[] = [
  ['most expensive|costs? (?:the )?most', PRICE, true],
  ['cheapest|least expensive|costs? (?:the )?least', PRICE, false],
  ['oldest', /^age$/i, true],
  ['youngest', /^age$/i, false],
  ['earns? (?:the )?most', /^(?:earned|earnings|income|salary|wage|pay)$/i, true],
  ['tallest', /^height$/i, true],
  ['heaviest', /^weight$/i, true],
  [MOST, null, true],
  [LEAST, null, false],
];

export const TESTS: readonly (readonly [CellTest, string])[] = [
  ['not', '(?:is |are )?(?:not equal to|not)|isn.t|!=|<>|≠'],
  ['at_least', '(?:is |are |of )?at least|>=|≥'],
  ['at_most', '(?:is |are |of )?(?:at most|up to)|<=|≤'],
  [
    'above',
    '(?:is |are |of )?(?:over|above|more than|greater than|higher than|larger than|older than|after)|>',
  ],
  ['below', '(?:is |are |of )?(?:under|below|less than|lower than|smaller than|younger than|before)|<'],
  ['contains', '(?:that )?(?:contains?|containing|includes?)'],
  ['starts', '(?:that )?(?:starts?|starting|begins?|beginning) with'],
  ['ends', '(?:that )?(?:ends?|ending) (?:with|in)'],
  ['equals', 'is equal to|equals?|is|are|was|==?|:'],
];
export const FIGURES: readonly (readonly [Exclude<RowFigure, 'count'>, string])[] = [
  ['sum', 'sums?|totals?|add(?: up)?(?: all)?'],
  ['average', 'averages?|mean|avg'],
  ['median', 'median'],
  ['minimum', LEAST],
  ['maximum', MOST],
];
export const COUNT = 'how many(?: (?:people|persons))?|(?:total )?number of|count(?: of)?(?: people)?';

const DOWN = 'high(?:est)?|larg(?:e|est)|big(?:gest)?|most(?: expensive)?|longest|new(?:est)?|latest|z';
const UP = 'low(?:est)?|small(?:est)?|cheapest|shortest|old(?:est)?|a';
/** The largest first, and the smallest. */
export const DESCENDING = `,? ?(?:(?:in )?(?:descending|desc|decreasing|reversed?)(?: order)?|(?:from )?(?:${DOWN})(?: to |-)(?:${UP})|(?:${DOWN}) first)`;
export const ASCENDING = `,? ?(?:(?:in )?(?:ascending|asc|increasing)(?: order)?|(?:from )?(?:${UP})(?: to |-)(?:${DOWN})|(?:${UP}) first)`;

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** A pattern for any of some texts, the longest first; one that fits nothing where there are none. */
export const anyOf = (texts: readonly string[]): string =>
  texts
    .toSorted((one, other) => other.length - one.length)
    .map(escaped)
    .join('|') || '(?!)';

/** A value as it was said, without quotation marks. */
export const plain = (said: string | undefined): string =>
  (said ?? '').replace(/^["“']|["”']$/g, '').replace(/[.,]$/, '');

/** A small number in figures or a word. */
export function numberOf(said: string | undefined): number {
  const word = (said ?? '').toLowerCase();
  return Math.max(1, /^\d+$/.test(word) ? Number(word) : NUMBER_WORDS.indexOf(word));
}

/** 2 for "second" and "2nd". */
export function placeOf(said: string): number {
  const digits = /^\d+/.exec(said)?.[0];
  return Math.max(1, digits === undefined ? ORDINAL_WORDS.indexOf(said.toLowerCase()) + 1 : Number(digits));
}
