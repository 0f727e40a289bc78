import { describe, expect, it } from 'vitest';
import {
  DatabaseLostError,
  type MemoryDatabase,
  SqlError,
  openDatabase,
  translateError,
} from '../../../server/store/database.ts';

const PRAGMAS = ['journal_mode', 'synchronous', 'locking_mode', 'temp_store', 'cache_size'];
const pragmas = (database: MemoryDatabase): unknown[] =>
  PRAGMAS.map((name) => Object.values(database.get<Record<string, unknown>>(`PRAGMA ${name}`) ?? {})[0]);

/** Recursion without end inside the instance: the nearest thing to a trap that plain SQL can cause. */
const TRAP = 'SELECT ? GLOB ?';
const TRAP_PARAMS = ['a'.repeat(40_000) + 'b', '*a'.repeat(20_000)];

async function numbers(): Promise<MemoryDatabase> {
  const database = await openDatabase(null);
  database.run('CREATE TABLE numbers (n INTEGER PRIMARY KEY, word TEXT)');
  database.run('INSERT INTO numbers VALUES (?, ?)', [1, 'one']);
  return database;
}

describe('openDatabase', () => {
  it('becomes a file that holds nothing of what was deleted', async () => {
    const database = await numbers();
    expect(pragmas(database)).toEqual(['memory', 0, 'exclusive', 2, -16384]);
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
    const copy = await openDatabase(file);
    expect(pragmas(copy)).toEqual(['memory', 0, 'exclusive', 2, -16384]);
    expect(copy.get('SELECT count(*) AS count FROM numbers')).toEqual({ count: 1_000 });
    expect(copy.get("SELECT count(*) AS count FROM words WHERE words MATCH 'kept'")).toEqual({ count: 500 });
    expect(copy.isSound()).toBe(true);
  });

  it('refuses to become a file inside a transaction', async () => {
    const database = await numbers();
    database.begin();
    expect(() => database.compactFile()).toThrow(SqlError);
  });

  it('is lost for good after a trap, while a new one works', async () => {
    const database = await numbers();
    expect(() => database.get(TRAP, TRAP_PARAMS)).toThrow(DatabaseLostError);
    expect(() => database.get('SELECT 1')).toThrow(DatabaseLostError);
    const next = await numbers();
    expect(next.get('SELECT word FROM numbers')).toEqual({ word: 'one' });
  });

  it('tells refused statements from a lost instance', () => {
    expect(translateError(new Error('UNIQUE constraint failed: t.id'))).toBeInstanceOf(SqlError);
    expect(translateError('Wrong API use')).toBeInstanceOf(SqlError);
    expect(translateError(new Error('out of memory'))).toBeInstanceOf(DatabaseLostError);
    const runtimeError = class RuntimeError extends Error {};
    expect(translateError(new runtimeError('memory access out of bounds'))).toBeInstanceOf(DatabaseLostError);
    expect(translateError(new RangeError('Maximum call stack size exceeded'))).toBeInstanceOf(
      DatabaseLostError,
    );
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
