/** The words in which people ask about the rows of a table, its own columns and cells among them. */
import type { DataColumn } from '../../../../tools/data-columns.ts';
import type { CellTest, RowFigure } from '../../../../tools/data-query.ts';
import { ORDINAL_WORDS } from '../../../../tools/number-words.ts';
import { Words } from '../../reading/words.ts';
import { MONTH, WEEKDAY } from '../dates/words.ts';
import type { Shape } from './material.ts';

/** A day, month or weekday that rows are compared with. */
const DATE_WORDS = `(?:\\d{1,2}(?:st|nd|rd|th)? ${MONTH}(?:,? \\d{4})?|${MONTH} \\d{1,2}\\b(?:,? \\d{4})?|${MONTH} \\d{4}|${MONTH}|${WEEKDAY})`;
/** An amount or a time: "€1,250.50", "CHF 20", "1h 30m", "2.5 kg", "9:15 am". */
const AMOUNT_WORDS = String.raw`[-+]?(?:\p{Sc}|[A-Z]{3} |rs\.? ?)?\d[\d.,'/:-]*(?:\p{Sc}|%| ?(?:[ap]\.?m|h|hours?|m|min(?:ute)?s?|seconds?|days?|k|lakhs?|crores?|million|kg|g|lbs?|oz|km|cm|mm|miles?|l|ml|litres?|liters?|[kmgt]b|euros?|dollars?|eur|usd|chf|inr|gbp)\b(?: ?\d{1,2} ?m(?:in)?\b)?)?`;

export const ORDINAL = `(?:${ORDINAL_WORDS.join('|')}|\\d{1,2}(?:st|nd|rd|th))`;
const MOST = 'highest|largest|biggest|greatest|most|maximum|max';
const LEAST = 'lowest|smallest|fewest|least|minimum|min';
/** A column that says what something costs. */
const PRICE = /^(?:unit )?(?:price|cost)s?$/i;
/** What is the most of a column: any of numbers (null), one of that name, or one of a kind; and whether it is the largest. */
export const BEST: readonly (readonly [
  words: string,
  column: RegExp | DataColumn['kind'] | null,
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
    'sums?|totals?|add(?! (?:an?|another|new|one)\\b)(?: up)?(?: all)?|how much (?:did|do|have) (?:i|we) (?:spend|spent|pay|paid|earn|earned)',
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
  `(?:,| and)? ?(?:(?:in )?(?:${order})(?: order)?|(?:from )?(?:${from})(?: to |-)(?:${to})|(?:${from}) first)`;
/** The largest first, and the smallest. */
export const DESCENDING = directed('descending|desc|decreasing|reversed?', DOWN, UP);
export const ASCENDING = directed('ascending|asc|increasing', UP, DOWN);

/** A pattern for any of some texts, the longest first; one that fits nothing where there are none. */
export const anyText = (texts: readonly string[]): string =>
  texts
    .toSorted((one, other) => other.length - one.length)
    .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('|') || '(?!)';

/** A value as it was written, without quotation marks. */
export const unquoted = (text: string | undefined): string =>
  (text ?? '').replace(/^["“']|["”']$/g, '').replace(/[.,]$/, '');

/** 2 for "second" and "2nd". */
export function ordinalOf(text: string): number {
  const digits = /^\d+/.exec(text)?.[0];
  return Math.max(1, digits === undefined ? ORDINAL_WORDS.indexOf(text.toLowerCase()) + 1 : Number(digits));
}

/** In longer tables a request must quote what a cell says. */
const MAX_ROWS = 2_000;
/** Names of columns that are too small a word to be one by themselves. */
const SMALL = /^(?:a|an|i|in|is|it|of|on|to|at|by|or|and|as|the|all|how|many|value|name of)$/i;

export class TableWords extends Words {
  /** A pattern for the name of a column. */
  readonly column: string;
  /** A pattern for a value: quoted, a number, or what a cell says. */
  readonly value: string;
  /** Which column the words of a cell stand in; null: in several. */
  readonly columnOfValue = new Map<string, string | null>();

  readonly columns: readonly string[];
  private readonly shape: Shape;

  constructor(words: string, shape: Shape) {
    super(words);
    const { columns, cells } = shape;
    this.columns = columns;
    this.shape = shape;
    const names = columns.flatMap((name) => this.formsOf(name));
    const small = anyText(names.filter((name) => SMALL.test(name)));
    this.column = `(?:the )?(?:["“']?(?:${anyText(names.filter((name) => !SMALL.test(name)))})["”']?(?: column)?|(?:${small}|${ORDINAL}|last) column|column (?:number )?\\d{1,3})`;
    if (cells.length <= MAX_ROWS) this.noteValues();
    const known = [...this.columnOfValue.keys()];
    this.value = `(?:"[^"]{1,80}"|“[^”]{1,80}”|'[^']{1,80}'|${anyText(known)}|${DATE_WORDS}|${AMOUNT_WORDS})`;
  }

  private noteValues(): void {
    const asked = this.left.toLowerCase();
    this.columns.forEach((column, index) => {
      for (const value of new Set(this.shape.cells.map((row) => (row[index] ?? '').toLowerCase()))) {
        if (!/\p{L}/u.test(value) || !asked.includes(value)) continue;
        this.columnOfValue.set(value, this.columnOfValue.has(value) ? null : column);
      }
    });
  }

  /** A column's name and its plurals; of a name of several words also each that no other column has. */
  private formsOf(name: string): string[] {
    const others = this.columns
      .filter((each) => each !== name)
      .join(' ')
      .toLowerCase();
    const parts = name.split(/[^\p{L}\p{N}]+/u).filter((part) => part.length > 2);
    const own = parts.length < 2 ? [] : parts.filter((part) => !others.includes(part.toLowerCase()));
    // "Which cost more than 10" is about the price.
    const cost =
      PRICE.test(name) && !this.columns.some((each) => each !== name && PRICE.test(each)) ? ['cost'] : [];
    return [name, name.replaceAll('_', ' '), ...own, ...cost].flatMap((each) => [
      each,
      `${each}s`,
      `${each}es`,
      each.replace(/y$/, 'ies'),
    ]);
  }

  /** The table's own name of a column that was named. */
  nameOf(asked: string | undefined): string {
    const bare = (asked ?? '').toLowerCase().replace(/^the |["“”']| column$|^column (?:number )?/g, '');
    const named = this.columns.find((name) => this.formsOf(name).some((form) => form.toLowerCase() === bare));
    const position = bare === 'last' ? this.columns.length : ordinalOf(bare);
    return named ?? this.columns[position - 1] ?? bare;
  }

  /** Takes a column out, with the words beside it, and returns the table's own name of it; null: it isn't there. */
  takeColumn(before: string, after = ''): string | null {
    const found = this.take(`${before}(?<column>${this.column})${after}`);
    return found && this.nameOf(found['column']);
  }

  /** The columns of some kinds; of any that has an order if none are named. */
  ordered(...kinds: DataColumn['kind'][]): string[] {
    return this.columns.filter((_, at) => {
      const { kind } = this.shape.columnOf(at);
      return kinds.length === 0 ? kind !== 'text' : kinds.includes(kind);
    });
  }

  /** The columns of numbers and durations, which can be added. */
  numeric(): string[] {
    return this.ordered('number', 'duration', 'clock');
  }
}
