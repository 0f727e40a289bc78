/**
 * SQLite in memory. The only module that knows sql.js: its instances, its traps and its export.
 *
 * Each database gets a WebAssembly instance of its own, from a fresh evaluation of sql.js (which would otherwise hand
 * out the one it made first): after a trap the old instance is beyond use, and dropping an instance is the only way to
 * get its memory back. The compiled module is shared.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type initSqlJs from 'sql.js';
import { countsRows, kindOf, type StatementKind } from './statement-kind.ts';
import type { Reader, SqlValue } from './types.ts';

type SqlJs = initSqlJs.SqlJsStatic;
/** Its file in the file system of the instance, where statements of another database can reach it. */
type SqlJsDatabase = initSqlJs.Database & { readonly filename: string };
type Statement = initSqlJs.Statement;

/** SQLite refused a statement; the database is as it was before it. */
export class SqlError extends Error {
  override name = 'SqlError';
}

/** The instance can't be trusted any more (a trap, no memory, a torn image): only a new one from disk helps. */
export class DatabaseLostError extends Error {
  override name = 'DatabaseLostError';
}

/** A database in memory. Any call may throw {@link SqlError} or {@link DatabaseLostError}. */
export interface MemoryDatabase extends Reader {
  /** Runs one changing statement; returns how many rows it changed and whether it must be logged. */
  run(sql: string, params?: readonly SqlValue[]): RunResult;
  begin(): void;
  commit(): void;
  rollback(): void;
  /** A part of a transaction that can be taken back alone; outside of one, a transaction of its own. */
  beginPart(): void;
  commitPart(): void;
  rollbackPart(): void;
  /** Has the listener told of each row of the table that is written from now on. It is called in the midst of it, and must not throw. */
  watchRows(table: string, listener: (rowid: number, isRemoved: boolean) => void): void;
  /** The number of the last migration that ran. */
  userVersion(): number;
  /** What the pages in use take, in bytes. */
  usedBytes(): number;
  /** The database as an SQLite file, as it is, and goes on being. Throws inside a transaction. Stalls everybody: for a rare case only. */
  exportFile(): Uint8Array;
  /**
   * The database as an SQLite file, written anew: of what was deleted nothing is left, in its pages or in the words of full-text
   * indexes. Takes as much time and memory as a copy, and ends the database: every later call throws.
   */
  compactFile(): Uint8Array;
  /** Whether every page is sound; slow on a large database. */
  isSound(): boolean;
  /** Gives the memory back. */
  close(): void;
}

export interface RunResult {
  changes: number;
  /** `false` for an INSERT, UPDATE or DELETE that changed no row; other statements always count as a change. */
  changed: boolean;
}

/** "PRLY": lets `file` and others tell whose SQLite file it is. */
const APPLICATION_ID = 0x50524c59;
const CACHE_KIB = 16 * 1024;

/** The memory file needs no care for crashes, and no one else opens it. */
const PRAGMAS: Readonly<Record<string, string | number>> = {
  journal_mode: 'memory',
  synchronous: 0,
  locking_mode: 'exclusive',
  temp_store: 2,
  cache_size: -CACHE_KIB,
  foreign_keys: 1,
};

// Not named `require`: the build adds a binding of that name to bundles that seem to use one.
const nodeRequire = createRequire(import.meta.url);

/** The little of WebAssembly that is needed; its types come with the DOM's, which the service doesn't have. */
interface Wasm {
  compile(bytes: Uint8Array): Promise<unknown>;
  instantiate(module: unknown, imports: unknown): Promise<unknown>;
}
const { WebAssembly: wasm } = globalThis as unknown as { WebAssembly: Wasm };
let compiled: Promise<unknown> | undefined;

async function freshSqlJs(): Promise<SqlJs> {
  compiled ??= readFile(nodeRequire.resolve('sql.js/dist/sql-wasm.wasm')).then((bytes) =>
    wasm.compile(bytes),
  );
  // What failed for want of file descriptors may succeed later.
  compiled.catch(() => (compiled = undefined));
  const module = await compiled;
  // sql.js keeps the promise of its first instance for good; a new evaluation is the only way to a new instance.
  Reflect.deleteProperty(nodeRequire.cache, nodeRequire.resolve('sql.js'));
  const init = nodeRequire('sql.js') as (config: object) => Promise<SqlJs>;
  const silent = (): void => undefined;
  return new Promise((resolve, reject) => {
    const instantiateWasm = (imports: unknown, ready: (instance: unknown) => void): object => {
      wasm.instantiate(module, imports).then(ready, reject);
      return {};
    };
    init({ instantiateWasm, print: silent, printErr: silent }).then(resolve, reject);
  });
}

/** Messages of SQLite errors after which the contents of the memory can't be relied upon. */
const LOST = /^(out of memory|database disk image is malformed|disk I\/O error|database or disk is full)/;

/** What sql.js threw, as one of the two errors above. */
export function translateError(error: unknown): SqlError | DatabaseLostError {
  if (error instanceof SqlError || error instanceof DatabaseLostError) return error;
  if (typeof error === 'string') return new SqlError(error);
  // SQLite's own refusals are plain Errors. A RuntimeError, RangeError or TypeError rose from inside the instance.
  const refusal = error instanceof Error && Object.getPrototypeOf(error) === Error.prototype;
  if (refusal && !LOST.test(error.message)) return new SqlError(error.message, { cause: error });
  return new DatabaseLostError('The database in memory was lost.', { cause: error });
}

/** A database from the bytes of an SQLite file, or an empty one. */
export async function openDatabase(file: Uint8Array | null): Promise<MemoryDatabase> {
  const sqlJs = await freshSqlJs();
  /** What it was lost by; once lost, every call says so. */
  let lost: DatabaseLostError | null = null;
  const guarded = <T>(call: () => T): T => {
    if (lost) throw lost;
    try {
      return call();
    } catch (error) {
      const translated = translateError(error);
      if (translated instanceof DatabaseLostError) lost = translated;
      throw translated;
    }
  };
  return guarded(() => {
    const raw = new sqlJs.Database(file);
    const scalar = (sql: string): unknown => raw.exec(sql)[0]?.values[0]?.[0];
    for (const [name, value] of Object.entries(PRAGMAS)) raw.exec(`PRAGMA ${name} = ${value}`);
    if (file === null) raw.exec(`PRAGMA application_id = ${APPLICATION_ID}`);

    const prepared = new Map<string, Prepared>();
    const prepare = (sql: string): Prepared => {
      let entry = prepared.get(sql);
      if (!entry) {
        entry = describe(raw.prepare(sql), sql);
        prepared.set(sql, entry);
      }
      return entry;
    };
    const control = (sql: string): (() => void) => {
      const statement = raw.prepare(sql);
      return () => guarded(() => execute(statement, undefined));
    };
    const rollback = raw.prepare('ROLLBACK');
    const rollbackPart = raw.prepare('ROLLBACK TO part');
    const commitPart = raw.prepare('RELEASE part');
    const takeBack = (...statements: Statement[]): void =>
      guarded(() => {
        try {
          for (const statement of statements) execute(statement, undefined);
        } catch (error) {
          // Without a transaction to take back, what the memory holds is anyone's guess.
          throw new DatabaseLostError('A transaction could not be taken back.', { cause: error });
        }
      });

    const select = (sql: string, params: readonly SqlValue[] | undefined, limit: number): unknown[] =>
      guarded(() => {
        const entry = prepare(sql);
        requireReading(entry);
        const rows: unknown[] = [];
        try {
          bind(entry.statement, params);
          while (rows.length < limit && entry.statement.step()) rows.push(toRow(entry));
        } finally {
          entry.statement.reset();
        }
        return rows;
      });

    return {
      // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the caller knows what its SQL yields
      get: <Row>(sql: string, params?: readonly SqlValue[]) =>
        (select(sql, params, 1)[0] ?? null) as Row | null,
      all: <Row>(sql: string, params?: readonly SqlValue[]) => select(sql, params, Infinity) as Row[],
      run: (sql, params) =>
        guarded(() => {
          const entry = prepare(sql);
          requireLoggable(entry);
          execute(entry.statement, params);
          if (!entry.countsRows) return { changes: 0, changed: true };
          const changes = raw.getRowsModified();
          return { changes, changed: changes > 0 };
        }),
      begin: control('BEGIN'),
      commit: control('COMMIT'),
      rollback: () => takeBack(rollback),
      beginPart: control('SAVEPOINT part'),
      commitPart: control('RELEASE part'),
      rollbackPart: () => takeBack(rollbackPart, commitPart),
      watchRows(watched, listener) {
        raw.updateHook((operation, _database, table, rowid) => {
          if (table === watched) listener(rowid, operation === 'delete');
        });
      },
      userVersion: () => guarded(() => Number(scalar('PRAGMA user_version'))),
      usedBytes: () =>
        guarded(
          () =>
            (Number(scalar('PRAGMA page_count')) - Number(scalar('PRAGMA freelist_count'))) *
            Number(scalar('PRAGMA page_size')),
        ),
      exportFile: () => guarded(() => raw.export()),
      compactFile: () =>
        guarded(() => {
          // A failure ends the database anyhow: nothing has to be taken back.
          raw.exec('PRAGMA journal_mode = OFF');
          const indexes = raw.exec(
            "SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE%USING fts%'",
          );
          for (const [name] of indexes[0]?.values ?? [])
            raw.exec(`INSERT INTO "${String(name)}" ("${String(name)}") VALUES ('optimize')`);
          const copy = new sqlJs.Database() as SqlJsDatabase;
          raw.exec(`VACUUM INTO '${copy.filename}'`);
          raw.close();
          lost = new DatabaseLostError('The database has been made into a file.');
          if (!isSound(copy)) throw new DatabaseLostError('The file is not sound.');
          return copy.export();
        }),
      isSound: () => guarded(() => isSound(raw)),
      close() {
        // The memory goes with the instance; a lost one can't be closed.
        if (!lost) guarded(() => raw.close());
        lost ??= new DatabaseLostError('The database is closed.');
      },
    };
  });
}

/** Table by table: a check of the whole also compares full-text indexes with texts, which they may well be behind of. */
function isSound(database: initSqlJs.Database): boolean {
  const tables = database.exec("SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0");
  return (tables[0]?.values ?? []).every(
    ([name]) => database.exec(`PRAGMA quick_check("${String(name)}")`)[0]?.values[0]?.[0] === 'ok',
  );
}

interface Prepared {
  statement: Statement;
  sql: string;
  columns: string[];
  kind: StatementKind;
  countsRows: boolean;
}

function describe(statement: Statement, sql: string): Prepared {
  return { statement, sql, columns: [], kind: kindOf(sql), countsRows: countsRows(sql) };
}

function requireReading(entry: Prepared): void {
  if (entry.kind !== 'read') throw new SqlError(`Only run() may change the store: ${entry.sql}`);
}

function requireLoggable(entry: Prepared): void {
  if (entry.kind === 'forbidden')
    throw new SqlError(`This statement can't be replayed from a log: ${entry.sql}`);
}

function bind(statement: Statement, params: readonly SqlValue[] | undefined): void {
  if (params !== undefined && params.length > 0) statement.bind(params as SqlValue[]);
}

function execute(statement: Statement, params: readonly SqlValue[] | undefined): void {
  try {
    bind(statement, params);
    statement.step();
  } finally {
    statement.reset();
  }
}

function toRow(entry: Prepared): Record<string, unknown> {
  // A schema change can give a cached statement other columns (SELECT *); their number tells.
  const values = entry.statement.get();
  if (entry.columns.length !== values.length) entry.columns = entry.statement.getColumnNames();
  const row: Record<string, unknown> = {};
  const { columns } = entry;
  for (let index = 0; index < columns.length; index += 1) row[columns[index] as string] = values[index];
  return row;
}
