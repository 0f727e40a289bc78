import { en, type ParsedComponents } from 'chrono-node';
import { DateTime } from 'luxon';
import { readWord } from '../data-times.ts';
import { MONTHS, ORDINAL_WORDS } from '../number-words.ts';
import { ToolError, type ToolContext } from '../tool.ts';
import { holidayRule } from './holidays.ts';
import { atLocal } from './local-time.ts';

/** Which day is meant when words leave the year open ("3 March"): the next, the last, or the one in this year. */
type Direction = 'next' | 'last' | 'this-year';

export interface ReadDate {
  /** Midnight of the day, or the moment when a time of day was given, in the person's zone. */
  at: DateTime;
  hasTime: boolean;
  /** How often such a date comes round ("3 March", "Friday", "17:00"); null when the words name one day only. */
  repeats: 'years' | 'weeks' | 'days' | null;
}

type Where = Pick<ToolContext, 'now' | 'timeZone'>;

const MONTH_FIRST = new RegExp(`^(${MONTHS})\\.?\\s+(\\d{1,2})(?:st|nd|rd|th)?$`, 'i');
/** With a time, or within words; "24 December 18:00" is none. */
const HAS_MONTH_FIRST = new RegExp(
  `(?<!\\d(?:st|nd|rd|th)?(?: of)? )\\b(?:${MONTHS})\\.? \\d{1,2}\\b(?!:)`,
  'i',
);
const DAY_AND_MONTH = new RegExp(
  `^(\\d{1,2})(?:st|nd|rd|th)?(?: of)?\\s+(${MONTHS})\\.?(?:,?\\s+(\\d{4}))?$`,
  'i',
);

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
/** "Monday week": a week after Monday. */
const A_WEEK_FROM = new RegExp(`^(today|tomorrow|${WEEKDAYS.join('|')}) week$`, 'i');

/** Chrono would read the 31st of a short month as a day of the next one. */
const SPAN_FROM = /^(\d{1,4}|an?) (day|week|month|year)s? (after|from|before) (.{1,60})$/i;

/** Where dates are written month first. */
const MONTH_FIRST_ZONES =
  /^(?:US\/|America\/(?:New_York|Chicago|Denver|Los_Angeles|Phoenix|Anchorage|Detroit|Boise|Indiana|Kentucky|Juneau|Adak)|Pacific\/Honolulu)/;

/**
 * Reads a date in words or figures ("3 March", "next Friday", "2027-03-03", "Easter 2027", "tomorrow at 15:00").
 * 03/04/2027 is 3 April in most of the world and 4 March where the zone is American.
 * @throws ToolError when it is no date, or one that does not exist.
 */
export function readDate(text: string, where: Where, direction: Direction = 'next'): ReadDate {
  const plain = tidy(text);
  const [, start] = A_WEEK_FROM.exec(plain) ?? [];
  if (start !== undefined) return day(readDate(start, where).at.plus({ weeks: 1 }));
  const [, amount = '', unit, side, of = ''] = SPAN_FROM.exec(plain) ?? [];
  if (unit !== undefined) {
    const from = readDate(of.replace(/^now$/i, 'today'), where, direction);
    const size = (/^a/i.test(amount) ? 1 : Number(amount)) * (side?.toLowerCase() === 'before' ? -1 : 1);
    return { ...from, at: from.at.plus({ [unit.toLowerCase()]: size }), repeats: null };
  }
  const today = DateTime.fromJSDate(where.now, { zone: where.timeZone }).startOf('day');
  return (
    readIso(plain, where.timeZone) ??
    readRelative(plain, today, direction) ??
    readNthWeekday(plain, today, direction) ??
    readHoliday(plain, today, direction) ??
    readLeapDay(plain, today, direction) ??
    readWithChrono(plain, where, today, direction) ??
    fail(text)
  );
}

function fail(text: string): never {
  throw new ToolError(`I can't read "${text.slice(0, 60)}" as a date.`);
}

function tidy(text: string): string {
  return text
    .trim()
    .replace(/(?<![?!.,;])[?!.,;]+$/, '')
    .replace(/\b(\d{1,2})(st|nd|rd|th)\b/gi, '$1$2')
    .replace(/^(?:on|the date|the)\s+(?!day (?:after|before))/i, '')
    .replace(/^the\s+(?=\d)/i, '')
    .replace(/\s+/g, ' ');
}

function day(at: DateTime, repeats: ReadDate['repeats'] = null): ReadDate {
  return { at, hasTime: false, repeats };
}

function readIso(text: string, zone: string): ReadDate | null {
  const year = /^(\d{4})$/.exec(text);
  if (year) return day(atLocal({ year: Number(year[1]), month: 1, day: 1 }, zone));
  const match = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text) ?? /^(\d{4})(\d{2})(\d{2})$/.exec(text);
  if (match) return day(existing(Number(match[1]), Number(match[2]), Number(match[3]), zone, text));
  if (/^\d{4}-\d\d-\d\dT/.test(text)) {
    const at = DateTime.fromISO(text, { zone });
    const hasZone = /[zZ]$|[+-]\d\d(?::?\d\d)?$/.test(text.slice(10));
    if (at.isValid) return { at: hasZone ? at : atLocal(at.toObject(), zone), hasTime: true, repeats: null };
  }
  return null;
}

function existing(year: number, month: number, dayOfMonth: number, zone: string, text: string): DateTime {
  if (!DateTime.utc(year, month, dayOfMonth).isValid) throw new ToolError(`There is no ${text}.`);
  return atLocal({ year, month, day: dayOfMonth }, zone);
}

function readRelative(text: string, today: DateTime, direction: Direction): ReadDate | null {
  const plain = text.toLowerCase();
  if (/^(?:the )?day after tomorrow$/.test(plain)) return day(today.plus({ days: 2 }));
  if (/^(?:the )?day before yesterday$/.test(plain)) return day(today.minus({ days: 2 }));
  if (/^(?:end of|the end of) (?:the|this) year$/.test(plain)) return day(today.endOf('year').startOf('day'));
  if (/^(?:a fortnight today|in a fortnight|fortnight from today)$/.test(plain))
    return day(today.plus({ weeks: 2 }));
  // "Until next month" is until its first day.
  const [, span] = /^next (week|month|year)$/.exec(plain) ?? [];
  if (span !== undefined)
    return day(today.plus({ [`${span}s`]: 1 }).startOf(span as 'week' | 'month' | 'year'));
  const [, end, which = '', period] =
    /^(first|last) day (?:of|in) (this|the|next|last) (week|month|year)$/.exec(plain) ?? [];
  if (period !== undefined) {
    const within = today.plus({ [`${period}s`]: shiftOf(which) });
    const unit = period as 'week' | 'month' | 'year';
    return day(end === 'first' ? within.startOf(unit) : within.endOf(unit).startOf('day'));
  }
  const dayOfMonth = Number(/^(\d{1,2})(?:st|nd|rd|th)$/.exec(plain)?.[1]);
  if (!(dayOfMonth >= 1 && dayOfMonth <= 31)) return null;
  // The next month that has such a day, or the last one.
  const step = direction === 'last' ? -1 : 1;
  let month = today.startOf('month');
  while (
    step * month.set({ day: dayOfMonth }).diff(today).toMillis() < 0 ||
    dayOfMonth > (month.daysInMonth ?? 0)
  )
    month = month.plus({ months: step });
  return day(month.set({ day: dayOfMonth }));
}

const NTH = ORDINAL_WORDS.slice(0, 5);
const NTH_WEEKDAY = new RegExp(
  `^(${NTH.join('|')}|last|[1-5](?:st|nd|rd|th)) (${WEEKDAYS.join('|')}) (?:of|in) (?:(this|next|last) month|(${MONTHS})\\.?(?:,? (\\d{4}))?)$`,
  'i',
);

/** "First Monday in January 2027", "last Friday of next month". */
function readNthWeekday(text: string, today: DateTime, direction: Direction): ReadDate | null {
  const [, nth = '', name = '', which, month, year] = NTH_WEEKDAY.exec(text.toLowerCase()) ?? [];
  if (name === '') return null;
  const weekday = WEEKDAYS.indexOf(name) + 1;
  const shift = { this: 0, next: 1, last: -1 }[which ?? 'this'] ?? 0;
  const named = today.set({ day: 1, ...(year !== undefined && { year: Number(year) }) });
  const index = month === undefined ? null : readWord(month, 'month');
  const start = index === null ? named.plus({ months: shift }) : named.set({ month: index });
  const isOpen = index !== null && year === undefined;
  const years = direction === 'last' ? (start > today ? -1 : 0) : start.endOf('month') < today ? 1 : 0;
  const first = isOpen ? start.plus({ years }) : start;
  const end = first.endOf('month').startOf('day');
  if (nth === 'last') return day(end.minus({ days: (end.weekday - weekday + 7) % 7 }));
  const count = /^\d/.test(nth) ? Number(nth[0]) : NTH.indexOf(nth) + 1;
  const at = first.plus({ days: ((weekday - first.weekday + 7) % 7) + 7 * (count - 1) });
  if (at > end) throw new ToolError(`There is no ${text}.`);
  return day(at);
}

function readHoliday(text: string, today: DateTime, direction: Direction): ReadDate | null {
  const match = /^(next |last |this )?(.+?)(?:,? (?:in |of )?(\d{4}|this year|next year|last year))?$/i.exec(
    text,
  );
  const rule = holidayRule(match?.[2] ?? '');
  if (!match || !rule) return null;
  const inYear = (year: number): DateTime => rule(year).setZone(today.zone, { keepLocalTime: true });
  const which = match[3]?.toLowerCase();
  const named = /^\d/.test(which ?? '') ? Number(which) : which ? today.year + shiftOf(which) : null;
  if (named !== null) return day(inYear(named));
  const word = match[1]?.trim().toLowerCase();
  const sought: Direction =
    word === 'next' ? 'next' : word === 'last' ? 'last' : word === 'this' ? 'this-year' : direction;
  return day(settleYear(inYear, today, sought), word ? null : 'years');
}

/** 29 February, which chrono only knows in years that have it. */
function readLeapDay(text: string, today: DateTime, direction: Direction): ReadDate | null {
  if (!/^29(?:th)?(?: of)? feb(?:ruary)?$|^feb(?:ruary)? 29(?:th)?$/i.test(text)) return null;
  const inYear = (year: number): DateTime =>
    DateTime.fromObject({ year, month: 2, day: 29 }, { zone: today.zone });
  return day(settleYear(inYear, today, direction), 'years');
}

function shiftOf(words: string): number {
  return words.startsWith('next') ? 1 : words.startsWith('last') ? -1 : 0;
}

/** The day in the first year, from this one on or back, that has it on the right side of today. */
function settleYear(inYear: (year: number) => DateTime, today: DateTime, direction: Direction): DateTime {
  const step = direction === 'last' ? -1 : 1;
  for (let year = today.year; ; year += step) {
    const at = inYear(year);
    if (at.isValid && (direction === 'this-year' || step * at.diff(today).toMillis() >= 0)) return at;
  }
}

function readWithChrono(text: string, where: Where, today: DateTime, direction: Direction): ReadDate | null {
  const monthFirst = MONTH_FIRST_ZONES.test(where.timeZone);
  const parser = monthFirst || HAS_MONTH_FIRST.test(text) ? en.casual : en.GB;
  const offset = DateTime.fromJSDate(where.now, { zone: where.timeZone }).offset;
  const results = parser.parse(text, { instant: where.now, timezone: offset });
  const [result] = results;
  if (!result || results.length > 1 || result.end || !coversAll(text, result.text)) {
    const parts = DAY_AND_MONTH.exec(text) ?? MONTH_FIRST.exec(text);
    if (parts || /^\d{1,2}[/.-]\d{1,2}[/.-]\d{4}$/.test(text)) throw new ToolError(`There is no ${text}.`);
    return null;
  }
  // A moment that names its own zone: "2026-01-01 00:00 UTC".
  if (result.start.isCertain('timezoneOffset') && result.start.isCertain('hour'))
    return {
      at: DateTime.fromJSDate(result.start.date(), { zone: where.timeZone }),
      hasTime: true,
      repeats: null,
    };
  return fromComponents(result.start, text, where, today, direction);
}

function coversAll(text: string, parsed: string): boolean {
  const rest = text.toLowerCase().replace(parsed.toLowerCase(), ' ');
  return rest.replace(/\b(?:on|the|of|at|this|coming|next|o'?clock|time|from|now)\b/g, ' ').trim() === '';
}

function fromComponents(
  start: ParsedComponents,
  text: string,
  where: Where,
  today: DateTime,
  direction: Direction,
): ReadDate {
  const zone = where.timeZone;
  const [year, month, dayOfMonth] = [
    start.get('year') ?? today.year,
    start.get('month') ?? 1,
    start.get('day') ?? 1,
  ];
  const hasTime = start.isCertain('hour');
  const time = hasTime
    ? { hour: start.get('hour') ?? 0, minute: start.get('minute') ?? 0, second: start.get('second') ?? 0 }
    : {};
  const dateOf = (inYear: number): DateTime =>
    atLocal({ year: inYear, month, day: dayOfMonth, ...time }, zone);
  if (start.isCertain('month') && !start.isCertain('year')) {
    const at = settleYear(dateOf, today, direction);
    return { at, hasTime, repeats: 'years' };
  }
  const at = dateOf(year);
  if (start.isCertain('weekday') && !start.isCertain('day')) {
    const which = /\b(?:next|last|this|past|coming)\b/i.test(text);
    return which
      ? { at, hasTime, repeats: null }
      : { at: settleWeekday(at, today, direction), hasTime, repeats: 'weeks' };
  }
  return { at, hasTime, repeats: start.isCertain('day') || !hasTime ? null : 'days' };
}

/** "Friday" alone is the next one, today included, or the last one when looking back. */
function settleWeekday(at: DateTime, today: DateTime, direction: Direction): DateTime {
  if (direction === 'last') return at.startOf('day') > today ? at.minus({ weeks: 1 }) : at;
  return at.startOf('day') < today ? at.plus({ weeks: 1 }) : at;
}
