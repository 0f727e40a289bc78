/**
 * A start without a window, as at login: it may stay so where a tray icon brings a window. The desktop itself is still starting
 * then, and its place for tray icons may come later than Parley.
 */
import { setTimeout as pause } from 'node:timers/promises';

/** What a hidden start works with. */
export interface HiddenStart {
  /** Whether a person sees the tray icon by now. */
  isInTray: () => Promise<boolean>;
  /** Whether it is over: there is a window, or Parley is on its way out. */
  isOver: () => boolean;
  /** Opens the window. */
  show: () => void;
}

/** How long a place for tray icons is waited for. */
const WAIT_MS = 10_000;
const LOOK_MS = 500;

/** Opens the window after all where nothing else would lead to Parley. */
export async function watchHiddenStart({ isInTray, isOver, show }: HiddenStart): Promise<void> {
  for (let waited = 0; !(await isInTray()); waited += LOOK_MS) {
    if (isOver()) return;
    if (waited >= WAIT_MS) {
      show();
      return;
    }
    await pause(LOOK_MS);
  }
}
