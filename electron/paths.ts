/**
 * Where the app keeps things. Chromium's own files go below the data folder, in a folder of their own: that also ties the
 * single instance to the data folder, so two data folders can be served side by side.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { App } from 'electron';
import { defaultDataDir, defaultLogDir } from '../server/config.ts';
import { makeFolder } from '../server/lib/make-folder.ts';

/** The app's folders, as absolute paths. */
export interface Paths {
  dataDir: string;
  logDir: string;
  /** Of the window: Chromium's profile, the window's place. */
  windowDir: string;
}

/**
 * Decides the folders and tells Electron of them; call it before anything else. Null: the platform's usual place. With a
 * `problem` nothing can be kept there, and all that is left is to tell.
 */
export function setupPaths(
  app: Pick<App, 'setPath' | 'setAppLogsPath'>,
  chosenDir: string | null,
): Paths & { problem: unknown } {
  const dataDir = resolve(chosenDir ?? defaultDataDir());
  const paths = {
    dataDir,
    // A data folder of one's own keeps its logs to itself.
    logDir: chosenDir === null ? defaultLogDir() : join(dataDir, 'logs'),
    windowDir: join(dataDir, 'window'),
  };
  try {
    makeFolder(paths.windowDir);
  } catch (problem) {
    // Chromium takes some folder in any case, and it shall not be the usual one.
    app.setPath('userData', mkdtempSync(join(tmpdir(), 'parley-window-')));
    return { ...paths, problem };
  }
  app.setPath('userData', paths.windowDir);
  app.setAppLogsPath(paths.logDir);
  return { ...paths, problem: null };
}
