/**
 * What happens when the disk refuses, files are gone, or the database in memory is lost: writes are refused from that
 * moment, memory and files are made to agree again, waiting writes are answered, and the disk is tried until it really
 * takes a write; then writes are accepted again. {@link NEXT} says which condition may follow which.
 */
import type { AppError } from '../errors.ts';
import { nameFault } from '../lib/fault-report.ts';
import type { Compactor, SnapshotTask } from './compaction.ts';
import { type Disk, closeQuietly, diskErrorCode, writeNew } from './disk.ts';
import { areFilesThere, probePath } from './folder.ts';
import { loadStore } from './load.ts';
import { type LogWriter, type Waiter, createLogWriter } from './log-writer.ts';
import { openFiles, writeWhole } from './open-files.ts';
import type { LoadedStore } from './replay.ts';
import { type StoreState, adopt, takeFiles } from './state.ts';
import { FilesGoneError, describeDamage, describeLoss, refusalFor } from './store-error.ts';

export type Health = ReturnType<typeof createHealth>;

/**
 * `sound`: writes are accepted. `refused`: the disk refused a write, which memory still holds. `lost`: the database in memory
 * can't be used. `gone`: files were deleted or moved, and memory has the only copy. `unopened`: memory is what the files
 * hold, and they aren't open for writing. `unproven`: they are, but no write has been seen to succeed.
 */
type Condition = 'sound' | 'refused' | 'lost' | 'gone' | 'unopened' | 'unproven';

const NEXT: Readonly<Record<Condition, readonly Condition[]>> = {
  sound: ['refused', 'lost', 'gone'],
  refused: ['unopened', 'gone', 'lost'],
  lost: ['unopened'],
  gone: ['unproven', 'lost'],
  unopened: ['unproven', 'gone', 'lost'],
  unproven: ['sound', 'gone', 'lost'],
};

/** Enough that a disk with only a few bytes left doesn't count as having room. */
const PROBE_BYTES = 64 * 1024;

export function createHealth(
  state: StoreState,
  initial: LoadedStore,
  {
    reclaim,
    newestBackup,
    compactor,
  }: {
    reclaim: () => Promise<void>;
    newestBackup: () => Promise<string | null>;
    compactor: Compactor;
  },
) {
  const { dir, disk, limits } = state;
  let condition: Condition = 'unopened';
  let loaded = initial;
  /** The end of the durable records, while there is no writer to ask. */
  let durableSequence = initial.position.sequence;
  let rejected: { waiters: Waiter[]; error: AppError }[] = [];
  let attempt: Promise<void> | null = null;
  let lastAttemptAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  let checkTimer = setTimeout(check, limits.lookMs).unref();
  const stopping = new AbortController();

  /** Does nothing if `next` can't follow, such as when the database was lost meanwhile. */
  function become(next: Condition): void {
    if (NEXT[condition].includes(next)) condition = next;
  }

  const makeSnapshot = (task: SnapshotTask): Promise<number> => compactor(dir, task, stopping.signal);

  /** One step out of each condition; throws when it isn't possible yet. */
  const STEPS: Readonly<Record<Exclude<Condition, 'sound'>, () => Promise<void>>> = {
    async refused() {
      if (!state.writer || (await isInPlace(state.writer))) await reload();
      else become('gone');
    },
    lost: reload,
    async unopened() {
      const { damaged, damagedLogs, missing, isPartial, lacks } = loaded;
      const { log, kept } = await openFiles(disk, dir, loaded, makeSnapshot);
      for (const { path, reason } of damaged) state.warn(`${path} was set aside: ${reason}.`);
      if (missing > 0 || isPartial || lacks || damagedLogs.length > 0)
        report('damaged', describeDamage(dir, kept, { missing, isPartial, lacks }, await newestBackup()));
      await writeTo(loaded, createWriter(log, loaded));
      become('unproven');
    },
    async gone() {
      const { database, position, base, snapshotBytes } = state;
      const generation = state.writer?.log.generation ?? loaded.generation;
      await reclaim();
      await disk.mkdir(dir);
      const copy = { ...loaded, database, position: { ...position }, generation, base, snapshotBytes };
      const log = await writeWhole(disk, dir, copy, makeSnapshot);
      report('written_anew', describeLoss(dir));
      await writeTo(copy, createWriter(log, copy));
      // Whatever was refused is on disk now, too.
      answer((waiter) => waiter.resolve());
      become('unproven');
    },
    async unproven() {
      rejectWaiters();
      await probe(disk, dir);
      become('sound');
    },
  };

  /** The writer of a log, once it is open. */
  const createWriter = (log: Parameters<typeof createLogWriter>[0], { position }: LoadedStore): LogWriter =>
    createLogWriter(log, position.sequence, { onDurable: () => state.onDurable(), onFailure });

  async function writeTo(files: LoadedStore, writer: LogWriter): Promise<void> {
    const before = state.writer;
    takeFiles(state, files);
    state.position = files.position;
    state.writer = writer;
    loaded = files;
    if (before) await closeQuietly(before.log.file);
  }

  const isInPlace = async ({ log }: LogWriter): Promise<boolean> => {
    for (;;) {
      const { base } = state;
      if (await areFilesThere(disk, dir, base, log)) return true;
      // A compaction may have replaced them meanwhile.
      if (base === state.base) return false;
    }
  };

  /** Loads what is durable. */
  async function reload(): Promise<void> {
    const failed = state.writer;
    const limit = failed ? { generation: failed.log.generation, end: failed.log.end } : undefined;
    const fresh = await loadStore(disk, dir, { limit, migrations: state.migrations });
    durableSequence = failed?.sequence ?? durableSequence;
    if (fresh.position.sequence !== durableSequence) {
      fresh.database.close();
      throw new Error(
        `the files hold ${fresh.position.sequence} transactions, but ${durableSequence} were stored`,
      );
    }
    if (failed) await closeQuietly(failed.log.file);
    const before = state.database;
    adopt(state, fresh);
    before.close();
    state.writer = null;
    loaded = fresh;
    become('unopened');
  }

  function report(code: string, words: string): void {
    state.warn(words);
    state.notices.set(code, words);
  }

  function onFailure(error: unknown, waiters: Waiter[]): void {
    rejected.push({ waiters, error: fail('refused', error) });
    // A hanging disk must not block those who wait: they are rejected, whatever the state of the files.
    setTimeout(rejectWaiters, limits.settledMs).unref();
  }

  const rejectWaiters = (): void => answer((waiter, error) => waiter.reject(error));

  /** Answers those whose writes were refused. */
  function answer(how: (waiter: Waiter, error: AppError) => void): void {
    const groups = rejected;
    rejected = [];
    for (const { waiters, error } of groups) for (const waiter of waiters) how(waiter, error);
  }

  /** Refuses writes from now on, and begins to put that right. Returns the error for the caller. */
  function fail(next: 'refused' | 'lost' | 'gone', error: unknown): AppError {
    const isKnown = condition === next;
    const refusal = refusalFor(error);
    if (!state.refusal) state.warn(`Writes are refused for now: ${nameFault(error)}.`);
    state.refusal = refusal;
    become(next);
    if (isKnown) nudge();
    else restore();
    return refusal;
  }

  async function putRight(): Promise<void> {
    await state.stopCompaction();
    await state.writer?.drained();
    try {
      while (condition !== 'sound') await STEPS[condition]();
    } finally {
      rejectWaiters();
    }
    state.refusal = null;
  }

  function restore(): void {
    if (attempt || stopping.signal.aborted) return;
    clearTimeout(timer);
    lastAttemptAt = performance.now();
    attempt = putRight()
      .then(
        () => state.warn('Writes are accepted again.'),
        (error: unknown) => {
          state.refusal = refusalFor(error);
          // Memory holds the only copy of what was loaded.
          if (diskErrorCode(error) === 'ENOENT') become('gone');
        },
      )
      .finally(() => {
        attempt = null;
        lastAttemptAt = performance.now();
        if (state.refusal && !stopping.signal.aborted)
          timer = setTimeout(restore, limits.probeIntervalMs).unref();
      });
  }

  /** Tries the disk again, unless it did so a moment ago. */
  function nudge(): void {
    if (performance.now() - lastAttemptAt >= limits.probeSpacingMs) restore();
  }

  /** Notices files that were deleted or moved. */
  async function checkNow(): Promise<void> {
    const { writer } = state;
    // If the disk can't say now, the next write will.
    if (!writer || (await isInPlace(writer).catch(() => true))) return;
    if (writer !== state.writer || condition !== 'sound') return;
    const name = `log-${writer.log.generation}`;
    fail('gone', new FilesGoneError(`${name}, or what it builds on, was deleted or moved`));
  }

  function check(): void {
    void checkNow().finally(() => {
      if (!stopping.signal.aborted) checkTimer = setTimeout(check, limits.lookMs).unref();
    });
  }

  return {
    /**
     * Opens the files for writing. If the disk refuses, the store starts with writes refused; with `mustWrite` this
     * throws instead.
     */
    async start({ mustWrite }: { mustWrite: boolean }): Promise<void> {
      try {
        await STEPS.unopened();
        condition = 'sound';
      } catch (error) {
        if (mustWrite) throw refusalFor(error);
        state.warn(`Writes are refused for now: ${nameFault(error)}.`);
        state.refusal = refusalFor(error);
        timer = setTimeout(restore, limits.probeIntervalMs).unref();
      }
    },
    /** Handles the loss of the database in memory; returns the error for the caller. */
    lose: (error: unknown): AppError => fail('lost', error),
    nudge,
    /** Checks that the files are in place, and tries to repair what isn't. */
    async lookAgain(): Promise<void> {
      await checkNow();
      if (state.refusal) restore();
      await attempt;
    },
    /** The repair under way, or null. */
    get attempt(): Promise<void> | null {
      return attempt;
    },
    /** Ends all attempts. */
    stop(): void {
      stopping.abort(new Error('The store is closing.'));
      clearTimeout(timer);
      clearTimeout(checkTimer);
    },
  };
}

/** Really writes and syncs something; throws what the disk throws. */
async function probe(disk: Disk, dir: string): Promise<void> {
  const path = probePath(dir);
  try {
    await writeNew(disk, path, Buffer.alloc(PROBE_BYTES));
  } finally {
    await disk.unlink(path).catch(() => undefined);
  }
}
