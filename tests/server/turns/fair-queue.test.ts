import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFairPQueue, FairQueue } from '../../../server/turns/fair-queue.ts';

const OWNERS = ['a', 'b', 'c'] as const;

interface Waiting {
  id: string;
  owner: string;
}

test('reports everything that waits its exact position, whoever comes or leaves, and serves owners in turn', () => {
  const move = fc.oneof(
    { weight: 4, arbitrary: fc.record({ join: fc.constantFrom('a', 'a', 'a', ...OWNERS) }) },
    { weight: 2, arbitrary: fc.constant('serve' as const) },
    { weight: 1, arbitrary: fc.nat() },
  );
  fc.assert(
    fc.property(fc.array(move, { maxLength: 60 }), (moves) => {
      const queue = new FairQueue<Waiting>();
      let joined = 0;
      let waiting: Waiting[] = [];
      const byPosition = (): Waiting[] =>
        waiting.toSorted((one, other) => queue.position(one.id) - queue.position(other.id));
      const serve = (): void => {
        const [next, ...later] = byPosition();
        expect(queue.dequeue()).toBe(next);
        waiting = later;
        expect(byPosition()).toEqual(later);
      };
      for (const what of moves) {
        if (what === 'serve') serve();
        else if (typeof what === 'number') {
          const [leaver] = waiting.splice(what % Math.max(1, waiting.length), 1);
          if (leaver !== undefined) {
            expect(queue.remove(leaver.id)).toBe(true);
            expect(queue.remove(leaver.id)).toBe(false);
            expect(queue.position(leaver.id)).toBe(0);
          }
        } else {
          const expected = queue.positionOfNew(what.join);
          const own = waiting.filter(({ owner }) => owner === what.join).length;
          // However many others wait, at most one of each comes before it, for each of its own.
          expect(expected).toBeLessThanOrEqual(own + (own + 1) * (OWNERS.length - 1) + 1);
          const entry = { id: String((joined += 1)), owner: what.join };
          queue.enqueue(entry, entry);
          waiting.push(entry);
          expect(queue.position(entry.id)).toBe(expected);
        }
        expect(byPosition().map(({ id }) => queue.position(id))).toEqual(
          waiting.map((_one, index) => index + 1),
        );
        for (const owner of OWNERS)
          expect(byPosition().filter((entry) => entry.owner === owner)).toEqual(
            waiting.filter((entry) => entry.owner === owner),
          );
      }
      while (waiting.length > 0) serve();
      expect(queue.dequeue()).toBeUndefined();
    }),
  );
});

test('a PQueue that is fair runs tasks in turn of their owners', async () => {
  const queue = createFairPQueue(2);
  const ends: (() => void)[] = [];
  const started: string[] = [];
  const run = (owner: string): Promise<unknown> =>
    queue.add(
      () => {
        started.push(owner);
        return new Promise<void>((resolve) => ends.push(resolve));
      },
      { owner },
    );
  const all = ['a', 'a', 'a', 'a', 'a', 'a', 'b'].map(run);
  for (let index = 0; index < all.length; index += 1) {
    await expect.poll(() => ends.length, { interval: 1 }).toBeGreaterThan(index);
    ends[index]?.();
  }
  await Promise.all(all);
  expect(started.join('')).toBe('aabaaaa');
});
