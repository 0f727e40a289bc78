/** Whole stores whose logs were damaged; what a single log gives back is salvage.test.ts. */
import { readFile, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../server/store/types.ts';
import { eventually } from '../../support/eventually.ts';
import { type FaultyDisk, faultyDisk } from '../../support/faulty-disk.ts';
import { addItem, itemIds, makeFolder, openItems } from '../../support/items.ts';

let root: string;
let dir: string;
let disk: FaultyDisk;
let warnings: string[];
let opened: Store[];

beforeEach(async () => {
  root = await makeFolder();
  dir = join(root, 'store');
  disk = faultyDisk();
  warnings = [];
  opened = [];
});
afterEach(async () => {
  disk.heal();
  for (const store of opened) await store.close();
  await rm(root, { recursive: true, force: true });
});

async function open(): Promise<Store> {
  warnings = [];
  const store = await openItems(dir, {
    disk,
    limits: { checkIntervalMs: 20 },
    warn: (message) => warnings.push(message),
  });
  opened.push(store);
  return store;
}

/** Makes items 1 to `count`, with a compaction after each of `compactions`; returns where each item's record ends. */
async function make(count: number, compactions: number[] = []): Promise<number[]> {
  const store = await openItems(dir);
  const ends: number[] = [];
  for (let id = 1; id <= count; id += 1) {
    await addItem(store, id);
    const log =
      (await readdir(dir))
        .filter((name) => /^log-\d+$/.test(name))
        .sort()
        .at(-1) ?? '';
    ends[id] = (await stat(join(dir, log))).size;
    if (compactions.includes(id)) await store.compact();
  }
  await store.close();
  return ends;
}

async function zero(name: string, from: number, to: number): Promise<void> {
  const bytes = await readFile(join(dir, name));
  await writeFile(join(dir, name), bytes.fill(0, from, to));
}

const setAside = async (): Promise<string[]> =>
  (await readdir(dir)).filter((name) => name.includes('damaged')).sort();

/** The store works on, and the start after the next finds nothing left to say. */
async function expectHealthy(store: Store, ids: number[]): Promise<void> {
  await addItem(store, 100);
  await store.close();
  const again = await open();
  expect(itemIds(again)).toEqual([...ids, 100]);
  expect(warnings).toEqual([]);
  await again.compact();
  await again.compact();
  await again.close();
  expect(itemIds(await open())).toEqual([...ids, 100]);
}

describe('a log that was damaged in the middle', () => {
  it('gives back what stands before and behind it, is kept as it was, and is told of once', async () => {
    const ends = await make(8);
    await zero('log-1', ends[3] ?? 0, ends[5] ?? 0);
    const damaged = await readFile(join(dir, 'log-1'));
    const store = await open();
    expect(itemIds(store)).toEqual([1, 2, 3, 6, 7, 8]);
    expect(warnings).toEqual([expect.stringContaining('2 changes could not be read')]);
    expect(warnings[0]).toContain('log-1.damaged-1');
    expect(store.usage().notices).toEqual([{ code: 'damaged', message: warnings[0] }]);
    expect(await readFile(join(dir, 'log-1.damaged-1'))).toEqual(damaged);
    await expectHealthy(store, [1, 2, 3, 6, 7, 8]);
    expect(await setAside()).toEqual(['log-1.damaged-1']);
  });

  it('by one bit loses that record alone', async () => {
    const ends = await make(6);
    const bytes = await readFile(join(dir, 'log-1'));
    const offset = (ends[3] ?? 0) + 30;
    bytes[offset] = (bytes[offset] ?? 0) ^ 4;
    await writeFile(join(dir, 'log-1'), bytes);
    const store = await open();
    expect(itemIds(store)).toEqual([1, 2, 3, 5, 6]);
    expect(warnings).toEqual([expect.stringContaining('One change could not be read')]);
    await expectHealthy(store, [1, 2, 3, 5, 6]);
  });

  it('where the schema was made is read with the schema there is', async () => {
    const ends = await make(5);
    await zero('log-1', 42, (ends[1] ?? 0) - 60);
    const store = await open();
    expect(itemIds(store)).toEqual([2, 3, 4, 5]);
    await expectHealthy(store, [2, 3, 4, 5]);
  });

  it('where all that used a statement first is gone finds its text further on', async () => {
    const ends = await make(40);
    await zero('log-1', ends[0] ?? 100, ends[6] ?? 0);
    const store = await open();
    expect(itemIds(store)).toEqual(Array.from({ length: 34 }, (_, index) => index + 7));
  });

  it('in its header loses nothing, whichever byte it is', async () => {
    await make(3);
    const whole = await readFile(join(dir, 'log-1'));
    for (const offset of [0, 7, 9, 13, 17, 25, 38, 41]) {
      await rm(dir, { recursive: true });
      await make(0);
      const bytes = Buffer.from(whole);
      bytes[offset] = (bytes[offset] ?? 0) ^ 0x11;
      await writeFile(join(dir, 'log-1'), bytes);
      const store = await open();
      expect(itemIds(store), `byte ${offset}`).toEqual([1, 2, 3]);
      expect(await setAside()).toEqual(['log-1.damaged-1']);
      await store.close();
    }
  });

  it('in a row of logs, whichever it is, costs the others nothing', async () => {
    const ends = await make(6, [2, 4]);
    await rm(join(dir, 'snapshot-3.sqlite'));
    await truncate(join(dir, 'log-2'), (ends[4] ?? 0) - 1);
    const store = await open();
    expect(itemIds(store)).toEqual([1, 2, 3, 5, 6]);
    expect(await setAside()).toEqual(['log-2.damaged-1']);
    await expectHealthy(store, [1, 2, 3, 5, 6]);
  });

  it('when the one before it is missing altogether is read all the same', async () => {
    await make(6, [2, 4]);
    await rm(join(dir, 'snapshot-3.sqlite'));
    await rm(join(dir, 'log-2'));
    const store = await open();
    expect(itemIds(store)).toEqual([1, 2, 5, 6]);
    expect(warnings).toEqual([expect.stringContaining('3 changes could not be read')]);
    await expectHealthy(store, [1, 2, 5, 6]);
  });

  it('in its last record keeps the file, though no record follows', async () => {
    const ends = await make(4);
    const bytes = await readFile(join(dir, 'log-1'));
    bytes.write('ABC', (ends[4] ?? 0) - 8);
    await writeFile(join(dir, 'log-1'), bytes);
    expect(itemIds(await open())).toEqual([1, 2, 3]);
    expect(await readFile(join(dir, 'log-1.damaged-1'))).toEqual(bytes);
  });

  it('again and again keeps each file that was damaged', async () => {
    for (const round of [1, 2, 3]) {
      const store = await open();
      for (const id of [1, 2, 3]) await addItem(store, round * 10 + id);
      await store.close();
      const log =
        (await readdir(dir))
          .filter((name) => /^log-\d+$/.test(name))
          .sort()
          .at(-1) ?? '';
      const bytes = await readFile(join(dir, log));
      bytes.fill(0, bytes.length - 90, bytes.length - 84);
      await writeFile(join(dir, log), bytes);
    }
    expect(itemIds(await open()).filter((id) => id % 10 !== 2)).toEqual([11, 13, 21, 23, 31, 33]);
    expect(await setAside()).toHaveLength(3);
  });

  it('on a disk that takes nothing is read, left as it is, and mended once the disk takes it', async () => {
    const ends = await make(5);
    await zero('log-1', ends[2] ?? 0, ends[3] ?? 0);
    const before = (await readdir(dir)).sort();
    disk.fail({ calls: ['write'], code: 'ENOSPC' });
    const store = await open();
    expect(itemIds(store)).toEqual([1, 2, 4, 5]);
    await expect(addItem(store, 9)).rejects.toMatchObject({ code: 'storage_full' });
    expect((await readdir(dir)).filter((name) => !name.endsWith('.tmp')).sort()).toEqual(before);
    disk.heal();
    await eventually(() => expect(store.writable).toBe(true));
    await expectHealthy(store, [1, 2, 4, 5]);
    expect(await setAside()).toEqual(['log-1.damaged-1']);
  });

  it('when the power goes in the middle of mending it is mended by the next start', async () => {
    const ends = await make(5);
    await zero('log-1', ends[2] ?? 0, ends[3] ?? 0);
    for (let calls = 0; calls < 24; calls += 1) {
      disk.loseAfter(calls);
      const store = await open();
      expect(itemIds(store), `after ${calls} calls`).toEqual([1, 2, 4, 5]);
      await store.close();
      disk.heal();
    }
    const store = await open();
    await expectHealthy(store, [1, 2, 4, 5]);
    expect(await setAside()).toEqual(['log-1.damaged-1']);
  });
});
