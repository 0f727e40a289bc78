import { DateTime } from 'luxon';
import type { Static } from 'typebox';
import type { DateDifferenceInput } from './index.ts';
import type { ToolContext } from '../tool.ts';
import { readDate, type ReadDate } from './read-date.ts';
import { toDay } from './local-time.ts';
import { ownZone } from './zones.ts';
import { countWorkingDays } from './working-days.ts';

/** The time between two days or moments. */
export function dateDifference(input: Static<typeof DateDifferenceInput>, context: ToolContext) {
  const zone = ownZone(context.timeZone);
  const where = { now: context.now, timeZone: zone };
  const now = DateTime.fromJSDate(context.now, { zone });
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

/** Moves an end that comes round again so that it follows the start: "from November to March" ends next year. */
function inOrder(from: ReadDate | null, to: ReadDate | null, present: ReadDate): [ReadDate, ReadDate] {
  const start = from ?? present;
  const end = to ?? present;
  const bothOpen = start.repeats === 'years' && end.repeats === 'years';
  if (end.repeats && (end.at < start.at || (from && end.repeats === 'years' && !bothOpen)))
    return [start, { ...end, at: firstFrom(end.at, start.at, end.repeats) }];
  if (start.repeats && start.at > end.at)
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
