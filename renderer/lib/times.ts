import { desktop } from './desktop.ts';

/** Undefined in a browser, which knows it. */
const locale = desktop?.locale || undefined;
const clock = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' });
const dayOfMonth = new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric' });
const weekday = new Intl.DateTimeFormat(locale, { weekday: 'short' });
const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });
const dayOfYear = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' });
const weekdayAndDay = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' });
const weekdayAndDate = new Intl.DateTimeFormat(locale, { dateStyle: 'full' });
const whole = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'medium' });

/** Now, in the service's format. */
export const timestamp = (): string => new Date().toISOString();

const seconds = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit', second: '2-digit' });

/** The time of day, to the second. */
export const exactTime = (iso: string): string => seconds.format(new Date(iso));

/** The time of day, to the minute. */
export const timeOfDay = (iso: string): string => clock.format(new Date(iso));

/** A day of a month that is known, with its weekday. */
export const dayInMonth = (iso: string): string => dayOfMonth.format(new Date(iso));

const A_DAY_MS = 24 * 60 * 60 * 1000;

/** The text of a time; empty if it is none. */
function written(iso: string, text: (time: Date) => string): string {
  const time = new Date(iso);
  return Number.isNaN(time.getTime()) ? '' : text(time);
}

/** A time as short as is still clear: the time of day for today, the weekday within a week, else the date. */
export const briefTime = (iso: string, now: Date = new Date()): string =>
  written(iso, (time) => {
    if (isSameDay(time, now)) return clock.format(time);
    const age = now.getTime() - time.getTime();
    return age >= 0 && age < 6 * A_DAY_MS ? weekday.format(time) : shortDay(time, now);
  });

const shortDay = (time: Date, now: Date): string =>
  (time.getFullYear() === now.getFullYear() ? day : dayOfYear).format(time);

/** A day with its weekday and the time, e.g. "Fri 27 Nov, 9:30"; with the year unless it is this one. */
export const weekdayAndTime = (iso: string, now: Date = new Date()): string =>
  written(iso, (time) => `${weekday.format(time)} ${shortDay(time, now)}, ${clock.format(time)}`);

/** When a message was written: the time of day, with the day before it unless that is today. */
export const messageTime = (iso: string, now: Date = new Date()): string =>
  written(iso, (time) => (isSameDay(time, now) ? '' : `${briefTime(iso, now)}, `) + clock.format(time));

/** A time in full, for tooltips. */
export const fullTime = (iso: string): string => written(iso, (time) => whole.format(time));

const month = new Intl.DateTimeFormat(locale, { month: 'long' });
const monthOfYear = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' });

/** The name of a time's month, with the year unless it is this one. */
export const monthName = (time: Date, now: Date = new Date()): string =>
  (time.getFullYear() === now.getFullYear() ? month : monthOfYear).format(time);

const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });

/** A day with its year, e.g. "20 Nov 2026"; empty if there is none. */
export const dayOf = (iso: string): string => written(iso, (time) => date.format(time));

const dateAndClock = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const dateAndSecond = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });

/** A day with the time, e.g. "20 Nov 2026, 09:30"; with seconds where they tell things apart. */
export const dayAndTime = (iso: string, withSecond = false): string =>
  written(iso, (time) => (withSecond ? dateAndSecond : dateAndClock).format(time));

/** How many of `days` days since a time are left, rounded; 0 when less than half of one is. */
export function daysLeft(since: string, days: number, now: Date = new Date()): number {
  const left = Date.parse(since) + days * A_DAY_MS - now.getTime();
  return Math.max(0, Math.round(left / A_DAY_MS));
}

/** A day as a separator between messages, in full; `words` has today and the day before. */
export const nameDay = (
  iso: string,
  words: { today: string; yesterday: string },
  now: Date = new Date(),
): string =>
  written(iso, (time) => {
    if (isSameDay(time, now)) return words.today;
    const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
    if (isSameDay(time, yesterday)) return words.yesterday;
    return (time.getFullYear() === now.getFullYear() ? weekdayAndDay : weekdayAndDate).format(time);
  });

/** How often what depends on the day looks at the calendar, in milliseconds. */
export const DAY_CHECK_MS = 60_000;

/** That time as long as it is of today, else now. */
export const sameDayOrNow = (before: Date, now: Date = new Date()): Date =>
  isSameDay(before, now) ? before : now;

/** Whether two times are on different days in the reader's time zone. */
export const isOtherDay = (one: string, other: string): boolean => !isSameDay(new Date(one), new Date(other));

const isSameDay = (one: Date, other: Date): boolean => one.toDateString() === other.toDateString();
