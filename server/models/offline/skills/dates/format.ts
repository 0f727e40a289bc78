import { DateTime, Duration, type DurationLikeObject, type DurationUnit } from 'luxon';
import {
  convertTime,
  currentTime,
  dateAdd,
  dateDifference,
  dateInfo,
} from '../../../../tools/dates/index.ts';
import { ABBREVIATIONS } from '../../../../tools/dates/place-table.ts';
import type { Day } from '../../../../tools/dates/local-time.ts';
import { fieldsOf } from '../../../../lib/fields.ts';
import { previousCall } from '../../reading/history.ts';
import type { Request } from '../../skill.ts';
import { count } from '../../../../../shared/numbers.ts';
import { capitalised, formatting, formatEach, type OutputOf } from '../../wording/formatting.ts';
import { isHoliday } from './words.ts';

/** "3 March 2027". */
const plainDate = (date: string): string =>
  DateTime.fromISO(date, { zone: 'utc' }).setLocale('en').toFormat('d MMMM yyyy');

/** "Wednesday, 3 March 2027", with the time when there is one. */
const fullDate = (day: Day): string =>
  `${day.weekday}, ${plainDate(day.date)}${day.time ? ` at ${day.time}` : ''}`;

/** " in Tokyo (UTC+9)", " EST (UTC−5)", " UTC+2". */
function inPlace(clock: OutputOf<typeof currentTime>): string {
  if (clock.place.startsWith('UTC')) return ` ${clock.place}`;
  return `${ABBREVIATIONS.has(clock.place.toLowerCase()) ? '' : ' in'} ${clock.place} (${clock.offset})`;
}

/** How far one clock is ahead of the other. */
function formatOffset({ from, to }: OutputOf<typeof convertTime>): string {
  const clock = ({ date, time }: typeof from): DateTime =>
    DateTime.fromISO(`${date}T${time}`, { zone: 'utc' });
  const gap = clock(to).diff(clock(from)).as('minutes');
  const size =
    gap === 0
      ? 'level with'
      : `${inWords({ minutes: Math.abs(gap) }, ['hours', 'minutes'])} ${gap > 0 ? 'ahead of' : 'behind'}`;
  return `${to.place} (${to.offset}) is **${size}** ${from.place} (${from.offset}) on ${plainDate(from.date)}.`;
}

function formatConversion({ from, to, dateGiven }: OutputOf<typeof convertTime>): string {
  const shift = DateTime.fromISO(to.date).diff(DateTime.fromISO(from.date), 'days').days;
  const day = shift === 0 ? '' : shift > 0 ? ' the next day' : ' the day before';
  const on = dateGiven || shift !== 0 ? ` on ${from.weekday}, ${plainDate(from.date)},` : '';
  const there = shift === 0 ? '' : ` (${to.weekday}, ${plainDate(to.date)})`;
  return `${from.time}${inPlace(from)}${on} is **${to.time}**${day}${inPlace(to)}${there}.`;
}

type Difference = OutputOf<typeof dateDifference>;

function formatDifference(result: Difference, input: Record<string, unknown>): string {
  const { from, to, days } = result;
  const areBoth = input['from'] !== undefined && input['to'] !== undefined;
  const length = lengthOf(result, input['unit'], areBoth);
  if (input['from'] === undefined) return `${length} ${days < 0 ? 'since' : 'until'} ${fullDate(to)}.`;
  if (input['to'] === undefined) return `${length} ${days < 0 ? 'until' : 'since'} ${fullDate(from)}.`;
  if (days === 0 && from.time && to.time) return `${length} from ${from.time} to ${to.time}.`;
  return `${length} from ${fullDate(from)} to ${fullDate(to)}${days < 0 ? ' (backwards)' : ''}.`;
}

/** "3 months and 11 days", in `units` where some are named. */
function inWords(amounts: DurationLikeObject, units: DurationUnit[] = []): string {
  const span = Duration.fromObject(amounts, { locale: 'en-GB' });
  const shifted = units.length === 0 ? span : span.shiftTo(...units);
  return shifted.toHuman({ listStyle: 'long', showZeros: false });
}

/** How long it is in the unit asked for; beside it in days, or the days in years and months, where that says more. */
function lengthOf(result: Difference, unit: unknown, areBoth: boolean): string {
  const { years, months, remainingDays, minutes } = result;
  if (unit === 'working days')
    return `**${count(result.workingDays, 'working day')}** (Monday to Friday${areBoth ? ', both ends counted' : ''}; public holidays are not taken off)`;
  if (unit === 'minutes') return `**${count(minutes, 'minute')}**`;
  if (unit === 'hours' || result.from.time !== undefined || result.to.time !== undefined) {
    const inDays: DurationUnit[] = unit === 'hours' || minutes < 2 * 24 * 60 ? [] : ['days'];
    return `**${inWords({ minutes }, [...inDays, 'hours', 'minutes']) || '0 minutes'}**`;
  }
  const days = Math.abs(result.days);
  const calendar = inWords({ years, months, days: remainingDays }) || '0 days';
  const lengths = new Map<unknown, string>([
    ['weeks', inWords({ days }, ['weeks', 'days'])],
    ['months', inWords({ months: years * 12 + months, days: remainingDays })],
    ['years', calendar],
  ]).get(unit);
  const [size, beside] = lengths ? [lengths, count(days, 'day')] : [count(days, 'day'), calendar];
  return `**${size}**${size === beside ? '' : ` (${beside})`}`;
}

/** "103 days from today", "yesterday". */
function distance(days: number): string {
  const near = { '-1': 'yesterday', '0': 'today', '1': 'tomorrow' }[String(days)];
  return near ?? (days > 0 ? `${count(days, 'day')} from today` : `${count(-days, 'day')} ago`);
}

type Info = OutputOf<typeof dateInfo>;

/** The question with the one it carries on: "and 2030?" after "is 2028 a leap year?". */
function whole({ text, history }: Request): string {
  const carriesOn = (words: string): boolean => /^(?:and|what about|how about|or)\b/i.test(words.trim());
  const last = history.findLast(({ question, steps }) => steps.length > 0 && !carriesOn(question));
  return (carriesOn(text) && last?.question) || text;
}

/** What is known of a day, for a form. */
const formatAllInfo = ({ day, daysFromToday, ...about }: Info): string =>
  `**${fullDate(day)}** — ${distance(daysFromToday)}: week ${about.week}, day ${about.dayOfYear} of ${about.daysInYear}, quarter ${about.quarter}, in a month of ${about.daysInMonth} days.`;

/** Answers what was asked about the day; its weekday and distance when nothing in particular was. */
function formatInfo(info: Info, input: Record<string, unknown>, request: Request): string {
  if (request.text === '') return formatAllInfo(info);
  const text = whole(request).toLowerCase();
  const asked = typeof input['date'] === 'string' ? input['date'] : '';
  const year = info.day.date.slice(0, 4).replace(/^0+/, '');
  const date = fullDate(info.day);
  if (/\bleap\b/.test(text))
    return `${year} is ${info.leapYear ? '' : 'not '}a leap year: it has **${info.daysInYear} days**.`;
  if (/\bdays\b/.test(text) && /^1 \D/.test(asked))
    return `${plainDate(info.day.date).slice(2)} has **${info.daysInMonth} days**.`;
  // "The last day of this week" asks for a day.
  if (/\bweek\b/.test(text.replace(asked.toLowerCase(), '')) && !/day of (?:the )?week/.test(text)) {
    const other = info.weekYear === Number(year) ? '' : ` of ${info.weekYear}`;
    return `${date} is in **week ${info.week}**${other} (ISO 8601).`;
  }
  if (input['date'] === undefined) return `Today is **${date}**.`;
  return `${isHoliday(asked) ? `${capitalised(asked)}: ` : ''}**${date}** — ${distance(info.daysFromToday)}.`;
}

/** Formats the result of any date tool as Markdown. */
export const formatDates = formatEach(
  formatting(
    currentTime,
    (clock) => `It is **${clock.time}**${inPlace(clock)} on ${clock.weekday}, ${plainDate(clock.date)}.`,
  ),
  formatting(convertTime, (result, _input, request) => {
    const asksDistance = /\b(?:difference|ahead|behind)\b/i.test(whole(request));
    const sentence = asksDistance ? formatOffset(result) : formatConversion(result);
    return result.note === undefined ? sentence : `${sentence}\n\n${result.note}`;
  }),
  formatting(dateDifference, formatDifference),
  formatting(dateAdd, ({ from, to, daysFromToday }, _input, { history }) => {
    // A follow-up counts from the day in the last answer.
    const last = previousCall(history, ['date_add', 'date_info'], 3)?.output ?? {};
    const isCarried = [last['to'], last['day']].some((day) => fieldsOf(day)['date'] === from.date);
    return `**${fullDate(to)}** — ${distance(daysFromToday)}${isCarried ? `, counted from ${fullDate(from)}` : ''}.`;
  }),
  formatting(dateInfo, formatInfo),
);
