import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTurnQueue, type Queued } from '../../../server/turns/turn-queue.ts';

const WORKSPACES = ['a', 'b', 'c'] as const;

test('reports everything that waits its exact position, whoever comes or leaves, and serves workspaces in turn', async () => {
  const move = fc.oneof(
    { weight: 4, arbitrary: fc.record({ join: fc.constantFrom('a', 'a', 'a', ...WORKSPACES) }) },
    { weight: 2, arbitrary: fc.constant('serve' as const) },
    { weight: 1, arbitrary: fc.nat() },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(move, { maxLength: 60 }), async (moves) => {
      const served: { job: Queued; end: () => void }[] = [];
      const queue = createTurnQueue<Queued>(1, (job) => {
        const { promise, resolve } = Promise.withResolvers<undefined>();
        served.push({ job, end: () => resolve(undefined) });
        return promise;
      });
      let joined = 0;
      const join = (workspaceId: string): Queued => {
        const job: Queued = { chatId: String((joined += 1)), workspaceId, isAlone: false };
        queue.join(job);
        return job;
      };
      const serveOne = async (): Promise<void> => {
        const count = served.length + 1;
        served.at(-1)?.end();
        await expect.poll(() => served.length, { interval: 1 }).toBe(count);
      };
      const waiting: Queued[] = [];
      const byPosition = (): Queued[] =>
        waiting.toSorted((one, other) => queue.position(one) - queue.position(other));
      const isServed = join('a');
      await expect.poll(() => served.length, { interval: 1 }).toBe(1);
      for (const what of moves) {
        if (what === 'serve') {
          if (waiting.length === 0) continue;
          const [next, ...later] = byPosition();
          await serveOne();
          expect(served.at(-1)?.job).toBe(next);
          waiting.splice(
            waiting.findIndex((job) => job === next),
            1,
          );
          expect(byPosition()).toEqual(later);
        } else if (typeof what === 'number') {
          const [leaver] = waiting.splice(what % Math.max(1, waiting.length), 1);
          if (leaver !== undefined) {
            expect(queue.leave(leaver)).toBe(true);
            expect(queue.leave(leaver)).toBe(false);
            expect(queue.position(leaver)).toBe(0);
          }
        } else {
          const expected = queue.positionOfNew(what.join);
          const own = waiting.filter(({ workspaceId }) => workspaceId === what.join).length;
          // However many others wait, at most one of each comes before it, for each of its own.
          expect(expected).toBeLessThanOrEqual(own + (own + 1) * (WORKSPACES.length - 1) + 1);
          const job = join(what.join);
          waiting.push(job);
          expect(queue.position(job)).toBe(expected);
        }
        expect(queue.position(isServed)).toBe(0);
        expect(byPosition().map((job) => queue.position(job))).toEqual(
          waiting.map((_one, index) => index + 1),
        );
        for (const workspaceId of WORKSPACES)
          expect(byPosition().filter((job) => job.workspaceId === workspaceId)).toEqual(
            waiting.filter((job) => job.workspaceId === workspaceId),
          );
      }
      while (waiting.length > 0) {
        const order = byPosition();
        await serveOne();
        expect(served.at(-1)?.job).toBe(order[0]);
        waiting.splice(0, waiting.length, ...order.slice(1));
      }
      served.at(-1)?.end();
      await queue.close();
    }),
    { numRuns: 50 },
  );
});

test('turns that need a thread of their own are also started in turn of their workspaces', async () => {
  const queue = createTurnQueue<Queued>(32, () => Promise.resolve());
  const ends: (() => void)[] = [];
  const started: string[] = [];
  const run = (workspaceId: string): Promise<void> =>
    queue.alone({ chatId: workspaceId, workspaceId, isAlone: false }, new AbortController().signal, () => {
      started.push(workspaceId);
      return new Promise((resolve) => ends.push(resolve));
    });
  const all = ['a', 'a', 'a', 'a', 'a', 'a', 'b'].map(run);
  for (let index = 0; index < all.length; index += 1) {
    await expect.poll(() => ends.length, { interval: 1 }).toBeGreaterThan(index);
    ends[index]?.();
  }
  await Promise.all(all);
  expect(started.join('')).toBe('aabaaaa');
});
