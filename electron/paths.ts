/**
 * Where the app keeps things. Chromium's own files go below the data folder, in a folder of their own: that also ties the
 * single instance to the data folder, so two data folders can be served side by side.
 */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { App } from 'electron';
import { defaultDataDir, defaultLogDir } from '../server/config.ts';

/** The app's folders, as absolute paths. */
export interface Paths {
  dataDir: string;
  logDir: string;
  /** Of the window: Chromium's profile, the window's place. */
  windowDir: string;
}

/** Decides the folders and tells Electron of them; call it before anything else. Null: the platform's usual place. */
export function setupPaths(app: Pick<App, 'setPath' | 'setAppLogsPath'>, chosenDir: string | null): Paths {
  const dataDir = resolve(chosenDir ?? defaultDataDir());
  const paths = {
    dataDir,
    // A data folder of one's own keeps its logs to itself.
    logDir: chosenDir === null ? defaultLogDir() : join(dataDir, 'logs'),
    windowDir: join(dataDir, 'window'),
  };
  mkdirSync(paths.windowDir, { recursive: true, mode: 0o700 });
  app.setPath('userData', paths.windowDir);
  app.setAppLogsPath(paths.logDir);
  return paths;
}
