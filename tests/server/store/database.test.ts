import { Script } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { type MemoryDatabase, openDatabase } from '../../../server/store/database.ts';
import { DatabaseLostError, SqlError, translateError } from '../../../server/store/store-error.ts';
import type { RowLimit } from '../../../server/store/types.ts';
import { type FileImage, MemoryFile, FILE_PIECE_BYTES, partsOf } from '../../../server/store/memory-file.ts';
import { eventually } from '../../support/eventually.ts';
import { countHeld } from '../../support/garbage.ts';
import { readWithoutMemory } from '../../support/no-memory.ts';

async function numbers(): Promise<MemoryDatabase> {
  const database = await openDatabase(null);
  database.run('CREATE TABLE numbers (n INTEGER PRIMARY KEY, word TEXT)');
  database.run('INSERT INTO numbers VALUES (?, ?)', [1, 'one']);
  return database;
}

const bytesOf = (image: FileImage): Buffer => Buffer.concat([...partsOf(image)]);

function imageOf(bytes: Uint8Array): FileImage {
  const file = new MemoryFile();
  for (let start = 0; start < bytes.length; start += FILE_PIECE_BYTES)
    file.write(bytes.subarray(start, start + FILE_PIECE_BYTES), start);
  return file.freeze();
}

const CODE = '1 + 1';
/** Made before the first database is. */
const cachedData = new Script(CODE).createCachedData();

describe('openDatabase', () => {
  it('leaves V8’s flags as they were, since code in a cache is only good for the same ones', async () => {
    (await openDatabase(null)).close();
    // Under another name, since V8 has the first one compiled.
    expect(new Script(CODE, { cachedData, filename: 'again.js' }).cachedDataRejected).toBe(false);
  });

  it('becomes a file that holds nothing of what was deleted', async () => {
    const database = await numbers();
    database.run('CREATE VIRTUAL TABLE words USING fts4(content="numbers", word)');
    for (let n = 2; n < 2_000; n += 1) {
      const word = n % 2 === 0 ? `abracadabra${n} ${'x'.repeat(n)}` : 'kept';
      database.run('INSERT INTO numbers VALUES (?, ?)', [n, word]);
      if (n > 1_000) database.run('INSERT INTO words (docid, word) VALUES (?, ?)', [n, word]);
    }
    const before = database.usedBytes();
    database.run('DELETE FROM words WHERE docid % 2 = 0');
    database.run('DELETE FROM numbers WHERE n % 2 = 0');
    expect(database.usedBytes()).toBeLessThan(before);
    expect(database.isIntact()).toBe(true);
    const image = database.compactFile();
    const file = bytesOf(image);
    expect(() => database.get('SELECT 1')).toThrow(DatabaseLostError);
    expect(file.includes('bracadabra')).toBe(false);
    expect(file.length).toBeLessThan(before / 4);
    const copy = await openDatabase(image);
    expect(copy.get('PRAGMA temp_store')).toEqual({ temp_store: 2 });
    expect(copy.get('SELECT count(*) AS count FROM numbers')).toEqual({ count: 1_000 });
    expect(copy.get("SELECT count(*) AS count FROM words WHERE words MATCH 'kept'")).toEqual({ count: 500 });
    expect(copy.isIntact()).toBe(true);
  });

  it('gives its memory back when it is closed', async () => {
    const closed: WeakRef<WeakKey>[] = [];
    for (let count = 0; count < 4; count += 1) {
      const database = await numbers();
      const listener = (): void => undefined;
      database.watchRows(listener);
      closed.push(new WeakRef(listener));
      database.close();
    }
    // Node keeps the copy of sql.js that it loaded last.
    await eventually(async () => expect(await countHeld(closed)).toBeLessThanOrEqual(1));
  });

  it('refuses to become a file inside a transaction', async () => {
    const database = await numbers();
    database.begin();
    expect(() => database.compactFile()).toThrow(SqlError);
  });

  it('is lost for good after a trap or once it has no room left, while a new one works', async () => {
    const database = await numbers();
    database.run('PRAGMA max_page_count = 3');
    expect(() => database.run('INSERT INTO numbers VALUES (?, ?)', [2, 'x'.repeat(10_000)])).toThrow(
      DatabaseLostError,
    );
    expect(() => database.get('SELECT 1')).toThrow(DatabaseLostError);
    database.close();
    const next = await numbers();
    expect(() => readWithoutMemory(next)).toThrow(DatabaseLostError);
    expect(() => next.get('SELECT 1')).toThrow(DatabaseLostError);
    expect((await numbers()).get('SELECT word FROM numbers')).toEqual({ word: 'one' });
  });

  it('is lost where a file is none, or torn', async () => {
    const none = imageOf(Buffer.from('no database at all'.repeat(100)));
    await expect(openDatabase(none).then((opened) => opened.all('SELECT * FROM numbers'))).rejects.toThrow(
      DatabaseLostError,
    );
    const database = await numbers();
    for (let n = 2; n < 500; n += 1) database.run('INSERT INTO numbers VALUES (?, ?)', [n, 'word'.repeat(n)]);
    const file = bytesOf(database.freeze());
    file.fill(7, 4_096, 40_000);
    const torn = await openDatabase(imageOf(file));
    expect(() => torn.all('SELECT * FROM numbers')).toThrow(DatabaseLostError);
  });

  it('tells refused statements from lost memory', () => {
    for (const refusal of [new Error('UNIQUE constraint failed: t.id'), 'Wrong API use'])
      expect(translateError(refusal)).toBeInstanceOf(SqlError);
    for (const message of ['out of memory', 'disk I/O error', 'file is not a database'])
      expect(translateError(new Error(message))).toBeInstanceOf(DatabaseLostError);
    const RuntimeError = class extends Error {};
    expect(translateError(new RuntimeError('memory access out of bounds'))).toBeInstanceOf(DatabaseLostError);
    expect(translateError(new RangeError('Maximum call stack size exceeded'))).toBeInstanceOf(
      DatabaseLostError,
    );
  });

  it('grows past a gigabyte, also one that was opened from a file', async () => {
    const copy = await openDatabase((await numbers()).freeze());
    copy.run('CREATE TABLE large (bytes BLOB)');
    for (let n = 0; n < 9; n += 1) copy.run('INSERT INTO large VALUES (zeroblob(125000000))');
    expect(copy.usedBytes()).toBeGreaterThan(2 ** 30);
    copy.close();
  });

  it('is frozen as it is, at no cost, and goes on without the frozen copy noticing', async () => {
    const database = await numbers();
    for (let n = 2; n < 3_000; n += 1)
      database.run('INSERT INTO numbers VALUES (?, ?)', [n, 'w'.repeat(500)]);
    const first = database.freeze();
    const bytes = bytesOf(first);
    expect(first.pieces.length).toBeGreaterThan(4);
    const copy = await openDatabase(first);
    database.run("UPDATE numbers SET word = 'changed'");
    database.run('DELETE FROM numbers WHERE n > 1000');
    const second = database.freeze();
    copy.run("UPDATE numbers SET word = 'of its own'");
    expect(bytesOf(first).equals(bytes)).toBe(true);
    expect(
      (await openDatabase(first)).get('SELECT count(*) AS n, max(length(word)) AS l FROM numbers'),
    ).toEqual({
      n: 2_999,
      l: 500,
    });
    expect((await openDatabase(second)).get('SELECT count(*) AS n, max(word) AS w FROM numbers')).toEqual({
      n: 1_000,
      w: 'changed',
    });
    expect(database.isIntact() && copy.isIntact()).toBe(true);
    // What was not written since is shared.
    const third = database.freeze();
    expect(third.pieces.every((piece, index) => piece === second.pieces[index])).toBe(true);
  });

  it('keeps its file in pieces when what made it grow is rolled back, however much that was', async () => {
    const database = await numbers();
    database.begin();
    for (let n = 2; n < 60_000; n += 1)
      database.run('INSERT INTO numbers VALUES (?, ?)', [n, 'w'.repeat(500)]);
    database.rollback();
    database.run('INSERT INTO numbers VALUES (?, ?)', [2, 'two']);
    const copy = await openDatabase(database.freeze());
    expect(copy.all('SELECT n FROM numbers')).toEqual([{ n: 1 }, { n: 2 }]);
    expect(copy.isIntact()).toBe(true);
    database.begin();
    database.run("INSERT INTO numbers VALUES (3, 'three')");
    expect((await openDatabase(database.freeze())).all('SELECT n FROM numbers')).toEqual([
      { n: 1 },
      { n: 2 },
    ]);
  });

  it('refuses a parameter that is no single value, and goes on', async () => {
    const database = await numbers();
    for (const value of [['one'], { word: 'one' }, undefined])
      expect(() => database.get('SELECT n FROM numbers WHERE word = ?', [value as never])).toThrow(SqlError);
    expect(database.get('SELECT n FROM numbers WHERE word = ?', ['one'])).toEqual({ n: 1 });
  });

  it('keeps numbers as they are: whole ones whole, others not', async () => {
    const database = await numbers();
    database.run('CREATE TABLE kept (value NUMERIC)');
    for (const value of [5, -1, 2 ** 53 - 1, 1.5, 1e300])
      database.run('INSERT INTO kept VALUES (?)', [value]);
    expect(database.all('SELECT json_array(value) AS json FROM kept')).toEqual(
      ['[5]', '[-1]', '[9007199254740991]', '[1.5]', '[1.0e+300]'].map((json) => ({ json })),
    );
  });

  it('tells the last listener of each row that is written, with its table', async () => {
    const database = await numbers();
    const reported: [string, number, boolean][] = [];
    database.watchRows(() => expect.unreachable());
    for (let times = 0; times < 2; times += 1)
      database.watchRows((operation, _database, table, rowid) =>
        reported.push([table, rowid, operation === 'delete']),
      );
    database.run("INSERT INTO numbers VALUES (7, 'seven'), (8, 'eight')");
    database.run("UPDATE numbers SET word = 'x' WHERE n > 7");
    expect(database.run('DELETE FROM numbers WHERE n = 7')).toBe(1);
    expect(reported).toEqual([
      ['numbers', 7, false],
      ['numbers', 8, false],
      ['numbers', 8, false],
      ['numbers', 7, true],
    ]);
  });

  it('goes on after a refused statement', async () => {
    const database = await numbers();
    expect(() => database.run('INSERT INTO numbers VALUES (?, ?)', [1, 'again'])).toThrow(/UNIQUE/);
    expect(() => database.run('INSERT INTO nowhere VALUES (1)')).toThrow(/no such table/);
    expect(database.run('INSERT INTO numbers VALUES (?, ?)', [2, 'two'])).toBe(1);
    expect(database.run('DELETE FROM numbers WHERE n = ?', [3])).toBe(0);
    expect(database.run('CREATE TABLE more (n INTEGER)')).toBe(1);
  });

  it('changes nothing through get and all', async () => {
    const database = await numbers();
    for (const sql of [
      'DELETE FROM numbers',
      'INSERT INTO numbers VALUES (7, NULL) RETURNING n',
      'WITH x AS (SELECT 9 AS n) INSERT INTO numbers SELECT n, NULL FROM x',
    ]) {
      expect(() => database.all(sql)).toThrow(SqlError);
      expect(() => database.get(sql)).toThrow(SqlError);
    }
    expect(database.all('SELECT n FROM numbers')).toEqual([{ n: 1 }]);
  });

  it('refuses statements that a replay would not repeat', async () => {
    const database = await numbers();
    for (const sql of [
      'INSERT INTO numbers VALUES (random(), NULL)',
      "UPDATE numbers SET word = datetime('now')",
      'UPDATE numbers SET word = CURRENT_TIMESTAMP',
      'COMMIT',
      'VACUUM',
      "ATTACH 'x' AS x",
    ]) {
      expect(() => database.run(sql)).toThrow(SqlError);
    }
  });

  it('reads some rows, or rows until their texts have so many characters', async () => {
    const database = await numbers();
    database.run("INSERT INTO numbers VALUES (2, 'two'), (3, 'three'), (4, 'four')");
    const read = (most: Partial<RowLimit>): number[] =>
      database
        .all<{ n: number }>('SELECT * FROM numbers WHERE n >= ? ORDER BY n', [1], {
          rows: 10,
          characters: 100,
          ...most,
        })
        .map(({ n }) => n);
    expect(read({})).toEqual([1, 2, 3, 4]);
    expect(read({ rows: 2 })).toEqual([1, 2]);
    expect(read({ characters: 1 })).toEqual([1]);
    expect(read({ characters: 6 })).toEqual([1, 2]);
    expect(read({ characters: 7 })).toEqual([1, 2, 3]);
  });

  it('follows a change of the schema with statements it already prepared', async () => {
    const database = await numbers();
    expect(database.get('SELECT * FROM numbers')).toEqual({ n: 1, word: 'one' });
    database.run('ALTER TABLE numbers ADD COLUMN more TEXT');
    expect(database.get('SELECT * FROM numbers')).toEqual({ n: 1, word: 'one', more: null });
  });
});

describe('a file in memory', () => {
  const textOf = (image: FileImage): string => bytesOf(image).toString();
  const write = (file: MemoryFile, text: string, piece = 0): void =>
    file.write(Buffer.from(text), piece * FILE_PIECE_BYTES);

  it('is not changed by what is written after it was frozen, nor once another image is taken back', () => {
    const file = new MemoryFile();
    write(file, 'one');
    const [first, second] = [file.freeze(), file.freeze()];
    write(file, 'two');
    const third = file.freeze();
    file.release(first);
    write(file, 'six');
    file.release(second);
    write(file, 'ten');
    expect([first, second, third, file.freeze()].map(textOf)).toEqual(['one', 'one', 'two', 'ten']);
  });

  it('takes the memory of a piece again once no image holds it', () => {
    const file = new MemoryFile();
    write(file, 'one');
    write(file, 'far', 1);
    const first = file.freeze();
    write(file, 'two');
    file.release(first);
    const second = file.freeze();
    write(file, 'six');
    const third = file.freeze();
    expect(third.pieces[0]?.buffer).toBe(first.pieces[0]?.buffer);
    expect(third.pieces[1]).toBe(first.pieces[1]);
    expect([second, third].map((image) => textOf(image).slice(0, 3))).toEqual(['two', 'six']);
  });
});
