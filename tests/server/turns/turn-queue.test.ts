import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTurnQueue, type Queued } from '../../../server/turns/turn-queue.ts';

test('tells everything that waits its exact place, whoever leaves the line', async () => {
  const move = fc.oneof(
    { weight: 4, arbitrary: fc.constant('join' as const) },
    { weight: 2, arbitrary: fc.constant('serve' as const) },
    { weight: 2, arbitrary: fc.nat() },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(move, { maxLength: 60 }), async (moves) => {
      const served: { job: Queued; end: () => void }[] = [];
      const queue = createTurnQueue<Queued>(1, (job) => {
        const { promise, resolve } = Promise.withResolvers<undefined>();
        served.push({ job, end: () => resolve(undefined) });
        return promise;
      });
      const join = (): Queued => {
        const job: Queued = { isAlone: false };
        queue.join(job);
        return job;
      };
      const isServed = (count: number) => expect.poll(() => served.length, { interval: 1 }).toBe(count);
      join();
      await isServed(1);
      const waiting: Queued[] = [];
      for (const what of moves) {
        if (what === 'join') waiting.push(join());
        else if (what === 'serve') {
          const next = waiting.shift();
          if (next === undefined) continue;
          const before = served.length;
          served.at(-1)?.end();
          await isServed(before + 1);
          expect(served.at(-1)?.job).toBe(next);
          expect(queue.position(next)).toBe(0);
        } else {
          const [leaver] = waiting.splice(what % Math.max(1, waiting.length), 1);
          if (leaver !== undefined) expect(queue.leave(leaver)).toBe(true);
        }
        expect(queue.length).toBe(waiting.length);
        expect(waiting.map((job) => queue.position(job))).toEqual(waiting.map((_one, index) => index + 1));
      }
      served.at(-1)?.end();
      await queue.close();
    }),
    { numRuns: 50 },
  );
});
