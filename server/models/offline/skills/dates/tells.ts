import { DateTime } from 'luxon';
import { convertTime } from '../../../../tools/dates/convert-time.ts';
import { currentTime } from '../../../../tools/dates/current-time.ts';
import { dateAdd } from '../../../../tools/dates/date-add.ts';
import { dateDifference } from '../../../../tools/dates/date-difference.ts';
import { dateInfo } from '../../../../tools/dates/date-info.ts';
import { ABBREVIATIONS } from '../../../../tools/dates/place-table.ts';
import type { Day } from '../../../../tools/dates/schemas.ts';
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
  const timed = from.time !== undefined || to.time !== undefined;
  if (unit === 'years' && /\b(?:how old|age|born)\b/i.test(request.text))
    return `Born on ${fullDate(from)}: **${count(result.years, 'year')}** old${span(result, 'years')}.`;
  const amount =
    timed || unit === 'hours' || unit === 'minutes' ? clockSpan(result, unit) : calendarSpan(result, unit);
  const both = input['from'] !== undefined && input['to'] !== undefined;
  if (days === 0 && !timed)
    return both ? `Both are ${fullDate(to)}: **0 days**.` : `${fullDate(to)} is **today**.`;
  const reversed = days < 0;
  if (input['from'] === undefined) return `${amount} ${reversed ? 'since' : 'until'} ${fullDate(to)}.`;
  if (input['to'] === undefined) return `${amount} ${reversed ? 'until' : 'since'} ${fullDate(from)}.`;
  if (days === 0 && from.time && to.time) return `${amount} from ${from.time} to ${to.time}.`;
  return `${amount} from ${fullDate(from)} to ${fullDate(to)}${reversed ? ' (backwards)' : ''}.`;
}

function calendarSpan(result: Difference, unit: string): string {
  const days = Math.abs(result.days);
  if (unit === 'working days')
    return `**${count(result.workingDays, 'working day')}** (Monday to Friday; public holidays are not taken off)`;
  if (unit === 'weeks') {
    const rest = days % 7;
    return `**${count(Math.floor(days / 7), 'week')}${rest === 0 ? '' : ` and ${count(rest, 'day')}`}** (${count(days, 'day')})`;
  }
  if (unit === 'months' || unit === 'years') {
    const months = unit === 'months' ? result.years * 12 + result.months : result.months;
    const parts = [
      unit === 'years' ? amountOf(result.years, 'year') : '',
      amountOf(months, 'month'),
      amountOf(result.remainingDays, 'day'),
    ];
    return `**${listed(parts) || '0 days'}** (${count(days, 'day')})`;
  }
  const detail = days >= 28 ? span(result, 'days') : '';
  return `**${count(days, 'day')}**${detail}`;
}

/** " (3 months and 11 days)" when that says more than the figure before it. */
function span(result: Difference, after: 'days' | 'years'): string {
  const parts = [
    amountOf(result.years, 'year'),
    amountOf(result.months, 'month'),
    amountOf(result.remainingDays, 'day'),
  ];
  const filled = parts.filter((part) => part !== '');
  if (after === 'years' && filled.length === 1 && result.years > 0) return '';
  return filled.length === 0 ? '' : ` (${listed(parts)})`;
}

function clockSpan(result: Difference, unit: string): string {
  const { minutes } = result;
  const total = unit === 'minutes' ? `**${count(minutes, 'minute')}**` : '';
  const days = unit === 'hours' || minutes < 2880 ? 0 : Math.floor(minutes / 1440);
  const hours = Math.floor((minutes - days * 1440) / 60);
  const parts =
    listed([amountOf(days, 'day'), amountOf(hours, 'hour'), amountOf(minutes % 60, 'minute')]) || '0 minutes';
  return total === '' ? `**${parts}**` : total;
}

function amountOf(amount: number, singular: string): string {
  return amount === 0 ? '' : count(amount, singular);
}

/** "103 days from today", "yesterday". */
function distance(days: number): string {
  if (days === 0) return 'today';
  if (days === 1) return 'tomorrow';
  if (days === -1) return 'yesterday';
  return days > 0 ? `${count(days, 'day')} from today` : `${count(-days, 'day')} ago`;
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
