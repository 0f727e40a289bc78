import { DateTime } from 'luxon';
import { DateAddInput } from './inputs.ts';
import { defineTool, ToolError } from '../tool.ts';
import { readDate } from './read-date.ts';
import { toDay } from './local-time.ts';
import { addWorkingDays } from './working-days.ts';
import { ownZone } from './zones.ts';

/** A day some time after or before another. */
export const dateAdd = defineTool({
  name: 'date_add',
  description:
    'Finds the date (or moment) some time after or before another: "3 weeks after 5 May", "90 days from today", "2 hours before 17:00". Negative amounts go back.',
  input: DateAddInput,
  run(input, context) {
    const zone = ownZone(context.timeZone);
    const now = DateTime.fromJSDate(context.now, { zone });
    const timed = input.hours !== undefined || input.minutes !== undefined;
    const start =
      input.date === undefined ? null : readDate(input.date, { now: context.now, timeZone: zone });
    const from = start?.at ?? (timed ? now : now.startOf('day'));
    const { years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, workingDays = 0 } = input;
    const to = addWorkingDays(
      from.plus({ years, months, weeks, days }).plus({ hours, minutes }),
      workingDays,
    );
    if (!to.isValid || to.year < 1 || to.year > 9999)
      throw new ToolError('That goes beyond the years 1 to 9999 of my calendar.');
    const withTime = timed || start?.hasTime === true;
    return {
      from: toDay(from, withTime),
      to: toDay(to, withTime),
      daysFromToday: Math.round(to.startOf('day').diff(now.startOf('day'), 'days').days),
    };
  },
});
