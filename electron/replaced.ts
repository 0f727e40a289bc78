/**
 * Notices that the package was replaced while the app runs, as a package manager does at an update. What is loaded goes on, but
 * what is loaded later might be of the new version, so the person is asked to restart.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from 'electron';
import type { DesktopDeps } from './desktop.ts';

/** Offers a restart when the package was replaced, which is also checked whenever a window comes to the front. */
export function offerRestart(
  app: Pick<App, 'isPackaged' | 'on'>,
  { dialogs, quit, startAgain, log }: Pick<DesktopDeps, 'dialogs' | 'quit' | 'startAgain' | 'log'>,
): void {
  if (!app.isPackaged) return;
  const check = watchReplaced(packageFiles(process.execPath, process.resourcesPath), () => {
    log('The package was replaced.');
    void dialogs.replaced().then((answer) => {
      if (answer === 'later' || quit.isQuitting()) return;
      startAgain(null);
      quit.quit();
    });
  });
  app.on('browser-window-focus', check);
}

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
