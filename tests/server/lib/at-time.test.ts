import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { atTime } from '../../../server/lib/at-time.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = Date.parse('2026-11-20T12:00:00.000Z');

let wallMs: number;
let runs: number;
const clock = (): Date => new Date(wallMs);
const run = (): void => void (runs += 1);

beforeEach(() => {
  vi.useFakeTimers();
  wallMs = NOW;
  runs = 0;
});
afterEach(() => {
  vi.useRealTimers();
});

/** As time passes for a computer that is awake. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 1_000) {
    wallMs += Math.min(1_000, left);
    await vi.advanceTimersByTimeAsync(Math.min(1_000, left));
  }
}

test('runs at its time, once, and not before', async () => {
  atTime(NOW + HOUR_MS, clock, run);
  await pass(HOUR_MS - 1_000);
  expect(runs).toBe(0);
  await pass(DAY_MS);
  expect(runs).toBe(1);
});

test('runs soon after a computer wakes that has slept over its time', async () => {
  atTime(NOW + HOUR_MS, clock, run);
  wallMs += 2 * HOUR_MS;
  await pass(15_000);
  expect(runs).toBe(1);
});

test('runs although the clock was set back', async () => {
  atTime(NOW + HOUR_MS, clock, run);
  await pass(60_000);
  wallMs -= 40 * DAY_MS;
  await pass(HOUR_MS);
  expect(runs).toBe(1);
});

test('runs at once when its time is over, and not early when that is months away', async () => {
  atTime(NOW - 1, clock, run);
  atTime(NOW + 100 * DAY_MS, clock, run);
  await pass(60_000);
  expect(runs).toBe(1);
});

test('does nothing once it was called off', async () => {
  atTime(NOW + HOUR_MS, clock, run)();
  const late = atTime(NOW + HOUR_MS, clock, run);
  await pass(60_000);
  late();
  await pass(2 * HOUR_MS);
  expect(runs).toBe(0);
});
