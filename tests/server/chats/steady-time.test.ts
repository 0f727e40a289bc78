import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { recordClock, steadyAgo, steadyNow } from '../../../server/chats/steady-time.ts';
import { recordDays } from '../../support/record-days.ts';
import { openTempStore, type TempStore } from '../../support/store.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = Date.parse('2026-11-20T12:00:00.000Z');

let temp: TempStore;
beforeEach(async () => {
  temp = await openTempStore();
});
afterEach(() => temp.remove());

const run = (days: number, untilMs: number): Promise<void> =>
  temp.store.write((writer) => recordDays(writer, days, untilMs));
const record = (ms: number, isStart = false): Promise<void> =>
  temp.store.write((writer) => recordClock(writer, new Date(ms), isStart));
/** The time that counts when the clock shows `nowMs`. */
const steady = (nowMs: number): number =>
  Date.parse(temp.store.read((reader) => steadyAgo(reader, new Date(nowMs), 0)));
const stamp = (nowMs: number): number =>
  Date.parse(temp.store.read((reader) => steadyNow(reader, new Date(nowMs))));

describe('the time that counts', () => {
  test('is what the clock says while that is right, also between two records', async () => {
    await run(2, NOW);
    expect(steady(NOW)).toBe(NOW);
    expect(steady(NOW + 20 * HOUR_MS)).toBe(NOW + 20 * HOUR_MS);
    expect(stamp(NOW + HOUR_MS)).toBe(NOW + HOUR_MS);
  });

  test('has not begun on the first day, in a new store and in one of an earlier version', async () => {
    await temp.store.write((writer) =>
      writer.run(`INSERT INTO settings (name, value) VALUES ('seenTime', '[[0, 1], [5, 9]]')`),
    );
    expect(steady(NOW)).toBe(0);
    await record(NOW, true);
    expect(steady(NOW + 23 * HOUR_MS)).toBe(0);
    expect(stamp(NOW)).toBe(NOW);
    await run(1, NOW + DAY_MS);
    expect(steady(NOW + DAY_MS)).toBe(NOW + DAY_MS);
  });

  test.each([2, 40, 4_000])(
    'stays as it was for a day when the clock jumps ahead by %d days',
    async (days) => {
      await run(3, NOW);
      const later = NOW + days * DAY_MS;
      expect(steady(later)).toBe(NOW);
      await run(0, later);
      await run(0, later + 20 * HOUR_MS);
      expect(steady(later + 23 * HOUR_MS)).toBe(NOW);
      expect(steady(later + DAY_MS)).toBe(later + DAY_MS);
    },
  );

  test('stays as it was while the clock jumps again and again, and once it is set right', async () => {
    await run(3, NOW);
    for (const days of [40, 4_000, 300, 90]) {
      await record(NOW + days * DAY_MS);
      expect(steady(NOW + days * DAY_MS)).toBe(NOW);
    }
    await record(NOW + HOUR_MS);
    expect(steady(NOW + HOUR_MS)).toBe(NOW);
    await run(1, NOW + DAY_MS + HOUR_MS);
    expect(steady(NOW + DAY_MS + HOUR_MS)).toBe(NOW + DAY_MS + HOUR_MS);
  });

  test('of something that happens while the clock is set back is no earlier than before that', async () => {
    await run(3, NOW);
    const early = Date.parse('1970-01-02T00:00:00.000Z');
    expect(stamp(early)).toBe(NOW);
    await record(early, true);
    expect(stamp(early + HOUR_MS)).toBe(NOW);
    expect(steady(early)).toBe(early);
    await run(3, early + 3 * DAY_MS);
    expect(stamp(early + 3 * DAY_MS)).toBe(NOW);
    await record(NOW + 5 * DAY_MS, true);
    expect(stamp(NOW + 5 * DAY_MS)).toBe(NOW + 5 * DAY_MS);
  });

  test('reaches the last run after a break, and the clock again a day later', async () => {
    await run(3, NOW);
    const later = NOW + 45 * DAY_MS;
    await record(later, true);
    expect(steady(later)).toBe(NOW);
    await run(1, later + DAY_MS);
    expect(steady(later + DAY_MS)).toBe(later + DAY_MS);
  });

  test('goes on for someone who runs Parley for an hour a week', async () => {
    await run(3, NOW);
    for (let week = 1; week <= 10; week += 1) {
      const start = NOW + week * 7 * DAY_MS;
      await record(start, true);
      await record(start + HOUR_MS);
    }
    expect(steady(NOW + 70 * DAY_MS + HOUR_MS)).toBe(NOW + 63 * DAY_MS + HOUR_MS);
  });
});
