import { setImmediate as round, setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createPacing, type Pacing } from '../../../server/turns/pacing.ts';

/** Whether a turn that asks now begins soon. */
async function begins(pacing: Pacing): Promise<boolean> {
  let hasBegun = false;
  void pacing.nextStart().then(() => (hasBegun = true));
  for (let rounds = 0; rounds < 4; rounds += 1) await round();
  return hasBegun;
}

const isBehind = (): boolean => true;

test('lets turns begin one to a round of the event loop, in the order they asked', async () => {
  const pacing = createPacing(isBehind);
  const begun: number[] = [];
  const starts = [1, 2, 3].map((number) => pacing.nextStart().then(() => begun.push(number)));
  await round();
  expect(begun.length).toBeLessThanOrEqual(1);
  await Promise.all(starts);
  expect(begun).toEqual([1, 2, 3]);
});

test('holds turns up during a burst of sends and between its sends, and lets them go on after it', async () => {
  let time = 1_000;
  const pacing = createPacing(isBehind, () => time);
  const leave = pacing.beginSend();
  let hasBegun = false;
  const start = pacing.nextStart().then(() => (hasBegun = true));
  await sleep(5);
  expect(hasBegun).toBe(false);
  leave();
  time += 9;
  await sleep(5);
  expect(hasBegun).toBe(false);
  time += 2;
  await start;
});

test('holds no turn up for the sends of clients whose chats are all worked on', async () => {
  const pacing = createPacing(
    () => false,
    () => 1_000,
  );
  for (let send = 0; send < 32; send += 1) pacing.beginSend();
  expect(await begins(pacing)).toBe(true);
});

test('a burst that never ends holds turns up for a second, and then for a twentieth of the time', async () => {
  let time = 0;
  const held: number[] = [];
  const pacing = createPacing(isBehind, () => (time += 5));
  pacing.beginSend();
  for (let turn = 0; turn < 20; turn += 1) {
    const from = time;
    await pacing.nextStart();
    held.push(time - from);
    time += 200;
  }
  const [first = 0, ...others] = held;
  expect(first).toBeGreaterThan(990);
  expect(first).toBeLessThan(1_050);
  for (const wait of others) expect(wait).toBeLessThan(50);
  // Once all is worked off, the next burst is another one.
  pacing.noteWork();
  const from = time;
  await pacing.nextStart();
  expect(time - from).toBeGreaterThan(990);
});

test('tells the time between the ends of turns, and leaves out the time in which there was nothing to do', () => {
  let time = 0;
  const pacing = createPacing(isBehind, () => time);
  expect(pacing.msPerTurn()).toBe(0);
  for (let run = 0; run < 3; run += 1) {
    time += 1_000_000;
    pacing.noteWork();
    for (let turn = 1; turn <= 10; turn += 1) {
      time += 50;
      pacing.noteEnd(turn === 10);
    }
  }
  expect(pacing.msPerTurn()).toBeCloseTo(50);
  pacing.noteWork();
  time += 2_000;
  expect(pacing.msPerTurn()).toBe(2_000);
});
