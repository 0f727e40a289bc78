/**
 * The store: an SQLite database in memory, made durable by an append-only log beside a snapshot.
 *
 * On disk, in one folder (0700, files 0600) that one process owns:
 *
 *   snapshot-<n>.sqlite   the whole database as a plain SQLite file, as it was when log <n> began
 *   snapshot-<n>.check    its size, checksum and last transaction
 *   log-<n>               the transactions since, one checksummed record each (log-format.ts)
 *   *.tmp                 being written; removed at the next start
 *   *.damaged-<k>         a file found damaged, kept for a person to look at
 *
 * Two generations are kept: the newest snapshot with its log, and the one before with its log, which a damaged snapshot
 * falls back to. The state is always: the newest sound snapshot <n>, then log <n> and every later log, in order.
 * Generation 1 has no snapshot: it begins empty. A torn end is cut off; a log that was damaged is kept under another name,
 * and what can be read of it, before and after the damage, becomes the next snapshot (log-format.ts, salvage.ts).
 *
 * A write runs in memory at once and counts when its record is synced (log-writer.ts). When the disk refuses, the store
 * is loaded again from the disk before any caller gets the error; when its files were deleted or moved, it writes them
 * again from memory (health.ts). Compaction turns a grown log into the next snapshot (compaction.ts).
 */
import { AppError } from '../errors.ts';
import { withTimeout } from '../lib/with-timeout.ts';
import { createChanges } from './changes.ts';
import { type Disk, closeQuietly, nodeDisk } from './disk.ts';
import { type Compaction, createCompaction } from './compaction.ts';
import { type StoreHealth, createHealth } from './health.ts';
import { type Operation, encodeRecord } from './log-format.ts';
import { migrate } from './migrate.ts';
import { MIGRATIONS, type Migration } from './migrations.ts';
import { loadStore } from './load.ts';
import { DEFAULT_LIMITS, type StoreLimits, type StoreState, adopt, createUsage } from './state.ts';
import { DatabaseLostError, StoreOpenError, withAdvice } from './store-error.ts';
import type { Reader, Store, Writer } from './types.ts';

export interface StoreOptions {
  /** The store's folder; created if missing. */
  dir: string;
  /** Default: the real file system, with compactions in a separate thread. */
  disk?: Disk;
  /** Overrides of {@link DEFAULT_LIMITS}. */
  limits?: Partial<StoreLimits>;
  /** The schema. Default: Parley's. */
  migrations?: readonly Migration[];
  /**
   * Called before the folder is created again after it was deleted or moved while open; nothing is written while this
   * rejects.
   */
  reclaim?: () => Promise<void>;
  /** Whether the store was there before: that it has no files is then a loss. Default: false. */
  isExpected?: boolean;
  /** The name of the newest backup, for what people are told about a loss; null: there is none. Default: none. */
  newestBackup?: () => Promise<string | null>;
  /** Called with a sentence for the user: a damaged file was set aside, writes are refused, or a compaction failed. */
  warn?: (message: string) => void;
}

const DEFAULT_OPTIONS = {
  migrations: MIGRATIONS,
  reclaim: () => Promise.resolve(),
  isExpected: false,
  newestBackup: () => Promise.resolve(null),
  warn: () => undefined,
};

/**
 * Opens the store in a folder: recovers it, repairs what a crash left, and brings the schema up to date. Throws
 * StoreOpenError, with every file left as it was, when a newer version wrote it or it is damaged beyond repair. A
 * folder that can be read but not written opens with `writable` false.
 */
export async function openStore(given: StoreOptions): Promise<Store> {
  const options = { ...DEFAULT_OPTIONS, ...given, disk: given.disk ?? nodeDisk() };
  const { dir, disk, migrations } = options;
  const loaded = await loadStore(disk, dir, options).catch(async (error: unknown) => {
    throw error instanceof StoreOpenError ? withAdvice(error, dir, await options.newestBackup()) : error;
  });
  const version = loaded.database.userVersion();

  const state: StoreState = {
    ...options,
    loaded,
    limits: { ...DEFAULT_LIMITS, ...given.limits },
    // A disk that was given can only be reached from this thread.
    compactsInThread: given.disk === undefined,
    changes: createChanges(),
    notices: new Map(),
    writer: null,
    refusal: null,
    closing: false,
  };
  adopt(state, loaded);
  const compaction = createCompaction(state);
  const health = createHealth(state, compaction);
  const store = createStore(state, health, compaction);
  try {
    const isOld = version < migrations.length;
    await health.start({ mustWrite: isOld });
    if (isOld) await store.write((writer) => migrate(writer, version, migrations));
  } catch (error) {
    await store.close();
    throw error;
  }
  compaction.consider();
  return store;
}

function createStore(state: StoreState, health: StoreHealth, compaction: Compaction): Store {
  let operations: Operation[] | null = null;
  let closed: Promise<void> | null = null;

  const reader: Reader = {
    get: (sql, params) => state.loaded.database.get(sql, params),
    all: (sql, params, most) => state.loaded.database.all(sql, params, most),
  };
  const writer: Writer = {
    ...reader,
    run(sql, params = []) {
      if (!operations) throw new Error('A writer can be used only inside its callback.');
      const changes = state.loaded.database.run(sql, params);
      if (changes > 0) {
        operations.push({ sql, params });
        state.changes.noteStatement(sql);
      }
      return changes;
    },
  };

  /** Runs `work` in a transaction; returns its result and the record to log, or null when nothing changed. */
  function transact<T>(work: (writer: Writer) => T): { result: T; record: Buffer | null } {
    const done: Operation[] = [];
    operations = done;
    const { database, position } = state.loaded;
    state.changes.begin();
    database.begin();
    try {
      const result = work(writer);
      if (isThenable(result)) throw new TypeError('The work of a write must be synchronous.');
      database.commit();
      return { result, record: done.length > 0 ? encodeRecord(position, done) : null };
    } catch (error) {
      // If it is committed, it can't be: then the database counts as lost.
      database.rollback();
      throw error;
    } finally {
      operations = null;
    }
  }

  async function write<T>(work: (writer: Writer) => T): Promise<T> {
    if (operations) throw new Error('A write can not be made inside another.');
    if (state.closing) throw new AppError('shutting_down');
    const log = state.writer;
    if (state.refusal || !log) throw state.refusal ?? new AppError('storage_unavailable');
    try {
      const { result, record } = transact(work);
      const isDurable = record ? log.append(record) : log.allDurable();
      if (record) {
        state.loaded.loggedBytes += record.length;
        state.changes.commit();
      }
      await isDurable;
      return result;
    } catch (error) {
      throw error instanceof DatabaseLostError ? health.lose(error) : error;
    }
  }

  function read<T>(work: (reader: Reader) => T): T {
    try {
      return work(reader);
    } catch (error) {
      if (!(error instanceof DatabaseLostError)) throw error;
      throw state.closing ? new AppError('shutting_down', undefined, { cause: error }) : health.lose(error);
    }
  }

  const { limits } = state;

  async function shut(): Promise<void> {
    const compactionEnd = compaction.stop();
    await withTimeout(limits.closeWaitMs, health.check());
    health.stop();
    await withTimeout(limits.closeWaitMs, state.writer?.drained() ?? Promise.resolve());
    await withTimeout(limits.closeWaitMs, compactionEnd);
    if (state.writer) await withTimeout(limits.closeWaitMs, closeQuietly(state.writer.log.file));
    state.loaded.database.close();
  }

  return {
    read,
    write,
    ...createUsage(state),
    onChange: state.changes.on,
    chatsChangedSince: state.changes.since,
    listsChangedSince: state.changes.listsSince,
    lastChangeOf: state.changes.lastChange,
    settled() {
      if (health.attempt) return withTimeout(limits.settledMs, health.attempt);
      return state.writer?.settled(limits.settledMs) ?? Promise.resolve();
    },
    get version() {
      return state.changes.version;
    },
    get writable() {
      return state.refusal === null && !state.closing;
    },
    compact: compaction.compact,
    close() {
      state.closing = true;
      closed ??= shut();
      return closed;
    },
  };
}

const isThenable = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
