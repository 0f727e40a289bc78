import { setImmediate as round } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createPacing } from '../../../server/turns/pacing.ts';

test('lets turns begin one to a round of the event loop, in the order they asked', async () => {
  const pacing = createPacing();
  const begun: number[] = [];
  const starts = [1, 2, 3].map((number) => pacing.nextStart().then(() => begun.push(number)));
  await round();
  expect(begun.length).toBeLessThanOrEqual(1);
  await Promise.all(starts);
  expect(begun).toEqual([1, 2, 3]);
});

test('holds turns up while a send is under way, and lets them go on when it is over', async () => {
  const pacing = createPacing(() => 1_000);
  await pacing.nextStart();
  const leave = pacing.makeWay();
  let hasBegun = false;
  const start = pacing.nextStart().then(() => {
    hasBegun = true;
  });
  await round();
  await round();
  expect(hasBegun).toBe(false);
  leave();
  await start;
  expect(hasBegun).toBe(true);
});

test('never holds a turn up for good, even when sends never end', async () => {
  let time = 0;
  const pacing = createPacing(() => (time += 1));
  pacing.makeWay();
  for (let turn = 0; turn < 5; turn += 1) await pacing.nextStart();
});

test('holds turns up between the sends of a flood, too', async () => {
  const pacing = createPacing(() => 1_000);
  await pacing.nextStart();
  for (let send = 0; send < 50; send += 1) pacing.makeWay()();
  let hasBegun = false;
  void pacing.nextStart().then(() => {
    hasBegun = true;
  });
  await round();
  await round();
  expect(hasBegun).toBe(false);
});

test('does not take a few sends for a flood', async () => {
  const pacing = createPacing(() => 1_000);
  await pacing.nextStart();
  for (let send = 0; send < 5; send += 1) pacing.makeWay()();
  await pacing.nextStart();
});
