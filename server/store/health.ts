/**
 * What happens when the disk refuses or the database in memory is lost: writes are refused from that moment, the store
 * is put back to exactly what is durable (memory rebuilt from the files, the log cut behind its last durable record),
 * those who waited are told, and the disk is tried until it really takes a write; then writes go on.
 */
import { AppError } from '../errors.ts';
import { nameFault } from '../fault-report.ts';
import { DatabaseLostError } from './database.ts';
import { type Disk, diskErrorCode, writeFully } from './disk.ts';
import { probePath } from './folder.ts';
import { closeQuietly } from './log-file.ts';
import { type Waiter, createLogWriter } from './log-writer.ts';
import { type LoadedStore, loadStore } from './recovery.ts';
import { repairFiles } from './repair.ts';
import { type StoreState, adopt, takeFiles } from './state.ts';

export interface Health {
  /**
   * Opens the files for writing. When the disk refuses that, the store starts with writes refused; with `mustWrite` it
   * throws instead.
   */
  start(options: { mustWrite: boolean }): Promise<void>;
  /** The database in memory is lost; returns what to tell the caller. */
  lose(error: unknown): AppError;
  /** Tries the disk again, unless that was done a moment ago. */
  nudge(): void;
  /** The attempt under way to put things right; null when there is none. */
  readonly attempt: Promise<void> | null;
  /** Ends all attempts. */
  stop(): void;
}

const FULL_CODES = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
/** Enough that a disk with only a few bytes left doesn't pass for one that has room. */
const PROBE_BYTES = 64 * 1024;

/** What a person should know of a store that was damaged. */
function describeDamage(dir: string, kept: readonly string[], missing: number): string {
  const files = kept.length === 0 ? '' : ` As it was, it is kept as ${kept.join(', ')}.`;
  if (missing === 0) return `A file in ${dir} was damaged, and nothing was lost.${files}`;
  const changes = missing === 1 ? 'One change' : `${missing} changes`;
  return (
    `A file in ${dir} was damaged. ${changes} could not be read and may be missing from chats or settings; ` +
    `all others, earlier and later, were kept.${files}`
  );
}

const LOST_WORDS =
  'Parley had to read its data anew from the disk in the midst of this; nothing that was accepted is lost. Try again in a moment.';

/** What clients are told when the disk refused, or the database in memory was lost. */
export const refusalFor = (error: unknown): AppError =>
  error instanceof DatabaseLostError
    ? new AppError('storage_unavailable', LOST_WORDS, { cause: error })
    : diskRefusal(error);

const diskRefusal = (error: unknown): AppError =>
  new AppError(FULL_CODES.has(diskErrorCode(error)) ? 'storage_full' : 'storage_unavailable', undefined, {
    cause: error,
  });

export function createHealth(state: StoreState, initial: LoadedStore): Health {
  const { dir, disk, limits } = state;
  /** Loaded into memory already, but its files aren't opened for writing yet. */
  let unopened: LoadedStore | null = initial;
  let needsReload = false;
  let needsProbe = false;
  let firstSequence = initial.position.sequence;
  let refused: { waiters: Waiter[]; error: AppError }[] = [];
  let attempt: Promise<void> | null = null;
  let lastAttemptAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  async function openForWriting(loaded: LoadedStore): Promise<void> {
    const damaged = [...loaded.damaged];
    const { log, kept } = await repairFiles(disk, dir, loaded);
    for (const { path, reason } of damaged) state.warn(`${path} was set aside: ${reason}.`);
    if (kept.length > 0 || loaded.missing > 0) {
      const words = describeDamage(dir, kept, loaded.missing);
      state.warn(words);
      state.notices.set('damaged', words);
    }
    takeFiles(state, loaded);
    firstSequence = loaded.position.sequence;
    state.writer = createLogWriter(log, { onDurable: () => state.onDurable(), onFailure });
    unopened = null;
  }

  function onFailure(error: unknown, waiters: Waiter[]): void {
    const refusal = refuse(error);
    refused.push({ waiters, error: refusal });
    needsReload = true;
    needsProbe = true;
    // A disk that hangs must not keep those who wait: they are told, whatever the state of the files.
    setTimeout(tellRefused, limits.settledMs).unref();
    restore();
  }

  function refuse(error: unknown): AppError {
    const refusal = refusalFor(error);
    if (!state.refusal) state.warn(`Writes are refused for now: ${nameFault(error)}.`);
    state.refusal = refusal;
    return refusal;
  }

  function tellRefused(): void {
    const groups = refused;
    refused = [];
    for (const { waiters, error } of groups) for (const waiter of waiters) waiter.reject(error);
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
    lost.close();
  }

  /** One try: memory first, since that only takes reading; then the files; then a real write. */
  async function putRight(): Promise<void> {
    try {
      await state.stopCompaction();
      await state.writer?.drained();
      if (needsReload) await reload();
      if (unopened) await openForWriting(unopened);
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
        },
      )
      .finally(() => {
        attempt = null;
        lastAttemptAt = performance.now();
        if (state.refusal && !stopped) timer = setTimeout(restore, limits.probeIntervalMs).unref();
      });
  }

  const nudge = (): void => {
    if (performance.now() - lastAttemptAt >= limits.probeSpacingMs) restore();
  };

  return {
    async start({ mustWrite }) {
      try {
        await openForWriting(initial);
      } catch (error) {
        if (mustWrite) throw refusalFor(error);
        refuse(error);
        needsProbe = true;
        timer = setTimeout(restore, limits.probeIntervalMs).unref();
      }
    },
    lose(error) {
      const known = needsReload;
      needsReload = true;
      const refusal = refuse(error);
      if (known) nudge();
      else restore();
      return refusal;
    },
    nudge,
    get attempt() {
      return attempt;
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

/** Really writes and syncs something; throws what the disk throws. */
async function probe(disk: Disk, dir: string): Promise<void> {
  const path = probePath(dir);
  try {
    const file = await disk.open(path, 'create');
    try {
      await writeFully(file, Buffer.alloc(PROBE_BYTES), 0);
      await file.datasync();
    } finally {
      await closeQuietly(file);
    }
  } finally {
    await disk.unlink(path).catch(() => undefined);
  }
}
