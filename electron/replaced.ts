/**
 * Notices that the package was replaced while the app runs, as a package manager does at an update. What is loaded goes on, but
 * what is loaded later might be of the new version, so the person is asked to restart.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';

/** The program and its archive. */
export const packageFiles = (execPath: string, resourcesPath: string): string[] => [
  execPath,
  join(resourcesPath, 'app.asar'),
];

/**
 * Calls `onReplaced` once, when one of the package's files has changed. Checks each minute, and whenever the returned function
 * is called. Doesn't keep the process alive.
 */
export function watchReplaced(
  files: readonly string[],
  onReplaced: () => void,
  everyMs = 60_000,
): () => void {
  const before = files.map(markOf);
  let isOver = false;
  const check = (): void => {
    const isSame = files.every((file, index) => [before[index], null].includes(markOf(file)));
    if (isOver || isSame) return;
    isOver = true;
    clearInterval(timer);
    onReplaced();
  };
  const timer = setInterval(check, everyMs);
  timer.unref();
  return check;
}

/** What changes with a file; null: it isn't there, as in the middle of an update. */
function markOf(file: string): string | null {
  // Otherwise Electron would take the archive for a folder.
  process.noAsar = true;
  try {
    const { ino, size, mtimeMs } = statSync(file);
    return [ino, size, mtimeMs].join();
  } catch {
    return null;
  } finally {
    process.noAsar = false;
  }
}
