/**
 * Compaction: the log becomes the next snapshot. This module only creates the next log and, in one synchronous step
 * between two transactions, sends every later record there. Once all earlier ones are durable, a thread makes the
 * snapshot from the files alone (compactor.ts). Until the snapshot has its name, recovery uses the old snapshot and
 * both logs, so a crash or a failure at any point loses nothing.
 */
import { join } from 'node:path';
import { AppError } from '../errors.ts';
import { nameFault } from '../lib/fault-report.ts';
import { removeGenerations } from './compact.ts';
import type { Compactor } from './compactor.ts';
import { closeQuietly, diskErrorCode } from './disk.ts';
import { listFolder } from './folder.ts';
import { refusalFor } from './refusal.ts';
import { createLog } from './log-file.ts';
import { HEADER_BYTES } from './log-format.ts';
import { type StoreState, loggedBytes } from './state.ts';
import type { CompactOptions } from './types.ts';

/** Each try begins a new log, so tries must not follow each other too quickly. */
const MIN_RETRY_MS = 50;
const MAX_RETRY_MS = 60 * 60_000;
const NOTICE = 'not_compacted';

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
    const old = writer.log;
    const { sequence } = state.position;
    state.position = { chain: prepared.chain, sequence, uses: new Map() };
    const durable = await writer.switchTo(prepared);
    if (!durable) {
      await closeQuietly(prepared.file);
      throw givenUp();
    }
    state.carriedBytes += old.end - HEADER_BYTES;
    await closeQuietly(old.file);
    if (!mayGoOn(signal)) throw givenUp();
    state.snapshotBytes = await compactor({ dir, generation, end: old.end, sequence }, signal);
    state.carriedBytes = 0;
    state.base = generation;
    if (!mayGoOn(signal)) throw givenUp();
    await removeOld(generation, dropPrevious);
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
    const earlier = [...(logs.includes(1) ? [1] : []), ...snapshots].filter((each) => each < newest);
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
    if (isWanted(limits.compactLogBytes)) start({}).catch(() => undefined);
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

const REST_SHARE = 1 / 64;

const NO_ROOM =
  'There isn’t enough free space for a new snapshot of Parley’s store, which takes about as much space as the store itself. ' +
  'Nothing is lost, but the log grows, starts take longer, and text that was deleted for good is still in the store’s files. Free some space; Parley then goes on by itself.';
const NOT_COMPACTED =
  'Parley could not make a new snapshot of its store. Nothing is lost, but the log grows, and text that was deleted for good is still in the store’s files. Parley keeps trying; its log file says what went wrong.';
