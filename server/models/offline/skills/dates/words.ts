import { holidayRule } from '../../../../tools/dates/holidays.ts';
import { COUNTS, figures } from '../maths/number-words.ts';
import { findPlace, isManyZoned } from '../../../../tools/dates/zones.ts';

export const MONTH = String.raw`(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?`;
const WEEKDAY = String.raw`(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b`;
const DAY = String.raw`\d{1,2}(?:st|nd|rd|th)?`;
const YEAR = String.raw`(?:,?\s+\d{4})?`;

/** The time of day in a form that can't be a bare number. */
export const TIME = String.raw`(?:\d{1,2}[:.]\d{2}\s*(?:[ap]\.?m\b\.?)?|\d{1,2}\s*[ap]\.?m\b\.?|\d{1,2}h\d{2}|noon|midday|midnight|\d{1,2} o'?clock|(?:half|quarter|a quarter|ten|twenty|five) (?:past|to) (?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?:\s*[ap]m\b)?)`;

/** A date as it may stand inside a sentence. */
export const DATE = String.raw`(?:(?:the )?day after tomorrow|(?:the )?day before yesterday|today|tomorrow|yesterday|(?:(?:next|last|this|on|coming)\s+)*${WEEKDAY}(?:,?\s+(?:the\s+)?(?:${DAY}(?: of)?\s+${MONTH}${YEAR}|${MONTH}\s+${DAY}${YEAR}))?|(?:on\s+)?(?:the\s+)?${DAY}(?: of)?\s+${MONTH}${YEAR}|(?:on\s+)?${MONTH}\s+(?:the\s+)?${DAY}\b${YEAR}|(?:on\s+)?\d{4}-\d{1,2}-\d{1,2}|(?:on\s+)?\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4})`;

/** "First Monday of May 2027", "the last Friday of next month". */
const NTH_WEEKDAY = String.raw`(?:the )?(?:first|second|third|fourth|fifth|last|[1-5](?:st|nd|rd|th)) (?:mon|tues|wednes|thurs|fri|satur|sun)day (?:of|in) (?:(?:this|next|last) month|${MONTH}(?:,? \d{4})?)`;

const WHOLE_DATE = new RegExp(
  `^(?:${NTH_WEEKDAY}|${DATE}(?:,?\\s+(?:at\\s+)?${TIME})?|${TIME}(?:,?\\s+${DATE})?|(?:next|last|this|the end of the|end of(?: the)?) (?:week|month|year)|${MONTH}(?:\\s+\\d{4})?|(?:in\\s+)?\\d{4}|the ${DAY}|now)$`,
  'i',
);

/** Whether the words have the shape of a date or moment, cheaply; the tool reads it in earnest. */
export function isDateLike(text: string): boolean {
  const plain = cleanDate(text);
  if (plain === '' || plain.length > 60) return false;
  return WHOLE_DATE.test(plain) || isHoliday(plain);
}

/** Whether it can only be meant as a question for its date: "tomorrow", "first Monday in May 2027". */
export const isDayAlone = (text: string): boolean =>
  new RegExp(
    `^(?:today|tomorrow|yesterday|(?:the )?day (?:after tomorrow|before yesterday)|(?:next|last|this) ${WEEKDAY}|${NTH_WEEKDAY})$`,
    'i',
  ).test(text);

/** Whether it names a feast, perhaps with its year: "Easter 2028", "next Christmas". */
export function isHoliday(text: string): boolean {
  const name = cleanDate(text)
    .replace(/^(?:next|last|this) /i, '')
    .replace(/,?\s+(?:(?:in |of )?\d{4}|this year|next year|last year)$/i, '');
  return holidayRule(name) !== null;
}

/** Takes "on", "the date of" and the question mark off a date. */
export function cleanDate(text: string): string {
  return text
    .trim()
    .replace(/[?!.,;]+$/, '')
    .replace(/^(?:on|the date of|the date|at)\s+/i, '')
    .trim();
}

/** Whether the words name a place whose clock is known, or a country with several. */
export function isPlace(text: string): boolean {
  return text !== '' && text.length <= 40 && (findPlace(text) !== null || isManyZoned(text));
}

const AMOUNT = `(?:\\d[\\d,]*|half an?|(?:an?|one) hundred|an?|${COUNTS.join('|')})`;
const UNIT = String.raw`(?:minutes?|mins?|hours?|hrs?|(?:working|business|work|week)[ -]?days?|days?|weeks?|fortnights?|months?|years?)`;

/** "3 weeks", "1 year and 2 months". */
export const SPAN = String.raw`${AMOUNT}\s+${UNIT}(?:(?:,\s*|\s+and\s+|\s+)${AMOUNT}\s+${UNIT})*`;

/** The amounts of a span under the names date_add has for them, times `sign`; null when one can't be read. */
export function readSpan(text: string, sign: 1 | -1): Record<string, number> | null {
  const amounts: Record<string, number> = {};
  for (const [, amount = '', unit = ''] of text.matchAll(new RegExp(`(${AMOUNT})\\s+(${UNIT})`, 'gi'))) {
    const words = amount.toLowerCase();
    let size = /^an?$/.test(words) ? 1 : Number(figures(words).replaceAll(',', ''));
    let name = spanUnit(unit.toLowerCase());
    if (/^half an?$/.test(words)) {
      if (name === 'hours') [size, name] = [30, 'minutes'];
      else if (name === 'years') [size, name] = [6, 'months'];
      else return null;
    }
    if (Number.isNaN(size) || size > 1_000_000) return null;
    const weeks = /^fortnight/i.test(unit) ? 2 : 1;
    amounts[name] = (amounts[name] ?? 0) + sign * size * weeks;
  }
  return Object.keys(amounts).length > 0 ? amounts : null;
}

function spanUnit(unit: string): string {
  if (/^(?:working|business|work|week[ -]?day)/.test(unit)) return 'workingDays';
  if (unit.startsWith('fortnight')) return 'weeks';
  if (unit.startsWith('min')) return 'minutes';
  if (unit.startsWith('h')) return 'hours';
  return `${unit.replace(/s$/, '')}s`;
}

/** The unit date_difference counts in, from the word people use; null when it is none. */
export function differenceUnit(word: string): string | null {
  const plain = word.toLowerCase().trim();
  if (/^(?:working|business|work|week)[ -]?days?$/.test(plain)) return 'working days';
  const match = /^(day|week|month|year|hour|minute)s?$/.exec(plain);
  return match ? `${match[1] ?? ''}s` : null;
}
