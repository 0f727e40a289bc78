/** What the tools for dates, times and zones do. Loaded by the first call. */
import { DateTime } from 'luxon';
import type { Static } from 'typebox';
import { ToolError, type ToolContext } from '../tool.ts';
import type {
  ConvertTimeInput,
  CurrentTimeInput,
  DateAddInput,
  DateDifferenceInput,
  DateInfoInput,
} from './index.ts';
import { atLocal, clockNote, toClock, toDay } from './local-time.ts';
import { readDate, type ReadDate } from './read-date.ts';
import { readTime } from './read-time.ts';
import { addWorkingDays, countWorkingDays } from './working-days.ts';
import { ownZone, resolvePlace, zoneCity, type Place } from './zones.ts';

/** The person's zone, the moment in it, and both as dates are read by. */
function here({ now, timeZone }: ToolContext) {
  const zone = ownZone(timeZone);
  return { zone, now: DateTime.fromJSDate(now, { zone }), where: { now, timeZone: zone } };
}

/** A place by its name; without one, where the person is. */
function placeOf(name: string | undefined, context: ToolContext): Place {
  if (name !== undefined) return resolvePlace(name);
  const zone = ownZone(context.timeZone);
  return { name: zoneCity(zone), zone };
}

/** The time now, here or elsewhere. */
export function timeNow(input: Static<typeof CurrentTimeInput>, context: ToolContext) {
  const place = placeOf(input.place, context);
  return toClock(DateTime.fromJSDate(context.now, { zone: place.zone }), place);
}

/** A time of one place on the clock of another. */
export function toOtherClock(input: Static<typeof ConvertTimeInput>, context: ToolContext) {
  const { now } = context;
  const [from, to] = [placeOf(input.from, context), placeOf(input.to, context)];
  const { year, month, day } =
    input.date === undefined
      ? DateTime.fromJSDate(now, { zone: from.zone })
      : readDate(input.date, { now, timeZone: from.zone }).at;
  const fields = { year, month, day, ...readTime(input.time) };
  const at = atLocal(fields, from.zone);
  const there = at.setZone(to.zone);
  const notes = [clockNote(fields, from.zone, from.name), seasonNote(from, at), seasonNote(to, there)].filter(
    (note) => note !== null,
  );
  return {
    from: toClock(at, from),
    to: toClock(there, to),
    /** Without one it is today where the time was given. */
    dateGiven: input.date !== undefined,
    ...(notes.length > 0 ? { note: notes.join(' ') } : {}),
  };
}

/** Says when an abbreviation of standard time is used in summer, or the other way round. */
function seasonNote(place: Place, at: DateTime): string | null {
  if (!place.season || at.isInDST === (place.season === 'summer')) return null;
  const kept = at.isInDST ? 'daylight saving time' : 'standard time';
  return `${at.zoneName?.split('/').at(-1)?.replaceAll('_', ' ') ?? 'That zone'} is on ${kept} then; I read ${place.name} as its local time.`;
}

/** A day some time after or before another. */
export function addToDate(
  { date, workingDays = 0, hours, minutes, ...span }: Static<typeof DateAddInput>,
  context: ToolContext,
) {
  const { now, where } = here(context);
  const timed = hours !== undefined || minutes !== undefined;
  const start = date === undefined ? null : readDate(date, where);
  const from = start?.at ?? (timed ? now : now.startOf('day'));
  const to = addWorkingDays(from.plus(span).plus({ hours, minutes }), workingDays);
  if (!to.isValid || to.year < 1 || to.year > 9999)
    throw new ToolError('That goes beyond the years 1 to 9999 of my calendar.');
  const withTime = timed || start?.hasTime === true;
  return { from: toDay(from, withTime), to: toDay(to, withTime), daysFromToday: daysFrom(now, to) };
}

const daysFrom = (now: DateTime, at: DateTime): number =>
  Math.round(at.startOf('day').diff(now.startOf('day'), 'days').days);

/** What there is to know about a day. */
export function describeDate({ date, past }: Static<typeof DateInfoInput>, context: ToolContext) {
  const { now, where } = here(context);
  const read = date === undefined ? null : readDate(date, where, past ? 'last' : 'next');
  const at = read?.at ?? now.startOf('day');
  return {
    day: toDay(at, read?.hasTime),
    daysFromToday: daysFrom(now, at),
    week: at.weekNumber,
    weekYear: at.weekYear,
    weeksInYear: at.weeksInWeekYear,
    dayOfYear: at.ordinal,
    daysInYear: at.daysInYear,
    daysInMonth: at.daysInMonth ?? 0,
    leapYear: at.isInLeapYear,
    quarter: at.quarter,
  };
}

/** The time between two days or moments. */
export function differenceOf(given: Static<typeof DateDifferenceInput>, context: ToolContext) {
  const { zone, now, where } = here(context);
  // A day above 12 shows which way round both dates are written.
  const dates = `${given.from ?? ''} ${given.to ?? ''}`;
  const monthFirst = /\b\d\d?\/(?:1[3-9]|[23]\d)\/\d{4}/.test(dates) ? '$3-$1-$2' : '$&';
  const order = /\b(?:1[3-9]|[23]\d)\/\d\d?\/\d{4}/.test(dates) ? '$3-$2-$1' : monthFirst;
  const iso = (date?: string) => date?.replace(/^(\d\d?)\/(\d\d?)\/(\d{4})$/, order);
  const input = { ...given, from: iso(given.from), to: iso(given.to) };
  const to =
    input.to === undefined
      ? null
      : readDate(input.to, where, input.from === undefined ? 'next' : 'this-year');
  const from = input.from === undefined ? null : readDate(input.from, where, to ? 'this-year' : 'last');
  const timed = input.unit === 'hours' || input.unit === 'minutes' || (from ?? to)?.hasTime === true;
  const present: ReadDate = { at: timed ? now : now.startOf('day'), hasTime: timed, repeats: null };
  const areBoth = from !== null && to !== null;
  const [start, end] = inOrder(from, to, present);
  // Another year's Easter is another day, so what was moved by years is read again, as of the other end.
  const asOf = ({ at }: ReadDate) => ({ now: at.toJSDate(), timeZone: zone });
  if (input.to !== undefined && to?.repeats === 'years' && end !== to)
    return measure(start, readDate(input.to, asOf(start), 'next'), areBoth);
  if (input.from !== undefined && from?.repeats === 'years' && start !== from)
    return measure(readDate(input.from, asOf(end), 'last'), end, areBoth);
  return measure(start, end, areBoth);
}

/** Moves an end that comes round again next to the other: "from November to March" ends next year, "1 March to 10 March 2027" is of one. */
function inOrder(from: ReadDate | null, to: ReadDate | null, present: ReadDate): [ReadDate, ReadDate] {
  const start = from ?? present;
  const end = to ?? present;
  const bothOpen = start.repeats === 'years' && end.repeats === 'years';
  if (end.repeats && (end.at < start.at || (from && end.repeats === 'years' && !bothOpen)))
    return [start, { ...end, at: firstFrom(end.at, start.at, end.repeats) }];
  const endsInYear = to?.repeats === null && start.repeats === 'years';
  if (start.repeats && (start.at > end.at || endsInYear))
    return [{ ...start, at: lastUntil(start.at, end.at, start.repeats) }, end];
  return [start, end];
}

type Period = NonNullable<ReadDate['repeats']>;

function firstFrom(at: DateTime, start: DateTime, period: Period): DateTime {
  let next = at.plus({ [period]: Math.floor(start.diff(at, period).as(period)) });
  while (next < start) next = next.plus({ [period]: 1 });
  return next;
}

function lastUntil(at: DateTime, end: DateTime, period: Period): DateTime {
  let last = at.plus({ [period]: Math.ceil(end.diff(at, period).as(period)) });
  while (last > end) last = last.minus({ [period]: 1 });
  return last;
}

function measure(from: ReadDate, to: ReadDate, areBoth: boolean) {
  const days = Math.round(dayOf(to).diff(dayOf(from), 'days').days);
  const [first, last] = days < 0 ? [to, from] : [from, to];
  const span = dayOf(last).diff(dayOf(first), ['years', 'months', 'days']);
  const withTime = from.hasTime || to.hasTime;
  return {
    from: toDay(from.at, withTime && from.hasTime),
    to: toDay(to.at, withTime && to.hasTime),
    /** Negative when `to` is earlier; the span below has no sign. */
    days,
    years: span.years,
    months: span.months,
    remainingDays: Math.round(span.days),
    /** Mondays to Fridays, both ends counted; from or until today, without today. Public holidays count as any other day. */
    workingDays: countWorkingDays(dayOf(first).minus({ days: areBoth ? 1 : 0 }), dayOf(last)),
    /** Days without a time count from midnight. */
    minutes: Math.floor(Math.abs(to.at.diff(from.at, 'minutes').minutes)),
  };
}

/** The day by itself, free of clocks that change. */
function dayOf({ at }: ReadDate): DateTime {
  return DateTime.utc(at.year, at.month, at.day);
}
