/**
 * Where the app stores things. Chromium's own files go into their own folder inside the data folder: that also ties the
 * single instance to the data folder, so two data folders can be served side by side.
 */
import { join, resolve } from 'node:path';
import type { App } from 'electron';
import { defaultDataDir, defaultLogDir } from '../server/config.ts';
import { makeFolder } from '../server/lib/make-folder.ts';
import { createTempFolder } from './temp-folder.ts';

/** The app's folders, as absolute paths. */
export interface Paths {
  dataDir: string;
  logDir: string;
  /** For the window: Chromium's profile, the window's position. */
  windowDir: string;
}

/**
 * Chooses the folders and sets them in Electron; call it before anything else. `chosenDir` null: the platform's usual folder. With a
 * `problem`, nothing can be stored there, and all that is left is to report it.
 */
export function setupPaths(
  app: Pick<App, 'setPath' | 'setAppLogsPath'>,
  chosenDir: string | null,
): Paths & { problem: unknown } {
  const dataDir = resolve(chosenDir ?? defaultDataDir());
  const paths = {
    dataDir,
    // A chosen data folder contains its logs, too.
    logDir: chosenDir === null ? defaultLogDir() : join(dataDir, 'logs'),
    windowDir: join(dataDir, 'window'),
  };
  try {
    makeFolder(paths.windowDir);
  } catch (problem) {
    // Chromium needs a folder for its profile even so, and it must not be the usual one.
    app.setPath('userData', createTempFolder('parley-window-'));
    return { ...paths, problem };
  }
  app.setPath('userData', paths.windowDir);
  app.setAppLogsPath(paths.logDir);
  return { ...paths, problem: null };
}
