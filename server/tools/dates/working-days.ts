import type { DateTime } from 'luxon';

/** Mondays to Fridays after `from`, up to and with `to`. */
export function countWorkingDays(from: DateTime, to: DateTime): number {
  const days = Math.round(to.diff(from, 'days').days);
  let count = Math.floor(days / 7) * 5;
  for (let step = 1; step <= days % 7; step++) if (((from.weekday + step - 1) % 7) + 1 <= 5) count++;
  return count;
}

/** The day that many working days later, or earlier when negative. */
export function addWorkingDays(from: DateTime, amount: number): DateTime {
  const direction = amount < 0 ? -1 : 1;
  let at = from;
  const weeks = Math.floor(Math.abs(amount) / 5) - 1;
  let left = Math.abs(amount);
  if (weeks > 0) {
    at = at.plus({ weeks: weeks * direction });
    left -= weeks * 5;
  }
  while (left > 0) {
    at = at.plus({ days: direction });
    if (at.weekday <= 5) left--;
  }
  return at;
}
