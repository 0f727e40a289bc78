const clock = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' });
const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'short' });
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const dayOfYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
const whole = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' });

/** Now, as the service writes times. */
export const timestamp = (): string => new Date().toISOString();

const A_DAY_MS = 24 * 60 * 60 * 1000;

/** A time as short as is still clear: the clock for today, the weekday within a week, else the date. */
export function briefTime(iso: string, now: Date = new Date()): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return '';
  if (time.toDateString() === now.toDateString()) return clock.format(time);
  const age = now.getTime() - time.getTime();
  if (age >= 0 && age < 6 * A_DAY_MS) return weekday.format(time);
  return (time.getFullYear() === now.getFullYear() ? day : dayOfYear).format(time);
}

/** A time in full, for titles. */
export function fullTime(iso: string): string {
  const time = new Date(iso);
  return Number.isNaN(time.getTime()) ? '' : whole.format(time);
}

const month = new Intl.DateTimeFormat(undefined, { month: 'long' });
const monthOfYear = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric' });

/** The name of a time's month, with the year unless it is this one. */
export const monthName = (time: Date, now: Date = new Date()): string =>
  (time.getFullYear() === now.getFullYear() ? month : monthOfYear).format(time);
