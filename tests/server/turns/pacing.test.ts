import { setImmediate as round, setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createPacing, type Pacing } from '../../../server/turns/pacing.ts';

/** Sends that are over at once, with no pause between them. */
function burst(pacing: Pacing, sends: number): void {
  for (let send = 0; send < sends; send += 1) pacing.makeWay()();
}

/** Whether a turn that asks now begins soon. */
async function begins(pacing: Pacing): Promise<boolean> {
  let hasBegun = false;
  void pacing.nextStart().then(() => (hasBegun = true));
  for (let rounds = 0; rounds < 4; rounds += 1) await round();
  return hasBegun;
}

test('lets turns begin one to a round of the event loop, in the order they asked', async () => {
  const pacing = createPacing();
  const begun: number[] = [];
  const starts = [1, 2, 3].map((number) => pacing.nextStart().then(() => begun.push(number)));
  await round();
  expect(begun.length).toBeLessThanOrEqual(1);
  await Promise.all(starts);
  expect(begun).toEqual([1, 2, 3]);
});

test('holds turns up during a burst of sends, and lets them go on after it', async () => {
  let time = 1_000;
  const pacing = createPacing(() => time);
  burst(pacing, 50);
  const start = pacing.nextStart();
  let hasBegun = false;
  void start.then(() => (hasBegun = true));
  await sleep(5);
  expect(hasBegun).toBe(false);
  time += 4;
  await start;
});

test('does not take a few sends for a burst, nor many that come one by one', async () => {
  let time = 1_000;
  const pacing = createPacing(() => time);
  const leaves = Array.from({ length: 16 }, () => pacing.makeWay());
  expect(await begins(pacing)).toBe(true);
  for (const leave of leaves) leave();
  for (let send = 0; send < 100; send += 1) {
    time += 5;
    burst(pacing, 1);
  }
  expect(await begins(pacing)).toBe(true);
});

test('a burst that never ends holds turns up for 200 ms, and then for a twentieth of the time', async () => {
  let time = 0;
  const held: number[] = [];
  const pacing = createPacing(() => (time += 1));
  burst(pacing, 40);
  for (let turn = 0; turn < 20; turn += 1) {
    pacing.makeWay();
    const from = time;
    await pacing.nextStart();
    held.push(time - from);
    time += 100;
  }
  const [first = 0, ...others] = held;
  expect(first).toBeGreaterThan(190);
  expect(first).toBeLessThan(215);
  for (const wait of others) expect(wait).toBeLessThan(20);
});

test('tells the time between the ends of turns, and leaves out the time in which there was nothing to do', () => {
  let time = 0;
  const pacing = createPacing(() => time);
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
