/**
 * SQLite in memory. The only module that knows `node:sqlite` and what it throws.
 *
 * A file is copied page by page, off the event loop, into an ordinary in-memory database: one opened from bytes
 * (`deserialize`) can't grow past 1 GiB.
 */
import { randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { DatabaseSync, type StatementSync, backup } from 'node:sqlite';
import { countsRows, kindOf, type StatementKind } from './statement-kind.ts';
import type { Reader, SqlValue } from './types.ts';

/** SQLite refused a statement; the database is as it was before it. */
export class SqlError extends Error {
  override name = 'SqlError';
}

/** The database in memory can't be trusted any more (out of memory, a torn file); it has to be loaded from disk again. */
export class DatabaseLostError extends Error {
  override name = 'DatabaseLostError';
}

/** A database in memory. Any call may throw {@link SqlError} or {@link DatabaseLostError}. */
export type MemoryDatabase = Awaited<ReturnType<typeof openDatabase>>;

interface RunResult {
  changes: number;
  /** `false` for an INSERT, UPDATE or DELETE that changed no row; other statements always count as a change. */
  changed: boolean;
}

/** "PRLY": tells `file` and other tools that this SQLite file is Parley's. */
const APPLICATION_ID = 0x50524c59;
/** More pages than any database has, so that it is copied in one step. */
const ALL_PAGES = 2 ** 30;

/**
 * The address of an in-memory database that several connections of this process can open. It is gone when the last one
 * closes.
 */
const sharedMemory = (): string => `file:${randomUUID()}?mode=memory&cache=shared`;

/** SQLite's result codes after which the database in memory can't be trusted: no memory, I/O, corrupt, full, no database. */
const LOST = new Set([7, 10, 11, 13, 26]);
/** Node's own refusals of a call, before or after SQLite did its part. */
const REFUSED_CALL = new Set(['ERR_OUT_OF_RANGE', 'ERR_INVALID_ARG_TYPE', 'ERR_INVALID_ARG_VALUE']);

/** What `node:sqlite` threw, as one of the two errors above. */
export function translateError(error: unknown): SqlError | DatabaseLostError {
  if (error instanceof SqlError || error instanceof DatabaseLostError) return error;
  const { code, errcode, message } = error as Partial<NodeJS.ErrnoException & { errcode: number }>;
  const refusal =
    code === 'ERR_SQLITE_ERROR' ? !LOST.has((errcode ?? 0) & 0xff) : REFUSED_CALL.has(code ?? '');
  if (refusal) return new SqlError(message, { cause: error });
  return new DatabaseLostError('The database in memory was lost.', { cause: error });
}

async function load(path: string): Promise<DatabaseSync> {
  const address = sharedMemory();
  const database = new DatabaseSync(address);
  const url = pathToFileURL(path);
  // Nobody changes the file, and SQLite must create no others beside it.
  url.search = 'immutable=1';
  try {
    const file = new DatabaseSync(url, { readOnly: true });
    try {
      await backup(file, address, { rate: ALL_PAGES });
    } finally {
      file.close();
    }
    return database;
  } catch (error) {
    database.close();
    throw translateError(error);
  }
}

function create(): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
  return database;
}

/**
 * A copy of an SQLite file, or an empty database (null). Throws {@link DatabaseLostError} if it isn't an SQLite file;
 * may do so if it is damaged.
 */
export async function openDatabase(path: string | null) {
  const raw = path === null ? create() : await load(path);
  raw.exec('PRAGMA temp_store = memory');
  /** Why the database was lost; from then on every call throws this. */
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

  const prepared = new Map<string, Prepared>();
  const prepare = (sql: string): Prepared => {
    let entry = prepared.get(sql);
    if (!entry) {
      const statement = raw.prepare(sql);
      statement.setReturnArrays(true);
      entry = { statement, columns: [], kind: kindOf(sql), countsRows: countsRows(sql) };
      prepared.set(sql, entry);
    }
    return entry;
  };
  const reading = (sql: string): Prepared => {
    const entry = prepare(sql);
    if (entry.kind !== 'read') throw new SqlError(`Only run() may change the store: ${sql}`);
    return entry;
  };
  const first = (sql: string, params?: readonly SqlValue[]): Record<string, unknown> | null => {
    const entry = reading(sql);
    const values = entry.statement.get(...bound(params));
    return values === undefined ? null : toRow(entry, valuesOf(values));
  };
  const control = (sql: string): (() => void) => {
    const statement = raw.prepare(sql);
    return () => guarded(() => void statement.run());
  };
  const takeBack = (...steps: (() => void)[]): void => {
    try {
      for (const step of steps) step();
    } catch (error) {
      // After a failed rollback nobody knows what the database in memory holds.
      lost ??= new DatabaseLostError('A transaction could not be taken back.', { cause: error });
      throw lost;
    }
  };
  const rollback = control('ROLLBACK');
  const rollbackPart = control('ROLLBACK TO part');
  const commitPart = control('RELEASE part');
  const pragma = (name: string): number => Number(first(`PRAGMA ${name}`)?.[name]);
  const requireRest = (): void => {
    if (raw.isTransaction) throw new SqlError('A transaction is under way.');
  };

  const reader: Reader = {
    // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the caller knows what its SQL yields
    get: <Row>(sql: string, params?: readonly SqlValue[]) => guarded(() => first(sql, params)) as Row | null,
    all: <Row>(sql: string, params?: readonly SqlValue[]) =>
      guarded(() => {
        const entry = reading(sql);
        return entry.statement.all(...bound(params)).map((values) => toRow(entry, valuesOf(values)));
      }) as Row[],
  };
  return {
    ...reader,
    /** Runs one changing statement; returns how many rows it changed and whether it must be logged. */
    run: (sql: string, params?: readonly SqlValue[]): RunResult =>
      guarded(() => {
        const entry = prepare(sql);
        if (entry.kind === 'forbidden')
          throw new SqlError(`This statement can't be replayed from a log: ${sql}`);
        const changes = Number(entry.statement.run(...bound(params)).changes);
        return entry.countsRows ? { changes, changed: changes > 0 } : { changes: 0, changed: true };
      }),
    begin: control('BEGIN'),
    commit: control('COMMIT'),
    rollback: (): void => takeBack(rollback),
    /** Part of a transaction that can be rolled back alone; outside a transaction, it is one itself. */
    beginPart: control('SAVEPOINT part'),
    commitPart,
    rollbackPart: (): void => takeBack(rollbackPart, commitPart),
    /**
     * Calls the listener for each row of the table written from now on; does nothing if there is no such table. It is
     * called during the write and must not throw. One listener per table.
     */
    watchRows: (table: string, listener: (rowid: number, isRemoved: boolean) => void): void =>
      guarded(() => {
        if (!first(`SELECT 1 FROM sqlite_schema WHERE name = ?`, [table])) return;
        raw.function(`note_${table}`, (rowid, isRemoved) => {
          listener(Number(rowid), isRemoved === 1);
          return null;
        });
        for (const [event, row, isRemoved] of WATCHED)
          raw.exec(`CREATE TEMP TRIGGER IF NOT EXISTS ${table}_${event} AFTER ${event} ON main.${table}
            BEGIN SELECT note_${table}(${row}.rowid, ${isRemoved}); END`);
      }),
    /** The number of the last migration that ran. */
    userVersion: (): number => guarded(() => pragma('user_version')),
    /** Size of the pages in use, in bytes. */
    usedBytes: (): number =>
      guarded(() => (pragma('page_count') - pragma('freelist_count')) * pragma('page_size')),
    /**
     * The database as an SQLite file; it can be used as before afterwards. Throws inside a transaction. Blocks the event
     * loop: for rare cases only.
     */
    exportFile: (): Uint8Array =>
      guarded(() => {
        requireRest();
        return raw.serialize();
      }),
    /**
     * The database as an SQLite file, rewritten so that nothing deleted is left in its pages or in full-text indexes.
     * Takes the time and memory of a copy and closes the database: every later call throws.
     */
    compactFile: (): Uint8Array =>
      guarded(() => {
        requireRest();
        const indexes = raw.prepare(
          "SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE%USING fts%'",
        );
        for (const { name } of indexes.all())
          raw.exec(`INSERT INTO "${String(name)}" ("${String(name)}") VALUES ('optimize')`);
        const address = sharedMemory();
        const copy = new DatabaseSync(address);
        try {
          raw.exec(`VACUUM INTO '${address}'`);
          raw.close();
          lost = new DatabaseLostError('The database has been made into a file.');
          if (!isSound(copy)) throw new DatabaseLostError('The file is not sound.');
          return copy.serialize();
        } finally {
          copy.close();
        }
      }),
    /** Whether every page is sound; slow on a large database. */
    isSound: (): boolean => guarded(() => isSound(raw)),
    /** Frees the memory. */
    close(): void {
      if (raw.isOpen) raw.close();
      lost ??= new DatabaseLostError('The database is closed.');
    },
  };
}

const WATCHED = [
  ['INSERT', 'NEW', 0],
  ['UPDATE', 'NEW', 0],
  ['DELETE', 'OLD', 1],
] as const;

interface Prepared {
  /** Gives each row as an array: `node:sqlite`'s own objects are several times slower to make and to read. */
  statement: StatementSync;
  columns: string[];
  kind: StatementKind;
  countsRows: boolean;
}

/** A row returned as an array, which the types of `node:sqlite` don't cover. */
const valuesOf = (row: unknown): readonly unknown[] => row as readonly unknown[];

function toRow(entry: Prepared, values: readonly unknown[]): Record<string, unknown> {
  // A schema change can change the columns of a cached statement (SELECT *); their number shows it.
  if (entry.columns.length !== values.length)
    entry.columns = entry.statement.columns().map(({ name }) => name);
  const row: Record<string, unknown> = {};
  const { columns } = entry;
  for (let index = 0; index < columns.length; index += 1) row[columns[index] as string] = values[index];
  return row;
}

const NO_PARAMS: readonly never[] = [];

const bound = (params: readonly SqlValue[] | undefined): readonly (SqlValue | bigint)[] =>
  params?.map(toBound) ?? NO_PARAMS;

function toBound(value: unknown): SqlValue | bigint {
  // `node:sqlite` binds every number as a REAL, which would show in JSON that SQLite builds.
  if (Number.isSafeInteger(value)) return BigInt(value as number);
  // `node:sqlite` would read an object as named parameters.
  if (typeof value === 'object' && value !== null) throw new SqlError('A parameter is not a single value.');
  return value as SqlValue;
}

/** Table by table: checking everything at once also compares full-text indexes with the texts, and they may lag behind. */
function isSound(database: DatabaseSync): boolean {
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")
    .all();
  return tables.every(
    ({ name }) => database.prepare(`PRAGMA quick_check("${String(name)}")`).get()?.['quick_check'] === 'ok',
  );
}
