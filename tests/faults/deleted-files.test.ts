/** Files that are deleted or moved underneath an open store: it is noticed within a second, and they are written again. */
import { mkdir, open as openFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../server/store/types.ts';
import { rounds } from '../support/effort.ts';
import { eventually } from '../support/eventually.ts';
import { type FaultyDisk, faultyDisk } from '../support/faulty-disk.ts';
import { addItem, crashImage, idsAfterCrash, itemIds, makeFolder, openItems } from '../support/items.ts';

const LIMITS = { checkIntervalMs: 20 };

let root: string;
let dataDir: string;
let dir: string;
let disk: FaultyDisk;
let store: Store;
let warnings: string[];
let reclaimed: number;

const open = (limits: object = {}): Promise<Store> =>
  openItems(dir, {
    disk,
    limits: { ...LIMITS, ...limits },
    warn: (message) => warnings.push(message),
    reclaim: async () => {
      reclaimed += 1;
      await mkdir(dataDir, { recursive: true });
    },
  });

/** A store with a snapshot of its own, whose earlier generation is gone. */
beforeEach(async () => {
  root = await makeFolder();
  dataDir = join(root, 'data');
  dir = join(dataDir, 'store');
  disk = faultyDisk();
  warnings = [];
  reclaimed = 0;
  store = await open();
  await addItem(store, 1);
  await store.compact({ dropPrevious: true });
  await addItem(store, 2);
});
afterEach(async () => {
  await store.close();
  await rm(root, { recursive: true, force: true });
});

const resumed = (): Promise<void> => eventually(() => expect(store.writable).toBe(true));

const ways: { name: string; strike: () => Promise<void>; heal?: () => Promise<void> }[] = [
  { name: 'a log that was deleted', strike: () => rm(join(dir, 'log-2')) },
  { name: 'a snapshot that was deleted', strike: () => rm(join(dir, 'snapshot-2.sqlite')) },
  {
    name: 'a folder of the store that was deleted',
    strike: () => rm(dir, { recursive: true, maxRetries: 20 }),
  },
  { name: 'a folder that was moved away', strike: () => rename(dataDir, join(root, 'elsewhere')) },
  {
    name: 'a log that was put back by who had deleted it',
    async strike() {
      const copy = await crashImage(dir);
      await rm(dir, { recursive: true, maxRetries: 20 });
      await rename(copy, dir);
    },
  },
  {
    name: 'a data folder that was deleted and can not be made',
    async strike() {
      await rm(dataDir, { recursive: true, maxRetries: 20 });
      await writeFile(dataDir, 'in the way');
    },
    heal: () => rm(dataDir),
  },
];

describe.each(ways)('$name', ({ strike, heal }) => {
  // Long enough for a busy machine to delete what it deletes before that is noticed.
  beforeEach(async () => {
    await store.close();
    store = await open({ checkIntervalMs: 500 });
  });

  it('keeps what was written until that is noticed, refuses more until the files are back, and goes on', async () => {
    await strike();
    await addItem(store, 3);
    await eventually(() => expect(warnings.join()).toContain('refused'));
    if (heal) {
      await expect(addItem(store, 9)).rejects.toMatchObject({ code: 'storage_unavailable' });
      expect(store.usage()).toMatchObject({ state: 'refusing', notices: [{ code: 'refusing' }] });
      await heal();
    }
    await resumed();
    expect(itemIds(store)).toEqual([1, 2, 3]);
    expect(await idsAfterCrash(dir)).toEqual([1, 2, 3]);
    await addItem(store, 4);
    expect(await idsAfterCrash(dir)).toEqual([1, 2, 3, 4]);
    expect(store.usage().notices).toMatchObject([{ code: 'written_anew' }]);
    expect(warnings.filter((line) => line.includes('deleted or moved'))).toHaveLength(2);
    expect(reclaimed).toBeGreaterThan(0);
    await store.compact();
    await addItem(store, 5);
    expect(await idsAfterCrash(dir)).toEqual([1, 2, 3, 4, 5]);
  });

  it('is noticed and made good also while nothing is written', async () => {
    await addItem(store, 3);
    await strike();
    await eventually(() => expect(warnings.join()).toContain('refused'));
    await heal?.();
    await eventually(() => expect(store.usage().notices).toMatchObject([{ code: 'written_anew' }]));
    expect(await idsAfterCrash(dir)).toEqual([1, 2, 3]);
  });

  it('is made good when the store is closed, at the latest', async () => {
    await strike();
    await heal?.();
    await store.close();
    expect(await idsAfterCrash(dir)).toEqual([1, 2]);
  });
});

describe('a rush that never pauses', () => {
  /** Longer together than what can be taken back, ten at a time. Resolves with what was acknowledged. */
  async function rush(strike: () => Promise<void> | void, fewest: number, most: number): Promise<number[]> {
    const kept = new Set([1, 2]);
    const sends: Promise<unknown>[] = [];
    for (let id = 3; id < 300; id += 1) {
      const send = addItem(store, id, 'x'.repeat(50_000)).then(
        () => kept.add(id),
        () => undefined,
      );
      sends.push(send);
      if (id === 200) await strike();
      await sends.at(-10);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(sends);
    await resumed();
    expect(kept.size).toBeGreaterThan(fewest);
    expect(kept.size).toBeLessThanOrEqual(most);
    return [...kept].sort((a, b) => a - b);
  }

  it('in which the folder is deleted loses nothing that was acknowledged', async () => {
    const kept = await rush(() => rm(dir, { recursive: true }), 100, 299);
    expect(itemIds(store)).toEqual(kept);
    expect(await idsAfterCrash(dir)).toEqual(kept);
  });

  it('in which the disk refuses keeps what was acknowledged and nothing else', async () => {
    const kept = await rush(() => disk.fail({ calls: ['datasync'], code: 'EIO', times: 1 }), 100, 298);
    expect(itemIds(store)).toEqual(kept);
    expect(await idsAfterCrash(dir)).toEqual(kept);
  });
});

it('is looked for now and then, not with each write', async () => {
  await store.close();
  store = await open({ checkIntervalMs: 60_000 });
  const before = disk.counts.get('stat') ?? 0;
  for (let id = 4; id < 44; id += 1) await addItem(store, id);
  expect(disk.counts.get('stat') ?? 0).toBe(before);
});

it('a store that was closed while a slow disk was asked misses nothing', async () => {
  await store.close();
  store = await open({ closeWaitMs: 20 });
  const release = disk.hang(['stat']);
  await store.close();
  // The descriptors that were closed are those of other files now.
  const others = await Promise.all(
    [1, 2, 3, 4].map((number) => openFile(join(root, `other-${number}`), 'w')),
  );
  release();
  await new Promise((resolve) => setTimeout(resolve, 50));
  for (const other of others) await other.close();
  expect(warnings).toEqual([]);
});

it('a compaction that removes files is not taken for a cleaner', async () => {
  await store.close();
  store = await open({ checkIntervalMs: 1 });
  for (let id = 3; id < 3 + rounds(12); id += 1) {
    const compacting = store.compact({ dropPrevious: true });
    await addItem(store, id);
    await compacting;
  }
  expect(warnings).toEqual([]);
  expect((await readdir(dir)).filter((name) => name.startsWith('snapshot'))).toHaveLength(2);
});
