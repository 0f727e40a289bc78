/**
 * Compaction: the log becomes part of the next snapshot. The next log is created; then, in one synchronous step between two
 * transactions, the database in memory is frozen and every later record goes to that log. A thread rewrites the frozen
 * copy, which costs neither a copy nor a stop, and makes the snapshot of it. Until the snapshot has its name, a start
 * uses the old snapshot and both logs, so a crash or a failure at any point loses nothing.
 */
import { join } from 'node:path';
import { AppError } from '../errors.ts';
import { nameFault } from '../lib/fault-report.ts';
import { startThread } from '../lib/threads.ts';
import { openDatabase } from './database.ts';
import { type Disk, closeQuietly, diskErrorCode } from './disk.ts';
import { FIRST_GENERATION, type OpenLog, listFolder, logPath, sidecarPath, snapshotPath } from './folder.ts';
import { createLog } from './log-file.ts';
import { HEADER_BYTES, NEXT_LOG, encodeRecord } from './log-format.ts';
import type { LogWriter } from './log-writer.ts';
import type { FileImage } from './memory-file.ts';
import { writeSnapshot } from './snapshot.ts';
import { type StoreState, loggedBytes } from './state.ts';
import { refusalFor } from './store-error.ts';
import type { CompactOptions } from './types.ts';

/** What to make a snapshot of. */
export interface SnapshotTask {
  /** The generation of the snapshot, and of the log that continues from it. */
  generation: number;
  /** The last transaction in it. */
  sequence: number;
  /** Generation of the newest snapshot that is there. */
  base: number;
  image: FileImage;
}

/** Makes a snapshot; resolves with its size once it is durable under its name. */
export type SnapshotMaker = (task: SnapshotTask) => Promise<number>;

/** {@link makeSnapshot} in this thread or another. Aborting the signal stops it; it rejects once it has fully stopped. */
export type Compactor = (dir: string, task: SnapshotTask, signal: AbortSignal) => Promise<number>;

/** The one message that the thread sends. */
export type CompactionOutcome = { bytes: number } | { message: string; code: string };

const MIB = 1024 * 1024;
/** Room left for the log while a snapshot is written. */
const SPARE_BYTES = 16 * MIB;
/** Each try begins a new log, so tries must not follow each other too quickly. */
const MIN_RETRY_MS = 50;
const MAX_RETRY_MS = 60 * 60_000;
const NOTICE = 'not_compacted';
/** A compaction is due when the log has this share of the snapshot's size; less while nothing is written. */
const LOG_SHARE = 1 / 4;
const REST_SHARE = 1 / 64;

/**
 * Makes a snapshot that holds nothing that was deleted, since SQLite rewrites it from the remaining rows. Rejects, leaving
 * all needed files in place, when the disk refuses or has too little room (`ENOSPC`).
 */
export async function makeSnapshot(
  disk: Disk,
  dir: string,
  { generation, sequence, base, image }: SnapshotTask,
  signal?: AbortSignal,
): Promise<number> {
  const database = await openDatabase(image);
  const compacted = database.compactFile();
  signal?.throwIfAborted();
  await requireFreeSpace(disk, dir, compacted.bytes, base);
  await writeSnapshot(disk, dir, { generation, sequence, image: compacted }, signal);
  return compacted.bytes;
}

/** A compactor in the calling thread: for disks that only this thread can reach. */
export const compactHere =
  (disk: Disk): Compactor =>
  (dir, task, signal) =>
    makeSnapshot(disk, dir, task, signal);

/** A compactor in a thread of its own, over the real file system. */
export const compactInThread: Compactor = async (dir, task, signal) => {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const worker = startThread('compaction-thread', { workerData: { dir, task } });
  const stop = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', stop);
  worker.on('message', (outcome: CompactionOutcome) => {
    if ('bytes' in outcome) resolve(outcome.bytes);
    else reject(Object.assign(new Error(outcome.message), { code: outcome.code }));
  });
  worker.on('error', reject);
  worker.on('exit', () => reject(new Error('The compaction thread ended early.')));
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', stop);
    await worker.terminate();
  }
};

/**
 * A full disk would refuse the log too, so free space is checked first. If it is short, everything older than the newest
 * snapshot is removed: it is only a fallback.
 */
async function requireFreeSpace(disk: Disk, dir: string, bytes: number, base: number): Promise<void> {
  const isShort = async (): Promise<boolean> => (await disk.freeBytes(dir)) < bytes + SPARE_BYTES;
  if (!(await isShort())) return;
  await removeGenerations(disk, dir, base);
  if (!(await isShort())) return;
  const message = `${Math.ceil((bytes + SPARE_BYTES) / MIB)} MB have to be free for the next snapshot`;
  throw Object.assign(new Error(message), { code: 'ENOSPC' });
}

/** Removes everything before a generation, oldest first, so that a crash leaves no gap in what is kept. */
async function removeGenerations(disk: Disk, dir: string, before: number): Promise<void> {
  const { snapshots, logs } = await listFolder(disk, dir);
  const old = [...new Set([...snapshots, ...logs])].filter((generation) => generation < before);
  for (const generation of old.sort((a, b) => a - b)) {
    await disk.unlink(snapshotPath(dir, generation));
    await disk.unlink(sidecarPath(dir, generation));
    await disk.unlink(logPath(dir, generation));
  }
  await disk.syncDir(dir);
}

export type Compaction = ReturnType<typeof createCompaction>;

export function createCompaction(state: StoreState, compactor: Compactor) {
  const { dir, disk, limits } = state;
  let active: Promise<void> | null = null;
  let stopping: AbortController | null = null;
  let failures = 0;
  let retryAt = -Infinity;
  let writtenAt = 0;
  let restTimer: NodeJS.Timeout | undefined;

  async function run({ dropPrevious = false }: CompactOptions, signal: AbortSignal): Promise<void> {
    const writer = state.writer;
    if (state.refusal || !writer) throw givenUp();
    const generation = writer.log.generation + 1;
    const prepared = await createLog(disk, dir, generation);
    if (!mayGoOn(signal) || writer !== state.writer) {
      await closeQuietly(prepared.file);
      throw givenUp();
    }
    const { database } = state;
    const image = database.freeze();
    try {
      await makeNext(image, writer, prepared, signal);
    } finally {
      database.release(image);
    }
    if (!mayGoOn(signal)) throw givenUp();
    await removeOld(generation, dropPrevious);
  }

  /** Makes the snapshot of an image that was frozen just now, and lets later records go to the log that was prepared. */
  async function makeNext(
    image: FileImage,
    writer: LogWriter,
    next: OpenLog,
    signal: AbortSignal,
  ): Promise<void> {
    const old = writer.log;
    const { generation } = next;
    const record = encodeRecord(state.position, [{ sql: NEXT_LOG, params: [generation] }]);
    record.accept();
    writer.append(record.bytes, NOBODY);
    const { sequence } = state.position;
    state.position = { chain: next.chain, sequence, uses: new Map() };
    const isDurable = await writer.switchTo(next);
    if (!isDurable) {
      await closeQuietly(next.file);
      throw givenUp();
    }
    state.carriedBytes += old.end - HEADER_BYTES;
    await closeQuietly(old.file);
    if (!mayGoOn(signal)) throw givenUp();
    state.snapshotBytes = await compactor(dir, { generation, sequence, base: state.base, image }, signal);
    state.carriedBytes = 0;
    state.base = generation;
  }

  const mayGoOn = (signal: AbortSignal): boolean => !signal.aborted && state.refusal === null;
  const givenUp = (): AppError =>
    state.refusal ?? new AppError('storage_unavailable', 'The compaction was given up.');

  /**
   * Removes what neither the newest snapshot nor its fallback, the one before it, needs; with `dropPrevious`, the
   * fallback and files set aside too.
   */
  async function removeOld(newest: number, dropPrevious: boolean): Promise<void> {
    const { snapshots, logs, setAside } = await listFolder(disk, dir);
    // A store that still has its first log can start empty: that counts as a snapshot.
    const first = logs.filter((generation) => generation === FIRST_GENERATION);
    const earlier = [...first, ...snapshots].filter((each) => each < newest);
    await removeGenerations(disk, dir, dropPrevious ? newest : Math.max(0, ...earlier));
    if (!dropPrevious) return;
    for (const name of setAside) await disk.unlink(join(dir, name));
    await disk.syncDir(dir);
  }

  function start(options: CompactOptions): Promise<void> {
    const before = active ?? Promise.resolve();
    const mine: Promise<void> = before
      .catch(() => undefined)
      .then(() => run(options, (stopping ??= new AbortController()).signal))
      .then(noteSuccess, noteFailure)
      .finally(() => {
        if (active === mine) active = null;
      });
    active = mine;
    return mine;
  }

  function noteSuccess(): void {
    failures = 0;
    retryAt = -Infinity;
    state.notices.delete(NOTICE);
  }

  function noteFailure(error: unknown): never {
    if (!stopping?.signal.aborted && !state.refusal) {
      const waitMs = Math.min(limits.compactRetryMs * 2 ** failures, MAX_RETRY_MS);
      retryAt = performance.now() + waitMs;
      if (failures === 0) state.warn(`The log could not be made into a snapshot yet: ${nameFault(error)}`);
      failures += 1;
      state.notices.set(NOTICE, diskErrorCode(error) === 'ENOSPC' ? NO_ROOM : NOT_COMPACTED);
      // There may be no further write to start it again.
      setTimeout(tryAgain, Math.max(waitMs, MIN_RETRY_MS)).unref();
    }
    throw error instanceof AppError ? error : refusalFor(error);
  }

  /** Timers may fire a little early, since `retryAt` uses another clock. */
  function tryAgain(): void {
    retryAt = -Infinity;
    consider();
  }

  state.stopCompaction = async () => {
    if (state.closing) clearTimeout(restTimer);
    stopping ??= new AbortController();
    stopping.abort(givenUp());
    while (active) await active.catch(() => undefined);
    stopping = null;
  };

  const isWanted = (bytes: number): boolean =>
    !active && !state.refusal && !state.closing && performance.now() >= retryAt && loggedBytes(state) > bytes;

  /** Called when something became durable: starts a compaction when the log is long, or the store has been at rest for a while. */
  function consider(): void {
    writtenAt = performance.now();
    if (state.closing) return;
    if (isWanted(Math.max(limits.compactLogBytes, state.snapshotBytes * LOG_SHARE)))
      start({}).catch(() => undefined);
    else restTimer ??= setTimeout(considerAtRest, limits.restMs).unref();
  }

  /**
   * Compacts what a start would have to replay while the store is idle, unless it is small next to the whole. Without a
   * snapshot it always compacts: otherwise each start would run all migrations again.
   */
  function considerAtRest(): void {
    restTimer = undefined;
    const leftMs = writtenAt + limits.restMs - performance.now();
    if (leftMs > 0) restTimer = setTimeout(considerAtRest, leftMs).unref();
    else if (isWanted(state.snapshotBytes && Math.max(limits.restLogBytes, state.snapshotBytes * REST_SHARE)))
      start({}).catch(() => undefined);
  }

  return {
    consider,
    /** Compacts now, after any compaction under way. Rejects with AppError when that fails. */
    compact: (options: CompactOptions = {}): Promise<void> => start(options),
  };
}

const NOBODY = { resolve: () => undefined, reject: () => undefined };

const NO_ROOM =
  'There isn’t enough free space for a new snapshot of Parley’s store, which takes about as much space as the store itself. ' +
  'Nothing is lost, but the log grows, starts take longer, and text that was deleted for good is still in the store’s files. Free some space; Parley then goes on by itself.';
const NOT_COMPACTED =
  'Parley could not make a new snapshot of its store. Nothing is lost, but the log grows, and text that was deleted for good is still in the store’s files. Parley keeps trying; its log file says what went wrong.';
