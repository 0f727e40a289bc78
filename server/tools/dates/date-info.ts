import { DateTime } from 'luxon';
import { Type } from 'typebox';
import { DateInfoInput } from './inputs.ts';
import { defineTool } from '../tool.ts';
import { readDate } from './read-date.ts';
import { Day, toDay } from './schemas.ts';
import { ownZone } from './zones.ts';

export const DateInfoOutput = Type.Object({
  day: Day,
  /** Calendar days from today; negative for the past. */
  daysFromToday: Type.Integer(),
  /** ISO 8601 week, and the year it belongs to. */
  week: Type.Integer(),
  weekYear: Type.Integer(),
  weeksInYear: Type.Integer(),
  dayOfYear: Type.Integer(),
  daysInYear: Type.Integer(),
  daysInMonth: Type.Integer(),
  leapYear: Type.Boolean(),
  quarter: Type.Integer(),
});

/** What there is to know about a day. */
export const dateInfo = defineTool({
  name: 'date_info',
  description:
    'Tells about a date: its weekday, how far it is from today, ISO week number, day of the year, quarter, leap year, days in its month. ' +
    'Finds named days too: "Easter 2027", "Thanksgiving", "next Friday".',
  input: DateInfoInput,
  output: DateInfoOutput,
  run(input, context) {
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
  },
});
