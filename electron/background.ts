/**
 * Parley in the background: whether it keeps running without a window, and what leads back to it. On a Mac that is the dock, elsewhere a
 * tray icon, which some Linux desktops don't show.
 */
import type { App } from 'electron';
import { setTimeout as pause } from 'node:timers/promises';
import type { Settings } from '../shared/api/settings.ts';
import type { MainWindow } from './main-window.ts';
import type { Quit } from './quit.ts';
import type { AppTray } from './tray.ts';

/** Parley in the background. */
export type Background = ReturnType<typeof createBackground>;

/** Decides what happens without a window, from now on. */
export function createBackground(deps: {
  app: Pick<App, 'on'>;
  settings: () => Settings;
  /** Called when it is needed, since the tray shows the window that hides in it. */
  tray: () => AppTray;
  quit: Quit;
}) {
  const { app, settings, tray, quit } = deps;
  const isMac = process.platform === 'darwin';
  const quitUnlessReachable = (): void => {
    if (!isMac && !(settings().keepRunning && tray().isThere())) quit.quit();
  };
  app.on('window-all-closed', quitUnlessReachable);

  return {
    /** Whether closing the main window only hides it. */
    hidesOnClose: (): boolean => !quit.isQuitting() && (isMac || settings().keepRunning),
    /** Whether a hidden window can be shown again; otherwise it has to be minimised. */
    hasWayBack: async (): Promise<boolean> => isMac || (await tray().check()),
    /** Quits when the main window is gone and nothing leads back to Parley; after a hidden start, shows the window then. */
    watch(main: MainWindow, isHidden: boolean): void {
      main.onOpened((window) => window.on('closed', quitUnlessReachable));
      if (!isHidden || isMac) return;
      void watchHiddenStart({
        isInTray: () => tray().check(),
        isOver: () => main.current() !== null || quit.isQuitting(),
        show: () => main.show(),
      });
    },
  };
}

/** What a hidden start works with. */
export interface HiddenStart {
  /** Whether the tray icon is visible now. */
  isInTray: () => Promise<boolean>;
  /** Whether to stop waiting: there is a window, or Parley is quitting. */
  isOver: () => boolean;
  /** Opens the window. */
  show: () => void;
}

/** How long to wait for a tray. */
const WAIT_MS = 10_000;
const CHECK_MS = 500;

/**
 * A start without a window, as at login, is fine if there is a tray icon; this opens the window after all if nothing
 * else would lead to Parley. The desktop itself is still starting then, and its tray may come up later than Parley.
 */
export async function watchHiddenStart({ isInTray, isOver, show }: HiddenStart): Promise<void> {
  for (let waited = 0; !(await isInTray()); waited += CHECK_MS) {
    if (isOver()) return;
    if (waited >= WAIT_MS) {
      show();
      return;
    }
    await pause(CHECK_MS);
  }
}
