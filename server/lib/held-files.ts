/**
 * Files that another program holds for a moment. On Windows, scanners, indexers and sync programs open new files so that
 * nobody can rename, remove or open them meanwhile.
 */
import { open, rename, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 2_000;
const FIRST_WAIT_MS = 10;
const LONGEST_WAIT_MS = 150;
/** How Windows refuses to rename or remove a held file. */
const CHANGE_REFUSED: readonly unknown[] = ['EBUSY', 'EPERM', 'EACCES'];

/** Renames or removes a file with `action`, again and again for 2 s while the file is held. Rejects with its last error. */
export const changeHeld = <T>(action: () => Promise<T>): Promise<T> => whileRefused(CHANGE_REFUSED, action);

/** As {@link changeHeld}, to open or read a file. */
export const openHeld = <T>(action: () => Promise<T>): Promise<T> => whileRefused(['EBUSY'], action);

/**
 * Does `work` once a file can be read, or after 2 s, and keeps the file open meanwhile: a program that looks at new files could
 * take it between two looks of ours. What is wrong with the file is for `work` to find.
 */
export async function withReadable<T>(path: string, work: () => Promise<T>): Promise<T> {
  const file = await openHeld(() => open(path)).catch(() => null);
  try {
    return await work();
  } finally {
    await file?.close();
  }
}

/** Renames a file, replacing any file at the target. */
export const renameFile = (from: string, to: string): Promise<void> => changeHeld(() => rename(from, to));

/** Removes a file; nothing happens when there is none. */
export const removeFile = (path: string): Promise<void> => changeHeld(() => rm(path, { force: true }));

async function whileRefused<T>(codes: readonly unknown[], action: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
    try {
      return await action();
    } catch (error) {
      const isHeld = error instanceof Error && 'code' in error && codes.includes(error.code);
      if (!isHeld || performance.now() >= deadline) throw error;
      await sleep(waitMs);
    }
  }
}
