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
