import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { breathe } from '../../../server/store/pieces.ts';

it('lets one of all who go piece by piece go on in each turn of the event loop, in order', async () => {
  const inTurns: number[][] = [];
  const steps = Array.from({ length: 5 }, async (_, index) => {
    await breathe();
    inTurns.at(-1)?.push(index);
  });
  for (let turn = 0; turn < 20; turn += 1) {
    inTurns.push([]);
    await nextTurn();
  }
  await Promise.all(steps);
  expect(inTurns.filter((turn) => turn.length > 0)).toEqual([[0], [1], [2], [3], [4]]);
});
