/**
 * What happens when the disk refuses, files are gone, or the database in memory is lost: writes are refused from that
 * moment, memory and files are made to agree again, waiting writes are answered, and the disk is tried until it really
 * takes a write; then writes are accepted again.
 */
import { join } from 'node:path';
import { AppError } from '../errors.ts';
import { nameFault } from '../lib/fault-report.ts';
import type { Compaction } from './compaction.ts';
import { closeQuietly, diskErrorCode, writeNew } from './disk.ts';
import { areFilesThere, copyAside, listFolder, setAside } from './files.ts';
import { loadStore } from './load.ts';
import { type OpenLog, type BatchEnd, beginLog, createLog, createLogWriter, openLog } from './log-writer.ts';
import { snapshotMemory } from './snapshot.ts';
import { type StoreState, adopt } from './state.ts';
import { FILES_GONE, adviseOnBackup, describeLoss, describeRewriting, refusalFor } from './store-error.ts';

export type StoreHealth = ReturnType<typeof createHealth>;

/**
 * `healthy`: writes are accepted. `refused`: the disk refused a write, which memory still holds. `lost`: the database in memory
 * can't be used. `gone`: files were deleted or moved, and memory has the only copy. `unopened`: memory is what the files
 * hold, and they aren't open for writing. `unproven`: they are, but no write has been seen to succeed.
 */
type Condition = 'healthy' | 'refused' | 'lost' | 'gone' | 'unopened' | 'unproven';

/** Enough that a disk with only a few bytes left doesn't count as having room. */
const PROBE_BYTES = 64 * 1024;

export function createHealth(state: StoreState, compaction: Compaction) {
  const { dir, disk, limits } = state;
  let condition: Condition = 'unopened';
  /** Writes that the disk refused, until they are answered. */
  const refused: { outcome: BatchEnd; error: AppError }[] = [];
  let attempt: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  const stopping = new AbortController();

  /** A database that was lost meanwhile stays lost until another is loaded. */
  function become(next: Condition): void {
    if (condition !== 'lost' || next === 'unopened') condition = next;
  }

  /** One step out of each condition; throws when it isn't possible yet. */
  const STEPS: Readonly<Record<Exclude<Condition, 'healthy'>, () => Promise<void>>> = {
    async refused() {
      const { writer, loaded } = state;
      if (writer && !(await areFilesThere(disk, dir, loaded.base, writer.log))) become('gone');
      else await reload();
    },
    lost: reload,
    async unopened() {
      const loss = describeLoss(dir, state.loaded);
      const kept = await open();
      if (loss !== null || kept.length > 0) await reportDamage(loss, kept);
      become('unproven');
    },
    async gone() {
      await state.reclaim();
      state.loaded.isAhead = true;
      await open();
      report('written_anew', describeRewriting(dir));
      // Whatever was refused is on disk now, too.
      for (const { outcome } of refused.splice(0)) outcome.resolve();
      become('unproven');
    },
    async unproven() {
      rejectRefused();
      const path = join(dir, 'probe.tmp');
      try {
        await writeNew(disk, path, [Buffer.alloc(PROBE_BYTES)]);
      } finally {
        await disk.unlink(path).catch(() => undefined);
      }
      become('healthy');
    },
  };

  /**
   * Makes the files agree with memory, so that the log can continue: removes leftovers, sets damaged files aside, cuts a torn end off and
   * opens the log for appending; all of it is durable when this resolves. If memory differs from the files, it is written as a
   * whole and a new log is started. Resolves with the names of the files in which damaged logs are kept.
   */
  async function open(): Promise<string[]> {
    const { loaded, writer: before } = state;
    await disk.mkdir(dir);
    const { temporary } = await listFolder(disk, dir);
    for (const name of temporary) await disk.unlink(join(dir, name));
    const kept: string[] = [];
    for (const [path, log] of loaded.damaged) if (log) kept.push(await copyAside(disk, dir, path, log));
    const log = await continueLog();
    const { consider: onDurable } = compaction;
    state.writer = createLogWriter(log, loaded.position.sequence, { onDurable, onFailure });
    if (before) await closeQuietly(before.log.file);
    for (const [path, log] of loaded.damaged) {
      if (!log) {
        // Only now: a damaged snapshot that memory was loaded from was the only copy.
        await setAside(disk, dir, path);
        state.warn(`${path} was set aside: it is damaged.`);
      }
      loaded.damaged.delete(path);
    }
    return kept;
  }

  /** The log that records go to from now on. */
  async function continueLog(): Promise<OpenLog> {
    const { loaded } = state;
    if (loaded.isAhead) return writeWhole();
    if (loaded.end > 0) return openLog(disk, dir, loaded);
    const log = await createLog(disk, dir, loaded.generation);
    beginLog(loaded, log);
    return log;
  }

  /** Writes memory as a new snapshot, with a new log. All other files stay but no longer count. */
  async function writeWhole(): Promise<OpenLog> {
    const { loaded } = state;
    const { snapshots, logs } = await listFolder(disk, dir);
    const log = await createLog(disk, dir, Math.max(loaded.generation, ...snapshots, ...logs) + 1);
    await snapshotMemory(state, log, stopping.signal).catch(async (error: unknown) => {
      await closeQuietly(log.file);
      throw error;
    });
    loaded.isAhead = false;
    return log;
  }

  /** Loads what is durable. */
  async function reload(): Promise<void> {
    const { writer, loaded, migrations } = state;
    // Nothing after the end of the log that was written to last was ever durable.
    const fresh = await loadStore(disk, dir, { limit: writer?.log, migrations });
    const { sequence } = writer ?? loaded.position;
    if (fresh.position.sequence !== sequence)
      throw new Error(`the files hold ${fresh.position.sequence} transactions, but ${sequence} were stored`);
    adopt(state, fresh);
    become('unopened');
  }

  async function reportDamage(loss: string | null, kept: readonly string[]): Promise<void> {
    const words = loss ?? `A file in ${dir} was damaged, and nothing was lost.`;
    const files = kept.length === 0 ? '' : ` As it was, it is kept as ${kept.join(', ')}.`;
    const advice = loss === null ? '' : ` ${adviseOnBackup(await state.newestBackup())}`;
    report('damaged', words + files + advice);
  }

  function report(code: string, words: string): void {
    state.warn(words);
    state.notices.set(code, words);
  }

  function onFailure(cause: unknown, outcomes: BatchEnd[]): void {
    const error = fail('refused', cause);
    refused.push(...outcomes.map((outcome) => ({ outcome, error })));
    // A hanging disk must not block those who wait: they are rejected, whatever the state of the files.
    setTimeout(rejectRefused, limits.settledMs).unref();
  }

  function rejectRefused(): void {
    for (const { outcome, error } of refused.splice(0)) outcome.reject(error);
  }

  /** Refuses writes from now on, and begins to put that right. Returns the error for the caller. */
  function fail(next: Exclude<Condition, 'healthy' | 'unproven'>, error: unknown): AppError {
    const isKnown = condition === next;
    const refusal = refusalFor(error);
    if (!state.refusal) state.warn(`Writes are refused for now. ${nameFault(error)}`);
    state.refusal = refusal;
    become(next);
    // Otherwise the next attempt has its time already.
    if (!isKnown) restore();
    return refusal;
  }

  function restore(): void {
    if (!stopping.signal.aborted) attempt ??= putRight();
  }

  async function putRight(): Promise<void> {
    try {
      // First of all: a compaction counts on its writer being the store's.
      await compaction.stop();
      await state.writer?.drained();
      while (condition !== 'healthy') await STEPS[condition]();
      state.refusal = null;
      state.warn('Writes are accepted again.');
    } catch (error) {
      state.refusal = refusalFor(error);
      // Memory holds the only copy of what was loaded.
      if (diskErrorCode(error) === 'ENOENT') become('gone');
    } finally {
      rejectRefused();
      attempt = null;
    }
  }

  /** Notices files that were deleted or moved. */
  async function checkFiles(): Promise<void> {
    const { base } = state.loaded;
    const log = state.writer?.log;
    // If the disk can't say now, the next write will.
    if (!log || (await areFilesThere(disk, dir, base, log).catch(() => true))) return;
    // A compaction may have replaced them meanwhile, or the store was closed.
    const isStillOpen = !stopping.signal.aborted && base === state.loaded.base && log === state.writer?.log;
    if (isStillOpen && condition === 'healthy') fail('gone', new AppError('storage_unavailable', FILES_GONE));
  }

  /** Checks that the files are in place, and tries to repair what isn't. */
  async function check(): Promise<void> {
    await checkFiles();
    if (state.refusal) restore();
    await attempt;
  }

  function checkLater(): void {
    if (stopping.signal.aborted) return;
    timer = setTimeout(() => void check().finally(checkLater), limits.checkIntervalMs).unref();
  }

  checkLater();
  return {
    /**
     * Opens the files for writing. If the disk refuses, the store starts with writes refused; with `mustWrite` this
     * throws instead.
     */
    async start({ mustWrite }: { mustWrite: boolean }): Promise<void> {
      try {
        await STEPS.unopened();
        condition = 'healthy';
      } catch (error) {
        if (mustWrite) throw refusalFor(error);
        fail('unopened', error);
        restore();
      }
    },
    /** Handles the loss of the database in memory; returns the error for the caller. */
    lose: (error: unknown): AppError => fail('lost', error),
    check,
    /** The repair under way, or null. */
    get attempt(): Promise<void> | null {
      return attempt;
    },
    /** Ends all attempts. */
    stop(): void {
      stopping.abort(new Error('The store is closing.'));
      clearTimeout(timer);
    },
  };
}
