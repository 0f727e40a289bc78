import { describe, expect, it } from 'vitest';
import { expiryTime, isoDay } from '../../../../renderer/settings/api/expiry.ts';

const NOW = new Date(2026, 10, 20, 15, 30);

describe('the end of a key', () => {
  it('is never, or so many days from now', () => {
    expect(expiryTime('never', '', NOW)).toBeNull();
    expect(expiryTime('days30', '', NOW)).toBe(new Date(2026, 11, 20, 15, 30).toISOString());
    expect(expiryTime('days90', '', NOW)).toBe(new Date(2027, 1, 18, 15, 30).toISOString());
  });

  it('is the end of the day that was chosen, here; today counts', () => {
    expect(expiryTime('date', '2026-11-20', NOW)).toBe(new Date(2026, 10, 21).toISOString());
    expect(expiryTime('date', '2026-12-31', NOW)).toBe(new Date(2027, 0, 1).toISOString());
  });

  it.each(['', '2026-11-19', 'tomorrow', '20-11-2026'])('is no day that is over or none: %j', (day) => {
    expect(expiryTime('date', day, NOW)).toBeUndefined();
  });
});

it('a day is told as date fields have it', () => {
  expect(isoDay(new Date(2026, 0, 5, 23, 59))).toBe('2026-01-05');
});
