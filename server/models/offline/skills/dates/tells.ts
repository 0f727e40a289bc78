import { DateTime } from 'luxon';
import { convertTime } from '../../../../tools/dates/convert-time.ts';
import { currentTime } from '../../../../tools/dates/current-time.ts';
import { dateAdd } from '../../../../tools/dates/date-add.ts';
import { dateDifference } from '../../../../tools/dates/date-difference.ts';
import { dateInfo } from '../../../../tools/dates/date-info.ts';
import { ABBREVIATIONS } from '../../../../tools/dates/place-table.ts';
import type { Day } from '../../../../tools/dates/local-time.ts';
import type { Request } from '../../skill.ts';
import { count } from '../../reading/phrases.ts';
import { capitalised, listed, telling, tellsEach, type OutputOf } from '../../wording/telling.ts';
import { isHoliday } from './words.ts';

/** "3 March 2027". */
function plainDate(date: string): string {
  return DateTime.fromISO(date, { zone: 'utc' }).setLocale('en').toFormat('d MMMM yyyy');
}

/** "Wednesday, 3 March 2027", with the time when there is one. */
function fullDate(day: Day): string {
  return `${day.weekday}, ${plainDate(day.date)}${day.time ? ` at ${day.time}` : ''}`;
}

function tellNow(clock: OutputOf<typeof currentTime>): string {
  return `It is **${clock.time}**${inPlace(clock)} on ${clock.weekday}, ${plainDate(clock.date)}.`;
}

/** " in Tokyo (UTC+9)", " EST (UTC−5)", " UTC+2". */
function inPlace(clock: OutputOf<typeof currentTime>): string {
  if (clock.place.startsWith('UTC')) return ` ${clock.place}`;
  return `${ABBREVIATIONS.has(clock.place.toLowerCase()) ? '' : ' in'} ${clock.place} (${clock.offset})`;
}

/** How far one clock is ahead of the other. */
function tellOffset({ from, to, note }: OutputOf<typeof convertTime>): string {
  const gap = offsetMinutes(to.offset) - offsetMinutes(from.offset);
  const size = listed([
    amountOf(Math.floor(Math.abs(gap) / 60), 'hour'),
    amountOf(Math.abs(gap) % 60, 'minute'),
  ]);
  const sentence =
    gap === 0
      ? `${to.place} and ${from.place} have the **same time** (${to.offset}) on ${plainDate(from.date)}.`
      : `${to.place} (${to.offset}) is **${size} ${gap > 0 ? 'ahead of' : 'behind'}** ${from.place} (${from.offset}) on ${plainDate(from.date)}.`;
  return note ? `${sentence}\n\n${note}` : sentence;
}

/** "UTC−3:30" in minutes. */
function offsetMinutes(offset: string): number {
  const [, sign = '+', hours = '0', minutes = '0'] = /^UTC([+−])(\d+)(?::(\d+))?$/.exec(offset) ?? [];
  return (sign === '−' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

function tellConversion({ from, to, dateGiven, note }: OutputOf<typeof convertTime>): string {
  const shift = DateTime.fromISO(to.date).diff(DateTime.fromISO(from.date), 'days').days;
  const day = shift === 0 ? '' : shift > 0 ? ' the next day' : ' the day before';
  const on = dateGiven || shift !== 0 ? ` on ${from.weekday}, ${plainDate(from.date)},` : '';
  const there = shift === 0 ? '' : ` (${to.weekday}, ${plainDate(to.date)})`;
  const sentence = `${from.time}${inPlace(from)}${on} is **${to.time}**${day}${inPlace(to)}${there}.`;
  return note ? `${sentence}\n\n${note}` : sentence;
}

type Difference = OutputOf<typeof dateDifference>;

function tellDifference(result: Difference, input: Record<string, unknown>, request: Request): string {
  const { from, to, days } = result;
  const unit = typeof input['unit'] === 'string' ? input['unit'] : 'days';
  const isTimed = from.time !== undefined || to.time !== undefined;
  if (unit === 'years' && /\b(?:how old|age|born)\b/i.test(request.text))
    return `Born on ${fullDate(from)}: **${count(result.years, 'year')}** old (${calendar(result)}).`;
  if (days === 0 && !isTimed)
    return input['from'] === undefined || input['to'] === undefined
      ? `${fullDate(to)} is **today**.`
      : `Both are ${fullDate(to)}: **0 days**.`;
  const isClock = isTimed || unit === 'hours' || unit === 'minutes';
  const amount = isClock ? clockSpan(result.minutes, unit) : calendarSpan(result, unit);
  if (input['from'] === undefined) return `${amount} ${days < 0 ? 'since' : 'until'} ${fullDate(to)}.`;
  if (input['to'] === undefined) return `${amount} ${days < 0 ? 'until' : 'since'} ${fullDate(from)}.`;
  if (days === 0 && from.time && to.time) return `${amount} from ${from.time} to ${to.time}.`;
  return `${amount} from ${fullDate(from)} to ${fullDate(to)}${days < 0 ? ' (backwards)' : ''}.`;
}

/** "3 months and 11 days". */
const calendar = ({ years, months, remainingDays }: Difference): string =>
  listed([amountOf(years, 'year'), amountOf(months, 'month'), amountOf(remainingDays, 'day')]);

function calendarSpan(result: Difference, unit: string): string {
  const days = Math.abs(result.days);
  const inDays = count(days, 'day');
  if (unit === 'working days')
    return `**${count(result.workingDays, 'working day')}** (Monday to Friday; public holidays are not taken off)`;
  if (unit === 'weeks')
    return `**${listed([count(Math.floor(days / 7), 'week'), amountOf(days % 7, 'day')])}** (${inDays})`;
  if (unit === 'months')
    return `**${calendar({ ...result, years: 0, months: result.years * 12 + result.months }) || '0 days'}** (${inDays})`;
  if (unit === 'years') return `**${calendar(result) || '0 days'}** (${inDays})`;
  return `**${inDays}**${days >= 28 ? ` (${calendar(result)})` : ''}`;
}

function clockSpan(minutes: number, unit: string): string {
  if (unit === 'minutes') return `**${count(minutes, 'minute')}**`;
  const days = unit === 'hours' || minutes < 2880 ? 0 : Math.floor(minutes / 1440);
  const hours = Math.floor((minutes - days * 1440) / 60);
  const parts = [amountOf(days, 'day'), amountOf(hours, 'hour'), amountOf(minutes % 60, 'minute')];
  return `**${listed(parts) || '0 minutes'}**`;
}

const amountOf = (amount: number, singular: string): string => (amount === 0 ? '' : count(amount, singular));

/** "103 days from today", "yesterday". */
function distance(days: number): string {
  const near = { '-1': 'yesterday', '0': 'today', '1': 'tomorrow' }[String(days)];
  return near ?? (days > 0 ? `${count(days, 'day')} from today` : `${count(-days, 'day')} ago`);
}

function tellAddition(result: OutputOf<typeof dateAdd>): string {
  return `**${fullDate(result.to)}** — ${distance(result.daysFromToday)}.`;
}

type Info = OutputOf<typeof dateInfo>;

/** The question with the one it carries on: "and 2030?" after "is 2028 a leap year?". */
function whole({ text, history }: Request): string {
  const carriesOn = (words: string): boolean => /^(?:and|what about|how about|or)\b/i.test(words.trim());
  if (!carriesOn(text)) return text;
  return history.findLast(({ question }) => !carriesOn(question))?.question ?? text;
}

/** What is known of a day, for a form. */
const tellAllInfo = ({ day, daysFromToday, ...about }: Info): string =>
  `**${fullDate(day)}** — ${distance(daysFromToday)}: week ${about.week}, day ${about.dayOfYear} of ${about.daysInYear}, quarter ${about.quarter}, in a month of ${about.daysInMonth} days.`;

/** Answers what was asked about the day; its weekday and distance when nothing in particular was. */
function tellInfo(info: Info, input: Record<string, unknown>, request: Request): string {
  if (request.text === '') return tellAllInfo(info);
  const text = whole(request).toLowerCase();
  const asked = typeof input['date'] === 'string' ? input['date'] : '';
  const year = info.day.date.slice(0, 4).replace(/^0+/, '');
  const date = fullDate(info.day);
  if (/\bleap\b/.test(text))
    return `${year} is ${info.leapYear ? '' : 'not '}a leap year: it has **${info.daysInYear} days**.`;
  if (/^\s*(?:.*\b)?how many days\b/.test(text) && /^1 \D/.test(asked))
    return `${plainDate(info.day.date).slice(2)} has **${info.daysInMonth} days**.`;
  if (/\bweek\b/.test(text) && !/day of (?:the )?week/.test(text)) {
    const other = info.weekYear === Number(year) ? '' : ` of ${info.weekYear}`;
    return `${date} is in **week ${info.week}**${other} (ISO 8601).`;
  }
  const named = isHoliday(asked) ? asked : null;
  const subject = named ? `${capitalised(named)}: ` : '';
  if (info.daysFromToday === 0)
    return `${subject}${input['date'] === undefined ? 'Today is ' : ''}**${date}**${input['date'] === undefined ? '' : ' — today'}.`;
  return `${subject}**${date}** — ${distance(info.daysFromToday)}.`;
}

/** Tells the result of any of the date tools as Markdown. */
export const tellDates = tellsEach(
  telling(currentTime, tellNow),
  telling(convertTime, (result, _input, request) =>
    /\b(?:difference|ahead|behind)\b/i.test(whole(request)) ? tellOffset(result) : tellConversion(result),
  ),
  telling(dateDifference, tellDifference),
  telling(dateAdd, tellAddition),
  telling(dateInfo, tellInfo),
);
