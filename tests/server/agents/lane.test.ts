import { afterEach, expect, it, vi } from 'vitest';
import { createLane, type Job, type Lane } from '../../../server/agents/lane.ts';
import { turnRequest } from '../../support/turns.ts';

afterEach(() => vi.useRealTimers());

it('tries a thread that does not start again with growing pauses, however many jobs come', async () => {
  vi.useFakeTimers();
  let opened = 0;
  const lane: Lane = createLane({
    capacity: Infinity,
    idleMs: 1_000,
    openThread: (events) => {
      opened += 1;
      queueMicrotask(() => events.onLost('not_started', 0));
      return { send: () => undefined, setBusy: () => undefined, stop: () => Promise.resolve() };
    },
    onLost: ({ suspects }) => {
      for (const job of suspects) lane.add(job);
    },
    onFault: () => undefined,
  });
  const job = (): Job => ({
    request: turnRequest('hi'),
    onUpdate: () => undefined,
    onResult: () => undefined,
    onCall: () => Promise.resolve(null),
  });
  const openedAfter = async (ms: number): Promise<number> => {
    lane.add(job());
    lane.warm();
    await vi.advanceTimersByTimeAsync(ms);
    return opened;
  };
  expect(await openedAfter(0)).toBe(1);
  expect(await openedAfter(99)).toBe(1);
  expect(await openedAfter(1)).toBe(2);
  expect(await openedAfter(200)).toBe(3);
  expect(await openedAfter(399)).toBe(3);
  expect(await openedAfter(60_000)).toBe(12);
  await lane.close();
});
