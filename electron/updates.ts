/**
 * Looks for new versions, and installs nothing without asking. Only a package that was built with a feed has
 * `app-update.yml` beside it; without one none of this runs, and the library isn't even loaded.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { App, Dialog, MessageBoxOptions } from 'electron';
import type { AppUpdater } from 'electron-updater';
import { words } from './words.ts';

/** The part of electron-updater that is used. */
export type Updater = Pick<
  AppUpdater,
  'autoDownload' | 'autoInstallOnAppQuit' | 'logger' | 'checkForUpdates' | 'downloadUpdate' | 'quitAndInstall'
>;

/** What updates need. */
export interface UpdatesDeps {
  app: Pick<App, 'isPackaged'>;
  dialog: Pick<Dialog, 'showMessageBox'>;
  /** The package's resources folder: `process.resourcesPath`. */
  resourcesPath: string;
  /** Whether the app is quitting; nothing is asked then. */
  isQuitting: () => boolean;
  /**
   * Lets the windows close for good and stops the service, but doesn't end the process: the installer does, and must not find
   * anything half written.
   */
  prepareToQuit: () => Promise<void>;
  /** Restarts the app after all: no installer has come. */
  endInstead: () => void;
  log: (line: string) => void;
  /** electron-updater's, unless given. Called once, for the first check. */
  loadUpdater?: () => Promise<Updater>;
  /** Runs something after that many milliseconds; by default with a timer that doesn't keep the process alive. */
  after?: (ms: number, run: () => void) => void;
}

/** Delayed, since the start has better things to do. */
export const FIRST_CHECK_MS = 60_000;
/** By then an installer would have come. */
export const INSTALL_LIMIT_MS = 30_000;
export const CHECK_INTERVAL_MS = 24 * 60 * 60_000;

const text = words.updates;

/** Checks for updates after a while, then once a day; `false`: this app has no feed, and nothing was set up. */
export function setupUpdates(deps: UpdatesDeps): boolean {
  const { app, resourcesPath, isQuitting, log } = deps;
  if (!app.isPackaged || !existsSync(join(resourcesPath, 'app-update.yml'))) return false;
  const { loadUpdater = loadElectronUpdater, after = afterUnheld } = deps;
  /** Versions that the person put off; they aren't offered again before the next start. */
  const putOff = new Set<string>();
  let updater: Updater | null = null;
  let isReady = false;

  async function look(): Promise<void> {
    updater ??= prepare(await loadUpdater());
    const found = await updater.checkForUpdates();
    if (found?.isUpdateAvailable !== true) return;
    const { version } = found.updateInfo;
    if (putOff.has(version) || isQuitting()) return;
    log(`Version ${version} is available.`);
    if (!(await ask(deps, text.found(version), [text.download, text.later]))) {
      putOff.add(version);
      return;
    }
    if (isQuitting()) return;
    await updater.downloadUpdate();
    isReady = true;
    log(`Version ${version} is downloaded and will be installed when Parley quits.`);
    if (isQuitting() || !(await ask(deps, text.ready(version), [text.restart, text.whenIQuit]))) return;
    // If the app began to quit while the question was open, it installs the update by itself.
    if (isQuitting()) return;
    await deps.prepareToQuit();
    // Not silent: the installer may ask its own questions. The app restarts afterwards.
    updater.quitAndInstall(false, true);
    // If the installer could not be run, the app would go on without its service, and nobody would be told.
    after(INSTALL_LIMIT_MS, () => {
      log('The installer was not downloaded.');
      deps.endInstead();
    });
  }

  const lookAndGoOn = (): void => {
    if (isQuitting()) return;
    look()
      .catch((error: unknown) => log(`Updating failed: ${reasonOf(error)}`))
      .finally(() => {
        if (!isReady) after(CHECK_INTERVAL_MS, lookAndGoOn);
      });
  };
  after(FIRST_CHECK_MS, lookAndGoOn);
  return true;
}

function prepare(updater: Updater): Updater {
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = true;
  // It would log every step and full addresses; failures are returned by the calls anyway.
  updater.logger = null;
  return updater;
}

/** Whether the first choice was taken; Esc takes the second. */
async function ask(
  { dialog }: Pick<UpdatesDeps, 'dialog'>,
  question: { message: string; detail: string },
  buttons: readonly [string, string],
): Promise<boolean> {
  const box: MessageBoxOptions = {
    type: 'info',
    title: words.app,
    ...question,
    buttons: [...buttons],
    defaultId: 0,
    cancelId: 1,
    noLink: true,
  };
  return (await dialog.showMessageBox(box)).response === 0;
}

async function loadElectronUpdater(): Promise<Updater> {
  // Its export creates the platform's updater when it is first read.
  const { autoUpdater } = await import('electron-updater');
  return autoUpdater;
}

function afterUnheld(ms: number, run: () => void): void {
  setTimeout(run, ms).unref();
}

/** Shortened to one line: the library's errors contain whole server responses. */
const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1).join('');
