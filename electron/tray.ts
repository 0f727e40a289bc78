/**
 * The tray icon: Parley without a window. Its menu shows the current state, so it is rebuilt whenever that changes: some
 * desktops keep the menu they were given and don't report when it is opened.
 */
import { Menu, Tray, type NativeImage } from 'electron';
import { trayMenu, type TrayActions, type TrayStatus } from './menu.ts';
import { showsTrayIcons } from './tray-host.ts';
import { wantingWords, words } from './words.ts';

/** Creates the tray's keeper; the icon appears with `set`. */
export function createTray(deps: {
  /** The icon that is visible on the panel's current colour. */
  icon: () => NativeImage;
  status: () => TrayStatus;
  actions: TrayActions;
  isOnWayland: boolean;
  /** Called once it is known whether a person sees the icon. */
  onChange: () => void;
  log: (line: string) => void;
}) {
  const { icon, status, actions, isOnWayland, onChange, log } = deps;
  const { platform, env } = process;
  let tray: Tray | null = null;
  let shown = '';
  let isSeen = false;

  /** Something in its menu may have changed. */
  function refresh(): void {
    if (tray === null) return;
    const now = status();
    const state = JSON.stringify(now);
    if (state === shown) return;
    shown = state;
    const wanting = wantingWords(now);
    tray.setToolTip(wanting === '' ? words.app : `${words.app} – ${wanting}`);
    tray.setContextMenu(Menu.buildFromTemplate(trayMenu(now, actions)));
  }

  async function check(): Promise<boolean> {
    const before = isSeen;
    const isHosted = tray !== null && (await showsTrayIcons(platform, env, isOnWayland));
    isSeen = isHosted && tray !== null;
    if (isSeen !== before) onChange();
    return isSeen;
  }

  return {
    /** Whether a person sees it, as of the last check. */
    isThere: (): boolean => isSeen,
    check,
    /** Shows or removes it. */
    set(wanted: boolean): void {
      if (!wanted) {
        tray?.destroy();
        tray = null;
        shown = '';
        isSeen = false;
      } else if (tray === null) {
        try {
          tray = new Tray(icon());
        } catch (error) {
          log(`No tray icon: ${String(error)}`);
          return;
        }
        // On a Mac a click opens the menu; elsewhere it opens the window.
        if (platform !== 'darwin') tray.on('click', actions.show);
        refresh();
        void check();
      }
    },
    refresh,
    /** The panel may have become light or dark. */
    repaint: (): void => tray?.setImage(icon()),
  };
}
