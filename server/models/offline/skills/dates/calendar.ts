import type { Wish } from '../../skill.ts';
import { cleanDate, differenceUnit, isDateLike, isHoliday, MONTH, readSpan, SPAN } from './words.ts';

const UNITS = String.raw`((?:working|business|work|week)[ -]?days?|days?|weeks?|months?|years?|hours?|minutes?)`;
const HOW_MANY = String.raw`(?:how many |the number of |number of )?(?:more )?${UNITS}(?: (?:are|is|were|was|will be|have) ?(?:there|it|passed|gone by|elapsed)?)?(?: left)?`;
const UNTIL = new RegExp(
  `^(?:(?:${HOW_MANY}|how long(?: is it| do (?:i|we) have)?|(?:how much )?time|countdown)\\s+(?:until|till?|'til|to|before|up to)|how (?:far (?:away|off)|soon|long away) is)\\s+(.+?)(?:\\s+from (?:today|now))?$`,
  'i',
);
const SINCE = new RegExp(
  `^(?:${HOW_MANY}(?: has it been)?\\s+since|how long (?:ago (?:was|is|were)|(?:has it been |is it |it's been )?since)|how long has it been since)\\s+(.+)$`,
  'i',
);
const BETWEEN = new RegExp(
  `^(?:${HOW_MANY}|how long(?: is it)?|how much time(?: is there)?|(?:the )?(?:time|difference|gap|interval))\\s+(?:between|from)\\s+(.+?)\\s+(?:and|to|until|till|through)\\s+(.+)$`,
  'i',
);
const BORN =
  /\bborn\s+(?:on|in)?\s*(.+?)(?:,?\s+(?:how old\b.*|what(?:'s| is) (?:my|their|his|her) age.*))?$/i;

const ABOUT_AGE =
  /^(?:(?:how|old|many|days|weeks|months|years|is|are|am|would|will|someone|somebody|a|person|who|i|he|she|they|was|were|be|born|on|if|the|age|aged|what(?:'s)?|my|of|now|today)[\s,?]*)+$/i;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WORKING_DAYS_IN = new RegExp(
  `^(?:how many )?(?:working|business|work|week)[ -]?days (?:are |are there )?in (${MONTH}),? (\\d{4})$`,
  'i',
);

/** Counting between two days. */
export function recogniseDifference(text: string): Wish | null {
  const old = /\b(?:how (?:many (?<unit>days|weeks|months|years) )?old|age|aged?)\b/i.exec(text);
  if (old) {
    const date = BORN.exec(text)?.[1];
    const unit = old.groups?.['unit']?.toLowerCase() ?? 'years';
    // Whoever was born “in 1990” is one of two ages.
    const isDay = date !== undefined && isDateLike(date) && !/^\d{4}$/.test(cleanDate(date));
    if (isDay && ABOUT_AGE.test(text.replace(date, ''))) return difference({ from: cleanDate(date), unit });
  }
  const between = BETWEEN.exec(text);
  if (between) {
    const [, unit, from = '', to = ''] = between;
    if (isDateLike(from) && isDateLike(to))
      return difference({ from: cleanDate(from), to: cleanDate(to), ...unitOf(unit) });
    return null;
  }
  const month = WORKING_DAYS_IN.exec(text);
  if (month) return difference(workingDaysOf(month[1] ?? '', Number(month[2])));
  const left = LEFT.exec(text);
  if (left)
    return difference({
      to: `end of the ${left[2] ?? ''}`,
      unit: left[1] ? 'working days' : /weeks/i.test(text) ? 'weeks' : 'days',
    });
  const until = UNTIL.exec(text);
  const end = until?.[2];
  if (end && isDateLike(end)) return difference({ to: cleanDate(end), ...unitOf(until[1]) });
  const since = SINCE.exec(text);
  const start = since?.[2];
  return start && isDateLike(start) ? difference({ from: cleanDate(start), ...unitOf(since[1]) }) : null;
}

/** From the last day before the month, which isn't counted, to its last. */
function workingDaysOf(month: string, year: number): Record<string, unknown> {
  const index = MONTHS.indexOf(month.slice(0, 3).toLowerCase());
  const end = (months: number): string =>
    new Date(Date.UTC(year, index + months, 0)).toISOString().slice(0, 10);
  return { from: end(0), to: end(1), unit: 'working days' };
}

function unitOf(word: string | undefined): { unit?: string } {
  const unit = word === undefined ? null : differenceUnit(word);
  return unit ? { unit } : {};
}

function difference(input: Record<string, unknown>): Wish {
  return { tool: 'date_difference', input };
}

const ASKS = String.raw`(?:(?:what(?:'s|s| is| was| will be| would be)?|which|tell me|calculate|find|give me)\s+)?(?:(?:the\s+)?(?:date|day|weekday|day of the week|time|when)\s*)?(?:(?:is|was|will it be|would it be|will be|is it|was it|it is|falls?|comes?)\s+)?`;
const AFTER = new RegExp(
  `^(${ASKS})(${SPAN})\\s+(from|after|since|past|later than|before|prior to|ahead of)\\s+(.+)$`,
  'i',
);
const ALONE = new RegExp(
  `^(${ASKS})(?:(in)\\s+)?(${SPAN})(?:'?s?'?\\s+(ago|back|hence|from now|later|time|earlier))?$`,
  'i',
);
const PLUS = new RegExp(`^(${ASKS})(.+?)\\s*(\\+|plus|-|minus)\\s*(${SPAN})$`, 'i');
const ADD = new RegExp(`^(add|subtract|take|deduct)\\s+(${SPAN})\\s+(?:to|from)\\s+(.+)$`, 'i');

/** A day some time before or after another. */
export function recogniseAddition(text: string): Wish | null {
  const after = AFTER.exec(text);
  if (after) {
    const [, , span = '', side = '', date = ''] = after;
    return addition(span, /before|prior|ahead/i.test(side) ? -1 : 1, date);
  }
  const add = ADD.exec(text);
  if (add) return addition(add[2] ?? '', /^add$/i.test(add[1] ?? '') ? 1 : -1, add[3] ?? '');
  const plus = PLUS.exec(text);
  if (plus && isDateLike(plus[2] ?? ''))
    return addition(plus[4] ?? '', /^(?:\+|plus)$/i.test(plus[3] ?? '') ? 1 : -1, plus[2] ?? '');
  const alone = ALONE.exec(text);
  if (!alone) return null;
  const [, asks = '', inside, span = '', tail] = alone;
  const isAsked = /\b(?:date|day|weekday|when|time)\b/i.test(asks);
  if (!isAsked && !/^(?:ago|hence|from now)$/i.test(tail ?? '')) return null;
  if (inside === undefined && tail === undefined) return null;
  return addition(span, /^(?:ago|back|earlier)$/i.test(tail ?? '') ? -1 : 1, 'today');
}

function addition(span: string, sign: 1 | -1, date: string): Wish | null {
  const amounts = readSpan(span, sign);
  const start = cleanDate(date);
  if (!amounts || !isDateLike(start)) return null;
  const present = /^(?:today|now)$/i.test(start);
  return { tool: 'date_add', input: { ...(present ? {} : { date: start }), ...amounts } };
}

const WHICH_DAY =
  /^(?:(?:what|which)(?:'s|s| is)?\s+)?(?:the\s+)?(?:(?:day|weekday)(?: of (?:the )?week)?(?: name)?)(?: (?:is|was|will|does|did|it is|of))?\s+(?:the\s+)?(.+?)(?:\s+(?:be|fall|falls|fall on|falls on|on|land on|going to be))?$/i;
const WHAT_DATE =
  /^(?:(?:what(?:'s|s| is| was)?|which|tell me)\s+)?(?:the\s+)?(?:date|day)(?: (?:is|was|of|for|does))?\s+(.+?)(?:\s+(?:fall(?: on)?|on|be))?$/i;
const WHEN = /^(?:when(?:'s|s| is| was| does| will)?|what date is)\s+(.+?)(?:\s+(?:fall|be|happen))?$/i;
const LEFT =
  /^(?:how many )?(?:(working |business )?days|weeks) (?:are )?(?:there )?(?:left|remaining|remain|to go) (?:in|until the end of) (?:the|this) (year|month)$/i;
const THIS = /^(?:what|which) (?:year|month) (?:is it|are we in)(?: now)?$/i;
const TODAY =
  /^(?:(?:what(?:'s|s| is)?|tell me|give me)\s+)?(?:the\s+)?(?:current\s+)?(?:today'?s\s+(?:date|day)|(?:what\s+)?(?:day|date)(?: of the week| of the month)?(?: is it| it is| is)?(?: today| now| right now)?|today)$/i;
const WEEK =
  /^(?:(?:what(?:'s|s| is)?|which)\s+)?(?:the\s+)?(?:current\s+)?(?:iso\s+|calendar\s+)?week(?:\s+(?:number|no\.?))?(?:\s+(?:is it|of the year|are we in))?(?:\s+(?:is it\s+)?(?:now|today|this week|right now))?(?:\s+(?:of|for|is|on|does)?\s*(.+?)(?:\s+(?:in|fall in|be in))?)?$/i;
const LEAP =
  /^(?:is|was|will)\s+(\d{4}|this year|it|next year)\s+(?:be\s+)?a\s+leap\s+year$|^leap year (\d{4})$|^(\d{4}) (?:a )?leap year$/i;
const IN_MONTH = new RegExp(
  `^how many days (?:are |are there |does |has )?(?:in )?(?:the month of )?(${MONTH})(?:(?:,| of| in)?\\s+(\\d{4}))?(?: have)?$`,
  'i',
);
/** What there is to know about a day. */
export function recogniseInfo(text: string): Wish | null {
  const past = /\b(?:was|did|were)\b/i.test(text);
  const isToday =
    TODAY.test(text) && /\b(?:day|date)\b/i.test(text) && /\b(?:what|today|current)\b/i.test(text);
  if (isToday || THIS.test(text)) return info({});
  const leap = LEAP.exec(text);
  if (leap) return info(yearOf(leap[1] ?? leap[2] ?? leap[3] ?? ''));
  const month = IN_MONTH.exec(text);
  if (month) return info({ date: `1 ${month[1] ?? ''}${month[2] ? ` ${month[2]}` : ''}` });
  const week = WEEK.exec(text);
  if (week && /\b(?:number|no|what|which|iso|calendar|current)\b/i.test(text)) return optional(week[1], past);
  for (const pattern of [WHICH_DAY, WHAT_DATE]) {
    const date = pattern.exec(text)?.[1]?.replace(/\s+(?:be|fall)(?: on)?(?=\s+in\s+\d{4}$)/i, '');
    if (date && isDateLike(date)) return info({ date: cleanDate(date), ...(past ? { past } : {}) });
  }
  const when = WHEN.exec(text)?.[1];
  if (when && (isHoliday(when) || isDateLike(when)))
    return info({ date: cleanDate(when), ...(past ? { past } : {}) });
  return isHoliday(text) && /\d{4}|this year|next year/.test(text) ? info({ date: cleanDate(text) }) : null;
}

function yearOf(words: string): { date?: string } {
  if (/^next/i.test(words)) return { date: 'next year' };
  return /^\d/.test(words) ? { date: words } : {};
}

function optional(date: string | undefined, past: boolean): Wish | null {
  const plain = cleanDate((date ?? '').replace(/^(?:is|are|we|in|it|now|today|this week|of|for)\b\s*/i, ''));
  if (plain === '' || /^(?:it|now|today|we|in|this week|are we|is it)\b/i.test(plain)) return info({});
  return isDateLike(plain) ? info({ date: plain, ...(past ? { past } : {}) }) : null;
}

function info(input: Record<string, unknown>): Wish {
  return { tool: 'date_info', input };
}
