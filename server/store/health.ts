/**
 * What happens when the disk refuses, the files are gone, or the database in memory is lost: writes are refused from
 * that moment, the store returns to exactly what is durable (memory is rolled back, the log is cut after its last
 * durable record), waiting writes are rejected, and the disk is tried until it really takes a write; then writes are
 * accepted again.
 *
 * Files that were deleted or moved are written again from memory, as one snapshot. A lost database is rebuilt from the
 * files.
 */
import type { AppError } from '../errors.ts';
import { nameFault } from '../lib/fault-report.ts';
import { closeQuietly, diskErrorCode } from './disk.ts';
import { createFileCheck, listFolder } from './folder.ts';
import type { OpenLog } from './folder.ts';
import { FilesGoneError, type LogWriter, type Waiter, createLogWriter } from './log-writer.ts';
import { probe } from './probe.ts';
import { loadStore, soundStore } from './recovery.ts';
import type { LoadedStore } from './replay.ts';
import { describeDamage, describeLoss, refusalFor } from './refusal.ts';
import { repairFiles } from './repair.ts';
import { type StoreState, adopt, loggedBytes, noteChange, takeFiles } from './state.ts';

export type Health = ReturnType<typeof createHealth>;

export function createHealth(
  state: StoreState,
  initial: LoadedStore,
  reclaim: () => Promise<void> = () => Promise.resolve(),
) {
  const { dir, disk, limits } = state;
  /** Loaded into memory, but its files aren't open for writing yet. */
  let unopened: LoadedStore | null = initial;
  /** The files have to be reopened, and are as the failed writer left them. */
  let needsFiles = false;
  let needsReload = false;
  /** What the disk refused could not be rolled back; memory still holds it. */
  let holdsRefused = false;
  let isGone = false;
  let needsProbe = false;
  let firstSequence = initial.position.sequence;
  let refused: { waiters: Waiter[]; error: AppError }[] = [];
  let attempt: Promise<void> | null = null;
  let lastAttemptAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  let lookTimer = setTimeout(look, limits.lookMs).unref();
  let stopped = false;
  const areFilesThere = createFileCheck(disk, dir);

  async function isInPlace(log: OpenLog): Promise<boolean> {
    for (;;) {
      const { base } = state;
      if (await areFilesThere(base, log)) return true;
      // A compaction may have replaced them meanwhile.
      if (base === state.base) return false;
    }
  }

  function onDurable(records: number): void {
    try {
      state.undo.settle(records);
      state.onDurable();
    } catch (error) {
      lose(error);
    }
  }

  async function openForWriting(loaded: LoadedStore): Promise<void> {
    const damaged = [...loaded.damaged];
    if (isGone) await reclaim();
    const { log, kept } = await repairFiles(disk, dir, loaded);
    for (const { path, reason } of damaged) state.warn(`${path} was set aside: ${reason}.`);
    if (kept.length > 0 || loaded.missing > 0) tell('damaged', describeDamage(dir, kept, loaded.missing));
    if (isGone) tell('written_anew', describeLoss(dir));
    takeFiles(state, loaded);
    firstSequence = loaded.position.sequence;
    state.position = loaded.position;
    const before = state.writer;
    state.writer = createLogWriter(log, { isInPlace, onDurable, onFailure });
    unopened = null;
    needsFiles = false;
    isGone = false;
    if (before) await closeQuietly(before.log.file);
  }

  function tell(code: string, words: string): void {
    state.warn(words);
    state.notices.set(code, words);
  }

  function onFailure(error: unknown, waiters: Waiter[]): void {
    const refusal = refuse(error);
    refused.push({ waiters, error: refusal });
    needsFiles = true;
    needsProbe = true;
    takeBack();
    // A hanging disk must not block waiting callers: they are rejected, whatever the state of the files.
    setTimeout(tellRefused, limits.settledMs).unref();
    restore();
  }

  function takeBack(): void {
    if (needsReload) return;
    try {
      if (state.undo.takeBack()) noteChange(state, 'went back');
      else needsReload = holdsRefused = true;
    } catch {
      needsReload = true;
    }
  }

  function refuse(error: unknown): AppError {
    const refusal = refusalFor(error);
    if (!state.refusal) state.warn(`Writes are refused for now: ${nameFault(error)}.`);
    state.refusal = refusal;
    return refusal;
  }

  function tellWaiters(tell: (waiter: Waiter, error: AppError) => void): void {
    const groups = refused;
    refused = [];
    for (const { waiters, error } of groups) for (const waiter of waiters) tell(waiter, error);
  }

  const tellRefused = (): void => tellWaiters((waiter, error) => waiter.reject(error));

  /** What must reach the disk from memory: what comes after the content of `log`, or everything if files are gone. */
  async function fromMemory({ log, durableRecords }: LogWriter): Promise<LoadedStore> {
    isGone = !(await isInPlace(log));
    const { logs } = isGone ? { logs: [] } : await listFolder(disk, dir);
    const { database, snapshotBytes, base } = state;
    const position = {
      chain: log.chain,
      sequence: firstSequence + durableRecords,
      uses: new Map<string, number>(),
    };
    return {
      ...soundStore(database, { base, generation: log.generation, position }),
      end: log.end,
      loggedBytes: loggedBytes(state),
      snapshotBytes,
      isAhead: isGone,
      unused: logs.filter((generation) => generation > log.generation),
    };
  }

  async function reload(): Promise<void> {
    const failed = state.writer;
    const limit = failed ? { generation: failed.log.generation, end: failed.log.end } : undefined;
    const loaded = await loadStore(disk, dir, { limit, migrations: state.migrations });
    const durable = firstSequence + (failed?.durableRecords ?? 0);
    if (loaded.position.sequence !== durable) {
      loaded.database.close();
      throw new Error(`the files hold ${loaded.position.sequence} transactions, but ${durable} were stored`);
    }
    if (failed) await closeQuietly(failed.log.file);
    const lost = state.database;
    adopt(state, loaded);
    state.writer = null;
    firstSequence = durable;
    unopened = loaded;
    needsReload = false;
    holdsRefused = false;
    lost.close();
  }

  /** One try: memory first; then the files; then a real write. */
  async function putRight(): Promise<void> {
    try {
      await state.stopCompaction();
      await state.writer?.drained();
      const { writer } = state;
      if (writer && (holdsRefused || (needsFiles && !needsReload))) {
        unopened = await fromMemory(writer);
        if (holdsRefused && isGone) unopened.position.sequence = state.position.sequence;
      }
      if (needsReload && !(holdsRefused && isGone)) await reload();
      if (unopened) await openForWriting(unopened);
      if (holdsRefused) {
        // No copy without the refused writes is left, and now they are on disk too.
        tellWaiters((waiter) => waiter.resolve());
        needsReload = holdsRefused = false;
      }
    } finally {
      tellRefused();
    }
    if (needsProbe) await probe(disk, dir);
    needsProbe = false;
    if (!needsReload) state.refusal = null;
  }

  function restore(): void {
    if (attempt || stopped) return;
    clearTimeout(timer);
    lastAttemptAt = performance.now();
    attempt = putRight()
      .then(
        () => state.warn('Writes are accepted again.'),
        (error: unknown) => {
          state.refusal = refusalFor(error);
          // Memory holds the only copy of what was loaded.
          if (unopened && diskErrorCode(error) === 'ENOENT') unopened.isAhead = isGone = true;
        },
      )
      .finally(() => {
        attempt = null;
        lastAttemptAt = performance.now();
        if (state.refusal && !stopped) timer = setTimeout(restore, limits.probeIntervalMs).unref();
      });
  }

  /** Tries the disk again, unless it did so a moment ago. */
  const nudge = (): void => {
    if (performance.now() - lastAttemptAt >= limits.probeSpacingMs) restore();
  };

  /** Handles the loss of the database in memory; returns the error for the caller. */
  function lose(error: unknown): AppError {
    const known = needsReload;
    needsReload = true;
    const refusal = refuse(error);
    if (known) nudge();
    else restore();
    return refusal;
  }

  const logAtRest = (): OpenLog | null => (state.writer?.idle && !state.refusal ? state.writer.log : null);

  /** Looks only while idle: a write checks by itself. */
  async function lookAtRest(): Promise<void> {
    const log = logAtRest();
    // If the disk can't tell now, the next write will.
    if (!log || (await isInPlace(log).catch(() => true)) || logAtRest() !== log) return;
    onFailure(new FilesGoneError(`log-${log.generation}, or what it builds on, was deleted or moved`), []);
  }

  function look(): void {
    void lookAtRest().finally(() => {
      if (!stopped) lookTimer = setTimeout(look, limits.lookMs).unref();
    });
  }

  return {
    /**
     * Opens the files for writing. If the disk refuses, the store starts with writes refused; with `mustWrite` this
     * throws instead.
     */
    async start({ mustWrite }: { mustWrite: boolean }): Promise<void> {
      try {
        await openForWriting(initial);
      } catch (error) {
        if (mustWrite) throw refusalFor(error);
        refuse(error);
        needsProbe = true;
        timer = setTimeout(restore, limits.probeIntervalMs).unref();
      }
    },
    lose,
    nudge,
    /** Checks that the files are in place, and tries to repair what isn't. */
    async lookAgain(): Promise<void> {
      await lookAtRest();
      if (state.refusal) restore();
      await attempt;
    },
    /** The repair under way, or null. */
    get attempt(): Promise<void> | null {
      return attempt;
    },
    /** Ends all attempts. */
    stop(): void {
      stopped = true;
      clearTimeout(timer);
      clearTimeout(lookTimer);
    },
  };
}
