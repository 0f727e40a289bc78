import type { DateTime } from 'luxon';

/** Mondays to Fridays after `from`, including `to`. */
export function countWorkingDays(from: DateTime, to: DateTime): number {
  const days = Math.round(to.diff(from, 'days').days);
  let count = Math.floor(days / 7) * 5;
  for (let step = 1; step <= days % 7; step++) if (((from.weekday + step - 1) % 7) + 1 <= 5) count++;
  return count;
}

/** The day that many working days later, or earlier when negative. */
export function addWorkingDays(from: DateTime, amount: number): DateTime {
  const direction = Math.sign(amount);
  // Whole weeks at once, except the last.
  const weeks = Math.max(0, Math.floor(Math.abs(amount) / 5) - 1);
  let at = from.plus({ weeks: weeks * direction });
  for (let left = Math.abs(amount) - weeks * 5; left > 0;) {
    at = at.plus({ days: direction });
    if (at.weekday <= 5) left--;
  }
  return at;
}
