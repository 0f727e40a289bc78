/**
 * Compaction: the log becomes part of the next snapshot. The next log is created; then, in one synchronous step between two
 * transactions, the database in memory is frozen and every later record goes to that log. A thread rewrites the frozen
 * copy, which costs neither a copy nor a stop, and makes the snapshot of it. Until the snapshot has its name, a start
 * uses the old snapshot and both logs, so a crash or a failure at any point loses nothing.
 */
import { join } from 'node:path';
import { AppError } from '../errors.ts';
import { nameFault } from '../lib/fault-report.ts';
import { createSequence } from '../lib/sequence.ts';
import { unlessAborted } from '../lib/unless-aborted.ts';
import { closeQuietly, diskErrorCode } from './disk.ts';
import { FIRST_GENERATION, listFolder, removeGenerations } from './files.ts';
import { NEXT_LOG, encodeRecord } from './log-format.ts';
import { createLog } from './log-writer.ts';
import { snapshotMemory } from './snapshot.ts';
import type { StoreState } from './state.ts';
import { refusalFor } from './store-error.ts';

const MAX_RETRY_MS = 60 * 60_000;
const NOTICE = 'not_compacted';
/** A compaction is due when the log has this share of the snapshot's size; less while nothing is written. */
const LOG_SHARE = 1 / 4;
const IDLE_SHARE = 1 / 64;

export type Compaction = ReturnType<typeof createCompaction>;

export function createCompaction(state: StoreState) {
  const { dir, disk, limits } = state;
  const queue = createSequence();
  let queued = 0;
  let stopping = new AbortController();
  /** Failed in a row. */
  let failures = 0;
  /** Waits after a failure. */
  let isPaused = false;
  /** Restarted by each write. */
  const idleTimer = setTimeout(considerWhenIdle, limits.idleMs).unref();

  async function run(dropPrevious: boolean, signal: AbortSignal): Promise<void> {
    const { writer } = state;
    if (state.refusal || !writer) throw givenUp();
    const generation = writer.log.generation + 1;
    const next = await createLog(disk, dir, generation);
    if (signal.aborted) await closeQuietly(next.file);
    signal.throwIfAborted();
    await snapshotMemory(state, next, signal, () => {
      const record = encodeRecord(state.loaded.position, [{ sql: NEXT_LOG, params: [generation] }]);
      return unlessAborted(signal, writer.switchTo(next, record));
    });
    signal.throwIfAborted();
    await removeOld(generation, dropPrevious);
  }

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

  function compact({ dropPrevious = false } = {}): Promise<void> {
    if (state.closing) return Promise.reject(new AppError('shutting_down'));
    queued += 1;
    return queue.run(() =>
      run(dropPrevious, stopping.signal)
        .then(noteSuccess, noteFailure)
        .finally(() => {
          queued -= 1;
        }),
    );
  }

  function noteSuccess(): void {
    failures = 0;
    isPaused = false;
    state.notices.delete(NOTICE);
  }

  function noteFailure(error: unknown): never {
    // It was given up.
    if (error instanceof AppError) throw error;
    const waitMs = Math.min(limits.compactRetryMs * 2 ** failures, MAX_RETRY_MS);
    isPaused = true;
    if (failures === 0) state.warn(`The log could not be made into a snapshot yet: ${nameFault(error)}`);
    failures += 1;
    state.notices.set(NOTICE, diskErrorCode(error) === 'ENOSPC' ? NO_ROOM : NOT_COMPACTED);
    // There may be no further write to start it again.
    setTimeout(tryAgain, waitMs).unref();
    throw refusalFor(error);
  }

  function tryAgain(): void {
    isPaused = false;
    consider();
  }

  /** Compacts if the logs hold more than that. */
  function compactBeyond(bytes: number): void {
    const isIdle = queued === 0 && !isPaused;
    if (isIdle && state.loaded.loggedBytes > bytes) compact().catch(() => undefined);
  }

  function consider(): void {
    idleTimer.refresh();
    compactBeyond(Math.max(limits.compactLogBytes, state.loaded.snapshotBytes * LOG_SHARE));
  }

  /**
   * Compacts what a start would have to replay, unless it is small next to the whole. Without a snapshot it always
   * compacts: otherwise each start would run all migrations again.
   */
  function considerWhenIdle(): void {
    const { snapshotBytes } = state.loaded;
    compactBeyond(snapshotBytes && Math.max(limits.idleLogBytes, snapshotBytes * IDLE_SHARE));
  }

  return {
    /** Call it when something became durable: compacts when the log is long, or once the store has been idle for a while. */
    consider,
    /** Compacts now, after any compaction under way. Rejects with AppError when that fails. */
    compact,
    /** Gives up compactions under way; resolves once they have fully stopped. */
    async stop(): Promise<void> {
      if (state.closing) clearTimeout(idleTimer);
      stopping.abort(givenUp());
      await queue.settled();
      stopping = new AbortController();
    },
  };
}

const NO_ROOM =
  'There isn’t enough free space for a new snapshot of Parley’s store, which takes about as much space as the store itself. ' +
  'Nothing is lost, but the log grows, starts take longer, and text that was deleted for good is still in the store’s files. Free some space; Parley then goes on by itself.';
const NOT_COMPACTED =
  'Parley could not make a new snapshot of its store. Nothing is lost, but the log grows, and text that was deleted for good is still in the store’s files. Parley keeps trying; its log file says what went wrong.';
