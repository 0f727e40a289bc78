/** The words in which people ask about the rows of a table. */
import type { CellTest, RowFigure } from '../../../../tools/data-query.ts';
import { NUMBER_WORDS, ORDINAL_WORDS } from '../../../../tools/number-words.ts';

export const SMALL = `(?:\\d{1,4}|${NUMBER_WORDS.slice(1, 13).join('|')})`;
export const ORDINAL = `(?:${ORDINAL_WORDS.slice(0, 10).join('|')}|\\d{1,2}(?:st|nd|rd|th))`;
export const MOST = 'highest|largest|biggest|greatest|most|maximum|max';
export const LEAST = 'lowest|smallest|fewest|least|minimum|min';
const PRICE = /^(?:unit )?(?:price|cost)s?$/i;
const PAY = /^(?:earned|earnings|income|salary|wage|pay)$/i;
/** What is asked of a row that a cell names, `<who>`; whether all its rows are added up. */
export const OF_A_SUBJECT: readonly (readonly [words: string, column: RegExp, isTotal: boolean])[] = [
  ['how old (?:is|are) <who>', /^age$/i, false],
  ['how tall (?:is|are) <who>', /^height$/i, false],
  ['how much (?:is|are) <who>', PRICE, false],
  ['(?:how much|what) (?:does|do) <who> cost', PRICE, false],
  ['how much (?:did|has|does) <who> (?:spend|spent)', /^(?:spent|spending|spend|amount)$/i, true],
  ['how much (?:did|has|does) <who> (?:pay|paid)', /^(?:paid|payment|amount)$/i, true],
  ['how much (?:did|has|does) <who> (?:earn|earned|make)', PAY, true],
  ['how much (?:does|do) <who> weigh', /^weight$/i, false],
];
/** Words that name a column without saying its name: of two rows, of all; which column, and whether the largest comes first. */
export const TELLING: readonly (readonly [
  two: string,
  all: string,
  column: RegExp,
  isDescending: boolean,
])[] = [
  ['more expensive|dearer|pricier', 'most expensive|dearest|priciest|costs? (?:the )?most', PRICE, true],
  ['cheaper|less expensive', 'cheapest|least expensive|costs? (?:the )?least', PRICE, false],
  ['older', 'oldest', /^age$/i, true],
  ['younger', 'youngest', /^age$/i, false],
  ['earns? more', 'earns? (?:the )?most|(?:best|highest)[- ]paid', PAY, true],
  ['earns? less', 'earns? (?:the )?least|(?:worst|lowest)[- ]paid', PAY, false],
  ['taller', 'tallest', /^height$/i, true],
  ['heavier', 'heaviest', /^weight$/i, true],
  ['lighter', 'lightest', /^weight$/i, false],
];

export const TESTS: readonly (readonly [CellTest, string])[] = [
  ['not', '(?:is |are )?(?:not equal to|not|other than)|isn.t|aren.t|!=|<>|≠'],
  ['at_least', '(?:is |are |of )?(?:at least|no less than|from)|>=|≥'],
  ['at_most', '(?:is |are |of )?(?:at most|no more than|up to)|<=|≤'],
  [
    'above',
    '(?:is |are |of )?(?:over|above|more than|greater than|higher than|larger than|bigger than|older than|after|exceeding)|exceeds|>',
  ],
  [
    'below',
    '(?:is |are |of )?(?:under|below|less than|lower than|smaller than|fewer than|younger than|cheaper than|before)|<',
  ],
  ['contains', '(?:that )?(?:contains?|containing|includes?|including)'],
  ['starts', '(?:that )?(?:starts?|starting|begins?|beginning) with'],
  ['ends', '(?:that )?(?:ends?|ending) (?:with|in)'],
  ['equals', 'is equal to|equals?|equal to|is|are|was|==?|:'],
];
export const FIGURES: readonly (readonly [Exclude<RowFigure, 'count'>, string])[] = [
  ['sum', 'sums?|totals?|add(?:ed)?(?: (?!all )\\S+){0,3} up|add(?: up)?(?: all)?|adding up|altogether'],
  ['average', 'averages?|mean|avg'],
  ['median', 'median'],
  ['minimum', `${LEAST}|cheapest`],
  ['maximum', `${MOST}|most expensive`],
];
export const COUNT = /\b(?:how many|(?:total )?number of|count(?: of)?(?: the| all)?)\b/i;

/** Words that are left over and say nothing of their own. */
export const SAYS_NOTHING = new Set(
  (
    'a an the this that these those my of in from for with and to by at as is are was do does did has have there it its them what whats ' +
    'which who show me us give list get find tell display print return see only just all any each every please can could you i want need ' +
    'csv tsv json table data rows row records record entries entry items item lines line ones one things column columns col value values ' +
    'sort sorted order ordered rank ranked arrange filter filtered select pick work out now then where whose ' +
    'make turn convert into having here below following result'
  ).split(' '),
);

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** A pattern for any of some texts, the longest first. */
export const anyOf = (texts: readonly string[]): string =>
  texts
    .toSorted((one, other) => other.length - one.length)
    .map(escaped)
    .join('|');

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
