import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPoller } from '../../../renderer/lib/poller.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A run that ends when it is told to. */
function manualRun(): { run: () => Promise<void>; finish: () => Promise<void>; started: () => number } {
  let started = 0;
  let release: () => void = () => undefined;
  return {
    run: () => {
      started += 1;
      return new Promise((resolve) => (release = resolve));
    },
    finish: async () => {
      release();
      await vi.advanceTimersByTimeAsync(0);
    },
    started: () => started,
  };
}

test('runs again after each wait, and not at all where the wait is null', async () => {
  let wait: number | null = 100;
  const run = vi.fn(() => Promise.resolve());
  const poller = createPoller(run, () => wait);
  expect(run).not.toHaveBeenCalled();
  await poller.now();
  await vi.advanceTimersByTimeAsync(250);
  expect(run).toHaveBeenCalledTimes(3);
  wait = null;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(run).toHaveBeenCalledTimes(4);
  await poller.now();
  expect(run).toHaveBeenCalledTimes(5);
  poller.stop();
});

test('never runs twice at a time; asked during a run, it runs once more right after', async () => {
  const { run, finish, started } = manualRun();
  const poller = createPoller(run, () => null);
  void poller.now();
  void poller.now();
  void poller.now();
  expect(started()).toBe(1);
  await finish();
  expect(started()).toBe(2);
  await finish();
  expect(started()).toBe(2);
  poller.stop();
});

test('a run that fails is tried again, with a wait that grows and is bounded', async () => {
  const run = vi.fn(() => Promise.reject(new Error('gone')));
  const poller = createPoller(run, () => null);
  await poller.now();
  await vi.advanceTimersByTimeAsync(400 + 800 + 1_600);
  expect(run).toHaveBeenCalledTimes(4);
  await vi.advanceTimersByTimeAsync(3_200 + 4_000 * 5);
  expect(run).toHaveBeenCalledTimes(10);
  poller.stop();
});

test('once stopped it runs no more', async () => {
  const run = vi.fn(() => Promise.resolve());
  const poller = createPoller(run, () => 100);
  await poller.now();
  poller.stop();
  await vi.advanceTimersByTimeAsync(1_000);
  await poller.now();
  expect(run).toHaveBeenCalledTimes(1);
});
