/**
 * A window of the app: one page of the service's own origin, with the matching preload. Shown by whoever opens it (when-seen.ts). A page
 * that crashes is reloaded; if it keeps crashing, hangs or can't be loaded, the person decides.
 */
import { BrowserWindow, type BrowserWindowConstructorOptions } from 'electron';
import { WINDOW_ARGUMENT, type WindowKind } from '../shared/ipc.ts';
import { setupContextMenu, type Spelling } from './context-menu.ts';
import { createOrders, type Orders } from './orders.ts';
import type { PageTroubles } from './page-troubles.ts';
import { setupUnload, type UnloadDeps } from './unload.ts';

/** What all windows are created with. */
export interface PageWindowDeps {
  /** The service's origin, `http://127.0.0.1:<port>`. */
  origin: string;
  /** Path of the built preload. */
  preload: string;
  /** The page's colour before it is painted. */
  backgroundColour: () => string;
  troubles: PageTroubles;
  spelling: Spelling;
  unload: UnloadDeps;
}

/** A window, and how to send its page orders. */
export interface PageWindow {
  window: BrowserWindow;
  orders: Orders;
}

/** Opens a window on a page address, e.g. `/#/quick-ask`, without showing it. */
export function openPageWindow(
  { origin, preload, backgroundColour, troubles, spelling, unload }: PageWindowDeps,
  kind: WindowKind,
  address: string,
  options: BrowserWindowConstructorOptions,
): PageWindow {
  const window = new BrowserWindow({
    ...options,
    show: false,
    backgroundColor: backgroundColour(),
    webPreferences: {
      preload,
      additionalArguments: [WINDOW_ARGUMENT + kind],
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: true,
    },
  });
  setupContextMenu(window, spelling);
  setupUnload(window, unload);
  /** Reloads the current address, so that a crash leads back to the same chat. A failed load is reported by an event, too. */
  const load = (): void => {
    const last = window.webContents.getURL();
    window.loadURL(last.startsWith(`${origin}/`) ? last : origin + address).catch(() => undefined);
  };
  troubles.watch(window, load);
  load();
  return { window, orders: createOrders(window.webContents) };
}
