/**
 * The quick-ask window: small, above all others, opened from anywhere by a shortcut and hidden by Esc or when something else
 * is clicked. It is created at its first use and then kept, so that it opens at once.
 */
import { app, globalShortcut, screen, type BrowserWindow } from 'electron';
import type { DesktopState } from '../shared/ipc.ts';
import { toAccelerator } from './accelerators.ts';
import { openPageWindow, type PageWindow, type PageWindowDeps } from './page-window.ts';
import { whenSeen } from './when-seen.ts';
import { words } from './words.ts';

/** Quick ask, window and shortcut. */
export type QuickAskWindow = ReturnType<typeof createQuickAsk>;

const SIZE = { width: 640, height: 480 };
/** Distance from the top of the screen, as a fraction of its height: where people look. */
const TOP = 0.2;

/** Creates quick ask without opening or registering anything. On Wayland the desktop decides about shortcuts, and doesn't say. */
export function createQuickAsk(deps: PageWindowDeps, isOnWayland: boolean) {
  let opened: PageWindow | null = null;
  let wanted: string | null = null;
  let registered: string | null = null;
  /** Not shown before it is painted; by then it may no longer be wanted. */
  let isPainted = false;
  let isWanted = false;

  function open(): PageWindow {
    const page = openPageWindow(deps, 'quick-ask', '/#/quick-ask', {
      ...SIZE,
      title: words.menu.quickAsk,
      frame: false,
      resizable: true,
      minimizable: false,
      maximizable: false,
      fullscreenable: false,
      skipTaskbar: true,
      alwaysOnTop: true,
      // A panel opens without bringing the main window with it.
      ...(process.platform === 'darwin' && { type: 'panel' }),
    });
    const { window } = page;
    whenSeen(window, () => {
      isPainted = true;
      if (isWanted) present(window);
    });
    window.on('blur', () => window.hide());
    window.on('closed', () => {
      opened = null;
      isPainted = false;
    });
    return page;
  }

  function present(window: BrowserWindow): void {
    const { workArea } = screen.getDisplayNearestPoint(screen.getCursorScreenPoint());
    window.setBounds({
      x: Math.round(workArea.x + (workArea.width - SIZE.width) / 2),
      y: Math.round(workArea.y + workArea.height * TOP),
      ...SIZE,
    });
    window.show();
    window.focus();
  }

  function show(): void {
    isWanted = true;
    if (opened === null) {
      opened = open();
    } else if (isPainted) {
      present(opened.window);
      opened.orders.give({ type: 'shown' });
    }
  }

  /** Hides it; the focus goes back to where it was. */
  function hide(): void {
    isWanted = false;
    opened?.window.hide();
  }

  function toggle(): void {
    const isOnItsWay = opened !== null && !isPainted && isWanted;
    if (isOnItsWay || opened?.window.isFocused() === true) hide();
    else show();
  }

  app.on('will-quit', () => {
    if (registered !== null) globalShortcut.unregister(registered);
    registered = null;
    opened?.window.destroy();
  });

  return {
    /** Null: its window hasn't been used yet. */
    current: (): PageWindow | null => opened,
    show,
    hide,
    /** Registers a shortcut (`mod+shift+space`), or none. One that another program has is tried again by the next call. */
    setShortcut(shortcut: string | null): void {
      if (shortcut === wanted && registered !== null) return;
      if (registered !== null) globalShortcut.unregister(registered);
      wanted = shortcut;
      registered = null;
      const accelerator = shortcut === null ? null : toAccelerator(shortcut);
      try {
        if (accelerator !== null && globalShortcut.register(accelerator, toggle)) registered = accelerator;
      } catch (error) {
        deps.log(`The quick-ask shortcut could not be set: ${String(error)}`);
      }
    },
    shortcutState(): DesktopState['quickAsk'] {
      if (wanted === null) return 'off';
      if (registered === null) return 'taken';
      return isOnWayland ? 'asked' : 'ready';
    },
  };
}
