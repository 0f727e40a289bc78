/**
 * A window of the app: one page of the service's own origin, with the matching preload. Shown by whoever opens it (when-seen.ts). A page
 * that crashes is reloaded; if it keeps crashing, hangs or can't be loaded, the person decides.
 */
import {
  app,
  BrowserWindow,
  nativeTheme,
  type BrowserWindowConstructorOptions,
  type NativeImage,
} from 'electron';
import { fileURLToPath } from 'node:url';
import { LOCALE_ARGUMENT, WINDOW_ARGUMENT, type WindowKind } from '../shared/ipc.ts';
import { backgroundColour } from './appearance.ts';
import { setupContextMenu } from './context-menu.ts';
import type { Dialogs } from './dialogs.ts';
import { createOrders } from './orders.ts';
import { setupPageTroubles } from './page-troubles.ts';
import type { Quit } from './quit.ts';
import { isPage } from './security.ts';
import type { Spelling } from './spelling.ts';
import { setupUnload } from './unload.ts';

/** What all windows are created with. */
export interface PageWindowDeps {
  /** The service's origin, `http://127.0.0.1:<port>`. */
  origin: string;
  /** URL of the built main program; the preload is next to it. */
  program: string;
  /** The windows' icon, where the platform doesn't take it from the program; null: none. */
  icon: NativeImage | null;
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
  const { origin, program, icon, spelling } = deps;
  // Without a modifier, as in `sr-RS@latin`, which browsers don't understand.
  const locale = app.getSystemLocale().replace(/@.*/, '');
  const window = new BrowserWindow({
    ...options,
    ...(icon !== null && { icon }),
    show: false,
    backgroundColor: backgroundColour(nativeTheme),
    webPreferences: {
      preload: fileURLToPath(new URL('../preload/preload.cjs', program)),
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
  const repaint = (): void => window.setBackgroundColor(backgroundColour(nativeTheme));
  nativeTheme.on('updated', repaint);
  window.once('closed', () => nativeTheme.off('updated', repaint));
  setupContextMenu(window, spelling);
  setupUnload(window, deps);
  /** The page's last address, so that a crash leads back to the same chat. */
  let last = origin + address;
  /** A failed load is reported by an event, too. */
  const load = (): void => void window.loadURL(last).catch(() => undefined);
  const follow = (url: string): void => {
    if (isPage(url, origin)) last = url;
    // Chromium asks nobody before a script of the page goes to `about:blank`.
    else load();
  };
  window.webContents.on('did-navigate', (_event, url) => follow(url));
  window.webContents.on('did-navigate-in-page', (_event, url, isMainFrame) => {
    if (isMainFrame) follow(url);
  });
  // Before the troubles, so that a notice about a crash waits for the next page.
  const orders = createOrders(window.webContents);
  setupPageTroubles(window, load, { ...deps, notify: (text) => orders.give({ type: 'notice', text }) });
  load();
  return { window, orders };
}
