/**
 * When to show a window that was created hidden. That should be once it is painted, so that nobody sees it empty; but some
 * Wayland compositors never paint a hidden window (https://github.com/electron/electron/issues/48859), so a loaded
 * page, or a short while, is good enough.
 */
import type { BrowserWindow } from 'electron';

/** After this an empty window is better than none. */
const SHOW_AFTER_MS = 2_000;

/** Calls `show` once, at the first of: painted, loaded, two seconds. Not at all when the window is gone by then. */
export function whenSeen(
  window: Pick<BrowserWindow, 'once' | 'isDestroyed'> & {
    webContents: Pick<BrowserWindow['webContents'], 'once'>;
  },
  show: () => void,
): void {
  let isDone = false;
  const once = (): void => {
    clearTimeout(timer);
    if (isDone || window.isDestroyed()) return;
    isDone = true;
    show();
  };
  const timer = setTimeout(once, SHOW_AFTER_MS);
  window.once('ready-to-show', once);
  window.webContents.once('did-finish-load', once);
  window.once('closed', () => clearTimeout(timer));
}
