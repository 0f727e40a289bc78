/**
 * The tray icon: Parley without a window. Its menu shows the current state, so it is rebuilt whenever that changes: some
 * desktops keep the menu they were given and don't report when it is opened.
 */
import { Menu, nativeTheme, Tray, type NativeImage } from 'electron';
import type { Service } from '../server/service.ts';
import type { Pictures } from './appearance.ts';
import { trayMenu, type TrayActions } from './menu.ts';
import { showsTrayIcons } from './tray-host.ts';
import { wantingWords, words } from './words.ts';

/** The tray icon, whether it is shown or not. */
export type AppTray = ReturnType<typeof createTray>;

/** Creates the tray's keeper; the icon appears with `set`. */
export function createTray(deps: {
  pictures: Pick<Pictures, 'tray'>;
  service: Pick<Service, 'url' | 'activity'>;
  actions: TrayActions;
  isOnWayland: boolean;
  /** Called once it is known whether a person sees the icon. */
  onChange: () => void;
  log: (line: string) => void;
}) {
  const { pictures, service, actions, isOnWayland, onChange, log } = deps;
  const { platform, env } = process;
  let tray: Tray | null = null;
  let shown = '';
  let isSeen = false;
  /** The one that is visible on the panel's current colour. */
  const icon = (): NativeImage => pictures.tray(nativeTheme.shouldUseDarkColorsForSystemIntegratedUI);

  /** Something in its menu may have changed. */
  function refresh(): void {
    if (tray === null) return;
    const now = { address: service.url, ...service.activity.counts() };
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

  service.activity.onCountsChange(refresh);
  nativeTheme.on('updated', () => tray?.setImage(icon()));

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
  };
}
