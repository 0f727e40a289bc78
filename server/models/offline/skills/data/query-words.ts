/** The words in which people ask about the rows of a table. */
import type { Column } from '../../../../tools/data-columns.ts';
import type { CellTest, RowFigure } from '../../../../tools/data-query.ts';
import { ORDINAL_WORDS } from '../../../../tools/number-words.ts';
import { MONTH, WEEKDAY } from '../dates/words.ts';

/** A day, month or weekday that rows are compared with. */
export const DATE_WORDS = `(?:\\d{1,2}(?:st|nd|rd|th)? ${MONTH}(?:,? \\d{4})?|${MONTH} \\d{1,2}\\b(?:,? \\d{4})?|${MONTH} \\d{4}|${MONTH}|${WEEKDAY})`;
/** An amount or a time: "€1,250.50", "CHF 20", "1h 30m", "2.5 kg", "9:15 am". */
export const AMOUNT_WORDS = String.raw`[-+]?(?:\p{Sc}|[A-Z]{3} |rs\.? ?)?\d[\d.,'/:-]*(?:\p{Sc}|%| ?(?:[ap]\.?m|h|hours?|m|min(?:ute)?s?|seconds?|days?|k|lakhs?|crores?|million|kg|g|lbs?|oz|km|cm|mm|miles?|l|ml|litres?|liters?|[kmgt]b|euros?|dollars?|eur|usd|chf|inr|gbp)\b(?: ?\d{1,2} ?m(?:in)?\b)?)?`;

export const ORDINAL = `(?:${ORDINAL_WORDS.join('|')}|\\d{1,2}(?:st|nd|rd|th))`;
const MOST = 'highest|largest|biggest|greatest|most|maximum|max';
const LEAST = 'lowest|smallest|fewest|least|minimum|min';
/** A column that says what something costs. */
export const PRICE = /^(?:unit )?(?:price|cost)s?$/i;
/** What is the most of a column: any of numbers (null), one of that name, or one of a kind; and whether it is the largest. */
export const BEST: readonly (readonly [
  words: string,
  column: RegExp | Column['kind'] | null,
  isDescending: boolean,
])[] = [
  ['most expensive|costs? (?:the )?most', PRICE, true],
  ['cheapest|least expensive|costs? (?:the )?least', PRICE, false],
  ['warmest|hottest', /^temp(?:erature)?s?$/i, true],
  ['coldest', /^temp(?:erature)?s?$/i, false],
  ['oldest', /^age$/i, true],
  ['youngest', /^age$/i, false],
  ['earns? (?:the )?most', /^(?:income|salary|wage|pay)$/i, true],
  ['latest|newest|most recent', 'date', true],
  ['earliest', 'date', false],
  ['longest|slowest', 'duration', true],
  ['shortest|fastest|quickest', 'duration', false],
  [MOST, null, true],
  [LEAST, null, false],
];

const BE = '(?:is |are |of )?';
export const TESTS: readonly (readonly [CellTest, string])[] = [
  ['not', `${BE}(?:not equal to|not)|isn.t|!=|<>|≠`],
  ['at_least', `${BE}(?:at least|on or after|since)|>=|≥`],
  ['at_most', `${BE}(?:at most|up to|on or before)|<=|≤`],
  ['above', `${BE}(?:over|above|(?:more|greater|higher|larger|older|later) than|after)|>`],
  ['below', `${BE}(?:under|below|(?:less|lower|smaller|younger|earlier) than|before)|<`],
  ['contains', '(?:that )?(?:contains?|containing|includes?)'],
  ['starts', '(?:that )?(?:starts?|starting|begins?|beginning) with'],
  ['ends', '(?:that )?(?:ends?|ending) (?:with|in)'],
  ['equals', 'is equal to|equals?|is|are|was|==?|:'],
];
export const FIGURES: readonly (readonly [Exclude<RowFigure, 'count' | 'unique'>, string])[] = [
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
const UP = 'low(?:est)?|small(?:est)?|earliest|cheapest|shortest|old(?:est)?|young(?:est)?|a';
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
