import { afterEach, expect, it, vi } from 'vitest';
import { createTurnThread, type TurnThread } from '../../../server/turns/turn-thread.ts';
import { recordedPorts, turnRequest } from '../../support/turns.ts';

afterEach(() => vi.useRealTimers());

it('tries a thread that does not start again with growing pauses, however many turns come, and gives up', async () => {
  vi.useFakeTimers();
  let opened = 0;
  const thread: TurnThread = createTurnThread({
    idleMs: 1_000,
    openThread: (events) => {
      opened += 1;
      queueMicrotask(() => events.onLost('not_started'));
      return { send: () => undefined, setBusy: () => undefined, stop: () => Promise.resolve() };
    },
    onLost: (kind, turns) => new Error(`${kind} with ${turns}`),
    onFault: () => undefined,
  });
  const failures: unknown[] = [];
  const openedAfter = async (ms: number): Promise<number> => {
    thread.run(turnRequest('hi'), recordedPorts()).catch((error: unknown) => failures.push(error));
    thread.warm();
    await vi.advanceTimersByTimeAsync(ms);
    return opened;
  };
  expect(await openedAfter(0)).toBe(1);
  expect(await openedAfter(99)).toBe(1);
  expect(await openedAfter(1)).toBe(2);
  expect(await openedAfter(100)).toBe(3);
  expect(await openedAfter(199)).toBe(3);
  expect(await openedAfter(1)).toBe(4);
  expect(failures).toEqual([]);
  expect(await openedAfter(60_000)).toBe(7);
  expect(failures).toEqual(Array(7).fill(new Error('not_started with 7')));
  await thread.close(new Error('closed'));
});
