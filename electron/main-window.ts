/** The main window. It may not be there at all: after a hidden start, or on a Mac after it was closed. */
import type { BrowserWindow, Screen } from 'electron';
import type { DesktopOrder } from '../shared/ipc.ts';
import { openPageWindow, type PageWindow, type PageWindowDeps } from './page-window.ts';
import { whenSeen } from './when-seen.ts';
import { keepPlace, MIN_SIZE, readPlace } from './window-state.ts';
import { words } from './words.ts';

/** What the main window works with. */
export interface MainWindowDeps extends PageWindowDeps {
  screen: Pick<Screen, 'getAllDisplays'>;
  /** The file that keeps the window's place. */
  placePath: string;
  /** Of the window's icon, where the platform doesn't take it from the program; null: none. */
  iconPath: string | null;
  /** Whether Parley goes on when the window is closed, which then only leaves the screen. */
  staysOnClose: () => boolean;
  /** Whether there is something to bring a hidden window back with; without, it is minimised. */
  hasWayBack: () => Promise<boolean>;
  /** Told when the window is made. */
  onOpened: (window: BrowserWindow) => void;
}

/** The main window, there or not. */
export interface MainWindow {
  /** Brings it to the front, and makes it if it isn't there. */
  show(): void;
  /** Brings it to the front and has its page do something. */
  order(order: DesktopOrder): void;
  /** Tells its page something, if it is there. */
  tell(order: DesktopOrder): void;
  /** Null: it isn't there. */
  current(): PageWindow | null;
}

/** Makes the main window's keeper; the window itself comes with the first {@link MainWindow.show}. */
export function createMainWindow(deps: MainWindowDeps): MainWindow {
  let opened: PageWindow | null = null;
  /** It was closed, and nothing has shown it since. */
  let isClosing = false;

  function open(): PageWindow {
    const { isMaximized, ...place } = readPlace(deps.placePath, deps.screen);
    const page = openPageWindow(deps, 'main', '/', {
      ...place,
      minWidth: MIN_SIZE.width,
      minHeight: MIN_SIZE.height,
      title: words.app,
      ...(deps.iconPath !== null && { icon: deps.iconPath }),
    });
    const { window } = page;
    keepPlace(window, deps.placePath);
    whenSeen(window, () => {
      if (isMaximized) window.maximize();
      window.show();
    });
    window.on('close', (event) => {
      if (!deps.staysOnClose()) return;
      event.preventDefault();
      isClosing = true;
      void deps.hasWayBack().then((isThere) => {
        // Asking takes a moment, in which it may be wanted again.
        if (window.isDestroyed() || !isClosing) return;
        if (!isThere) {
          window.minimize();
        } else if (window.isFullScreen()) {
          // Hiding a full-screen window leaves a black screen behind on a Mac.
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
    deps.onOpened(window);
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
    show: () => void show(),
    order: (order) => show().orders.give(order),
    tell: (order) => opened?.orders.give(order),
    current: () => opened,
  };
}
