/** The main window. It may not exist: after a hidden start, or on a Mac after it was closed. */
import { screen, type BrowserWindow } from 'electron';
import type { DesktopOrder } from '../shared/ipc.ts';
import type { Background } from './background.ts';
import { openPageWindow, type PageWindow, type PageWindowDeps } from './page-window.ts';
import { whenSeen } from './when-seen.ts';
import { keepBounds, MIN_SIZE, readBounds } from './window-state.ts';
import { words } from './words.ts';

/** What the main window works with. */
export interface MainWindowDeps extends PageWindowDeps {
  /** The file that stores the window's position. */
  boundsPath: string;
  /** Decides whether closing the window only hides it. */
  background: Pick<Background, 'hidesOnClose' | 'hasWayBack'>;
}

/** The main window, whether it exists or not. */
export type MainWindow = ReturnType<typeof createMainWindow>;

/** Creates the keeper of the main window; the window itself is created by the first {@link MainWindow.show}. */
export function createMainWindow(deps: MainWindowDeps) {
  const { background, boundsPath, quit } = deps;
  let opened: PageWindow | null = null;
  /** It was closed, and hasn't been shown since. */
  let isClosing = false;
  const openListeners: ((window: BrowserWindow) => void)[] = [];

  function open(): PageWindow {
    const { isMaximized, ...bounds } = readBounds(boundsPath, screen);
    const page = openPageWindow(deps, 'main', '/', {
      ...bounds,
      minWidth: MIN_SIZE.width,
      minHeight: MIN_SIZE.height,
      title: words.app,
    });
    const { window } = page;
    keepBounds(window, boundsPath);
    whenSeen(window, () => {
      if (isMaximized) window.maximize();
      window.show();
    });
    window.on('close', (event) => {
      if (!background.hidesOnClose()) return;
      event.preventDefault();
      isClosing = true;
      void background.hasWayBack().then((isThere) => {
        // Asking takes a moment, in which a person may have opened it again.
        if (window.isDestroyed() || !isClosing) return;
        if (!isThere) {
          window.minimize();
        } else if (window.isFullScreen()) {
          // On a Mac, hiding a full-screen window leaves a black screen.
          window.once('leave-full-screen', () => window.hide());
          window.setFullScreen(false);
        } else {
          window.hide();
        }
      });
    });
    window.on('closed', () => {
      opened = null;
    });
    // Windows reports the end of the session to windows only, and ends the process once they have handled it. So the end is
    // held up until the service has stopped; it goes on when this process is gone.
    window.on('query-session-end', (event) => {
      event.preventDefault();
      quit.end();
    });
    window.on('session-end', () => quit.end());
    for (const listener of openListeners) listener(window);
    return page;
  }

  function show(): PageWindow {
    isClosing = false;
    if (opened === null) {
      opened = open();
      return opened;
    }
    const { window } = opened;
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
    return opened;
  }

  return {
    /** Brings it to the front, creating it if needed. */
    show: (): void => void show(),
    /** Brings it to the front and has its page do something. */
    order: (order: DesktopOrder): void => show().orders.give(order),
    /** Sends its page something, if it exists. */
    send: (order: DesktopOrder): void => opened?.orders.give(order),
    /** Has its page show a short text, if it exists. */
    notify: (text: string): void => opened?.orders.give({ type: 'notice', text }),
    /** Calls the listener whenever the window is created, before it is shown. */
    onOpened: (listener: (window: BrowserWindow) => void): void => void openListeners.push(listener),
    /** Null: it doesn't exist. */
    current: (): PageWindow | null => opened,
  };
}
