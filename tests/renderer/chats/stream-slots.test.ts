import { expect, test } from 'vitest';
import { takeStreamSlot, type Locks } from '../../../renderer/chats/stream-slots.ts';

/** One browser's locks, as far as they are asked for without waiting. */
function createLocks(): Locks {
  const held = new Set<string>();
  const request = async (
    name: string,
    _options: LockOptions,
    work: (lock: Lock | null) => Promise<void> | undefined,
  ): Promise<void> => {
    if (held.has(name)) return work(null);
    held.add(name);
    await work({ name, mode: 'exclusive' });
    held.delete(name);
  };
  return { request: request as Locks['request'] };
}

test('there are three slots over all tabs, and one that is given back can be had again', async () => {
  const locks = createLocks();
  const taken = [await takeStreamSlot(locks), await takeStreamSlot(locks), await takeStreamSlot(locks)];
  expect(taken.every((release) => release !== null)).toBe(true);
  expect(await takeStreamSlot(locks)).toBeNull();
  taken[1]?.();
  await Promise.resolve();
  expect(await takeStreamSlot(locks)).not.toBeNull();
});

test('where nobody can be counted, there is always one', async () => {
  for (let index = 0; index < 5; index += 1) expect(await takeStreamSlot(null)).not.toBeNull();
});

test('a browser that refuses its locks gives no slot', async () => {
  const refusing: Locks = { request: () => Promise.reject(new DOMException('No.', 'SecurityError')) };
  expect(await takeStreamSlot(refusing)).toBeNull();
});
