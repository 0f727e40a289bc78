import type { Wish, Request } from '../../skill.ts';
import { previousCall } from '../../reading/history.ts';
import {
  cleanDate,
  DATE,
  differenceUnit,
  isDateLike,
  isHoliday,
  isPlace,
  MONTH,
  readSpan,
  SPAN,
  TIME,
} from './words.ts';

const TOOLS = ['current_time', 'convert_time', 'date_difference', 'date_add', 'date_info'];
const LEAD =
  /^(?:(?:and|what about|how about|or|now|then|ok|okay|so|but|what is it|what's it|what time is (?:it|that)|is (?:it|that)|that)\b,?\s*)+/i;
const ONLY_SPAN = new RegExp(
  `^(${SPAN})(?:\\s+(?:from|after)\\s+(?:that|then|it))?( later| earlier| before that)?$`,
  'i',
);
const ONLY_TIME = new RegExp(`^(?:at\\s+)?${TIME}$`, 'i');

/** "what about Tokyo?", "and 4 April?", "in weeks?", "and 11:00?" after a question of dates. */
export function followUp(text: string, request: Request): Wish | null {
  const last = previousCall(request.history, TOOLS, 3);
  if (!last) return null;
  const whole = text.replace(/[?!.\s]+$/, '').trim();
  const rest = whole
    .replace(LEAD, '')
    .replace(/^how many (\S+(?: days)?) (?:is|are|would) (?:that|it)(?: be)?$/i, 'in $1')
    .trim();
  if (rest === '' || rest.length > 60) return null;
  const led = rest !== whole;
  const bare = rest.replace(/^(?:in|to|for|on|until|since|from|at)\s+/i, '');
  if (!led && bare === rest && !isOnlyDate(rest)) return null;
  const changed = change(last.tool, last.input, rest, bare, request.now);
  return changed;
}

function isOnlyDate(text: string): boolean {
  return new RegExp(`^${DATE}$`, 'i').test(text);
}

/** The year that words name, when they name nothing else. */
function yearIn(words: string, now: Date): number | null {
  if (/^\d{4}$/.test(words)) return Number(words);
  const shift = ['last year', 'this year', 'next year'].indexOf(words.toLowerCase());
  return shift < 0 ? null : now.getUTCFullYear() + shift - 1;
}

/** The same day in another year; null where the question was about no day that every year has. */
function inYear(
  input: Record<string, unknown>,
  name: 'date' | 'from' | 'to',
  year: number,
  again: (changes: Record<string, unknown>) => Wish,
): Wish | null {
  const date = input[name];
  if (typeof date !== 'string') return null;
  if (/^\d{4}$/.test(date)) return again({ ...input, [name]: String(year) });
  const bare = date.replace(
    /^(?:next|last|this) |,? (?:(?:in |of )?\d{4}|this year|next year|last year)$/gi,
    '',
  );
  if (/^\d{4}-\d{1,2}-\d{1,2}$/.test(date))
    return again({ ...input, [name]: date.replace(/^\d{4}/, String(year)) });
  if (isHoliday(bare)) return again({ ...input, [name]: `${bare} ${year}` });
  const day = new RegExp(
    `^(?:\\d{1,2}(?:st|nd|rd|th)?(?: of)? )?${MONTH}(?: \\d{1,2}(?:st|nd|rd|th)?)?$`,
    'i',
  );
  const withoutWeekday = bare
    .replace(/^(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\s+(?:the )?/i, '')
    .replace(/^the /i, '');
  return day.test(withoutWeekday) ? again({ ...input, [name]: `${withoutWeekday} ${year}` }) : null;
}

function change(
  tool: string,
  input: Record<string, unknown>,
  rest: string,
  bare: string,
  now: Date,
): Wish | null {
  const again = (changes: Record<string, unknown>, other = tool): Wish => ({
    tool: other,
    input: changes,
  });
  const span = ONLY_SPAN.exec(rest.replace(/^in\s+/i, ''));
  if (span && tool === 'date_add') {
    const before =
      /earlier|before/i.test(span[2] ?? '') ||
      Object.values(input).some((amount) => typeof amount === 'number' && amount < 0);
    const amounts = readSpan(span[1] ?? '', before ? -1 : 1);
    return amounts && again({ ...('date' in input ? { date: input['date'] } : {}), ...amounts });
  }
  if (tool === 'current_time' && /^here$/i.test(bare)) return again({});
  if (tool === 'current_time') return isPlace(bare) ? again({ place: bare }) : null;
  if (tool === 'convert_time') {
    if (ONLY_TIME.test(rest)) return again({ ...input, time: rest.replace(/^at\s+/i, '') });
    if (isPlace(bare)) return again({ ...input, to: bare });
    return isDateLike(bare) ? again({ ...input, date: cleanDate(bare) }) : null;
  }
  if (tool === 'date_difference') {
    const unit = differenceUnit(bare);
    if (unit) return again({ ...input, unit });
    const year = yearIn(bare, now);
    if (year !== null) return inYear(input, input['to'] === undefined ? 'from' : 'to', year, again);
    if (!isDateLike(bare)) return null;
    if (/^(?:from|since)\s/i.test(rest)) return again({ ...input, from: cleanDate(bare) });
    return again(
      input['to'] === undefined ? { ...input, from: cleanDate(bare) } : { ...input, to: cleanDate(bare) },
    );
  }
  const year = yearIn(bare, now);
  if (year !== null && tool === 'date_info') return inYear(input, 'date', year, again);
  if (!isDateLike(bare)) return null;
  return again({ ...input, date: cleanDate(bare) });
}
