import { expect, test } from 'vitest';
import { createReadCache } from '../../../server/chats/read-cache.ts';

test('gives back what was kept while the store stays the same, and nothing afterwards', () => {
  const store = { version: 1 };
  const cache = createReadCache<string>(store, 10);
  cache.keep('a', 'first', 1);
  expect(cache.find('a')).toBe('first');
  expect(cache.find('b')).toBeUndefined();
  store.version = 2;
  expect(cache.find('a')).toBeUndefined();
});

test('does not keep what was read before a change', () => {
  const store = { version: 1 };
  const cache = createReadCache<string>(store, 10);
  store.version = 2;
  cache.keep('a', 'old', 1);
  expect(cache.find('a')).toBeUndefined();
});

test('keeps so many at most', () => {
  const cache = createReadCache<number>({ version: 1 }, 3);
  for (let index = 0; index < 100; index += 1) cache.keep(String(index), index, 1);
  const kept = Array.from({ length: 100 }, (_, index) => cache.find(String(index))).filter(
    (each) => each !== undefined,
  );
  expect(kept.length).toBeLessThanOrEqual(3);
  expect(cache.find('99')).toBe(99);
});
