import { DateTime } from 'luxon';
import type { Static } from 'typebox';
import type { DateInfoInput } from './index.ts';
import type { ToolContext } from '../tool.ts';
import { readDate } from './read-date.ts';
import { toDay } from './local-time.ts';
import { ownZone } from './zones.ts';

/** What there is to know about a day. */
export function dateInfo(input: Static<typeof DateInfoInput>, context: ToolContext) {
  const zone = ownZone(context.timeZone);
  const today = DateTime.fromJSDate(context.now, { zone }).startOf('day');
  const read =
    input.date === undefined
      ? null
      : readDate(input.date, { now: context.now, timeZone: zone }, input.past ? 'last' : 'next');
  const at = read?.at ?? today;
  return {
    day: toDay(at, read?.hasTime),
    daysFromToday: Math.round(at.startOf('day').diff(today, 'days').days),
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
