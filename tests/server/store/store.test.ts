import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../../server/store/store.ts';
import type { Store, Writer } from '../../../server/store/types.ts';
import { eventually } from '../../support/eventually.ts';
import { type FaultyDisk, faultyDisk } from '../../support/faulty-disk.ts';
import { countHeld } from '../../support/garbage.ts';
import {
  ITEM_MIGRATIONS,
  addItem,
  idsAfterCrash,
  itemIds,
  makeFolder,
  openItems,
  readAfterCrash,
} from '../../support/items.ts';

let root: string;
let dir: string;
let disk: FaultyDisk;
let store: Store;

beforeEach(async () => {
  root = await makeFolder();
  dir = join(root, 'store');
  disk = faultyDisk();
  store = await openItems(dir, { disk });
});
afterEach(async () => {
  await store.close();
  await rm(root, { recursive: true, force: true });
});

const logSize = async (): Promise<number> => (await stat(join(dir, 'log-1'))).size;

describe('write', () => {
  it('runs at once in memory and resolves with the result when it is on disk', async () => {
    const release = disk.hang(['datasync']);
    let stored = false;
    const write = store.write((writer) => writer.run("INSERT INTO items (id, text) VALUES (1, 'one')"));
    void write.then(() => (stored = true));
    expect(itemIds(store)).toEqual([1]);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(stored).toBe(false);
    release();
    expect(await write).toBe(1);
  });

  it('changes nothing and rejects with what its work threw', async () => {
    const before = await logSize();
    const error = new Error('changed my mind');
    const write = store.write((writer) => {
      writer.run("INSERT INTO items (id, text) VALUES (1, 'one')");
      throw error;
    });
    await expect(write).rejects.toBe(error);
    expect(itemIds(store)).toEqual([]);
    await addItem(store, 2);
    expect(await logSize()).toBeGreaterThan(before);
    expect(await idsAfterCrash(dir)).toEqual([2]);
  });

  it('repeats only the statements that went through', async () => {
    await store.write((writer) => {
      writer.run("INSERT INTO items (id, text) VALUES (1, 'one')");
      expect(() => writer.run("INSERT INTO items (id, text) VALUES (1, 'again')")).toThrow(/UNIQUE/);
      writer.run("INSERT INTO items (id, text) VALUES (2, 'two')");
    });
    await store.close();
    store = await openItems(dir, { disk });
    expect(itemIds(store)).toEqual([1, 2]);
  });

  it('logs nothing that changes nothing, yet waits for what came before', async () => {
    await addItem(store, 1);
    const before = await logSize();
    await store.write((writer) => writer.run('DELETE FROM items WHERE id = 99'));
    expect(await store.write((writer) => writer.get('SELECT count(*) AS n FROM items'))).toEqual({ n: 1 });
    expect(await logSize()).toBe(before);

    const release = disk.hang(['datasync']);
    const settledInOrder: string[] = [];
    const first = addItem(store, 2).then(() => settledInOrder.push('change'));
    const second = store.write(() => 0).then(() => settledInOrder.push('none'));
    release();
    await Promise.all([first, second]);
    expect(settledInOrder).toEqual(['change', 'none']);
  });

  it('shares one sync among all that arrive together', async () => {
    const syncs = disk.counts.get('datasync') ?? 0;
    await Promise.all(Array.from({ length: 200 }, (_, id) => addItem(store, id)));
    expect((disk.counts.get('datasync') ?? 0) - syncs).toBe(1);
  });

  it('gathers the next batch while one is being synced', async () => {
    const release = disk.hang(['datasync']);
    const first = addItem(store, 1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    const rest = [2, 3, 4, 5].map((id) => addItem(store, id));
    const syncs = disk.counts.get('datasync') ?? 0;
    release();
    await Promise.all([first, ...rest]);
    expect((disk.counts.get('datasync') ?? 0) - syncs).toBe(2);
  });

  it('refuses to run inside another, after its callback, or with asynchronous work', async () => {
    let inner: Promise<unknown> = Promise.resolve();
    let kept: Writer | undefined;
    await store.write((writer) => {
      kept = writer;
      inner = store.write(() => 1).catch((error: unknown) => error);
    });
    expect(await inner).toBeInstanceOf(Error);
    expect(() => kept?.run("INSERT INTO items (id, text) VALUES (1, 'late')")).toThrow(/inside its callback/);
    const asynchronous = store.write(async (writer) => {
      writer.run("INSERT INTO items (id, text) VALUES (1, 'one')");
    });
    await expect(asynchronous).rejects.toThrow(/synchronous/);
    expect(itemIds(store)).toEqual([]);
  });

  it('refuses parameters that would come back as something else', async () => {
    for (const value of [NaN, Infinity, undefined, true, 1n, {}]) {
      const write = store.write((writer) =>
        writer.run('INSERT INTO items (text) VALUES (?)', [value as string]),
      );
      await expect(write).rejects.toThrow(/must be a string, a finite number or null/);
    }
    expect(itemIds(store)).toEqual([]);
  });

  it('takes large transactions, written in whatever pieces the disk takes', async () => {
    disk.takeAtMost(1000);
    const text = 'ä🎉'.repeat(30_000);
    await store.write((writer) => {
      for (let id = 1; id <= 3; id += 1) writer.run('INSERT INTO items (id, text) VALUES (?, ?)', [id, text]);
    });
    const texts = await readAfterCrash(dir, (copy) =>
      copy.read((reader) => reader.all('SELECT DISTINCT text FROM items')),
    );
    expect(texts).toEqual([{ text }]);
  });
});

describe('settled', () => {
  it('resolves at once when nothing is under way', async () => {
    await addItem(store, 1);
    const release = disk.hang(['write', 'datasync']);
    await store.settled();
    release();
  });

  it('waits for what readers can see', async () => {
    const release = disk.hang(['datasync']);
    const order: string[] = [];
    const write = addItem(store, 1).then(() => order.push('stored'));
    const settled = store.settled().then(() => order.push('settled'));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(order).toEqual([]);
    release();
    await Promise.all([write, settled]);
    expect(order).toEqual(['stored', 'settled']);
  });

  it('does not wait for what comes after it', async () => {
    const write = addItem(store, 1);
    const settled = store.settled();
    await write;
    const release = disk.hang(['datasync']);
    const later = addItem(store, 2);
    await settled;
    release();
    await later;
  });

  it('gives up on a disk that hangs, and then holds up no further reader', async () => {
    await store.close();
    store = await openItems(dir, { disk, limits: { settledMs: 50 } });
    const release = disk.hang(['datasync']);
    const write = addItem(store, 1);
    await store.settled();
    const later = new Promise((resolve) => setImmediate(() => resolve('later')));
    expect(await Promise.race([store.settled().then(() => 'at once'), later])).toBe('at once');
    release();
    await write;
  });
});

describe('close', () => {
  it('lets go of everything at once, however short the time since the last write', async () => {
    const listeners: WeakRef<WeakKey>[] = [];
    for (let count = 0; count < 4; count += 1) {
      const written = await openItems(join(root, `written-${count}`));
      const listener = (): void => undefined;
      written.onChange(listener);
      listeners.push(new WeakRef(listener));
      await addItem(written, 1);
      await written.close();
    }
    // Node keeps the copy of sql.js that it loaded last.
    await eventually(async () => expect(await countHeld(listeners)).toBeLessThanOrEqual(1));
  });

  it('waits for what is under way and refuses what comes after', async () => {
    const write = addItem(store, 1);
    const closing = store.close();
    await expect(addItem(store, 2)).rejects.toMatchObject({ code: 'shutting_down' });
    expect(store.writable).toBe(false);
    await closing;
    expect(await write).toBe(1);
    await store.close();
    store = await openItems(dir, { disk });
    expect(itemIds(store)).toEqual([1]);
  });

  it('gives up a compaction under way, and loses nothing by it', async () => {
    await addItem(store, 1);
    const release = disk.hang(['write'], /snapshot/);
    const compacting = store.compact();
    await eventually(async () => expect(await readdir(dir)).toContain('log-2'));
    const closing = store.close();
    release();
    await expect(compacting).rejects.toMatchObject({ code: 'storage_unavailable' });
    await closing;
    expect((await readdir(dir)).filter((name) => name.startsWith('snapshot'))).toEqual([]);
    store = await openItems(dir, { disk });
    expect(itemIds(store)).toEqual([1]);
  });

  it('does not wait for ever for a disk that hangs', async () => {
    await store.close();
    store = await openItems(dir, {
      disk,
      limits: { closeWaitMs: 20 },
    });
    await addItem(store, 1);
    const release = disk.hang(['write', 'datasync', 'unlink']);
    await store.close();
    release();
    await new Promise((resolve) => setTimeout(resolve, 50));
    store = await openItems(dir, { disk });
    expect(itemIds(store)).toEqual([1]);
  });
});

describe('migrations', () => {
  it('run once each, in order, in one transaction each', async () => {
    await addItem(store, 1);
    await store.close();
    const migrations = [
      ...ITEM_MIGRATIONS,
      [
        "ALTER TABLE items ADD COLUMN note TEXT NOT NULL DEFAULT ''",
        "UPDATE items SET note = 'from ' || text",
      ],
    ];
    for (let time = 0; time < 3; time += 1) {
      store = await openStore({ dir, disk, migrations });
      expect(store.read((reader) => reader.all('SELECT * FROM items'))).toEqual([
        { id: 1, text: 'item 1', note: 'from item 1' },
      ]);
      await store.close();
    }
  });

  it('that fail leave the schema of the version before', async () => {
    await addItem(store, 1);
    await store.close();
    const broken = ['ALTER TABLE items ADD COLUMN note TEXT', 'CREATE TABLE items (id INTEGER)'];
    await expect(openStore({ dir, disk, migrations: [...ITEM_MIGRATIONS, broken] })).rejects.toThrow(
      /already exists/,
    );
    store = await openItems(dir, { disk });
    expect(store.read((reader) => reader.all('SELECT * FROM items'))).toEqual([{ id: 1, text: 'item 1' }]);
  });

  it('of Parley itself go through and survive a compaction', async () => {
    await store.close();
    const own = join(root, 'own');
    store = await openStore({ dir: own, disk });
    await store.write((writer) => writer.run('INSERT INTO settings (name, value) VALUES (?, ?)', ['a', '1']));
    await store.compact();
    await store.close();
    store = await openStore({ dir: own, disk });
    expect(store.read((reader) => reader.all('SELECT name, value FROM settings'))).toEqual([
      { name: 'a', value: '1' },
    ]);
  });
});
