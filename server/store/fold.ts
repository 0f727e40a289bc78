/**
 * Folding: the log becomes the next snapshot. First the next log is made; then, in one synchronous step between two
 * transactions, the database is copied and every later record goes to the next log; then, once all earlier records are
 * durable, the copy is written as the next snapshot. Until that has its name, recovery uses the old snapshot and both
 * logs, so a crash or a failure at any point loses nothing.
 */
import { join } from 'node:path';
import { AppError } from '../errors.ts';
import { nameFault } from '../fault-report.ts';
import { DatabaseLostError } from './database.ts';
import type { Disk } from './disk.ts';
import { listFolder, logPath, sidecarPath, snapshotPath } from './folder.ts';
import { type Health, refusalFor } from './health.ts';
import { closeQuietly, createLog } from './log-file.ts';
import { HEADER_BYTES } from './log-format.ts';
import { writeSnapshot } from './snapshot.ts';
import { type StoreState, loggedBytes } from './state.ts';
import type { FoldOptions } from './types.ts';

export interface Folding {
  /** Starts a fold when the log has outgrown the snapshot and none failed lately. */
  consider(): void;
  /** Folds now; waits for a fold under way first. Rejects with AppError when it couldn't be done. */
  fold(options?: FoldOptions): Promise<void>;
}

/** Each try begins a new log: they must not come in quick succession. */
const MIN_RETRY_MS = 50;

export function createFolding(state: StoreState, health: Health): Folding {
  const { dir, disk, limits } = state;
  let active: Promise<void> | null = null;
  let stopped = false;
  let retryAt = -Infinity;

  async function run({ dropPrevious = false }: FoldOptions): Promise<void> {
    const writer = state.writer;
    if (state.refusal || !writer) throw state.refusal ?? new AppError('storage_unavailable');
    const generation = writer.log.generation + 1;
    const prepared = await createLog(disk, dir, generation);
    if (!canSwitch() || writer !== state.writer) {
      await closeQuietly(prepared.log.file);
      throw givenUp();
    }
    const old = writer.log;
    const { sequence } = state.position;
    let image: Uint8Array;
    try {
      image = state.database.exportFile();
    } catch (error) {
      await closeQuietly(prepared.log.file);
      throw error instanceof DatabaseLostError ? health.lose(error) : error;
    }
    state.position = { chain: prepared.chain, sequence, statements: new Map() };
    const durable = await writer.switchTo(prepared.log);
    if (!durable) {
      await closeQuietly(prepared.log.file);
      throw givenUp();
    }
    state.carriedBytes += old.end - HEADER_BYTES;
    await closeQuietly(old.file);
    if (!(await writeSnapshot(disk, dir, { generation, sequence, image }, () => stopped))) throw givenUp();
    state.snapshotBytes = image.length;
    state.carriedBytes = 0;
    await removeOld(disk, dir, dropPrevious);
  }

  const canSwitch = (): boolean => !stopped && state.refusal === null;
  const givenUp = (): AppError =>
    state.refusal ?? new AppError('storage_unavailable', 'The fold was given up.');

  function start(options: FoldOptions): Promise<void> {
    const before = active ?? Promise.resolve();
    const mine: Promise<void> = before
      .catch(() => undefined)
      .then(() => run(options))
      .finally(() => {
        if (active === mine) active = null;
      });
    active = mine;
    return mine;
  }

  state.stopFold = async () => {
    stopped = true;
    while (active) await active.catch(() => undefined);
    stopped = false;
  };

  function consider(): void {
    if (active || state.refusal || state.closing || performance.now() < retryAt) return;
    const allowed = Math.max(limits.foldLogBytes, state.snapshotBytes * limits.foldSnapshotShare);
    if (loggedBytes(state) <= allowed) return;
    start({}).catch((error: unknown) => {
      retryAt = performance.now() + limits.foldRetryMs;
      state.warn(`The log could not be folded into a snapshot yet: ${nameFault(error)}`);
      // There may be no further write to bring it up again.
      setTimeout(consider, Math.max(limits.foldRetryMs, MIN_RETRY_MS)).unref();
    });
  }

  return {
    consider,
    fold: (options = {}) =>
      start(options).catch((error: unknown) => {
        throw error instanceof AppError ? error : refusalFor(error);
      }),
  };
}

/**
 * Removes what the newest snapshot, and the one before it as a line of defence, don't need; with `dropPrevious` the line
 * of defence and files set aside as well. Oldest first, so that a crash leaves no gap in what is kept.
 */
async function removeOld(disk: Disk, dir: string, dropPrevious: boolean): Promise<void> {
  const { snapshots, logs, setAside } = await listFolder(disk, dir);
  // A store whose first log is there can begin from nothing: that counts as a snapshot.
  const starts = [...new Set([...(logs.includes(1) ? [1] : []), ...snapshots])];
  const keepFrom = starts.at(dropPrevious ? -1 : -2) ?? 0;
  const last = Math.max(...snapshots, ...logs);
  for (const generation of [...new Set([...snapshots, ...logs])].sort((a, b) => a - b)) {
    if (generation >= keepFrom || generation >= last) break;
    await disk.unlink(snapshotPath(dir, generation));
    await disk.unlink(sidecarPath(dir, generation));
    await disk.unlink(logPath(dir, generation));
  }
  if (dropPrevious) for (const name of setAside) await disk.unlink(join(dir, name));
  await disk.syncDir(dir);
}
