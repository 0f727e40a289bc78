import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  DatabaseLostError,
  type MemoryDatabase,
  SqlError,
  openDatabase,
  translateError,
} from '../../../server/store/database.ts';
import { readWithoutMemory } from '../../support/no-memory.ts';

async function numbers(): Promise<MemoryDatabase> {
  const database = await openDatabase(null);
  database.run('CREATE TABLE numbers (n INTEGER PRIMARY KEY, word TEXT)');
  database.run('INSERT INTO numbers VALUES (?, ?)', [1, 'one']);
  return database;
}

/** A database from the bytes of a file. */
async function reopen(bytes: Uint8Array): Promise<MemoryDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-database-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'a file?#%.sqlite');
  await writeFile(path, bytes);
  return openDatabase(path);
}

describe('openDatabase', () => {
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
    expect(database.isSound()).toBe(true);
    const file = Buffer.from(database.compactFile());
    expect(() => database.get('SELECT 1')).toThrow(DatabaseLostError);
    expect(file.includes('bracadabra')).toBe(false);
    expect(file.length).toBeLessThan(before / 4);
    const copy = await reopen(file);
    expect(copy.get('PRAGMA temp_store')).toEqual({ temp_store: 2 });
    expect(copy.get('SELECT count(*) AS count FROM numbers')).toEqual({ count: 1_000 });
    expect(copy.get("SELECT count(*) AS count FROM words WHERE words MATCH 'kept'")).toEqual({ count: 500 });
    expect(copy.isSound()).toBe(true);
  });

  it('refuses to become a file inside a transaction', async () => {
    const database = await numbers();
    database.begin();
    expect(() => database.compactFile()).toThrow(SqlError);
  });

  it('is lost for good once it has no room left, while a new one works', async () => {
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
    await expect(reopen(Buffer.from('no database at all'.repeat(100)))).rejects.toThrow(DatabaseLostError);
    const database = await numbers();
    for (let n = 2; n < 500; n += 1) database.run('INSERT INTO numbers VALUES (?, ?)', [n, 'word'.repeat(n)]);
    const file = database.exportFile();
    file.fill(7, 4_096, 40_000);
    const torn = await reopen(file);
    expect(() => torn.all('SELECT * FROM numbers')).toThrow(DatabaseLostError);
    await expect(openDatabase(join(tmpdir(), 'no such file'))).rejects.toThrow('unable to open');
  });

  it('tells refused statements from lost memory', () => {
    const sqlite = (errcode: number): Error =>
      Object.assign(new Error('x'), { code: 'ERR_SQLITE_ERROR', errcode });
    for (const errcode of [1, 19, 1555]) expect(translateError(sqlite(errcode))).toBeInstanceOf(SqlError);
    for (const errcode of [7, 11, 267, 13])
      expect(translateError(sqlite(errcode))).toBeInstanceOf(DatabaseLostError);
    expect(translateError(new RangeError('Maximum call stack size exceeded'))).toBeInstanceOf(
      DatabaseLostError,
    );
  });

  it('grows past the gigabyte at which SQLite would hold what it opens from bytes', async () => {
    const copy = await reopen((await numbers()).exportFile());
    copy.run('CREATE TABLE large (bytes BLOB)');
    for (let n = 0; n < 9; n += 1) copy.run('INSERT INTO large VALUES (zeroblob(125000000))');
    expect(copy.usedBytes()).toBeGreaterThan(2 ** 30);
    copy.close();
  });

  it('refuses a parameter that is no single value, and goes on', async () => {
    const database = await numbers();
    for (const value of [['one'], { word: 'one' }, undefined])
      expect(() => database.get('SELECT n FROM numbers WHERE word = ?', [value as never])).toThrow(SqlError);
    expect(database.get('SELECT n FROM numbers WHERE word = ?', ['one'])).toEqual({ n: 1 });
  });

  it('keeps numbers as they are: whole ones whole, others not', async () => {
    const database = await numbers();
    database.run('CREATE TABLE kept (value)');
    for (const value of [5, -1, 2 ** 53 - 1, 1.5, 1e300])
      database.run('INSERT INTO kept VALUES (?)', [value]);
    expect(database.all('SELECT json_array(value) AS json FROM kept')).toEqual(
      ['[5]', '[-1]', '[9007199254740991]', '[1.5]', '[1.0e+300]'].map((json) => ({ json })),
    );
  });

  it('tells of each row of a table that is written, and of none before there is such a table', async () => {
    const database = await numbers();
    const told: [number, boolean][] = [];
    database.watchRows('words', () => expect.unreachable());
    for (let times = 0; times < 2; times += 1)
      database.watchRows('numbers', (rowid, isRemoved) => told.push([rowid, isRemoved]));
    database.run("INSERT INTO numbers VALUES (7, 'seven'), (8, 'eight')");
    database.run("UPDATE numbers SET word = 'x' WHERE n > 7");
    expect(database.run('DELETE FROM numbers WHERE n = 7').changes).toBe(1);
    expect(told).toEqual([
      [7, false],
      [8, false],
      [8, false],
      [7, true],
    ]);
  });

  it('goes on after a refused statement', async () => {
    const database = await numbers();
    expect(() => database.run('INSERT INTO numbers VALUES (?, ?)', [1, 'again'])).toThrow(/UNIQUE/);
    expect(() => database.run('INSERT INTO nowhere VALUES (1)')).toThrow(/no such table/);
    expect(database.run('INSERT INTO numbers VALUES (?, ?)', [2, 'two'])).toEqual({
      changes: 1,
      changed: true,
    });
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

  it('follows a change of the schema with statements it already prepared', async () => {
    const database = await numbers();
    expect(database.get('SELECT * FROM numbers')).toEqual({ n: 1, word: 'one' });
    database.run('ALTER TABLE numbers ADD COLUMN more TEXT');
    expect(database.get('SELECT * FROM numbers')).toEqual({ n: 1, word: 'one', more: null });
  });
});
