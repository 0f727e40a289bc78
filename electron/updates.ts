/**
 * Looks for new versions, and does nothing without the person's word. Only a package that was built with a feed has
 * `app-update.yml` beside it; without one nothing of this runs, and the library isn't even loaded.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { App, Dialog, MessageBoxOptions } from 'electron';
import type { AppUpdater } from 'electron-updater';
import { words } from './words.ts';

/** What is used of electron-updater. */
export type Updater = Pick<
  AppUpdater,
  'autoDownload' | 'autoInstallOnAppQuit' | 'logger' | 'checkForUpdates' | 'downloadUpdate' | 'quitAndInstall'
>;

/** What looking for updates works with. */
export interface UpdatesDeps {
  app: Pick<App, 'isPackaged'>;
  dialog: Pick<Dialog, 'showMessageBox'>;
  /** Where the package keeps its resources: `process.resourcesPath`. */
  resourcesPath: string;
  /** Whether the app is on its way out; nothing is asked then. */
  isQuitting: () => boolean;
  /**
   * Lets the windows close for good and stops the service, but doesn't end the process: the installer does, and must not find
   * anything half written.
   */
  prepareToQuit: () => Promise<void>;
  /** Ends the app after all, and starts it again: no installer has come for it. */
  endInstead: () => void;
  log: (line: string) => void;
  /** electron-updater's, unless given. Called once, when the first look is due. */
  loadUpdater?: () => Promise<Updater>;
  /** Runs something after so many milliseconds; a timer that doesn't hold the process, unless given. */
  after?: (ms: number, run: () => void) => void;
}

/** The start has better things to do. */
export const FIRST_CHECK_MS = 60_000;
/** An installer that comes has by then. */
export const INSTALL_LIMIT_MS = 30_000;
export const CHECK_INTERVAL_MS = 24 * 60 * 60_000;

const text = words.updates;

/** Looks for updates from a while after now on, once a day; `false`: this app has no feed, and nothing was set up. */
export function setupUpdates(deps: UpdatesDeps): boolean {
  const { app, resourcesPath, isQuitting, log } = deps;
  if (!app.isPackaged || !existsSync(join(resourcesPath, 'app-update.yml'))) return false;
  const { loadUpdater = loadElectronUpdater, after = afterUnheld } = deps;
  /** Versions that the person put off; they are not named again before the next start. */
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
    // A way out that began while the question stood installs it by itself.
    if (isQuitting()) return;
    await deps.prepareToQuit();
    // Not silent: what the installer has to ask, it asks. The app comes back afterwards.
    updater.quitAndInstall(false, true);
    // An installer that could not be run leaves the app without its service behind, and says so to nobody.
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
  // It would log every step and addresses in full; what fails comes back from the calls.
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
  // Its export makes the platform's updater when it is first read.
  const { autoUpdater } = await import('electron-updater');
  return autoUpdater;
}

function afterUnheld(ms: number, run: () => void): void {
  setTimeout(run, ms).unref();
}

/** One line: the library's errors carry whole answers of servers. */
const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1).join('');
