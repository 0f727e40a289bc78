import type { Key } from '../../../shared/api/key.ts';

/** When a new key expires, as a person chooses it. */
export const EXPIRIES = ['never', 'days30', 'days90', 'date'] as const;
export type Expiry = (typeof EXPIRIES)[number];

const DAYS: Partial<Record<Expiry, number>> = { days30: 30, days90: 90 };
const DAY = /^(\d{4})-(\d\d)-(\d\d)$/;

/**
 * The time in the API's format; null: never. `day` (`2026-12-31`) counts for `date`: it is the last day on which the key
 * works, in the person's time zone. Undefined: `day` isn't a date, or is in the past.
 */
export function expiryTime(expiry: Expiry, day: string, now: Date): string | null | undefined {
  if (expiry === 'never') return null;
  const days = DAYS[expiry];
  if (days !== undefined) {
    const time = new Date(now);
    time.setDate(time.getDate() + days);
    return time.toISOString();
  }
  const [, year, month, date] = DAY.exec(day) ?? [];
  if (date === undefined) return undefined;
  const end = new Date(Number(year), Number(month) - 1, Number(date) + 1);
  return end > now ? end.toISOString() : undefined;
}

/** A day in the format of date fields, in the person's time zone. */
export const isoDay = (time: Date): string =>
  [time.getFullYear(), time.getMonth() + 1, time.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');

/** A key's status at a glance. */
export type KeyState = 'in_force' | 'expired' | 'revoked';

export function stateOf({ revokedAt, expiresAt }: Key, now: Date): KeyState {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= now.getTime() ? 'expired' : 'in_force';
}
