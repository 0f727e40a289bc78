/**
 * SQLite in memory. The only module that knows sql.js: its instances and how it keeps a file.
 *
 * Each database has a WebAssembly instance of its own: after a trap an instance can't be used again, and its memory is
 * only given back with the instance. sql.js hands out the instance that it made first, so it is evaluated anew each
 * time; the compiled WebAssembly is shared.
 *
 * sql.js keeps a file in one array, and copies all of it each time it grows by an eighth. So it gets a file of ours
 * instead (memory-file.ts), which grows in pieces and can be frozen while it is in use.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import type initSqlJs from 'sql.js';
import { type FileImage, MemoryFile } from './memory-file.ts';
import { contentOf } from './message-text.ts';
import { joinedWords } from '../../shared/search-text.ts';
import { DatabaseLostError, SqlError, isSqliteRefusal, translateError } from './store-error.ts';
import type { RowLimit, SqlValue } from './types.ts';

type SqlJs = initSqlJs.SqlJsStatic;
type Statement = initSqlJs.Statement;
/** With the name of its file, which statements of the same instance can use. */
type RawDatabase = initSqlJs.Database & { readonly filename: string };

/** A database in memory. Any call may throw {@link SqlError} or {@link DatabaseLostError}. */
export type MemoryDatabase = Awaited<ReturnType<typeof openDatabase>>;

/** "PRLY": tells `file` and other tools that this SQLite file is Parley's. */
const APPLICATION_ID = 0x50524c59;

/** Where SQLite's header, which has this length, holds the size of a page and the number of unused pages. */
const SQLITE_HEADER_BYTES = 100;
const PAGE_SIZE_AT = 16;
const FREE_PAGES_AT = 36;

/** The file in memory needs no care for crashes, and nobody else opens it. */
const PRAGMAS = {
  journal_mode: 'memory',
  synchronous: 0,
  locking_mode: 'exclusive',
  temp_store: 2,
  cache_size: -16 * 1024, // in KiB, since it is negative
  foreign_keys: 1,
  // What isn't committed never reaches the file. Otherwise a rollback would shorten the file, and sql.js puts an array of its own in place of one
  // that is shortened.
  cache_spill: 0,
};

// Not named `require`: the build adds a binding of that name to bundles that seem to use one.
const newRequire = (): NodeJS.Require => createRequire(import.meta.url);

/** The little of WebAssembly that is needed; its types come with the DOM's, which the service doesn't have. */
const { WebAssembly: wasm } = globalThis as unknown as {
  WebAssembly: {
    Module: new (bytes: Uint8Array) => unknown;
    Instance: new (module: unknown, imports: unknown) => unknown;
  };
};
/**
 * Once, in 10 ms. V8 optimizes a function that has run so many bytes of its code. SQLite's parser and interpreter, each one huge loop, are there
 * with the first statements, and optimizing them would take a quarter of a start's processor time; so this module gets a larger budget.
 * Then it is V8's own again, since code in a cache is only good for the flags that it was made with.
 */
function compile(): unknown {
  const bytes = readFileSync(newRequire().resolve('sql.js/dist/sql-wasm.wasm'));
  setFlagsFromString('--wasm-tiering-budget=2000000000');
  try {
    return new wasm.Module(bytes);
  } finally {
    setFlagsFromString('--wasm-tiering-budget=13000000');
  }
}

let compiled: unknown;

function newInstance(): Promise<SqlJs> {
  const module = (compiled ??= compile());
  // A new one each time, since it keeps all that it ever loaded: here, the instance and its memory.
  const nodeRequire = newRequire();
  Reflect.deleteProperty(nodeRequire.cache, nodeRequire.resolve('sql.js'));
  const init = nodeRequire('sql.js') as (config: object) => Promise<SqlJs>;
  return new Promise((resolve, reject) => {
    const instantiateWasm = (imports: unknown, ready: (instance: unknown) => void): object => {
      Promise.try(() => ready(new wasm.Instance(module, imports))).catch(reject);
      return {};
    };
    // The extra functions of sql.js would replace SQLite's own of the same name.
    init({ instantiateWasm, useOldExtensionFunctions: false }).then(resolve, reject);
  });
}

/**
 * Opens a database over a file of ours. sql.js keeps what `slice` returns as the file's content, and from then on only
 * reads (`subarray`) and writes (`set`) there, since content this long never has to grow.
 */
function openRaw(sqlJs: SqlJs, file: MemoryFile): RawDatabase {
  const content = {
    length: Number.MAX_SAFE_INTEGER,
    subarray: (start: number, end: number) => file.read(start, end),
    set: (bytes: Uint8Array, start: number) => file.write(bytes, start),
  };
  // As an object, a length of 0 is true: sql.js would make an array for an empty file.
  const length: unknown = Object(file.bytes);
  const bytes: unknown = { length, subarray: true, slice: () => content };
  return new sqlJs.Database(bytes as Uint8Array) as RawDatabase;
}

/**
 * The database in an SQLite file, or an empty one (null). Throws {@link DatabaseLostError} if it isn't an SQLite file; may do
 * so if it is damaged, unless `isDamaged`: then every call that meets damage throws, and the others go on.
 */
export async function openDatabase(image: FileImage | null, { isDamaged = false } = {}) {
  const sqlJs = await newInstance();
  /** Why the database was lost; from then on every call throws this. */
  let lost: DatabaseLostError | null = null;
  const guarded = <T>(call: () => T): T => {
    if (lost) throw lost;
    try {
      return call();
    } catch (error) {
      const translated = translateError(error);
      if (translated instanceof DatabaseLostError && !(isDamaged && isSqliteRefusal(error)))
        lost = translated;
      throw translated;
    }
  };
  const file = new MemoryFile(image ?? undefined);
  const raw = guarded(() => {
    const opened = openRaw(sqlJs, file);
    for (const [name, value] of Object.entries(PRAGMAS)) opened.exec(`PRAGMA ${name} = ${value}`);
    opened.create_function('search_words', (content: string, isJson: number) =>
      joinedWords(contentOf({ content, contentJson: isJson })),
    );
    if (image === null) opened.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    return opened;
  });
  const prepared = new Map<string, Prepared>();
  const prepare = (sql: string): Prepared => {
    let entry = prepared.get(sql);
    if (!entry) {
      const kind = kindOf(sql);
      // SQLite compiles a statement with `ORDER BY` and `column = ?` anew with each value it gets, which takes several times as long as to
      // run it. About the value of an expression it assumes nothing.
      const statement = raw.prepare(kind === 'read' ? sql.replaceAll('= ?', '= +?') : sql);
      entry = { statement, columns: [], kind };
      prepared.set(sql, entry);
    }
    return entry;
  };
  const all = <Row>(sql: string, params?: readonly SqlValue[], most = ALL_ROWS): Row[] =>
    guarded(() => {
      const entry = prepare(sql);
      if (entry.kind !== 'read') throw new SqlError(`Only run() may change the store: ${sql}`);
      const { statement } = entry;
      const rows: Row[] = [];
      try {
        bind(statement, params);
        for (let left = most.characters; left > 0 && rows.length < most.rows && statement.step();) {
          const values = statement.get();
          rows.push(toRow(entry, values) as Row);
          if (left !== Infinity) left -= charactersOf(values);
        }
      } finally {
        statement.reset();
      }
      return rows;
    });
  const control = (sql: string) => (): void => guarded(() => execute(prepare(sql).statement, undefined));

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows what its SQL yields
  const get = <Row>(sql: string, params?: readonly SqlValue[]): Row | null =>
    all<Row>(sql, params, ONE_ROW)[0] ?? null;
  return {
    get,
    all,
    /** Runs one changing statement; returns how many rows it changed. One that isn't about rows counts as one. */
    run: (sql: string, params?: readonly SqlValue[]): number =>
      guarded(() => {
        const entry = prepare(sql);
        if (entry.kind === 'forbidden')
          throw new SqlError(`This statement can't be replayed from a log: ${sql}`);
        execute(entry.statement, params);
        return entry.kind === 'rows' ? raw.getRowsModified() : 1;
      }),
    begin: control('BEGIN'),
    commit: control('COMMIT'),
    rollback: (): void =>
      guarded(() => {
        try {
          execute(prepare('ROLLBACK').statement, undefined);
        } catch (error) {
          // Nobody knows what the database in memory holds now.
          throw new DatabaseLostError('A transaction could not be rolled back.', { cause: error });
        }
      }),
    /** Calls the listener, the only one, for each row that is written from now on: during the write, so it must not throw. */
    watchRows: (listener: initSqlJs.UpdateHookCallback): void => guarded(() => void raw.updateHook(listener)),
    /** The number of the last migration that ran. */
    userVersion: (): number => get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0,
    /** Size of the pages in use, in bytes, without what a transaction under way changes. */
    usedBytes(): number {
      const { buffer, byteOffset } = file.read(0, SQLITE_HEADER_BYTES);
      const header = new DataView(buffer, byteOffset);
      return file.bytes - header.getUint32(FREE_PAGES_AT) * header.getUint16(PAGE_SIZE_AT);
    },
    /** The database as an SQLite file, at once and however large it is, without what a transaction under way changed. */
    freeze: (): FileImage => guarded(() => file.freeze()),
    /** Takes back an image that {@link freeze} made, or that the database was opened with: nobody reads it any more. */
    release: (returned: FileImage): void => file.release(returned),
    /**
     * The database as an SQLite file, rewritten so that nothing deleted is left in its pages or in full-text indexes.
     * Takes the time and memory of a copy and closes the database: every later call throws. Throws inside a transaction.
     */
    compactFile: (): FileImage =>
      guarded(() => {
        // Nothing is ever rolled back here.
        raw.exec('PRAGMA journal_mode = off; PRAGMA cache_spill = 1');
        for (const [name] of rowsOf(raw, FULL_TEXT_INDEXES))
          raw.exec(`INSERT INTO "${String(name)}" ("${String(name)}") VALUES ('optimize')`);
        const compacted = new MemoryFile();
        const copy = openRaw(sqlJs, compacted);
        raw.exec(`VACUUM INTO '${copy.filename}'`);
        lost = new DatabaseLostError('The database has been made into a file.');
        if (!isIntact(copy)) throw new DatabaseLostError('The file is not sound.');
        return compacted.freeze();
      }),
    /** Whether every page is sound; slow on a large database. */
    isIntact: (): boolean => guarded(() => isIntact(raw)),
    /** Frees the memory, which goes with the instance: one that is lost can't be closed. */
    close(): void {
      lost ??= new DatabaseLostError('The database is closed.');
    },
  };
}

/** What a statement does, judged by its text. `rows`: SQLite says how many it changed. `forbidden`: it may not be run at all. */
type StatementKind = 'read' | 'rows' | 'other' | 'forbidden';

const READS = /^\s*(?:(?:select|values|explain|with)\b|pragma\s+\w+\s*$)/i;
const WRITES_INSIDE = /\b(?:insert\s+(?:or|into)|replace\s+into|update\s+\w+\s+set|delete\s+from)\b/i;
const ROWS = /^\s*(?:insert|update|delete|replace)\b/i;
/** Transactions are the store's; the rest would reach out of the one database. */
const FORBIDDEN = /^\s*(?:begin|commit|end|rollback|savepoint|release|attach|detach|vacuum)\b/i;
/** Would come out differently when replayed. */
const NOT_REPLAYABLE = /\brandom(?:blob)?\s*\(|'now'|\bcurrent_(?:time|date|timestamp)\b/i;

function kindOf(sql: string): StatementKind {
  if (READS.test(sql) && !WRITES_INSIDE.test(sql)) return 'read';
  if (FORBIDDEN.test(sql) || NOT_REPLAYABLE.test(sql)) return 'forbidden';
  return ROWS.test(sql) ? 'rows' : 'other';
}

interface Prepared {
  statement: Statement;
  columns: string[];
  kind: StatementKind;
}

/** Takes only values that a log holds as they are, and of which sql.js doesn't make something else. */
function bind(statement: Statement, params: readonly SqlValue[] | undefined): void {
  if (params === undefined || params.length === 0) return;
  for (const value of params)
    if (value !== null && typeof value !== 'string' && !Number.isFinite(value))
      throw new SqlError(`A parameter must be a string, a finite number or null, not ${String(value)}.`);
  statement.bind(params as SqlValue[]);
}

function execute(statement: Statement, params: readonly SqlValue[] | undefined): void {
  try {
    bind(statement, params);
    statement.step();
  } finally {
    statement.reset();
  }
}

function toRow(entry: Prepared, values: readonly unknown[]): Record<string, unknown> {
  // A schema change can change the columns of a cached statement (SELECT *); their number shows it.
  if (entry.columns.length !== values.length) entry.columns = entry.statement.getColumnNames();
  const row: Record<string, unknown> = {};
  const { columns } = entry;
  for (let index = 0; index < columns.length; index += 1) row[columns[index] as string] = values[index];
  return row;
}

const ALL_ROWS: RowLimit = { rows: Infinity, characters: Infinity };
const ONE_ROW: RowLimit = { ...ALL_ROWS, rows: 1 };

const charactersOf = (values: readonly unknown[]): number =>
  values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0);

const FULL_TEXT_INDEXES = "SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE%USING fts%'";
const rowsOf = (database: RawDatabase, sql: string): unknown[][] => database.exec(sql)[0]?.values ?? [];

/** Table by table: checking everything at once also compares full-text indexes with the texts, and they may lag behind. */
function isIntact(database: RawDatabase): boolean {
  const tables = rowsOf(database, "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0");
  return tables.every(([name]) => rowsOf(database, `PRAGMA quick_check("${String(name)}")`)[0]?.[0] === 'ok');
}
