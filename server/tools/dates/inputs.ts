/** What the date tools take, apart from what they do: calendars and time zones are large, and not needed to show a form. */
import { Type } from 'typebox';

const optionalText = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 80, description }));

const LIMIT = 1_000_000;
const amount = (what: string) =>
  Type.Optional(Type.Integer({ minimum: -LIMIT, maximum: LIMIT, description: what }));

const DIFFERENCE_UNITS = ['days', 'weeks', 'months', 'years', 'working days', 'hours', 'minutes'] as const;
const YEAR = 'The year may be left out: it is then the one that makes sense.';

/** Of `current_time`. */
export const CurrentTimeInput = Type.Object({
  place: optionalText('E.g. "New York", "Japan", "CET", "UTC+2".'),
});

/** Of `convert_time`. */
export const ConvertTimeInput = Type.Object({
  time: Type.String({ minLength: 1, maxLength: 40, description: 'Time of day: "10:00", "3pm", "noon".' }),
  from: optionalText('Where the time is given: city, country, zone, abbreviation or offset.'),
  to: optionalText('Where the time is wanted.'),
  date: optionalText(
    'The day where the time is given, in words or figures: "tomorrow", "2027-03-28". Today when absent.',
  ),
});

/** Of `date_difference`. */
export const DateDifferenceInput = Type.Object({
  from: optionalText(`Where to count from, e.g. "1 May", "2027-03-03", "Easter". Now when absent. ${YEAR}`),
  to: optionalText(`Where to count to, e.g. "24 December", "Friday 17:00". Now when absent.`),
  unit: Type.Optional(
    Type.Enum([...DIFFERENCE_UNITS], { description: 'What the person wants it counted in.' }),
  ),
});

/** Of `date_add`. */
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

/** Of `date_info`. */
export const DateInfoInput = Type.Object({
  date: optionalText('The date in words or figures; today when absent. A year alone means its first day.'),
  past: Type.Optional(
    Type.Boolean({ description: 'Whether a date without a year is the last one rather than the next.' }),
  ),
});
