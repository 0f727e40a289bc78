/**
 * A window of the app: one page of the service's own origin, with the matching preload. Shown by whoever opens it (when-seen.ts). A page
 * that crashes is reloaded; if it keeps crashing, hangs or can't be loaded, the person decides.
 */
import { BrowserWindow, type BrowserWindowConstructorOptions, type NativeImage } from 'electron';
import { LOCALE_ARGUMENT, WINDOW_ARGUMENT, type WindowKind } from '../shared/ipc.ts';
import { setupContextMenu, type Spelling } from './context-menu.ts';
import type { Dialogs } from './dialogs.ts';
import { createOrders } from './orders.ts';
import { setupPageTroubles } from './page-troubles.ts';
import type { Quit } from './quit.ts';
import { setupUnload } from './unload.ts';

/** What all windows are created with. */
export interface PageWindowDeps {
  /** The service's origin, `http://127.0.0.1:<port>`. */
  origin: string;
  /** Path of the built preload. */
  preload: string;
  /** The system's locale, e.g. `de-DE`. */
  locale: string;
  /** The windows' icon, where the platform doesn't take it from the program; null: none. */
  icon: NativeImage | null;
  /** The page's colour before it is painted. */
  backgroundColour: () => string;
  spelling: Spelling;
  quit: Quit;
  dialogs: Dialogs;
  log: (line: string) => void;
}

/** A window, and how to send its page orders. */
export type PageWindow = ReturnType<typeof openPageWindow>;

/** Opens a window on a page address, e.g. `/#/quick-ask`, without showing it. */
export function openPageWindow(
  deps: PageWindowDeps,
  kind: WindowKind,
  address: string,
  options: BrowserWindowConstructorOptions,
) {
  const { origin, preload, locale, icon, backgroundColour, spelling } = deps;
  const window = new BrowserWindow({
    ...options,
    ...(icon !== null && { icon }),
    show: false,
    backgroundColor: backgroundColour(),
    webPreferences: {
      preload,
      additionalArguments: [WINDOW_ARGUMENT + kind, LOCALE_ARGUMENT + locale],
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      navigateOnDragDrop: false,
      // Chromium's PDF viewer, which is all that is left of plugins.
      plugins: true,
      spellcheck: true,
    },
  });
  setupContextMenu(window, spelling);
  setupUnload(window, deps);
  /** Reloads the current address, so that a crash leads back to the same chat. A failed load is reported by an event, too. */
  const load = (): void => {
    const last = window.webContents.getURL();
    window.loadURL(last.startsWith(`${origin}/`) ? last : origin + address).catch(() => undefined);
  };
  setupPageTroubles(window, load, deps);
  load();
  return { window, orders: createOrders(window.webContents) };
}
