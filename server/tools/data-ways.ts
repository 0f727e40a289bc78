/** The ways in which the cells of a column may be read. */
import {
  isUnit,
  readNumber,
  showNumber,
  unitRatio,
  worth,
  type Decimal,
  type WrittenNumber,
} from './data-numbers.ts';
import {
  DAY_ORDERS, readDay, readMinutes, readSpan, readTime, readWord, showColons, showSpan, type DayOrder,
} from './data-times.ts'; // prettier-ignore

/** How what cells leave open is to be read. */
export interface Reading {
  dates?: DayOrder;
  decimal?: Decimal;
}

/** One way of reading the cells of a column. */
export interface Way {
  kind: 'number' | 'duration' | 'clock' | 'date' | 'month' | 'weekday' | 'text';
  /** What a cell is worth: what it is sorted, compared and added by. Null: it isn't of the kind. */
  read(cell: string): number | null;
  /** A sum or an average, as a person writes it; null: there is none of this kind. */
  show: ((value: number) => string) | null;
  /** What was decided for it; empty where nothing had to be. */
  reading: Reading;
}

/** The way to read what is only text. */
export const TEXT: Way = { kind: 'text', read: () => null, show: null, reading: {} };
/** A column of people may be called June and May. */
const NAMES = /\b(?:names?|person|people|who|clients?|customers?|employees?)\b/i;

/** Ways to read a kind of cell, the usual one first. */
export function waysFor(name: string, cells: readonly string[]): Way[][] {
  const dates = DAY_ORDERS.map((order): Way => ({
    ...TEXT,
    kind: 'date',
    read: (cell) => readDay(cell, order),
    reading: { dates: order },
  }));
  const spans = cells.map(readSpan);
  const units = new Set(spans.flatMap((span) => span?.units ?? []));
  const isSpan = units.size > 1 && !spans.includes(null);
  return [
    dates,
    [
      {
        ...TEXT,
        kind: 'clock',
        read: readTime,
        show: cells.some((cell) => /m/i.test(cell)) ? null : showHours(cells),
      },
      { ...TEXT, kind: 'clock', read: readMinutes, show: showColons },
    ],
    ...(isSpan
      ? [
          [
            {
              ...TEXT,
              kind: 'duration' as const,
              read: (cell: string) => readSpan(cell)?.seconds ?? null,
              show: showSpan,
            },
          ],
        ]
      : []),
    ...(NAMES.test(name)
      ? []
      : (['month', 'weekday'] as const).map((kind): Way[] => [
          { ...TEXT, kind, read: (cell) => readWord(cell, kind) },
        ])),
  ];
}

/** "7:45" of hours and minutes, where no cell has seconds. */
const showHours = (cells: readonly string[]): Way['show'] =>
  cells.some((cell) => /:.*:/.test(cell)) ? showColons : (value) => showColons(value / 60);

/** Numbers by either sign before the decimals, in the unit of the first that has one. */
export function numberWays(cells: readonly string[]): { ways: Way[]; problem: string | null } {
  const numbers = cells.map(readNumber).filter((number) => number !== null);
  const [unit = '', ...others] = new Set(numbers.flatMap((number) => number.unit || []));
  const ratioOf = (number: WrittenNumber): number | null =>
    number.unit === '' ? 1 : unitRatio(number.unit, unit);
  const odd = others.find((other) => unitRatio(other, unit) === null);
  // "10 apples" and "3 pears" are texts.
  const isText = odd !== undefined && !(isUnit(unit) && isUnit(odd));
  const bare = numbers.find((number) => number.unit === '');
  // Signs of currencies are often left out after the first amount.
  const isBare = unit !== '' && bare !== undefined && !/^[A-Z]{3}$/.test(unit);
  const ways = (['.', ','] as const).map((decimal): Way => ({
    kind: 'number',
    read(cell) {
      const number = isText ? null : readNumber(cell);
      const value = number && worth(number, decimal);
      const ratio = number && ratioOf(number);
      return value === null || ratio === null ? null : Number((value * ratio).toPrecision(15));
    },
    // One amount with a currency among many without says little about the rest.
    show: (value) =>
      showNumber(value, numbers.filter((each) => each.unit !== '').length * 2 >= numbers.length ? unit : ''),
    reading: { decimal },
  }));
  const problem =
    odd !== undefined && !isText
      ? `Some amounts are in ${unit} and some in ${odd}, so I can’t compare or add them. Which of them do you mean?`
      : isBare
        ? `Some numbers have a unit (${unit}) and some have none. Are they all in ${unit}?`
        : null;
  return { ways, problem };
}
