/** The words in which people ask about the rows of a table. */
import type { CellTest, RowFigure } from '../../../../tools/data-query.ts';
import { ORDINAL_WORDS } from '../../../../tools/number-words.ts';

export const ORDINAL = `(?:${ORDINAL_WORDS.join('|')}|\\d{1,2}(?:st|nd|rd|th))`;
const MOST = 'highest|largest|biggest|greatest|most|maximum|max';
const LEAST = 'lowest|smallest|fewest|least|minimum|min';
/** A column that says what something costs. */
export const PRICE = /^(?:unit )?(?:price|cost)s?$/i;
/** What is the most of a column: by its name (null), or by words that stand for one. */
export const BEST: readonly (readonly [words: string, column: RegExp | null, isDescending: boolean])[] = [
  ['most expensive|costs? (?:the )?most', PRICE, true],
  ['cheapest|least expensive|costs? (?:the )?least', PRICE, false],
  ['warmest|hottest', /^temp(?:erature)?s?$/i, true],
  ['coldest', /^temp(?:erature)?s?$/i, false],
  ['oldest', /^age$/i, true],
  ['youngest', /^age$/i, false],
  ['earns? (?:the )?most', /^(?:income|salary|wage|pay)$/i, true],
  [MOST, null, true],
  [LEAST, null, false],
];

const BE = '(?:is |are |of )?';
export const TESTS: readonly (readonly [CellTest, string])[] = [
  ['not', `${BE}(?:not equal to|not)|isn.t|!=|<>|≠`],
  ['at_least', `${BE}at least|>=|≥`],
  ['at_most', `${BE}(?:at most|up to)|<=|≤`],
  ['above', `${BE}(?:over|above|(?:more|greater|higher|larger|older) than|after)|>`],
  ['below', `${BE}(?:under|below|(?:less|lower|smaller|younger) than|before)|<`],
  ['contains', '(?:that )?(?:contains?|containing|includes?)'],
  ['starts', '(?:that )?(?:starts?|starting|begins?|beginning) with'],
  ['ends', '(?:that )?(?:ends?|ending) (?:with|in)'],
  ['equals', 'is equal to|equals?|is|are|was|==?|:'],
];
export const FIGURES: readonly (readonly [Exclude<RowFigure, 'count'>, string])[] = [
  [
    'sum',
    'sums?|totals?|add(?: up)?(?: all)?|how much (?:did|do|have) (?:i|we) (?:spend|spent|pay|paid|earn|earned)',
  ],
  ['average', 'averages?|mean|avg'],
  ['median', 'median'],
  ['minimum', LEAST],
  ['maximum', MOST],
];
export const HOW_MANY = 'how many(?: (?:people|persons))?|(?:total )?number of|count(?: of)?(?: people)?';

const DOWN = 'high(?:est)?|larg(?:e|est)|big(?:gest)?|most(?: expensive)?|longest|new(?:est)?|latest|z';
const UP = 'low(?:est)?|small(?:est)?|cheapest|shortest|old(?:est)?|young(?:est)?|a';
const directed = (order: string, from: string, to: string): string =>
  `,? ?(?:(?:in )?(?:${order})(?: order)?|(?:from )?(?:${from})(?: to |-)(?:${to})|(?:${from}) first)`;
/** The largest first, and the smallest. */
export const DESCENDING = directed('descending|desc|decreasing|reversed?', DOWN, UP);
export const ASCENDING = directed('ascending|asc|increasing', UP, DOWN);

/** A pattern for any of some texts, the longest first; one that fits nothing where there are none. */
export const anyText = (texts: readonly string[]): string =>
  texts
    .toSorted((one, other) => other.length - one.length)
    .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('|') || '(?!)';

/** A value as it was said, without quotation marks. */
export const plain = (said: string | undefined): string =>
  (said ?? '').replace(/^["“']|["”']$/g, '').replace(/[.,]$/, '');

/** 2 for "second" and "2nd". */
export function placeOf(said: string): number {
  const digits = /^\d+/.exec(said)?.[0];
  return Math.max(1, digits === undefined ? ORDINAL_WORDS.indexOf(said.toLowerCase()) + 1 : Number(digits));
}
