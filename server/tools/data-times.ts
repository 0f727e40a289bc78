/** Dates, times of day, durations, months and weekdays as they stand in the cells of tables. */
import { Duration, Info } from 'luxon';
import { memoized } from '../lib/memoized.ts';

/** Which of two numbers in a date comes first, where the year is last. */
export const DAY_ORDERS = ['day first', 'month first'] as const;
export type DayOrder = (typeof DAY_ORDERS)[number];

const LANGUAGES = ['en', 'de', 'fr', 'it', 'es'];
const bare = (word: string): string => word.toLowerCase().replace(/\.$/, '');
const MORE_NAMES = { month: [['sept', 9]], weekday: [['tues', 2], ['thur', 4], ['thurs', 4]] } as const; // oxfmt-ignore

/** Names as the platform knows them, long and short, each with its number; made when first asked for, which takes milliseconds. */
const namesOf = memoized((part: 'month' | 'weekday') => {
  const found = new Map<string, number>(MORE_NAMES[part]);
  for (const locale of LANGUAGES.toReversed())
    for (const style of ['short', 'long'] as const) {
      const names = part === 'month' ? Info.months(style, { locale }) : Info.weekdays(style, { locale });
      names.forEach((name, at) => found.set(bare(name), at + 1));
    }
  return found;
});

/** The number of a month or weekday by its name, the latter from Monday; null: it is none. */
export const readWord = (cell: string, kind: 'month' | 'weekday'): number | null =>
  namesOf(kind).get(bare(cell.trim())) ?? null;

const TIME = String.raw`(\d{1,2}):([0-5]\d)(?::([0-5]\d)(?:\.\d+)?)?(?: ?([ap])\.?m\.?)?`;
const AFTER_DAY = new RegExp(`^(?:(?:T|,? )${TIME}(?:Z|[+-]\\d\\d:?\\d\\d)?)?$`, 'i');
const CLOCK = new RegExp(`^${TIME}$`, 'i');
const FIGURES = /^(\d{1,4})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?=$|[ ,T])/;
const YEAR = String.raw`(?:,? |-)(\d{4}|'?\d\d)`;
const DAY_MONTH = new RegExp(
  String.raw`^(?:\p{L}+,? )?(\d{1,2})(?:st|nd|rd|th|\.)?[ -](?:of )?(\p{L}{3,9})\.?(?:${YEAR})?(?=$|[ ,T])`,
  'u',
);
const MONTH_DAY = new RegExp(
  String.raw`^(?:\p{L}{3,9}, )?(\p{L}{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?(?=$|[ ,T])`,
  'u',
);
const MONTH_YEAR = /^(\p{L}{3,9})\.?(?: |-(?=\d\d(?:\d\d)?$))(\d{4}|(?<=-)\d\d)$/u;
const QUARTER = /^Q([1-4])[ /-]?(\d{4})$|^(\d{4})[ /-]?Q([1-4])$/i;

/** Seconds of a day, without time zones; days without a year all fall into one. Null: it is no date, or there is none like it. */
export function readDay(cell: string, order: DayOrder): number | null {
  const text = cell.trim();
  const [, quarter, ofYear, year, ofQuarter] = QUARTER.exec(text) ?? [];
  if (quarter ?? ofQuarter) return dayOf(ofYear ?? year, Number(quarter ?? ofQuarter) * 3 - 2, 1, '');
  const [month, byYear] = MONTH_YEAR.exec(text)?.slice(1) ?? [];
  if (month !== undefined) return dayOf(byYear, readWord(month, 'month'), 1, '');
  const [figures, first = '', sign, second = '', last = ''] = FIGURES.exec(text) ?? [];
  if (figures !== undefined) {
    const rest = text.slice(figures.length);
    if (first.length === 4) return dayOf(first, Number(second), Number(last), rest);
    const isDayFirst = sign === '.' || order === 'day first';
    const [day, ofMonth] = isDayFirst ? [first, second] : [second, first];
    return first.length > 2 ? null : dayOf(last, Number(ofMonth), Number(day), rest);
  }
  const [named, day, name = '', inYear] = DAY_MONTH.exec(text) ?? [];
  if (named !== undefined)
    return dayOf(inYear, readWord(name, 'month'), Number(day), text.slice(named.length));
  const [words, monthName = '', monthDay, yearOf] = MONTH_DAY.exec(text) ?? [];
  if (words === undefined) return null;
  return dayOf(yearOf, readWord(monthName, 'month'), Number(monthDay), text.slice(words.length));
}

function dayOf(year = '2000', month: number | null, day: number, rest: string): number | null {
  const full =
    Number(year.replace("'", '')) + (/^'?\d\d$/.test(year) ? (Number(year.slice(-2)) < 70 ? 2000 : 1900) : 0);
  const at = new Date(Date.UTC(full, (month ?? 0) - 1, day));
  const time = AFTER_DAY.exec(rest);
  const isThere = month !== null && at.getUTCMonth() === month - 1 && at.getUTCDate() === day;
  return isThere && time !== null ? at.getTime() / 1000 + (secondsOf(time) ?? NaN) : null;
}

function secondsOf([, hours, minutes = '0', seconds = '0', half]: RegExpExecArray): number | null {
  if (hours === undefined) return 0;
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (/p/i.test(half) ? 12 : 0);
  const isThere = half === undefined ? hour < 24 : Number(hours) > 0 && Number(hours) < 13;
  return isThere ? hour * 3600 + Number(minutes) * 60 + Number(seconds) : null;
}

/** "9:05", "1:15 pm", "9am" as seconds of the day. */
export function readClock(cell: string): number | null {
  const time = CLOCK.exec(cell.trim().replace(/^(\d{1,2}) ?(?=[ap]\.?m)/i, '$1:00 '));
  return time && secondsOf(time);
}

/** "59:48" as minutes and seconds, and "1:02:10". */
export function readMinutes(cell: string): number | null {
  const parts = /^\d{1,3}(?::[0-5]\d){1,2}$/.test(cell.trim()) ? cell.trim().split(':').map(Number) : null;
  return parts && parts.reduce((total, part) => total * 60 + part, 0);
}

const SPANS: readonly (readonly [unit: string, seconds: number, pattern: string])[] = [
  ['d', 86_400, 'd(?:ays?)?|Tage?'],
  ['h', 3_600, 'h(?:(?:ou)?rs?)?|Std|Stunden?'],
  ['min', 60, 'm(?:in(?:ute[ns]?|s)?)?'],
  ['s', 1, 's(?:ec(?:ond)?s?)?'],
];
const AMOUNT = String.raw`\d+(?:[.,]\d+)?`;
const SPAN = new RegExp(
  `^${SPANS.map(([, , unit]) => `(?:(${AMOUNT}) ?(?:${unit})\\b\\.?,? ?(?:and )?|(?!))?`).join('')}$`,
  'i',
);

/** "1h 30m", "2 hours" in seconds, and in how many units it is written; null: it is no duration. */
export function readDuration(cell: string): { seconds: number; units: string[] } | null {
  const plain = cell
    .trim()
    .replace(/^(\d+) ?h ?(\d{1,2})$/i, '$1h $2m')
    .replace(/(?<=\d) ?([dhm])(?=\d)/gi, '$1 ');
  const amounts = plain === '' ? undefined : SPAN.exec(plain)?.slice(1);
  if (amounts === undefined) return null;
  const spans = SPANS.flatMap(([unit, size], at) =>
    amounts[at] === undefined ? [] : [{ unit, seconds: Number(amounts[at].replace(',', '.')) * size }],
  );
  return {
    seconds: spans.reduce((sum, { seconds }) => sum + seconds, 0),
    units: spans.map(({ unit }) => unit),
  };
}

/** "4 h 15 min" of seconds. */
export function showSpan(seconds: number): string {
  let left = Math.round(Math.abs(seconds));
  const parts = SPANS.slice(1).flatMap(([unit, size]) => {
    const amount = Math.floor(left / size);
    left -= amount * size;
    return amount === 0 ? [] : [`${amount.toLocaleString('en')} ${unit}`];
  });
  return (seconds < 0 ? '−' : '') + (parts.join(' ') || '0 min');
}

/** Seconds, or minutes, as they are written between colons: "1:02:10", "20:25". */
export function showColons(value: number): string {
  const seconds = Math.round(value);
  return Duration.fromObject({ seconds }).toFormat(seconds < 3600 ? 'm:ss' : 'h:mm:ss');
}
