/** The ways in which the cells of a column may be read. */
import { isUnit, readNumber, showAmount, unitRatio, worth, type DecimalSign } from './data-numbers.ts';
import { Decimal as Exact } from './maths/numbers.ts';
import {
  DAY_ORDERS,
  readDay,
  readMinutes,
  readDuration,
  readClock,
  readWord,
  showColons,
  showSpan,
  type DayOrder,
} from './data-times.ts';

/** How what cells leave open is to be read. */
export type CellReading = { dates?: DayOrder; decimal?: DecimalSign };

/** One way of reading the cells of a column. */
export interface Way {
  kind: 'number' | 'duration' | 'clock' | 'date' | 'month' | 'weekday' | 'text';
  /** What a cell is worth: what it is sorted, compared and added by. Null: it isn't of the kind. */
  read(cell: string): Exact | null;
  /** A sum or an average, as a person writes it; null: there is none of this kind. */
  show: ((value: Exact) => string) | null;
  /** What was decided for it; empty where nothing had to be. */
  reading: CellReading;
}

const wayOf = (
  kind: Way['kind'],
  read: (cell: string) => Exact | number | null,
  more: Partial<Way> = {},
): Way => ({
  ...{ kind, show: null, reading: {} },
  read(cell) {
    const value = read(cell);
    return value === null ? null : new Exact(value);
  },
  ...more,
});

/** The way to read what is only text. */
export const TEXT: Way = wayOf('text', () => null);
/** A column of people may be called June and May. */
const NAMES = /\b(?:names?|person|people|who|clients?|customers?|employees?)\b/i;

/** Ways to read a kind of cell, the usual one first. */
export function waysFor(name: string, cells: readonly string[]): Way[][] {
  const spans = cells.map(readDuration);
  const isSpan = !spans.includes(null) && new Set(spans.flatMap((span) => span?.units ?? [])).size > 1;
  const hasSeconds = cells.some((cell) => /:.*:/.test(cell));
  const showTime = (seconds: number): string =>
    hasSeconds ? showColons(seconds) : seconds % 60 === 0 ? showColons(seconds / 60) : showSpan(seconds);
  const shownBy = (show: (seconds: number) => string) => ({ show: (value: Exact) => show(value.toNumber()) });
  const isOfDay = cells.some((cell) => /m/i.test(cell));
  const ofDay = wayOf('clock', readClock, isOfDay ? {} : shownBy(showTime));
  return [
    DAY_ORDERS.map((order) => wayOf('date', (cell) => readDay(cell, order), { reading: { dates: order } })),
    [ofDay, wayOf('clock', readMinutes, shownBy(showColons))],
    isSpan ? [wayOf('duration', (cell) => readDuration(cell)?.seconds ?? null, shownBy(showSpan))] : [],
    ...(NAMES.test(name) ? [] : (['month', 'weekday'] as const)).map((kind) => [
      wayOf(kind, (cell) => readWord(cell, kind)),
    ]),
  ];
}

/** Numbers by either sign before the decimals, in the unit of the first that has one. */
export function numberWays(cells: readonly string[]): { ways: Way[]; problem: string | null } {
  const numbers = cells.map(readNumber).filter((number) => number !== null);
  const withUnit = numbers.filter((number) => number.unit !== '');
  const [unit = '', ...others] = new Set(withUnit.map((number) => number.unit));
  const odd = others.find((other) => unitRatio(other, unit) === null);
  // "10 apples" and "3 pears" are texts.
  const isText = odd !== undefined && !(isUnit(unit) && isUnit(odd));
  // Signs of currencies are often left out after the first amount.
  const isBare = unit !== '' && withUnit.length < numbers.length && !/^[A-Z]{3}$/.test(unit);
  const read = (cell: string, decimal: DecimalSign): Exact | null => {
    const number = isText ? null : readNumber(cell);
    const value = number && worth(number, decimal);
    const ratio = number && (number.unit === '' ? new Exact(1) : unitRatio(number.unit, unit));
    // Without the dust of a ratio such as 1/3.
    return value && ratio && value.times(ratio).toSignificantDigits(60);
  };
  // One amount with a currency among many without says little about the rest.
  const shown = withUnit.length * 2 >= numbers.length ? unit : '';
  const ways = (['.', ','] as const).map((decimal) =>
    wayOf('number', (cell) => read(cell, decimal), {
      show: (value) => showAmount(value, shown),
      reading: { decimal },
    }),
  );
  if (odd !== undefined && !isText)
    return {
      ways,
      problem: `Some amounts are in ${unit} and some in ${odd}, so I can’t compare or add them. Which of them do you mean?`,
    };
  const problem = `Some numbers have a unit (${unit}) and some have none. Are they all in ${unit}?`;
  return { ways, problem: isBare ? problem : null };
}
