/** A disk that begins to refuse at one step after another of a start and of a compaction, until it takes everything again. */
import { appendFile, cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../server/store/types.ts';
import { everyNth } from '../support/effort.ts';
import { eventually } from '../support/eventually.ts';
import { type FaultyDisk, faultyDisk } from '../support/faulty-disk.ts';
import { addItem, idsAfterCrash, itemIds, makeFolder, openItems } from '../support/items.ts';

const LIMITS = { checkIntervalMs: 5, compactRetryMs: 50 };
const MAX_STEPS = 100;
const CODES = ['ENOSPC', 'EIO'] as const;

let root: string;
let template: string;
let disk: FaultyDisk;
let store: Store | undefined;

beforeEach(async () => {
  root = await makeFolder();
  disk = faultyDisk();
  template = join(root, 'template');
  await makeStore(template);
});
afterEach(async () => {
  disk.heal();
  await store?.close();
  store = undefined;
  await rm(root, { recursive: true, force: true });
});

const open = (dir: string): Promise<Store> => openItems(dir, { disk, limits: LIMITS });

/** How a store may lie there, beside being new. Each leaves the items 1 to 3. */
const layouts: { name: string; make: (dir: string) => Promise<void> }[] = [
  { name: 'a store', make: async () => undefined },
  {
    name: 'a store whose last record was torn, with leftovers of a crash',
    async make(dir) {
      await appendFile(join(dir, 'log-2'), 'torn');
      await writeFile(join(dir, 'snapshot-3.sqlite.tmp'), 'x');
    },
  },
  {
    name: 'a store whose log was damaged, in its header',
    async make(dir) {
      const log = await readFile(join(dir, 'log-2'));
      log[17] = (log[17] ?? 0) ^ 1;
      await writeFile(join(dir, 'log-2'), log);
    },
  },
  {
    name: 'a store whose snapshot was damaged',
    make: (dir) => writeFile(join(dir, 'snapshot-2.sqlite'), 'x'),
  },
];

async function makeStore(dir: string): Promise<void> {
  const made = await openItems(dir);
  await addItem(made, 1);
  await made.compact();
  await addItem(made, 2);
  await addItem(made, 3);
  await made.close();
}

/** Has a disk refuse from a step of `attempt` on, once that calls `begin`, then from a later one, and so on, until none is refused. Usually each code has half of the steps. */
async function atEachStep(
  code: (typeof CODES)[number],
  attempt: (dir: string, begin: () => void) => Promise<void>,
): Promise<void> {
  const stride = everyNth(CODES.length);
  const first = 1 + (CODES.indexOf(code) % stride);
  for (let step = first; step === first || disk.hasFailed; step += stride) {
    expect(step).toBeLessThan(MAX_STEPS);
    const dir = join(root, `${step}`);
    await cp(template, dir, { recursive: true });
    await attempt(dir, () => disk.failFrom(step, code));
    await store?.close();
    store = undefined;
  }
}

async function heal(opened: Store): Promise<void> {
  disk.heal();
  await eventually(() => expect(opened.writable).toBe(true));
}

describe.each(CODES)('%s', { timeout: 180_000 }, (code) => {
  it.each(layouts)('at any step of the start of $name: it can be read, and goes on', async ({ make }) => {
    await atEachStep(code, async (dir, begin) => {
      await make(dir);
      begin();
      store = await open(dir);
      expect(itemIds(store)).toEqual([1, 2, 3]);
      await heal(store);
      await addItem(store, 4);
      expect(await idsAfterCrash(dir)).toEqual([1, 2, 3, 4]);
    });
  });

  it('at any step of the first start ever: it is refused in words, and the next start finds nothing in its way', async () => {
    await atEachStep(code, async (made, begin) => {
      const dir = join(made, 'new');
      begin();
      store = await open(dir).catch((error: unknown) => {
        expect(error).toMatchObject({ name: 'AppError' });
        return undefined;
      });
      disk.heal();
      store ??= await open(dir);
      await addItem(store, 1);
      expect(await idsAfterCrash(dir)).toEqual([1]);
    });
  });

  it('at any step of a compaction that drops the previous one: nothing is lost', async () => {
    await atEachStep(code, async (dir, begin) => {
      store = await open(dir);
      begin();
      const outcome = await Promise.allSettled([store.compact({ dropPrevious: true }), addItem(store, 4)]);
      const kept = outcome[1].status === 'fulfilled' ? [1, 2, 3, 4] : [1, 2, 3];
      await heal(store);
      expect(itemIds(store)).toEqual(kept);
      expect(await idsAfterCrash(dir)).toEqual(kept);
      await store.compact({ dropPrevious: true });
      await addItem(store, 5);
      expect(await idsAfterCrash(dir)).toEqual([...kept, 5]);
    });
  });
});
