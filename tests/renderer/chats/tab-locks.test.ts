import { afterEach, expect, test, vi } from 'vitest';
import { takeStreamSlot } from '../../../renderer/chats/tab-locks.ts';

afterEach(() => void vi.unstubAllGlobals());

const useLocks = (request: unknown): unknown => vi.stubGlobal('navigator', { locks: { request } });

/** One browser's locks, as far as they are asked for without waiting. */
function useTestLocks(): void {
  const held = new Set<string>();
  useLocks(
    async (name: string, _options: LockOptions, work: (lock: object | null) => Promise<void> | undefined) => {
      if (held.has(name)) return work(null);
      held.add(name);
      await work({ name });
      held.delete(name);
    },
  );
}

test('there are three slots over all tabs, and one that is given back can be had again', async () => {
  useTestLocks();
  const taken = [await takeStreamSlot(), await takeStreamSlot(), await takeStreamSlot()];
  expect(taken.every((release) => release !== null)).toBe(true);
  expect(await takeStreamSlot()).toBeNull();
  taken[1]?.();
  await Promise.resolve();
  expect(await takeStreamSlot()).not.toBeNull();
});

test('where nobody can be counted, there is always one', async () => {
  vi.stubGlobal('navigator', {});
  for (let index = 0; index < 5; index += 1) expect(await takeStreamSlot()).not.toBeNull();
});

test('a browser that refuses its locks gives no slot', async () => {
  useLocks(() => Promise.reject(new DOMException('No.', 'SecurityError')));
  expect(await takeStreamSlot()).toBeNull();
});
