import { readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Store } from '../../server/store/types.ts';
import { eventually } from '../support/eventually.ts';
import { type FaultyDisk, faultyDisk } from '../support/faulty-disk.ts';
import { addItem, idsAfterCrash, itemIds, makeFolder, openItems } from '../support/items.ts';
import { readWithoutMemory } from '../support/no-memory.ts';

const LIMITS = { checkIntervalMs: 20, settledMs: 20_000 };

let root: string;
let dir: string;
let disk: FaultyDisk;
let store: Store;
let warnings: string[];

beforeEach(async () => {
  root = await makeFolder();
  dir = join(root, 'store');
  disk = faultyDisk();
  warnings = [];
  store = await openItems(dir, { disk, limits: LIMITS, warn: (message) => warnings.push(message) });
  await addItem(store, 1);
  await addItem(store, 2);
});
afterEach(async () => {
  disk.heal();
  await store.close();
  await rm(root, { recursive: true, force: true });
});

const resumed = (): Promise<void> => eventually(() => expect(store.writable).toBe(true));

describe('a disk that refuses', () => {
  const refusals = [
    { name: 'is full', calls: ['write'], code: 'ENOSPC', expected: 'storage_full' },
    { name: 'is over its quota', calls: ['write'], code: 'EDQUOT', expected: 'storage_full' },
    { name: 'has files too large', calls: ['write'], code: 'EFBIG', expected: 'storage_full' },
    { name: 'fills up at the sync', calls: ['datasync'], code: 'ENOSPC', expected: 'storage_full' },
    { name: 'fails to write', calls: ['write'], code: 'EIO', expected: 'storage_unavailable' },
    { name: 'fails to sync', calls: ['datasync'], code: 'EIO', expected: 'storage_unavailable' },
    {
      name: 'has become read-only',
      calls: ['write', 'datasync', 'truncate', 'unlink', 'mkdir', 'rename', 'syncDir'],
      code: 'EROFS',
      expected: 'storage_unavailable',
    },
  ] as const;

  for (const { name, calls, code, expected } of refusals) {
    it(`that ${name}: refuses all that wait, keeps none of it, reads on and resumes by itself`, async () => {
      disk.fail({ calls, code });
      const refused = await Promise.allSettled([addItem(store, 3), addItem(store, 4), addItem(store, 5)]);
      for (const outcome of refused) {
        expect(outcome).toMatchObject({ status: 'rejected', reason: { code: expected } });
      }
      expect(itemIds(store)).toEqual([1, 2]);
      expect(store.writable).toBe(false);

      let ran = false;
      await expect(store.write(() => (ran = true))).rejects.toMatchObject({ code: expected });
      expect(ran).toBe(false);
      expect(itemIds(store)).toEqual([1, 2]);
      await store.settled();

      disk.heal();
      await resumed();
      expect(await idsAfterCrash(dir)).toEqual([1, 2]);
      await addItem(store, 6);
      expect(await idsAfterCrash(dir)).toEqual([1, 2, 6]);
      await store.close();
      store = await openItems(dir, { disk });
      expect(itemIds(store)).toEqual([1, 2, 6]);
    });
  }

  it('in the middle of a record leaves no part of it', async () => {
    const before = await readFile(join(dir, 'log-1'));
    for (let bytes = 0; bytes < 28; bytes += 3) {
      disk.fail({ calls: ['write'], path: /log-1/, code: 'ENOSPC', afterBytes: bytes });
      await expect(addItem(store, 3)).rejects.toMatchObject({ code: 'storage_full' });
      expect(await readFile(join(dir, 'log-1'))).toEqual(before);
      disk.heal();
      await resumed();
    }
    await addItem(store, 3);
    expect(await idsAfterCrash(dir)).toEqual([1, 2, 3]);
  });

  it('refuses what gathered behind the batch that failed, and what was read of it', async () => {
    const release = disk.hang(['datasync']);
    const first = addItem(store, 3);
    await eventually(async () => expect((await readFile(join(dir, 'log-1'))).includes('item 3')).toBe(true));
    const second = addItem(store, 4);
    const unchanged = store.write((writer) => writer.get('SELECT max(id) AS id FROM items'));
    disk.fail({ calls: ['datasync'], code: 'EIO', times: 1 });
    release();
    for (const outcome of await Promise.allSettled([first, second, unchanged])) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'storage_unavailable' } });
    }
    await store.settled();
    expect(itemIds(store)).toEqual([1, 2]);
    await resumed();
    expect(await idsAfterCrash(dir)).toEqual([1, 2]);
  });

  it('loses nothing of what was already on disk, in the snapshot and the log', async () => {
    await store.compact();
    const [first, second] = [addItem(store, 3), addItem(store, 4)];
    await first;
    disk.fail({ calls: ['datasync'], code: 'EIO', times: 1 });
    await expect(Promise.all([addItem(store, 5), addItem(store, 6)])).rejects.toMatchObject({
      code: 'storage_unavailable',
    });
    await second;
    await resumed();
    expect(itemIds(store)).toEqual([1, 2, 3, 4]);
    await addItem(store, 7);
    expect(await idsAfterCrash(dir)).toEqual([1, 2, 3, 4, 7]);
  });

  it('shows readers that waited only what is durable', async () => {
    disk.fail({ calls: ['datasync'], code: 'EIO', times: 1 });
    const write = addItem(store, 3).catch(() => undefined);
    await store.settled();
    expect(itemIds(store)).toEqual([1, 2]);
    await write;
  });

  it('once is used again right away, and often in a row keeps its account straight', async () => {
    const kept = [1, 2];
    for (let id = 3; id < 40; id += 1) {
      if (id % 3 === 0) disk.fail({ calls: [id % 2 === 0 ? 'write' : 'datasync'], code: 'EIO', times: 1 });
      await addItem(store, id).then(
        () => kept.push(id),
        () => undefined,
      );
      await resumed();
    }
    expect(kept.length).toBeGreaterThan(20);
    expect(itemIds(store)).toEqual(kept);
    expect(await idsAfterCrash(dir)).toEqual(kept);
  });

  it('is tried at most a few times a second however many writes are refused', async () => {
    await store.close();
    store = await openItems(dir, { disk, limits: { checkIntervalMs: 10_000 } });
    disk.fail({ calls: ['write'], code: 'ENOSPC' });
    await expect(addItem(store, 3)).rejects.toMatchObject({ code: 'storage_full' });
    await store.settled();
    const before = disk.counts.get('write') ?? 0;
    for (let id = 0; id < 500; id += 1) await addItem(store, 10 + id).catch(() => undefined);
    expect((disk.counts.get('write') ?? 0) - before).toBeLessThan(20);
  });

  it('is not trusted again before it has taken a real write', async () => {
    disk.fail({ calls: ['datasync'], code: 'EIO', path: /log-1/, times: 1 });
    disk.fail({ calls: ['datasync'], code: 'EIO', path: /probe/ });
    await expect(addItem(store, 3)).rejects.toMatchObject({ code: 'storage_unavailable' });
    for (let time = 0; time < 5; time += 1) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(store.writable).toBe(false);
    }
    disk.heal();
    await resumed();
    expect((await readdir(dir)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('tells once when writes are refused and once when they go on', async () => {
    disk.fail({ calls: ['write'], code: 'ENOSPC' });
    for (let id = 3; id < 9; id += 1) await addItem(store, id).catch(() => undefined);
    disk.heal();
    await resumed();
    await eventually(() => expect(warnings.length).toBe(2));
    expect(warnings[0]).toContain('refused');
    expect(warnings[1]).toContain('accepted again');
  });

  it('at the start still lets a store be read', async () => {
    await store.close();
    disk.fail({ calls: ['write', 'datasync', 'truncate', 'unlink', 'mkdir', 'syncDir'], code: 'EROFS' });
    store = await openItems(dir, { disk, limits: LIMITS });
    expect(itemIds(store)).toEqual([1, 2]);
    expect(store.writable).toBe(false);
    await expect(addItem(store, 3)).rejects.toMatchObject({ code: 'storage_unavailable' });
    disk.heal();
    await resumed();
    await addItem(store, 3);
    expect(await idsAfterCrash(dir)).toEqual([1, 2, 3]);
  });

  it('at the very first start says so', async () => {
    disk.fail({ calls: ['mkdir'], code: 'EACCES' });
    await expect(openItems(join(root, 'new'), { disk })).rejects.toMatchObject({
      code: 'storage_unavailable',
    });
  });

  it('that hangs answers reads, and those who wait as soon as it comes back', async () => {
    const release = disk.hang(['write']);
    const write = addItem(store, 3);
    expect(itemIds(store)).toEqual([1, 2, 3]);
    release();
    expect(await write).toBe(1);
  });

  it('and can not even be read for a while goes on once it can', async () => {
    disk.fail({ calls: ['datasync', 'read', 'open'], code: 'EIO' });
    await expect(addItem(store, 3)).rejects.toMatchObject({ code: 'storage_unavailable' });
    expect(store.writable).toBe(false);
    disk.heal();
    await resumed();
    expect(itemIds(store)).toEqual([1, 2]);
    await addItem(store, 4);
    expect(await idsAfterCrash(dir)).toEqual([1, 2, 4]);
  });
});

describe('a database in memory that is lost', () => {
  it('in a write refuses that write alone and is rebuilt', async () => {
    const waiting = addItem(store, 3);
    const failed = store.write((writer) => {
      writer.run("INSERT INTO items (id, text) VALUES (4, 'four')");
      readWithoutMemory(writer);
    });
    await expect(failed).rejects.toMatchObject({ code: 'storage_unavailable' });
    expect(await waiting).toBe(1);
    await store.settled();
    expect(itemIds(store)).toEqual([1, 2, 3]);
    expect(store.writable).toBe(true);
    await addItem(store, 5);
    expect(await idsAfterCrash(dir)).toEqual([1, 2, 3, 5]);
  });

  it('in a read is rebuilt for the next', async () => {
    expect(() => store.read(readWithoutMemory)).toThrow(
      expect.objectContaining({ code: 'storage_unavailable' }) as Error,
    );
    await store.settled();
    expect(itemIds(store)).toEqual([1, 2]);
    await addItem(store, 3);
    expect(await idsAfterCrash(dir)).toEqual([1, 2, 3]);
  });

  it('is not kept when the work of the write hides that', async () => {
    const hidden = store.write((writer) => {
      writer.run("INSERT INTO items (id, text) VALUES (4, 'four')");
      try {
        readWithoutMemory(writer);
      } catch {
        return 'fine';
      }
      return 'finer';
    });
    await expect(hidden).rejects.toMatchObject({ code: 'storage_unavailable' });
    await store.settled();
    expect(itemIds(store)).toEqual([1, 2]);
  });

  it('after a write of which no record can be made is rebuilt without it', async () => {
    vi.spyOn(JSON, 'stringify').mockImplementationOnce(() => {
      throw new RangeError('Invalid string length');
    });
    await expect(addItem(store, 3)).rejects.toMatchObject({ code: 'storage_unavailable' });
    await store.settled();
    expect(itemIds(store)).toEqual([1, 2]);
    await addItem(store, 4);
    expect(await idsAfterCrash(dir)).toEqual([1, 2, 4]);
  });

  it('while the disk refuses what was waiting counts neither', async () => {
    disk.fail({ calls: ['datasync'], code: 'EIO', times: 1 });
    const waiting = addItem(store, 3);
    expect(() => store.read(readWithoutMemory)).toThrow();
    await expect(waiting).rejects.toMatchObject({ code: 'storage_unavailable' });
    await resumed();
    expect(itemIds(store)).toEqual([1, 2]);
    expect(await idsAfterCrash(dir)).toEqual([1, 2]);
  });

  it('during a compaction costs nothing', async () => {
    const release = disk.hang(['rename']);
    const compacting = store.compact().catch(() => undefined);
    const waiting = addItem(store, 3);
    expect(() => store.read(readWithoutMemory)).toThrow();
    release();
    expect(await waiting).toBe(1);
    await compacting;
    await resumed();
    await addItem(store, 4);
    await store.compact();
    expect(itemIds(store)).toEqual([1, 2, 3, 4]);
    expect(await idsAfterCrash(dir)).toEqual([1, 2, 3, 4]);
  });
});
