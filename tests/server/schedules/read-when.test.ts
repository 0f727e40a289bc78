import { describe, expect, it } from 'vitest';
import { readWhen } from '../../../server/schedules/read-when.ts';

/** A Wednesday; Berlin is an hour ahead of UTC. */
const WHERE = { now: new Date('2027-03-03T11:00:00Z'), timeZone: 'Europe/Berlin' };
const read = (text: string): string => {
  const { at, cron } = readWhen(text, WHERE);
  return cron ?? at.toISOString();
};

describe('rules in words', () => {
  it.each([
    ['every Monday at 9', '0 9 * * mon'],
    ['Every Monday at 9am.', '0 9 * * mon'],
    ['Mondays at 9', '0 9 * * mon'],
    ['on Mondays at 9:15', '15 9 * * mon'],
    ['each Mon 09:00', '0 9 * * mon'],
    ['weekly on Monday at 9', '0 9 * * mon'],
    ['every week on Monday at 9', '0 9 * * mon'],
    ['every Monday at half past nine', '30 9 * * mon'],
    ['every weekday at 8', '0 8 * * 1-5'],
    ['weekdays at 8', '0 8 * * 1-5'],
    ['every working day at 8:30', '30 8 * * 1-5'],
    ['Monday to Friday at 8', '0 8 * * mon-fri'],
    ['every night at 11', '0 23 * * *'],
    ['every night at 2', '0 2 * * *'],
    ['every Mon-Fri 8:00', '0 8 * * mon-fri'],
    ['every day at 7:30', '30 7 * * *'],
    ['daily at 7:30', '30 7 * * *'],
    ['at 7:30 every day', '30 7 * * *'],
    ['every day at noon', '0 12 * * *'],
    ['every day at midnight', '0 0 * * *'],
    ['every morning at 7', '0 7 * * *'],
    ['every evening at 8', '0 20 * * *'],
    ['every day at 9 in the evening', '0 21 * * *'],
    ['every afternoon at 3', '0 15 * * *'],
    ['every weekend at 10', '0 10 * * 0,6'],
    ['every Tuesday and Thursday at 18:00', '0 18 * * tue,thu'],
    ['Tuesdays and Thursdays at 6pm', '0 18 * * tue,thu'],
    ['every Mon, Wed and Fri at 7', '0 7 * * mon,wed,fri'],
    ['every Mon, Wed, and Fri at 7', '0 7 * * mon,wed,fri'],
    ['every day at 8 and 20', '0 8,20 * * *'],
    ['every weekday at 9:30 and 17:30', '30 9,17 * * 1-5'],
    ['every hour', '0 */1 * * *'],
    ['hourly', '0 */1 * * *'],
    ['every 2 hours', '0 */2 * * *'],
    ['every other hour', '0 */2 * * *'],
    ['every 15 minutes', '*/15 * * * *'],
    ['every half hour', '*/30 * * * *'],
    ['every half an hour', '*/30 * * * *'],
    ['every month on the 1st at 9', '0 9 1 * *'],
    ['monthly on the 15th at noon', '0 12 15 * *'],
    ['on the 1st of every month at 9', '0 9 1 * *'],
    ['the first of each month at 9', '0 9 1 * *'],
    ['every month on the 1st and 15th at 9', '0 9 1,15 * *'],
    ['on the 1st, the 10th and the 20th of every month at 9', '0 9 1,10,20 * *'],
    ['every first Monday of the month at 10', '0 10 * * mon#1'],
    ['every month on the second Tuesday at 10', '0 10 * * tue#2'],
    ['the last Friday of every month at 5pm', '0 17 * * fri#L'],
    ['the last day of every month at 18:00', '0 18 L * *'],
    ['every year on 24 December at 18:00', '0 18 24 dec *'],
    ['yearly on Dec 24 at 6pm', '0 18 24 dec *'],
    ['every 24 December at noon', '0 12 24 dec *'],
    ['0 8 * * 1-5', '0 8 * * 1-5'],
    ['*/10 9-17 * * MON-FRI', '*/10 9-17 * * MON-FRI'],
  ])('reads “%s”', (text, cron) => {
    expect(read(text)).toBe(cron);
  });
});

describe('moments in words', () => {
  it.each([
    ['tomorrow at 8:30', '2027-03-04T07:30:00.000Z'],
    ['tomorrow 8:30', '2027-03-04T07:30:00.000Z'],
    ['tomorrow at half past eight', '2027-03-04T07:30:00.000Z'],
    ['tomorrow at noon', '2027-03-04T11:00:00.000Z'],
    ['in 2 hours', '2027-03-03T13:00:00.000Z'],
    ['in 20 minutes', '2027-03-03T11:20:00.000Z'],
    ['Friday at 9', '2027-03-05T08:00:00.000Z'],
    ['next Monday at 9', '2027-03-08T08:00:00.000Z'],
    // Later today, and what is over today is tomorrow's or next week's.
    ['at 17:00', '2027-03-03T16:00:00.000Z'],
    ['at 9', '2027-03-04T08:00:00.000Z'],
    ['Wednesday at 9', '2027-03-10T08:00:00.000Z'],
    ['tonight at 8', '2027-03-03T19:00:00.000Z'],
    ['24 December at 18:00', '2027-12-24T17:00:00.000Z'],
    ['December 24 at 6pm', '2027-12-24T17:00:00.000Z'],
    ['at 6pm on Dec 24', '2027-12-24T17:00:00.000Z'],
    ['24 December 18:00', '2027-12-24T17:00:00.000Z'],
    ['1 March at 9:00', '2028-03-01T08:00:00.000Z'],
    ['2027-05-01 10:00', '2027-05-01T08:00:00.000Z'],
    ['2027-05-01T10:00:00Z', '2027-05-01T10:00:00.000Z'],
    // Clocks skip this time, and show that one twice.
    ['28 March 2027 at 2:30', '2027-03-28T01:30:00.000Z'],
    ['31 October 2027 at 2:30', '2027-10-31T00:30:00.000Z'],
    ['2027-10-31T02:30', '2027-10-31T00:30:00.000Z'],
    ['2027-10-31T02:30+01:00', '2027-10-31T01:30:00.000Z'],
  ])('reads “%s”', (text, time) => {
    expect(read(text)).toBe(time);
  });
});

describe('what is no time', () => {
  it.each([
    ['', /can’t be read/],
    ['soon', /can’t be read/],
    ['in -5 minutes', /can’t be read/],
    ['tomorrow at in 5 minutes', /can’t be read/],
    ['every weekday at 20 minutes from now', /can’t be read/],
    ['every blue moon at 9', /can’t be read/],
    ['every Monday at lunch', /can’t be read/],
    ['every Monday at 9 New York time', /can’t be read/],
    ['tomorrow', /time of day/],
    ['every Monday', /time of day/],
    ['every month on the 1st', /time of day/],
    ['yesterday at 9', /is over/],
    ['2020-01-01T10:00:00Z', /is over/],
    ['every other Monday at 9', /leave out/],
    ['every second Tuesday at 9', /leave out/],
    ['every two weeks at 9', /leave out/],
    ['every 3 days at 9', /leave out/],
    ['every 7 minutes', /must divide/],
    ['every 0 hours', /must divide/],
    ['every day at 9:00 and 17:30', /same minutes/],
    ['every day at 25:00', /can’t be read/],
    ['30 February at 9', /can’t be read/],
    ['every 30 February at 9', /never comes/],
    ['0 9 30 2 *', /never comes/],
    ['61 9 * * *', /no cron expression/],
  ])('refuses “%s”', (text, why) => {
    expect(() => read(text)).toThrow(why);
  });
});
