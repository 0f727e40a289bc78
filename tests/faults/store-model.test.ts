/** Random histories of writes, compactions, faults, lost memory, crashes and restarts, against a model: the acknowledged items. */
import { readdir, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Store } from '../../server/store/types.ts';
import { rounds } from '../support/effort.ts';
import { type FaultyDisk, faultyDisk } from '../support/faulty-disk.ts';
import { addItem, itemIds, makeFolder, openItems } from '../support/items.ts';
import { readWithoutMemory } from '../support/no-memory.ts';

type Action =
  | { kind: 'write'; count: number }
  | { kind: 'compaction'; dropPrevious: boolean }
  | { kind: 'background compaction' }
  | {
      kind: 'fail';
      call: 'write' | 'datasync' | 'rename' | 'truncate' | 'syncDir';
      code: string;
      times: number;
    }
  | { kind: 'no memory' }
  | { kind: 'crash'; calls: number; torn: number }
  | { kind: 'restart' };

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('write' as const), count: fc.integer({ min: 1, max: 5 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('compaction' as const), dropPrevious: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'background compaction' as const }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('fail' as const),
      call: fc.constantFrom(
        'write' as const,
        'datasync' as const,
        'rename' as const,
        'truncate' as const,
        'syncDir' as const,
      ),
      code: fc.constantFrom('ENOSPC', 'EIO', 'EROFS'),
      times: fc.integer({ min: 1, max: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'no memory' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('crash' as const), calls: fc.nat(12), torn: fc.nat(60) }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
);

const LIMITS = {
  checkIntervalMs: 2,
  compactLogBytes: 1_500,
  compactRetryMs: 50,
};

/** One store's life, with what it promised. */
class History {
  readonly root: string;
  disk: FaultyDisk = faultyDisk();
  store: Store | undefined;
  dir: string;
  nextId = 1;
  /** Items whose write was acknowledged. */
  readonly kept = new Set<number>();
  /** Items that may or may not be there: the process died, or the disk failed for good, before they were settled. */
  readonly unsure = new Set<number>();

  constructor(root: string) {
    this.root = root;
    this.dir = join(root, 'store');
  }

  async open(): Promise<Store> {
    this.disk = faultyDisk();
    this.store = await openItems(this.dir, { disk: this.disk, limits: LIMITS });
    const ids = itemIds(this.store);
    for (const id of this.kept) expect(ids).toContain(id);
    for (const id of ids) expect(this.kept.has(id) || this.unsure.has(id)).toBe(true);
    for (const id of this.unsure) if (ids.includes(id)) this.kept.add(id);
    this.unsure.clear();
    return this.store;
  }

  async write(store: Store, count: number): Promise<void> {
    const ids = Array.from({ length: count }, () => (this.nextId += 1));
    const outcomes = await Promise.allSettled(ids.map((id) => addItem(store, id)));
    await store.settled();
    for (const [index, id] of ids.entries()) {
      if (outcomes[index]?.status === 'fulfilled') this.kept.add(id);
      // Refused: not there now. If the disk could not even be cut, a crash right now might bring it back.
      else if (!store.writable) this.unsure.add(id);
    }
    expect(itemIds(store).filter((id) => !this.unsure.has(id))).toEqual([...this.kept].sort((a, b) => a - b));
  }

  /** The power goes after so many more calls to the disk, and takes up to `torn` bytes that were never synced. */
  async crash(store: Store, calls: number, torn: number): Promise<void> {
    const logs = async (): Promise<string[]> =>
      (await readdir(this.dir)).filter((name) => /^log-\d+$/.test(name));
    await store.settled();
    const durable = new Map<string, number>();
    for (const name of await logs()) durable.set(name, (await stat(join(this.dir, name))).size);
    this.disk.loseAfter(calls);
    const ids = [1, 2, 3].map(() => (this.nextId += 1));
    const writes = ids.map(async (id) => {
      this.unsure.add(id);
      await addItem(store, id).then(
        () => this.kept.add(id),
        () => undefined,
      );
    });
    await Promise.all(writes);
    await store.close();
    const last = (await logs()).sort(byNumber).at(-1);
    if (last === undefined || ids.some((id) => this.kept.has(id))) return;
    const path = join(this.dir, last);
    const { size } = await stat(path);
    const synced = durable.get(last) ?? size;
    if (size > synced) await truncate(path, Math.max(synced, size - torn));
  }
}

const byNumber = (a: string, b: string): number => Number(a.slice(4)) - Number(b.slice(4));

async function act(history: History, store: Store, step: Action): Promise<void> {
  switch (step.kind) {
    case 'write':
      return history.write(store, step.count);
    case 'compaction':
      await store.compact({ dropPrevious: step.dropPrevious }).catch(() => undefined);
      return;
    case 'background compaction':
      void store.compact().catch(() => undefined);
      return;
    case 'fail':
      history.disk.fail({ calls: [step.call], code: step.code, times: step.times });
      return;
    case 'no memory':
      expect(() => store.read(readWithoutMemory)).toThrow();
      return store.settled();
    case 'crash':
      await history.crash(store, step.calls, step.torn);
      await history.open();
      return;
    case 'restart':
      await store.close();
      await history.open();
  }
}

it('holds exactly what it acknowledged, whatever happens in whatever order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 25 }), async (steps) => {
      const history = new History(await makeFolder());
      try {
        await history.open();
        for (const step of steps) if (history.store) await act(history, history.store, step);
        await history.store?.close();
        await history.open();
      } finally {
        history.disk.heal();
        await history.store?.close();
        await rm(history.root, { recursive: true, force: true });
      }
    }),
    { numRuns: rounds(8), endOnFailure: false },
  );
});
