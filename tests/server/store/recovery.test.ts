import { copyFile, mkdir, readFile, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import initSqlJs from 'sql.js';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HEADER_BYTES, LOG_FORMAT, encodeHeader } from '../../../server/store/log-format.ts';
import { StoreOpenError } from '../../../server/store/store-error.ts';
import { openStore } from '../../../server/store/store.ts';
import type { Store } from '../../../server/store/types.ts';
import { everyNth } from '../../support/effort.ts';
import {
  ITEM_MIGRATIONS,
  addItem,
  crashImage,
  itemIds,
  makeFolder,
  openItems,
  removeImage,
} from '../../support/items.ts';
import { modeOf, PRIVATE_FILE, PRIVATE_FOLDER } from '../../support/platform.ts';

let root: string;
let dir: string;
let opened: Store[];

beforeEach(async () => {
  root = await makeFolder();
  dir = join(root, 'store');
  opened = [];
});
afterEach(async () => {
  for (const store of opened) await store.close();
  await rm(root, { recursive: true, force: true });
});

async function open(folder = dir, warnings: string[] = []): Promise<Store> {
  const store = await openItems(folder, { warn: (message) => warnings.push(message) });
  opened.push(store);
  return store;
}

/** A store in generation 3: snapshot 2, log 2, snapshot 3 and log 3, with items 1 to 6, two for each generation. */
async function threeGenerations(): Promise<void> {
  const store = await openItems(dir);
  for (let id = 1; id <= 6; id += 1) {
    await addItem(store, id);
    if (id === 2 || id === 4) await store.compact();
  }
  await store.close();
}

async function flip(path: string, offset: number, length = 1): Promise<void> {
  const bytes = await readFile(path);
  for (let at = offset; at < offset + length; at += 1) bytes[at] = (bytes[at] ?? 0) ^ 0x20;
  await writeFile(path, bytes);
}

/** Every file's name and content. */
async function contents(folder: string): Promise<Map<string, string>> {
  const names = (await readdir(folder)).sort();
  return new Map(
    await Promise.all(
      names.map(async (name) => [name, (await readFile(join(folder, name))).toString('base64')] as const),
    ),
  );
}

/** Removes an image; Windows removes no file that is open. */
async function closeAndRemove(image: string): Promise<void> {
  for (const store of opened) await store.close();
  await removeImage(image);
}

describe('opening', () => {
  it('makes a private folder with private files', async () => {
    const store = await open();
    await addItem(store, 1);
    await store.compact();
    expect(await modeOf(dir)).toBe(PRIVATE_FOLDER);
    for (const name of await readdir(dir)) expect(await modeOf(join(dir, name))).toBe(PRIVATE_FILE);
  });

  it('starts empty in an empty folder, and in one with only the start of a first log', async () => {
    await mkdir(dir);
    expect(itemIds(await open())).toEqual([]);
    for (let length = 0; length < HEADER_BYTES; length += 7) {
      const folder = join(root, `torn-${length}`);
      await mkdir(folder);
      await writeFile(join(folder, 'log-1'), encodeHeader(1).subarray(0, length));
      const store = await open(folder);
      await addItem(store, 1);
      await store.close();
      expect(itemIds(await open(folder))).toEqual([1]);
    }
  });

  it('gives back everything that was acknowledged, without a clean close', async () => {
    const store = await open();
    for (let id = 1; id <= 5; id += 1) await addItem(store, id);
    const image = await crashImage(dir);
    expect(itemIds(await open(image))).toEqual([1, 2, 3, 4, 5]);
    await closeAndRemove(image);
  });

  it('removes what a crash left half written', async () => {
    await threeGenerations();
    for (const name of ['snapshot-4.sqlite.tmp', 'snapshot-4.check.tmp', 'log-4.tmp', 'probe.tmp']) {
      await writeFile(join(dir, name), 'half');
    }
    expect(itemIds(await open())).toEqual([1, 2, 3, 4, 5, 6]);
    expect((await readdir(dir)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('reads a snapshot that stands alone, as a copy by hand leaves it', async () => {
    await threeGenerations();
    const folder = join(root, 'copy');
    await mkdir(folder);
    await copyFile(join(dir, 'snapshot-3.sqlite'), join(folder, 'snapshot-3.sqlite'));
    const store = await open(folder);
    expect(itemIds(store)).toEqual([1, 2, 3, 4]);
    await addItem(store, 9);
    await store.close();
    expect(itemIds(await open(folder))).toEqual([1, 2, 3, 4, 9]);
  });

  it('writes snapshots that any SQLite opens', async () => {
    await threeGenerations();
    const { Database } = await initSqlJs();
    const database = new Database(await readFile(join(dir, 'snapshot-3.sqlite')));
    const valuesOf = (sql: string): unknown => database.exec(sql)[0]?.values;
    expect(valuesOf('SELECT id, text FROM items ORDER BY id')).toEqual(
      [1, 2, 3, 4].map((id) => [id, `item ${id}`]),
    );
    expect(valuesOf('PRAGMA integrity_check')).toEqual([['ok']]);
    expect(valuesOf('PRAGMA user_version')).toEqual([[1]]);
    database.close();
  });
});

describe('a log that ends in something torn', () => {
  /** A log of ten transactions of two items each, with where each of its last records ends. */
  async function makeLog(): Promise<{ log: Buffer; ends: number[] }> {
    const store = await openItems(dir);
    const ends: number[] = [];
    for (let id = 1; id <= 20; id += 2) {
      await store.write((writer) => {
        writer.run('INSERT INTO items (id, text) VALUES (?, ?)', [id, `item ${id}`]);
        writer.run('INSERT INTO items (id, text) VALUES (?, ?)', [id + 1, `item ${id + 1}`]);
      });
      ends.push((await stat(join(dir, 'log-1'))).size);
    }
    const log = await readFile(join(dir, 'log-1'));
    await store.close();
    return { log, ends };
  }
  const idsUpTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

  it('keeps all whole records, and no part of another, wherever it is cut', async () => {
    const { log, ends } = await makeLog();
    for (let length = ends[6] ?? 0; length <= log.length; length += everyNth(12)) {
      const folder = join(root, 'cut');
      await mkdir(folder);
      await writeFile(join(folder, 'log-1'), log.subarray(0, length));
      const whole = ends.filter((end) => end <= length);
      const store = await openItems(folder);
      expect(itemIds(store)).toEqual(idsUpTo(2 * whole.length));
      expect((await stat(join(folder, 'log-1'))).size).toBe(whole.at(-1));
      await addItem(store, 100);
      await store.close();
      const again = await openItems(folder);
      expect(itemIds(again)).toEqual([...idsUpTo(2 * whole.length), 100]);
      await again.close();
      await rm(folder, { recursive: true });
    }
  });

  it('is not mended by what an earlier writing left behind the cut', async () => {
    const { log, ends } = await makeLog();
    const whole = ends[7] ?? 0;
    // The old tail stands behind a new record of the very same length and sequence number.
    await writeFile(join(dir, 'log-1'), log.subarray(0, whole));
    const store = await openItems(dir);
    await store.write((writer) => {
      writer.run('INSERT INTO items (id, text) VALUES (?, ?)', [57, 'item 57']);
      writer.run('INSERT INTO items (id, text) VALUES (?, ?)', [58, 'item 58']);
    });
    await store.close();
    const fresh = await readFile(join(dir, 'log-1'));
    expect(fresh.length).toBe(ends[8]);
    await writeFile(join(dir, 'log-1'), Buffer.concat([fresh, log.subarray(fresh.length)]));
    expect(itemIds(await open())).toEqual([...idsUpTo(16), 57, 58]);
  });
});

describe('damage', () => {
  it('in the newest snapshot falls back to the one before, with both logs, and keeps the bad file', async () => {
    await threeGenerations();
    const size = (await stat(join(dir, 'snapshot-3.sqlite'))).size;
    for (const offset of [0, 20, 100, size - 1, Math.floor(size / 2)]) {
      const image = await crashImage(dir);
      await flip(join(image, 'snapshot-3.sqlite'), offset);
      const warnings: string[] = [];
      const store = await open(image, warnings);
      expect(itemIds(store)).toEqual([1, 2, 3, 4, 5, 6]);
      expect(await readdir(image)).toContain('snapshot-3.sqlite.damaged-1');
      expect(warnings.join()).toContain('snapshot-3.sqlite was set aside');
      await addItem(store, 7);
      await store.close();
      expect(itemIds(await open(image))).toEqual([1, 2, 3, 4, 5, 6, 7]);
      await closeAndRemove(image);
    }
  });

  it('of any size at the end of the newest snapshot falls back as well', async () => {
    await threeGenerations();
    for (const size of [0, 1, 4096]) {
      const image = await crashImage(dir);
      await truncate(join(image, 'snapshot-3.sqlite'), size);
      expect(itemIds(await open(image))).toEqual([1, 2, 3, 4, 5, 6]);
      await closeAndRemove(image);
    }
  });

  it('in the first snapshot falls back to the beginning', async () => {
    const store = await openItems(dir);
    for (const id of [1, 2]) await addItem(store, id);
    await store.compact();
    await addItem(store, 3);
    await store.close();
    await writeFile(join(dir, 'snapshot-2.sqlite'), 'nothing');
    expect(itemIds(await open())).toEqual([1, 2, 3]);
  });

  it('in what vouches for a snapshot leaves the snapshot in use', async () => {
    await threeGenerations();
    const size = (await stat(join(dir, 'snapshot-3.check'))).size;
    for (let offset = 0; offset < size; offset += everyNth(5)) {
      const image = await crashImage(dir);
      await flip(join(image, 'snapshot-3.check'), offset);
      const store = await openItems(image);
      expect(itemIds(store)).toEqual([1, 2, 3, 4, 5, 6]);
      await store.close();
      await closeAndRemove(image);
    }
  });

  it('of every snapshot, beyond reading, leaves what the logs hold, keeps the bad files and says so', async () => {
    await threeGenerations();
    for (const name of ['snapshot-2.sqlite', 'snapshot-3.sqlite'])
      await writeFile(join(dir, name), 'nothing');
    const warnings: string[] = [];
    const store = await open(dir, warnings);
    expect(itemIds(store)).toEqual([3, 4, 5, 6]);
    expect(await readdir(dir)).toEqual(
      expect.arrayContaining(['snapshot-2.sqlite.damaged-1', 'snapshot-3.sqlite.damaged-1']),
    );
    expect(store.usage().notices).toMatchObject([{ code: 'damaged' }]);
    expect(warnings.join()).toMatch(/could be read as a whole.*no backup/);
    await store.close();
    expect(itemIds(await open())).toEqual([3, 4, 5, 6]);
  });

  it('of both snapshots costs nothing when the older one can be repaired as a whole', async () => {
    await threeGenerations();
    const { size } = await stat(join(dir, 'snapshot-2.sqlite'));
    await flip(join(dir, 'snapshot-2.sqlite'), size - 5);
    await flip(join(dir, 'snapshot-3.sqlite'), (await stat(join(dir, 'snapshot-3.sqlite'))).size - 100, 100);
    const store = await open();
    expect(itemIds(store)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(store.usage().notices).toEqual([]);
  });

  it('of everything is refused and changes nothing', async () => {
    await threeGenerations();
    for (const name of await readdir(dir)) await writeFile(join(dir, name), 'nothing');
    const before = await contents(dir);
    await expect(open()).rejects.toMatchObject({ name: 'StoreOpenError', reason: 'damaged' });
    expect(await contents(dir)).toEqual(before);
  });

  it.each([
    ['by one bit costs nothing, wherever it is', 1, 401],
    ['by a hundred bytes costs a few items at most where it can, and names the backup', 100, 330],
  ])('of the only snapshot %s', async (_, length, fewest) => {
    const made = await openItems(dir);
    const all = Array.from({ length: 400 }, (_, index) => index + 1);
    for (const id of all) void addItem(made, id, `item ${id} ${'x'.repeat(id)}`);
    await made.compact({ dropPrevious: true });
    await addItem(made, 401);
    await made.close();
    const { size } = await stat(join(dir, 'snapshot-2.sqlite'));
    const offsets = [0, 17, 18, 21, 31, 40, 63, 70, 96, 100, 105, 107, 120, 4_096, 4_099, 4_110];
    for (let offset = 4_200; offset < size; offset += everyNth(73_734)) offsets.push(offset);
    for (const offset of offsets) {
      const image = await crashImage(dir);
      await flip(join(image, 'snapshot-2.sqlite'), offset, length);
      const warnings: string[] = [];
      const store = await openItems(image, {
        warn: (message) => warnings.push(message),
        newestBackup: () => Promise.resolve('parley-x.json.gz'),
      });
      opened.push(store);
      const ids = itemIds(store);
      expect(ids, `byte ${offset}`).toContain(401);
      // Where the list of tables or the root of one is damaged, nothing but the log is left.
      if (length === 1 || offset === 0 || offset > 8_192)
        expect(ids.length, `byte ${offset}`).toBeGreaterThanOrEqual(fewest);
      expect(warnings.join()).toContain(length === 1 ? 'was set aside' : 'parley-x.json.gz');
      expect(await readdir(image)).toContain('snapshot-2.sqlite.damaged-1');
      await addItem(store, 402);
      await store.close();
      const again = await open(image);
      expect(itemIds(again)).toEqual([...ids, 402].sort((a, b) => a - b));
      expect(again.usage().notices).toEqual([]);
      await again.close();
      await closeAndRemove(image);
    }
  });

  it('of the only snapshot, whose start was overwritten by zeros, leaves the log', async () => {
    const made = await openItems(dir);
    await addItem(made, 1);
    await made.compact({ dropPrevious: true });
    await addItem(made, 2);
    await made.close();
    const bytes = await readFile(join(dir, 'snapshot-2.sqlite'));
    for (const length of [100, 512, 4_096]) {
      const image = await crashImage(dir);
      await writeFile(join(image, 'snapshot-2.sqlite'), Buffer.from(bytes).fill(0, 0, length));
      const store = await open(image);
      expect(itemIds(store), `${length} bytes`).toEqual([2]);
      expect(store.usage().notices).toMatchObject([{ code: 'damaged' }]);
      expect(await readdir(image)).toContain('snapshot-2.sqlite.damaged-1');
      await closeAndRemove(image);
    }
  });

  it('of the only snapshot, whose end was overwritten by zeros, costs what stood there alone', async () => {
    const made = await openItems(dir);
    const all = Array.from({ length: 400 }, (_, index) => index + 1);
    for (const id of all) void addItem(made, id, `item ${id} ${'x'.repeat(id)}`);
    await made.compact({ dropPrevious: true });
    await addItem(made, 401);
    await made.close();
    const bytes = await readFile(join(dir, 'snapshot-2.sqlite'));
    for (const length of [300, 1_000, 3_000, 10_000, 30_000]) {
      const image = await crashImage(dir);
      await writeFile(join(image, 'snapshot-2.sqlite'), Buffer.from(bytes).fill(0, bytes.length - length));
      const store = await open(image);
      const ids = itemIds(store);
      expect(ids.length, `${length} bytes`).toBeGreaterThan(400 - 30 - length / 150);
      expect(ids.at(-1)).toBe(401);
      await closeAndRemove(image);
    }
  });

  it('of the newest log, by its removal or emptying while nothing runs, is told; of a copied snapshot alone it is not', async () => {
    await threeGenerations();
    for (const [name, left, length] of [
      ['log-3', [1, 2, 3, 4], null],
      ['log-3', [1, 2, 3, 4], 0],
      ['log-3', [1, 2, 3, 4], HEADER_BYTES - 1],
      ['log-2', [1, 2, 3, 4, 5, 6], null],
      ['log-2', [1, 2, 3, 4, 5, 6], 0],
    ] as const) {
      const image = await crashImage(dir);
      await (length === null ? rm(join(image, name)) : truncate(join(image, name), length));
      const warnings: string[] = [];
      const store = await open(image, warnings);
      expect(itemIds(store)).toEqual(left);
      expect(store.usage().notices.map(({ code }) => code)).toEqual(name === 'log-3' ? ['damaged'] : []);
      expect(warnings.join().includes('newest log')).toBe(name === 'log-3');
      await addItem(store, 9);
      await store.close();
      expect((await open(image)).usage().notices).toEqual([]);
      await closeAndRemove(image);
    }
    const copy = join(root, 'copy');
    await mkdir(copy);
    await copyFile(join(dir, 'snapshot-3.sqlite'), join(copy, 'snapshot-3.sqlite'));
    expect((await open(copy)).usage().notices).toEqual([]);
  });

  it('of the newest of several logs without a snapshot of their own is told, too', async () => {
    await threeGenerations();
    await rm(join(dir, 'snapshot-3.sqlite'));
    await rm(join(dir, 'snapshot-3.check'));
    expect((await open(await crashImage(dir))).usage().notices).toEqual([]);
    const image = await crashImage(dir);
    await truncate(join(image, 'log-3'), 0);
    await rm(join(dir, 'log-3'));
    for (const folder of [dir, image]) {
      const store = await open(folder);
      expect(itemIds(store)).toEqual([1, 2, 3, 4]);
      expect(store.usage().notices).toMatchObject([{ code: 'damaged' }]);
    }
    await closeAndRemove(image);
  });

  it('of a log between others, by its removal, is reported also where nothing says which change a snapshot ends with', async () => {
    await threeGenerations();
    for (const name of ['snapshot-3.sqlite', 'snapshot-2.check', 'log-2']) await rm(join(dir, name));
    const store = await open();
    expect(itemIds(store)).toEqual([1, 2, 5, 6]);
    expect(store.usage().notices).toMatchObject([{ code: 'damaged' }]);
  });

  it('of the only log, by its emptying, is told where the store was there before', async () => {
    const store = await openItems(dir);
    await addItem(store, 1);
    await store.close();
    await truncate(join(dir, 'log-1'), 0);
    const emptied = await openStore({ dir, migrations: ITEM_MIGRATIONS, isExpected: true });
    opened.push(emptied);
    expect(emptied.usage().notices).toMatchObject([{ code: 'damaged' }]);
  });

  it('of all that the only log holds is refused rather than opened as an empty store', async () => {
    const store = await openItems(dir);
    await addItem(store, 1);
    await store.close();
    await writeFile(join(dir, 'log-1'), Buffer.alloc((await stat(join(dir, 'log-1'))).size));
    const before = await contents(dir);
    await expect(open()).rejects.toBeInstanceOf(StoreOpenError);
    expect(await contents(dir)).toEqual(before);
  });
});

describe('a store of a newer version', () => {
  async function refusedUntouched(folder = dir): Promise<void> {
    await writeFile(join(folder, 'log-9.tmp'), 'left over');
    const before = await contents(folder);
    await expect(open(folder)).rejects.toMatchObject({ name: 'StoreOpenError', reason: 'newer' });
    await expect(open(folder)).rejects.toThrow(/newer version of Parley/);
    expect(await contents(folder)).toEqual(before);
  }

  it('is refused and left as it was when the log has a newer format', async () => {
    await threeGenerations();
    const log = await readFile(join(dir, 'log-3'));
    log.writeUInt32LE(LOG_FORMAT + 1, 8);
    log.writeUInt32LE(crc32(log.subarray(0, 12)), 12);
    await writeFile(join(dir, 'log-3'), log);
    await refusedUntouched();
  });

  it('is refused and left as it was when the snapshot has a newer format', async () => {
    await threeGenerations();
    const json = '{"format":2,"whatever":true}';
    await writeFile(join(dir, 'snapshot-3.check'), `${crc32(json).toString(16).padStart(8, '0')} ${json}\n`);
    await refusedUntouched();
  });

  it('is refused and left as it was when the schema is newer, in the log or in a snapshot', async () => {
    const newer = [...ITEM_MIGRATIONS, ['CREATE TABLE more (id INTEGER)']];
    const store = await openStore({ dir, migrations: newer });
    await addItem(store, 1);
    await store.close();
    await refusedUntouched();
    const compacted = await openStore({ dir, migrations: newer });
    await compacted.compact({ dropPrevious: true });
    await compacted.close();
    await refusedUntouched();
  });
});

/** A log of format 1: each statement is written out once, and numbered from 0 in the order of first use. */
function firstFormat(transactions: [string | number, ...(string | number)[]][][]): Buffer {
  const header = encodeHeader(1);
  header.writeUInt32LE(1, 8);
  header.writeUInt32LE(crc32(header.subarray(0, 12)), 12);
  let chain = crc32(header.subarray(0, 38));
  header.writeUInt32LE(chain, 38);
  const records = transactions.map((operations, index) => {
    const payload = Buffer.from(JSON.stringify(operations));
    const head = Buffer.alloc(14);
    head.writeUInt32LE(payload.length, 4);
    head.writeUIntLE(index + 1, 8, 6);
    const record = Buffer.concat([head, payload]);
    chain = crc32(record.subarray(4), chain);
    record.writeUInt32LE(chain, 0);
    return record;
  });
  return Buffer.concat([header, ...records]);
}

describe('a store of the first format', () => {
  it('opens, and goes on in the format of today', async () => {
    await mkdir(dir);
    const log = firstFormat([
      [[ITEM_MIGRATIONS[0]?.[0] ?? ''], ['PRAGMA user_version = 1']],
      [['INSERT INTO items (id, text) VALUES (?, ?)', 1, 'one']],
      [[2, 2, 'two']],
    ]);
    await writeFile(join(dir, 'log-1'), log);
    const warnings: string[] = [];
    const store = await open(dir, warnings);
    expect(itemIds(store)).toEqual([1, 2]);
    await addItem(store, 3);
    await store.compact();
    await addItem(store, 4);
    await store.close();
    expect(itemIds(await open(dir, warnings))).toEqual([1, 2, 3, 4]);
    expect(warnings).toEqual([]);
  });
});

describe('the folder', () => {
  it('stays usable whatever else lies in it', async () => {
    await threeGenerations();
    await writeFile(join(dir, 'notes.txt'), 'mine');
    await mkdir(join(dir, 'log-old'));
    expect(itemIds(await open())).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await readFile(join(dir, 'notes.txt'), 'utf8')).toBe('mine');
    expect(dirname(dir)).toBe(root);
  });
});
