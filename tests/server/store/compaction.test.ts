import { readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Store } from '../../../server/store/types.ts';
import { openStore } from '../../../server/store/store.ts';
import { everyNth } from '../../support/effort.ts';
import { eventually } from '../../support/eventually.ts';
import { type FaultyDisk, faultyDisk } from '../../support/faulty-disk.ts';
import { addItem, idsAfterCrash, itemIds, makeFolder, openItems } from '../../support/items.ts';

let root: string;
let dir: string;
let disk: FaultyDisk;
let store: Store | undefined;

beforeEach(async () => {
  root = await makeFolder();
  dir = join(root, 'store');
  disk = faultyDisk();
});
afterEach(async () => {
  await store?.close();
  store = undefined;
  vi.restoreAllMocks();
  await rm(root, { recursive: true, force: true });
});

const idsUpTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

describe('a compaction', () => {
  it('happens by itself when the log outgrows the snapshot, and keeps one generation before', async () => {
    store = await openItems(dir, { disk, limits: { compactLogBytes: 4_000 } });
    const text = 'x'.repeat(1_000);
    let id = 0;
    while (!(await readdir(dir)).includes('snapshot-4.sqlite')) await addItem(store, (id += 1), text);
    await eventually(async () => {
      const names = (await readdir(dir)).sort();
      // On a busy machine what was added meanwhile may have begun another.
      const newest = Number(/snapshot-(\d+)\.sqlite/.exec(names.at(-1) ?? '')?.[1]);
      expect(newest).toBeGreaterThanOrEqual(4);
      const kept = [newest - 1, newest];
      expect(names).toEqual([
        ...kept.map((at) => `log-${at}`),
        ...kept.flatMap((at) => [`snapshot-${at}.check`, `snapshot-${at}.sqlite`]),
      ]);
    });
    await store.close();
    store = await openItems(dir, { disk });
    expect(itemIds(store)).toEqual(idsUpTo(id));
  });

  it('takes writes all the while', async () => {
    store = await openItems(dir, { disk });
    await addItem(store, 1);
    const release = disk.hang(['rename']);
    const compacting = store.compact();
    await addItem(store, 2);
    release();
    await addItem(store, 3);
    await compacting;
    await addItem(store, 4);
    expect(await idsAfterCrash(dir)).toEqual([1, 2, 3, 4]);
  });

  it('holds in its snapshot nothing that the disk refused', async () => {
    store = await openItems(dir, { disk });
    await addItem(store, 1);
    const release = disk.hang(['datasync'], /log-1/);
    const refused = [addItem(store, 2)];
    await eventually(() => expect(disk.counts.get('write')).toBeGreaterThan(2));
    // While item 2 waits for its sync, the copy is taken and the next log begins: with it in memory, and item 3 behind.
    const compacting = store.compact();
    const isCopied = async (): Promise<boolean> => (await readdir(dir)).includes('log-2');
    await eventually(async () => expect(await isCopied()).toBe(true));
    await new Promise((resolve) => setTimeout(resolve, 50));
    refused.push(addItem(store, 3));
    disk.fail({ calls: ['datasync'], path: /log-1/, code: 'EIO', times: 1 });
    const outcomes = Promise.allSettled([...refused, compacting]);
    release();
    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'storage_unavailable' } });
    }
    expect(itemIds(store)).toEqual([1]);
    await eventually(() => expect(store?.writable).toBe(true));
    expect(await idsAfterCrash(dir)).toEqual([1]);
    await addItem(store, 4);
    await store.compact();
    await store.close();
    store = await openItems(dir, { disk });
    expect(itemIds(store)).toEqual([1, 4]);
  });

  it('loses nothing whichever call to the disk is the last before a crash', async () => {
    let finished = false;
    for (let calls = 0; !finished; calls += everyNth(3)) {
      const folder = join(root, `crash-${calls}`);
      const dying = faultyDisk();
      const first = await openItems(folder, { disk: dying, limits: { settledMs: 20, closeWaitMs: 20 } });
      await addItem(first, 1);
      await first.compact();
      await addItem(first, 2);
      const acknowledged = [1, 2];
      const add = (id: number): Promise<unknown> =>
        addItem(first, id).then(
          () => acknowledged.push(id),
          () => undefined,
        );
      dying.loseAfter(calls);
      const writes = [add(3)];
      const compacting = first.compact().then(
        () => true,
        () => false,
      );
      for (const id of [4, 5, 6]) {
        writes.push(add(id));
        await new Promise((resolve) => setImmediate(resolve));
      }
      await Promise.all(writes);
      finished = (await compacting) && !dying.lost;
      await first.close();

      const second = await openItems(folder);
      const ids = itemIds(second);
      expect(ids).toEqual(expect.arrayContaining(acknowledged));
      expect(ids).toEqual(idsUpTo(ids.length));
      await addItem(second, 100);
      await second.compact();
      await second.close();
      const third = await openItems(folder);
      expect(itemIds(third)).toEqual([...ids, 100]);
      await third.close();
    }
  });

  it('that fails loses nothing and holds nothing up', async () => {
    store = await openItems(dir, { disk });
    await addItem(store, 1);
    for (const path of [/snapshot-\d+\.sqlite/, /snapshot-\d+\.check/, /log-\d+/]) {
      disk.fail({ calls: ['write'], path, code: 'ENOSPC' });
      await expect(store.compact()).rejects.toMatchObject({ code: 'storage_full' });
      disk.heal();
    }
    await addItem(store, 2);
    expect((await readdir(dir)).filter((name) => name.startsWith('snapshot'))).toEqual([]);
    expect(await idsAfterCrash(dir)).toEqual([1, 2]);
    await store.compact();
    await store.close();
    store = await openItems(dir, { disk });
    expect(itemIds(store)).toEqual([1, 2]);
  });

  it('that failed is tried again by itself', async () => {
    const warnings: string[] = [];
    const limits = { compactLogBytes: 500, compactRetryMs: 50 };
    store = await openItems(dir, { disk, limits, warn: (message) => warnings.push(message) });
    disk.fail({ calls: ['write'], path: /snapshot-\d+\.sqlite/, code: 'ENOSPC', afterBytes: 100 });
    for (let id = 1; id <= 40; id += 1) await addItem(store, id);
    await eventually(() => expect(warnings.join()).toContain('could not be made'));
    disk.heal();
    await addItem(store, 41);
    await eventually(async () => expect((await readdir(dir)).join()).toMatch(/snapshot-\d+\.sqlite/));
    await store.close();
    store = await openItems(dir, { disk });
    expect(itemIds(store)).toEqual(idsUpTo(41));
  });

  it('with dropPrevious leaves no trace of deleted text in any file', async () => {
    store = await openStore({
      dir,
      disk,
      migrations: [
        [
          'CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT NOT NULL)',
          'CREATE VIRTUAL TABLE words USING fts4(content="texts", text)',
        ],
      ],
    });
    const secret = 'abracadabra';
    const long = `${secret} ${'padding '.repeat(2_000)}${secret}`;
    for (let id = 1; id <= 20; id += 1) {
      const text = id === 7 ? long : `harmless ${id}`;
      await store.write((writer) => {
        writer.run('INSERT INTO texts (id, text) VALUES (?, ?)', [id, text]);
        writer.run('INSERT INTO words (docid, text) VALUES (?, ?)', [id, text]);
      });
      if (id === 10) await store.compact();
    }
    const holders = async (): Promise<string[]> => {
      const names = await readdir(dir);
      const found = await Promise.all(
        names.map(async (name) => (await readFile(join(dir, name))).includes(secret)),
      );
      return names.filter((_, index) => found[index]);
    };
    expect(await holders()).not.toEqual([]);
    await store.write((writer) => {
      writer.run('DELETE FROM words WHERE docid = 7');
      writer.run('DELETE FROM texts WHERE id = 7');
    });
    await store.compact({ dropPrevious: true });
    expect(await holders()).toEqual([]);
    expect((await readdir(dir)).sort()).toEqual(['log-3', 'snapshot-3.check', 'snapshot-3.sqlite']);
    await store.close();
    store = await openStore({ dir, migrations: [[]] });
    expect(store.read((reader) => reader.get('SELECT count(*) AS n FROM texts'))).toEqual({ n: 19 });
  });

  it('runs in a thread of its own over the real disk, which ends with it', async () => {
    store = await openItems(dir);
    for (let id = 1; id <= 200; id += 1) await addItem(store, id, 'x'.repeat(1_000));
    const threads = (): number =>
      process.getActiveResourcesInfo().filter((name) => name === 'MessagePort' || name === 'Worker').length;
    const before = threads();
    await store.compact();
    expect(threads()).toBe(before);
    expect(await readdir(dir)).toContain('snapshot-2.sqlite');
    await store.close();
    store = await openItems(dir);
    expect(itemIds(store)).toEqual(idsUpTo(200));
    const closing = store.compact();
    await store.close();
    await expect(closing).rejects.toMatchObject({ code: 'storage_unavailable' });
    store = await openItems(dir);
    expect(itemIds(store)).toEqual(idsUpTo(200));
  });

  it('happens when the store is at rest, for a log that is not long enough otherwise', async () => {
    const limits = { idleLogBytes: 2_000, idleMs: 20 };
    store = await openItems(dir, { disk });
    await store.compact();
    await store.close();
    // Only now: a slow machine may be at rest before it compacts.
    store = await openItems(dir, { disk, limits });
    await addItem(store, 1);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await readdir(dir)).not.toContain('snapshot-3.sqlite');
    await addItem(store, 2, 'x'.repeat(3_000));
    await eventually(async () => expect(await readdir(dir)).toContain('snapshot-3.sqlite'));
  });

  it('makes the first snapshot when the store is at rest, however short the log is', async () => {
    store = await openItems(dir, { disk, limits: { idleMs: 20 } });
    await addItem(store, 1);
    await eventually(async () => expect(await readdir(dir)).toContain('snapshot-2.sqlite'));
    await store.close();
    store = await openItems(dir, { disk, limits: { idleMs: 20 } });
    expect(itemIds(store)).toEqual([1]);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await readdir(dir)).not.toContain('snapshot-3.sqlite');
  });

  it('gives up the second line of defence rather than not having room for the next snapshot', async () => {
    store = await openItems(dir, { disk });
    await addItem(store, 1, 'x'.repeat(100_000));
    await store.compact();
    await store.compact();
    expect(await readdir(dir)).toContain('snapshot-2.sqlite');
    disk.freeBytes = async () => ((await readdir(dir)).includes('snapshot-2.sqlite') ? 0 : Infinity);
    await store.compact();
    expect((await readdir(dir)).filter((name) => name.endsWith('sqlite'))).toEqual([
      'snapshot-3.sqlite',
      'snapshot-4.sqlite',
    ]);
  });

  it('without room is told and tried ever more rarely, writes nothing, and goes on when there is room', async () => {
    const warnings: string[] = [];
    const limits = { compactLogBytes: 500, compactRetryMs: 20, limitBytes: 10_000_000 };
    store = await openItems(dir, { disk, limits, warn: (message) => warnings.push(message) });
    disk.leaveFree(1_000);
    const timers = vi.spyOn(globalThis, 'setTimeout');
    await addItem(store, 1, 'x'.repeat(1_000));
    // Each try begins a log.
    await eventually(async () => expect(await readdir(dir)).toContain('log-6'));
    const waits = timers.mock.calls.filter(([work]) => work.name === 'tryAgain').map(([, ms]) => ms);
    expect(waits.slice(0, 4)).toEqual([20, 40, 80, 160]);
    expect(store.usage().notices).toMatchObject([
      { code: 'not_compacted', message: expect.stringContaining('enough free space') as string },
    ]);
    expect(warnings).toHaveLength(1);
    expect((await readdir(dir)).join()).not.toMatch(/snapshot/);
    disk.leaveFree(null);
    await eventually(async () => expect((await readdir(dir)).join()).toMatch(/snapshot-\d+\.sqlite/));
    await eventually(() => expect(store?.usage().notices).toEqual([]));
    expect(itemIds(store)).toEqual([1]);
  });
});
