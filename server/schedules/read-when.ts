/** Reads when a message is to be sent: a moment or a rule, in words, as an ISO time or as a cron expression. */
import type { DateTime } from 'luxon';
import { invalidField } from '../errors.ts';
import { atLocal } from '../tools/dates/local-time.ts';
import { readDate } from '../tools/dates/read-date.ts';
import { readTime, type TimeOfDay } from '../tools/dates/read-time.ts';
import { ORDINAL_WORDS } from '../tools/number-words.ts';
import { ToolError } from '../tools/tool.ts';
import { nextTime, parseCron } from './times.ts';

/** A moment, or the cron expression of a rule. */
export type When = { at: Date; cron: null } | { at: null; cron: string };

/** The time and the zone in which words are read. */
interface Where {
  now: Date;
  timeZone: string;
}

const DAY = '(sun|mon|tue|wed|thu|fri|sat)(?:days?|s|sdays?|nesdays?|rs|rsdays?|urdays?)?';
const MONTH = '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}';
const NUMBER = '(\\d{1,2})(?:st|nd|rd|th)?';
const EVERY = '(?:(?:every|each|on|the|weekly|week) ){0,4}';
const OF_MONTH = '(?:of|in) (?:every|each|the) month';

const IS_RULE = new RegExp(
  `\\b(?:every|each|daily|hourly|weekly|monthly|yearly|annually|(?:sun|mon|tues|wednes|thurs|fri|satur|week|work)days|weekends|${DAY}(?:-|–| to | through | until )${DAY})\\b`,
);
/** Cron knows no rules that skip. */
const SKIPS = new RegExp(
  `\\b(?:every|each) (?:other|two|three|four|six|\\d+(?:st|nd|rd|th)?) (?:days?|weeks?|weekends?|months?|years?|${DAY})\\b(?! ${OF_MONTH})`,
);
const INTERVAL =
  /^(?:(?:every|each) (?:(\d{1,2}|other|half|quarter) )?(?:an |of an )*(minute|hour)s?|hourly)$/;
const CRON = /^[\d*][\d*,/-]* [\d*][\d*,/-]*( [\dA-Za-z*?,/#-]+){3}$/;

/** The fields of cron for days: day of the month, month, weekday. */
type Days = [day: string, month: string, weekday: string];

/** What names the days of a rule; the first that fits counts. */
const DAYS: readonly (readonly [RegExp, (parts: string[]) => Days])[] = [
  [
    new RegExp(`\\b${EVERY}(1|2|3|4|la)(?:st|nd|rd|th) ${DAY} ${OF_MONTH}\\b`),
    ([nth = '', day = '']) => ['*', '*', `${day}#${nth === 'la' ? 'L' : nth}`],
  ],
  [new RegExp(`\\b${EVERY}last day ${OF_MONTH}\\b`), () => ['L', '*', '*']],
  [
    new RegExp(`\\b${EVERY}(${NUMBER}(?: day)?(?: and (?:on )?(?:the )?${NUMBER}){0,5}) ${OF_MONTH}\\b`),
    ([days = '']) => [(days.match(/\d+/g) ?? []).join(','), '*', '*'],
  ],
  [
    new RegExp(
      `\\b(?:every|each|yearly|annually)(?: year)?(?: on)?(?: the)? (?:${NUMBER}(?: of)? ${MONTH}|${MONTH} ${NUMBER})\\b`,
    ),
    ([day, month, otherMonth = '', otherDay = '']) => [day ?? otherDay, month ?? otherMonth, '*'],
  ],
  [new RegExp(`\\b${EVERY}(?:week|work|working |business )days?\\b`), () => ['*', '*', '1-5']],
  [new RegExp(`\\b${EVERY}weekends?\\b`), () => ['*', '*', '0,6']],
  [
    new RegExp(`\\b${EVERY}${DAY} (?:to|through|until) ${DAY}\\b`),
    ([from = '', to = '']) => ['*', '*', `${from}-${to}`],
  ],
  [new RegExp(`\\b${EVERY}${DAY}(?: and (?:on )?${DAY}){0,6}\\b`), () => ['*', '*', '']],
  [/\b(?:every |each )?(?:daily|day|morning|afternoon|evening|night)s?\b/, () => ['*', '*', '*']],
];

const NO_WORDS =
  'This can’t be read as a time. Try “tomorrow at 8:30”, “every weekday at 8”, “every month on the 1st at 9”, or a cron expression.';
const NO_TIME = 'Add the time of day, such as “at 9” or “at 17:30”.';
const OVER = 'That time is over; give one that is to come.';
const NO_SKIPS =
  'Rules that leave out days, weeks or months aren’t possible. Try “every Monday at 9” or “every first Monday of the month at 9”.';
const NO_STEPS = 'Minutes must divide an hour and hours a day, such as every 15 minutes or every 2 hours.';
const NEVER = 'That never comes, since there is no such day.';
const ONE_MINUTE = 'The times of one rule need the same minutes, such as “at 9:30 and 17:30”.';

/** Reads it. Throws AppError `invalid_request` about the field `when`. */
export function readWhen(text: string, where: Where): When {
  const plain = text.trim().replace(/\s+/g, ' ');
  if (!CRON.test(plain) && !IS_RULE.test(plain.toLowerCase()))
    return { at: readOnce(plain, where), cron: null };
  const cron = CRON.test(plain) ? plain : readRule(plain.toLowerCase());
  parseCron(cron);
  if (nextTime({ cron, timeZone: where.timeZone }, where.now) === null) throw refusal(NEVER);
  return { at: null, cron };
}

const refusal = (message: string) => invalidField('when', message);

/** What a reader of words returns; its refusal becomes that message. */
function orRefuse<T>(read: () => T, message: string): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof ToolError ? refusal(message) : error;
  }
}

function readOnce(text: string, where: Where): Date {
  const [, day = '', time = null] = /^(.{0,60}?)(?:^| )at (.{1,40})$/i.exec(text) ?? [];
  let at: DateTime;
  try {
    const date = readDate(text, where);
    if (!date.hasTime) throw refusal(NO_TIME);
    at = date.at;
    if (date.repeats !== null && at.toJSDate() <= where.now) at = at.plus({ [date.repeats]: 1 });
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    // Times that only the reader of times knows, such as “half past eight”.
    const { hour, minute } = orRefuse(() => readTime(time ?? text), NO_WORDS);
    const date = orRefuse(() => readDate(time === null || day === '' ? 'today' : day, where), NO_WORDS);
    at = atTimeOfDay(date.at, { hour, minute }, where);
    if (at.toJSDate() <= where.now && (time === null || day === ''))
      at = atTimeOfDay(date.at.plus({ days: 1 }), { hour, minute }, where);
  }
  if (at.toJSDate() <= where.now) throw refusal(OVER);
  return at.toJSDate();
}

const atTimeOfDay = ({ year, month, day }: DateTime, time: TimeOfDay, { timeZone }: Where): DateTime =>
  atLocal({ year, month, day, ...time }, timeZone);

function readRule(lower: string): string {
  const text = lower
    .replace(/[.!]$/, '')
    .replace(/\s?(?:,|&|\band\b)\s?(?:and )?/g, ' and ')
    .replace(/(?<=[a-z])[-–](?=[a-z])/g, ' to ')
    // With any ending: the patterns read only the number.
    .replace(/\b(?:first|second|third|fourth|fifth)\b/g, (word) => `${ORDINAL_WORDS.indexOf(word) + 1}th`)
    .replace(/\b(?:(?:every|each) month|monthly)(?: and)? on ((?:(?! at ).){1,30})/, `$1 of every month`);
  const steps = INTERVAL.exec(text);
  if (steps !== null) return intervalOf(steps);
  if (SKIPS.test(text)) throw refusal(NO_SKIPS);
  for (const [pattern, daysOf] of DAYS) {
    const found = pattern.exec(text);
    if (found === null) continue;
    const [words, ...parts] = found;
    const [day, month, weekday] = daysOf(parts);
    const rest = text
      .replace(words, ' ')
      .split(' ')
      .filter((word) => word !== '')
      .join(' ')
      .replace(/^(?:(?:and|at|on) ){0,3}/, '')
      .replace(/(?: (?:and|at)){0,2}$/, '');
    if (rest === '') throw refusal(NO_TIME);
    return [timesOf(rest, words), day, month, weekday || weekdaysIn(words)].join(' ');
  }
  throw refusal(NO_WORDS);
}

const weekdaysIn = (words: string): string =>
  [...words.matchAll(new RegExp(`\\b${DAY}\\b`, 'g'))].map(([, day]) => day).join(',');

/** The fields for minutes and hours of times of day. */
function timesOf(text: string, days: string): string {
  const times = text.split(' and ').map((time) => orRefuse(() => readTime(time), NO_WORDS));
  const [minute, another] = new Set(times.map((time) => time.minute));
  if (another !== undefined) throw refusal(ONE_MINUTE);
  // “Every evening at 8” is 20:00; 2 at night stays as it is.
  const from = /\b(?:afternoon|evening)/.test(days) ? 1 : /\bnight/.test(days) ? 6 : 12;
  const hours = times.map(({ hour }) => (hour >= from && hour < 12 ? hour + 12 : hour));
  return `${String(minute)} ${[...new Set(hours)].join(',')}`;
}

function intervalOf([, count = '1', unit = 'hour']: RegExpExecArray): string {
  const minutes = { half: 30, quarter: 15 }[count];
  const every = minutes ?? (count === 'other' ? 2 : Number(count));
  const isMinutes = unit === 'minute' || minutes !== undefined;
  if (every === 0 || (isMinutes ? 60 : 24) % every !== 0) throw refusal(NO_STEPS);
  return isMinutes ? `*/${every} * * * *` : `0 */${every} * * *`;
}
