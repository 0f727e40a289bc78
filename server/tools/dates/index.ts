/** The tools for dates, times and zones. Calendars and time zones, which are large, are loaded by the first call. */
import { Type } from 'typebox';
import { choice } from '../../../shared/api/common.ts';
import { defineTool } from '../tool.ts';

const optionalText = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 80, description }));

const LIMIT = 1_000_000;
const amount = (what: string) =>
  Type.Optional(Type.Integer({ minimum: -LIMIT, maximum: LIMIT, description: what }));

const DIFFERENCE_UNITS = ['days', 'weeks', 'months', 'years', 'working days', 'hours', 'minutes'] as const;
const YEAR = 'The year may be left out: it is then the one that makes sense.';

/** What `current_time` takes. */
export const CurrentTimeInput = Type.Object({
  place: optionalText('E.g. "New York", "Japan", "CET", "UTC+2".'),
});

/** The time now, here or elsewhere. */
export const currentTime = defineTool({
  name: 'current_time',
  description:
    'Tells the time and date now in a city, country or zone; without a place, where the person is.',
  input: CurrentTimeInput,
  run: async (input, context) => (await import('./calendar.ts')).timeNow(input, context),
});

/** What `convert_time` takes. */
export const ConvertTimeInput = Type.Object({
  time: Type.String({ minLength: 1, maxLength: 40, description: 'Time of day: "10:00", "3pm", "noon".' }),
  from: optionalText('Where the time is given: city, country, zone, abbreviation or offset.'),
  to: optionalText('Where the time is wanted.'),
  date: optionalText(
    'The day where the time is given, in words or figures: "tomorrow", "2027-03-28". Today when absent.',
  ),
});

/** A time of one place on the clock of another. */
export const convertTime = defineTool({
  name: 'convert_time',
  description:
    'Converts a time of day from one place or zone to another on a date, with the daylight saving of that date. A place that is left out is where the person is.',
  input: ConvertTimeInput,
  run: async (input, context) => (await import('./calendar.ts')).toOtherClock(input, context),
});

/** What `date_difference` takes. */
export const DateDifferenceInput = Type.Object({
  from: optionalText(`Where to count from, e.g. "1 May", "2027-03-03", "Easter". Now when absent. ${YEAR}`),
  to: optionalText(`Where to count to, e.g. "24 December", "Friday 17:00". Now when absent.`),
  unit: Type.Optional(choice([...DIFFERENCE_UNITS], 'What the person wants it counted in.')),
});

/** The time between two days or moments. */
export const dateDifference = defineTool({
  name: 'date_difference',
  description:
    'Counts the time between two dates or moments: days, the same in years, months and days, working days (Monday to Friday; of two dates that are given, both count), minutes. ' +
    'For "days until X" give only `to`; for "days since X" or an age give only `from`: the other is today.',
  input: DateDifferenceInput,
  run: async (input, context) => (await import('./calendar.ts')).differenceOf(input, context),
});

/** What `date_add` takes. */
export const DateAddInput = Type.Object({
  date: optionalText(
    'Where to start, in words or figures. Today (or now, for hours and minutes) when absent.',
  ),
  years: amount('Years to add.'),
  months: amount('Months to add.'),
  weeks: amount('Weeks to add.'),
  days: amount('Days to add.'),
  workingDays: amount('Mondays to Fridays to add; public holidays are not known.'),
  hours: amount('Hours to add.'),
  minutes: amount('Minutes to add.'),
});

/** A day some time after or before another. */
export const dateAdd = defineTool({
  name: 'date_add',
  description:
    'Finds the date (or moment) some time after or before another: "3 weeks after 5 May", "90 days from today", "2 hours before 17:00". Negative amounts go back.',
  input: DateAddInput,
  run: async (input, context) => (await import('./calendar.ts')).addToDate(input, context),
});

/** What `date_info` takes. */
export const DateInfoInput = Type.Object({
  date: optionalText('The date in words or figures; today when absent. A year alone means its first day.'),
  past: Type.Optional(
    Type.Boolean({ description: 'Whether a date without a year is the last one rather than the next.' }),
  ),
});

/** What there is to know about a day. */
export const dateInfo = defineTool({
  name: 'date_info',
  description:
    'Tells about a date: its weekday, how far it is from today, ISO week number, day of the year, quarter, leap year, days in its month. ' +
    'Finds named days too: "Easter 2027", "Thanksgiving", "next Friday".',
  input: DateInfoInput,
  run: async (input, context) => (await import('./calendar.ts')).describeDate(input, context),
});
