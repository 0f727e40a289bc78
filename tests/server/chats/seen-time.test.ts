import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { noteSeen, seenAgo, seenNow } from '../../../server/chats/seen-time.ts';
import { seeDays } from '../../support/seen-days.ts';
import { openTempStore, type TempStore } from '../../support/store.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = Date.parse('2026-11-20T12:00:00.000Z');

let temp: TempStore;
beforeEach(async () => {
  temp = await openTempStore();
});
afterEach(() => temp.remove());

const see = (days: number, untilMs: number): Promise<void> =>
  temp.store.write((writer) => seeDays(writer, days, untilMs));
const note = (ms: number): Promise<void> => temp.store.write((writer) => noteSeen(writer, new Date(ms)));
const agoMs = (nowMs: number, ms: number, gapMs?: number): number =>
  Date.parse(temp.store.read((reader) => seenAgo(reader, new Date(nowMs), ms, gapMs)));

describe('time that was seen', () => {
  test('is what the clock says while that is right, also between two looks', async () => {
    await see(40, NOW);
    expect(agoMs(NOW, 30 * DAY_MS)).toBe(NOW - 30 * DAY_MS);
    expect(agoMs(NOW + 3 * HOUR_MS, 30 * DAY_MS)).toBe(NOW + 3 * HOUR_MS - 30 * DAY_MS);
  });

  test('reaches no further back than it was looked at', async () => {
    expect(agoMs(NOW, 1)).toBe(0);
    await see(2, NOW);
    expect(agoMs(NOW, 2 * DAY_MS)).toBe(NOW - 2 * DAY_MS);
    expect(agoMs(NOW, 2 * DAY_MS + 1)).toBe(0);
  });

  test.each([40, 4_000])('does not grow when the clock leaps ahead by %d days', async (days) => {
    await see(40, NOW);
    const later = NOW + days * DAY_MS;
    expect(agoMs(later, 30 * DAY_MS)).toBe(NOW - 30 * DAY_MS);
    await note(later);
    expect(agoMs(later, 30 * DAY_MS)).toBe(NOW - 30 * DAY_MS);
    // What passes from then on counts again.
    await see(1, later + DAY_MS);
    expect(agoMs(later + DAY_MS, 30 * DAY_MS)).toBe(NOW - 29 * DAY_MS);
  });

  test('is as it was once a clock that had leapt ahead is set right', async () => {
    await see(40, NOW);
    await note(NOW + 40 * DAY_MS);
    await note(NOW + HOUR_MS);
    expect(agoMs(NOW + HOUR_MS, 30 * DAY_MS)).toBe(NOW + HOUR_MS - 30 * DAY_MS);
  });

  test('begins anew when the clock is set back behind all that was seen, and makes nothing look older', async () => {
    await see(40, NOW);
    const early = Date.parse('1970-01-02T00:00:00.000Z');
    expect(temp.store.read((reader) => seenNow(reader, new Date(early)))).toBe(new Date(NOW).toISOString());
    await note(early);
    expect(agoMs(early, DAY_MS)).toBe(0);
    // Right again: what was stamped meanwhile is not thirty days old.
    await note(NOW);
    expect(agoMs(NOW, 30 * DAY_MS)).toBeLessThan(early);
  });

  test('counts breaks as far as the caller says, and longer ones not at all', async () => {
    await see(40, NOW);
    const monday = NOW + 3 * DAY_MS;
    await note(monday);
    expect(agoMs(monday, 30 * DAY_MS, 4 * DAY_MS)).toBe(monday - 30 * DAY_MS);
    expect(agoMs(monday, 30 * DAY_MS, 2 * DAY_MS)).toBe(NOW - 30 * DAY_MS);
  });

  test('is kept in little room, however often the clock leaps', async () => {
    await temp.store.write((writer) => {
      for (let at = 0; at < 1_000; at += 1) noteSeen(writer, new Date(NOW + at * 5 * DAY_MS));
    });
    const row = temp.store.read((reader) =>
      reader.get<{ size: number }>(`SELECT length(value) AS size FROM settings WHERE name = 'seenTime'`),
    );
    expect(row?.size).toBeLessThan(10_000);
  });
});
