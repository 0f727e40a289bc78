/** Dates, spans, cities and times in a request. The date tools' own parser decides what is a date. */
import { holidayRule } from '../../../../tools/dates/holidays.ts';
import { readDate } from '../../../../tools/dates/read-date.ts';
import { findPlace, isManyZoned } from '../../../../tools/dates/zones.ts';
import { MONTHS } from '../../../../tools/number-words.ts';
import { ToolError } from '../../../../tools/tool.ts';

export const MONTH = String.raw`(?:${MONTHS})\b`;
export const WEEKDAY = String.raw`(?:mon|tue|tues|wed|wednes|thu|thur|thurs|fri|sat|satur|sun)(?:day)?\b`;
const DAY = String.raw`\d{1,2}(?:st|nd|rd|th)?`;

/** A day as it stands beside a time: "tomorrow", "on 1 July". */
export const DATE = String.raw`(?:on )?(?:today|tomorrow|yesterday|(?:(?:next|last|this) )?${WEEKDAY}|(?:${DAY} ${MONTH}|${MONTH} ${DAY}\b)(?:,? \d{4})?|\d{4}-\d\d-\d\d)`;

/** A time of day in a form that can't be a bare number. */
export const TIME = String.raw`(?:\d{1,2}[:.]\d{2}(?: ?[ap]\.?m\b\.?)?|\d{1,2} ?[ap]\.?m\b\.?|noon|midday|midnight|\d{1,2} o'?clock|(?:half|quarter) (?:past|to) \d{1,2})`;

/** Any day on which it is tried whether words are a date. */
const ANY_DAY = { now: new Date(0), timeZone: 'UTC' };

/** Whether words are a date or a moment, or would be one if it existed ("30 February"): the tool then says so. */
export function isDate(text: string): boolean {
  // "The sun" is no Sunday, and "the last 2 months" are no day.
  const isOther =
    /^the (?!\d|day |end |last |first |second |third |fourth |fifth )|^(?:the )?(?:last|past|next) \d+ |^(?:morning|afternoon|evening|night)$|^(?:this|next) quarter$|^this (?!time ).* (?:last|next) |^day after the day /i;
  if (text.length > 60 || isOther.test(text)) return false;
  try {
    readDate(text, ANY_DAY);
    return true;
  } catch (error) {
    return error instanceof ToolError && error.message.startsWith('There is no');
  }
}

/** Whether words name a feast, perhaps with its year: "Easter 2028", "next Christmas". */
export const isHoliday = (text: string): boolean =>
  holidayRule(
    text.replace(/^(?:next|last|this) |,? (?:(?:in |of )?\d{4}|(?:this|next|last) year)$/gi, ''),
  ) !== null;

/** Whether words name a city or country with a known time zone, or a country with several zones. */
export const isPlace = (text: string): boolean =>
  text !== '' && text.length <= 40 && (findPlace(text) !== null || isManyZoned(text));

/** Whether words mean where the person is. */
export const isHere = (text: string): boolean => /^(?:here|my(?: time)?(?: zone)?|local|for me)$/i.test(text);

export const UNIT = String.raw`(?:(?:working|business|work|week)[ -]?days?|days?|weeks?|months?|years?|hours?|minutes?|mins?)`;
const UNITS = ['days', 'weeks', 'months', 'years', 'hours', 'minutes'];
/** Up to a million, as the tools take it. */
const AMOUNT = String.raw`(?:\d{1,3}(?:,?\d{3})?|an?)`;

/** "3 weeks", "1 year and 2 months", with numbers in figures. */
export const SPAN = `${AMOUNT} ${UNIT}(?:(?:, | and | )${AMOUNT} ${UNIT})*`;

/** What {@link UNIT} matched under the name `date_difference` has for it. */
export const unitOf = (word: string): string | undefined =>
  /^(?:work|business|week[ -]?day)/i.test(word)
    ? 'working days'
    : UNITS.find((name) => name.startsWith(word.slice(0, 2).toLowerCase()));

/** The amounts of a span under the names `date_add` has for them, times `sign`. */
export function amountsIn(text: string, sign: 1 | -1): Record<string, number> {
  const amounts: Record<string, number> = {};
  for (const [, amount = '', unit = ''] of text.matchAll(new RegExp(`(${AMOUNT}) (${UNIT})`, 'gi'))) {
    const name = unitOf(unit)?.replace('working days', 'workingDays') ?? '';
    const size = /^an?$/i.test(amount) ? 1 : Number(amount.replaceAll(',', ''));
    amounts[name] = (amounts[name] ?? 0) + sign * size;
  }
  return amounts;
}
