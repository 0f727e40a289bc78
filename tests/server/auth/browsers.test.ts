import { afterEach, beforeEach, expect, test } from 'vitest';
import { createBrowsers, type Browsers } from '../../../server/auth/browsers.ts';
import { createChallenges, type Challenges } from '../../../server/auth/challenges.ts';
import { listBrowsers } from '../../../server/store/browser-repository.ts';
import { browserProofText } from '../../../shared/proof.ts';
import { createTestKey, type TestKey } from '../../support/browser-client.ts';
import { openTempStore, type TempStore } from '../../support/store.ts';

const DAY_MS = 24 * 60 * 60_000;
const ADDRESS = 'http://127.0.0.1:4141';
let temp: TempStore;
let challenges: Challenges;
let nowMs = 0;

const open = (): Browsers =>
  createBrowsers({
    store: temp.store,
    challenges,
    clock: () => new Date(nowMs),
    isKeyInForce: () => true,
    isAdminKey: () => true,
  });
const register = async (browsers: Browsers, { publicKey }: TestKey): Promise<string> =>
  (await browsers.register({ publicKey, address: ADDRESS, name: '', keyDigest: 'k' })).browserId ?? '';
const credential = (id: string, key: TestKey): string => {
  const challenge = challenges.issue(ADDRESS);
  return `back_${id}.${challenge}.${key.sign(browserProofText(challenge, ADDRESS))}`;
};

beforeEach(async () => {
  nowMs = Date.parse('2026-11-20T12:00:00.000Z');
  challenges = createChallenges(() => nowMs);
  temp = await openTempStore();
});
afterEach(() => temp.remove());

test('a browser is known to the next process', async () => {
  const key = createTestKey();
  const id = await register(open(), key);
  expect(open().check(credential(id, key))).toEqual({ browserId: id, keyDigest: 'k' });
});

test('a browser that was away for two weeks is signed out, and then taken out of the store; use counts', async () => {
  const browsers = open();
  const [away, used] = [createTestKey(), createTestKey()];
  const [awayId, usedId] = [await register(browsers, away), await register(browsers, used)];
  nowMs += 10 * DAY_MS;
  browsers.noteUse({ browserId: usedId, keyDigest: 'k' });
  nowMs += 10 * DAY_MS;
  expect(browsers.check(credential(awayId, away))).toBeNull();
  expect(browsers.check(credential(usedId, used))).not.toBeNull();
  expect(browsers.list().map(({ id }) => id)).toEqual([usedId]);
  await register(browsers, createTestKey());
  expect(temp.store.read(listBrowsers).map(({ id }) => id)).not.toContain(awayId);
});

test('the browser that has been away longest gives way when there are too many', async () => {
  const browsers = open();
  const first = createTestKey();
  const id = await register(browsers, first);
  for (let count = 0; count < 200; count += 1) await register(browsers, createTestKey());
  expect(browsers.check(credential(id, first))).toBeNull();
  expect(temp.store.read(listBrowsers)).toHaveLength(200);
});

test('a challenge is good for a minute, once, at its address and in its process', () => {
  const challenge = challenges.issue(ADDRESS);
  expect(challenges.isOpen(challenge, ADDRESS)).toBe(true);
  expect(challenges.isOpen(challenge, 'http://127.0.0.1:4142')).toBe(false);
  expect(createChallenges(() => nowMs).isOpen(challenge, ADDRESS)).toBe(false);
  for (const text of ['', 'AAAA', `${challenge.slice(0, -4)}AAAA`]) {
    expect(challenges.isOpen(text, ADDRESS), text).toBe(false);
  }
  const late = challenges.issue(ADDRESS);
  challenges.use(challenge);
  expect(challenges.isOpen(challenge, ADDRESS)).toBe(false);
  nowMs += 60_000;
  expect(challenges.isOpen(late, ADDRESS)).toBe(false);
});
