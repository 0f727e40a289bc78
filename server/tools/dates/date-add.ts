import { DateTime } from 'luxon';
import type { Static } from 'typebox';
import type { DateAddInput } from './index.ts';
import { ToolError, type ToolContext } from '../tool.ts';
import { readDate } from './read-date.ts';
import { toDay } from './local-time.ts';
import { addWorkingDays } from './working-days.ts';
import { ownZone } from './zones.ts';

/** A day some time after or before another. */
export function dateAdd(input: Static<typeof DateAddInput>, context: ToolContext) {
  const zone = ownZone(context.timeZone);
  const now = DateTime.fromJSDate(context.now, { zone });
  const timed = input.hours !== undefined || input.minutes !== undefined;
  const start = input.date === undefined ? null : readDate(input.date, { now: context.now, timeZone: zone });
  const from = start?.at ?? (timed ? now : now.startOf('day'));
  const { years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, workingDays = 0 } = input;
  const to = addWorkingDays(from.plus({ years, months, weeks, days }).plus({ hours, minutes }), workingDays);
  if (!to.isValid || to.year < 1 || to.year > 9999)
    throw new ToolError('That goes beyond the years 1 to 9999 of my calendar.');
  const withTime = timed || start?.hasTime === true;
  return {
    from: toDay(from, withTime),
    to: toDay(to, withTime),
    daysFromToday: Math.round(to.startOf('day').diff(now.startOf('day'), 'days').days),
  };
}
