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

/** Resolves when a file that other programs may hold can be read, or after 2 s. Never rejects: the reader finds what is wrong. */
export const waitUntilReadable = (path: string): Promise<void> =>
  openHeld(() => open(path)).then(
    (file) => file.close(),
    () => undefined,
  );

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
