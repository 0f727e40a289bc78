import { afterEach, expect, it, vi } from 'vitest';
import { BRIDGE_NAME } from '../../../shared/ipc.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

async function dayIn(bridge: object | null): Promise<string> {
  if (bridge !== null) vi.stubGlobal(BRIDGE_NAME, bridge);
  const { dayOf } = await import('../../../renderer/lib/times.ts');
  return dayOf('2026-11-20T12:00:00.000Z');
}

const session = (): void => undefined;

it.each([
  ['de-DE', '20.11.2026'],
  ['en-GB', '20 Nov 2026'],
  ['und', new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }).format(new Date(2026, 10, 20))],
])('times in the desktop app are written as in the system’s locale: %s', async (locale, day) => {
  expect(await dayIn({ session, locale })).toBe(day);
});

it('times in a browser are written as the browser does', async () => {
  expect(await dayIn(null)).toBe(
    new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }).format(new Date(2026, 10, 20)),
  );
});

it('a time to come has its weekday, and its year if that is another', async () => {
  vi.stubGlobal(BRIDGE_NAME, { session, locale: 'en-GB' });
  const { weekdayAndTime } = await import('../../../renderer/lib/times.ts');
  const now = new Date(2026, 10, 26);
  expect(weekdayAndTime(new Date(2026, 10, 27, 18, 30).toISOString(), now)).toBe('Fri 27 Nov, 18:30');
  expect(weekdayAndTime(new Date(2027, 0, 4, 18, 30).toISOString(), now)).toBe('Mon 4 Jan 2027, 18:30');
  expect(weekdayAndTime('', now)).toBe('');
});

it('times are those of the zone that the computer has come to', async () => {
  vi.stubGlobal(BRIDGE_NAME, { session, locale: 'en-GB' });
  const { exactTime } = await import('../../../renderer/lib/times.ts');
  const there = (zone: string): string => {
    vi.stubEnv('TZ', zone);
    return exactTime('2026-11-20T12:00:00.000Z');
  };
  expect([there('America/New_York'), there('Asia/Tokyo')]).toEqual(['7:00:00', '21:00:00']);
  vi.unstubAllEnvs();
});
