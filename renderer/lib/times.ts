import { createSubscriber } from 'svelte/reactivity';
import { desktop } from './desktop.ts';

const CALENDAR_CHECK_MS = 60_000;

/** Undefined in a browser, which knows it. */
const locale = desktop?.locale || undefined;

/** Changes with the day and with the time zone. */
const dayAndZone = (now = new Date()): string => `${now.toDateString()} ${now.getTimezoneOffset()}`;
let known = dayAndZone();
/** A sleep, a journey or a clock that was set change it at any time. */
const followCalendar = createSubscriber((update) => {
  const timer = setInterval(() => {
    const before = known;
    known = dayAndZone();
    if (known !== before) update();
  }, CALENDAR_CHECK_MS);
  return () => clearInterval(timer);
});

/** Now; what is drawn from it is drawn again within a minute of another day or time zone. */
export function calendarNow(): Date {
  followCalendar();
  return new Date();
}

/** A format that is drawn again like {@link calendarNow}: by itself it would keep the time zone it was made in. */
function formatIn(options: Intl.DateTimeFormatOptions): Pick<Intl.DateTimeFormat, 'format'> {
  let made = new Intl.DateTimeFormat(locale, options);
  let offset = new Date().getTimezoneOffset();
  return {
    format(time) {
      const now = calendarNow().getTimezoneOffset();
      if (now !== offset) made = new Intl.DateTimeFormat(locale, options);
      offset = now;
      return made.format(time);
    },
  };
}

const clock = formatIn({ hour: 'numeric', minute: '2-digit' });
const dayOfMonth = formatIn({ weekday: 'short', day: 'numeric' });
const weekday = formatIn({ weekday: 'short' });
const day = formatIn({ day: 'numeric', month: 'short' });
const dayOfYear = formatIn({ day: 'numeric', month: 'short', year: 'numeric' });
const weekdayAndDay = formatIn({ weekday: 'long', day: 'numeric', month: 'long' });
const weekdayAndDate = formatIn({ dateStyle: 'full' });
const whole = formatIn({ dateStyle: 'full', timeStyle: 'medium' });

/** Now, in the service's format. */
export const timestamp = (): string => new Date().toISOString();

const seconds = formatIn({ hour: 'numeric', minute: '2-digit', second: '2-digit' });

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

const month = formatIn({ month: 'long' });
const monthOfYear = formatIn({ month: 'long', year: 'numeric' });

/** The name of a time's month, with the year unless it is this one. */
export const monthName = (time: Date, now: Date = new Date()): string =>
  (time.getFullYear() === now.getFullYear() ? month : monthOfYear).format(time);

const date = formatIn({ dateStyle: 'medium' });

/** A day with its year, e.g. "20 Nov 2026"; empty if there is none. */
export const dayOf = (iso: string): string => written(iso, (time) => date.format(time));

const dateAndClock = formatIn({ dateStyle: 'medium', timeStyle: 'short' });
const dateAndSecond = formatIn({ dateStyle: 'medium', timeStyle: 'medium' });

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

/** Whether two times are on different days in the reader's time zone. */
export const isOtherDay = (one: string, other: string): boolean => !isSameDay(new Date(one), new Date(other));

const isSameDay = (one: Date, other: Date): boolean => one.toDateString() === other.toDateString();
