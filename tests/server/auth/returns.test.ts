import { afterEach, beforeEach, expect, test } from 'vitest';
import { createReturns, type Returns } from '../../../server/auth/returns.ts';
import { listReturns } from '../../../server/store/return-repository.ts';
import { openTempStore, type TempStore } from '../../support/store.ts';

const DAY_MS = 24 * 60 * 60_000;
let temp: TempStore;
let nowMs = Date.parse('2026-11-20T12:00:00.000Z');
const clock = (): Date => new Date(nowMs);

const revoked = new Set<string>();
const open = (): Returns =>
  createReturns({ store: temp.store, clock, isKeyInForce: (digest) => !revoked.has(digest) });

beforeEach(async () => {
  temp = await openTempStore();
});
afterEach(() => temp.remove());

test('a token is known to the next process, and its text is not in the store', async () => {
  const token = await open().create(null);
  expect(open().isKnown(token)).toBe(true);
  expect(JSON.stringify(temp.store.read(listReturns))).not.toContain(token.slice(7));
});

test('texts that are no token, or nobody’s, are not known', async () => {
  const returns = open();
  const token = await returns.create(null);
  for (const text of ['', token.slice(0, -1), `${token}A`, `return_${'A'.repeat(43)}`, token.toUpperCase()]) {
    expect(returns.isKnown(text), text).toBe(false);
  }
});

test('a token ends after two weeks unless it is used, and is then taken out of the store', async () => {
  const returns = open();
  const unused = await returns.create(null);
  const used = await returns.create(null);
  nowMs += 10 * DAY_MS;
  expect(returns.isKnown(used)).toBe(true);
  nowMs += 10 * DAY_MS;
  expect(returns.isKnown(unused)).toBe(false);
  expect(returns.isKnown(used)).toBe(true);
  await returns.create(null);
  expect(temp.store.read(listReturns)).toHaveLength(2);
});

test('the page that has been away longest gives way when there are too many', async () => {
  const returns = open();
  const first = await returns.create(null);
  let last = '';
  for (let count = 0; count < 200; count += 1) last = await returns.create(null);
  expect(returns.isKnown(first)).toBe(false);
  expect(returns.isKnown(last)).toBe(true);
  expect(temp.store.read(listReturns)).toHaveLength(200);
});

test('a token that was bought with a key ends with it, and no other does', async () => {
  const returns = open();
  const bought = await returns.create('a key');
  const other = await returns.create('another key');
  revoked.add('a key');
  expect([returns.isKnown(bought), returns.isKnown(other)]).toEqual([false, true]);
  expect(returns.keyOf(other)).toBe('another key');
});
