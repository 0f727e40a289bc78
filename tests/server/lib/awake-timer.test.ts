import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { startAwakeTimer } from '../../../server/lib/awake-timer.ts';
import { eventually } from '../../support/eventually.ts';

/** As when the process is paused: its timers are late. */
const sleep = (ms: number): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

it('counts a pause of the process as one step', async () => {
  const run = vi.fn();
  const timer = startAwakeTimer(400, run, 20);
  sleep(500);
  await pause(0);
  expect(run).not.toHaveBeenCalled();
  await eventually(() => expect(run).toHaveBeenCalled());
  timer.clear();
});

it('starts anew when it is refreshed, runs again each time, and no more once it is cleared', () => {
  vi.useFakeTimers();
  const run = vi.fn();
  const timer = startAwakeTimer(60_000, run);
  vi.advanceTimersByTime(59_999);
  timer.refresh();
  vi.advanceTimersByTime(59_999);
  expect(run).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(run).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(60_000);
  expect(run).toHaveBeenCalledTimes(2);
  timer.clear();
  vi.advanceTimersByTime(200_000);
  expect(run).toHaveBeenCalledTimes(2);
  vi.useRealTimers();
});
