/**
 * The tray icon: Parley without a window. Its menu shows the current state, so it is rebuilt whenever that changes: some
 * desktops keep the menu they were given and don't report when it is opened.
 */
import type { MenuItemConstructorOptions, NativeImage, Tray } from 'electron';
import { withSeparators } from './menu.ts';
import { wantingWords, words } from './words.ts';

/** What the tray shows. */
export interface TrayStatus {
  /** The service's address, `http://127.0.0.1:<port>`. */
  address: string;
  /** Chats in which a reply is under way or waits. */
  working: number;
  /** Those of them that wait for a person. */
  awaiting: number;
  unread: number;
}

/** What the tray's menu items do. */
export interface TrayActions {
  show: () => void;
  newChat: () => void;
  quickAsk: () => void;
  copyAddress: () => void;
  copyKey: () => void;
  quit: () => void;
}

/** What the tray needs. */
export interface TrayDeps {
  /** Creates the icon; throws if the desktop has no tray. */
  create: () => Pick<Tray, 'setToolTip' | 'setContextMenu' | 'setImage' | 'on' | 'destroy'>;
  /** The icon that is visible on the panel's current colour. */
  icon: () => NativeImage;
  buildMenu: (template: MenuItemConstructorOptions[]) => Electron.Menu;
  status: () => TrayStatus;
  actions: TrayActions;
  /** Whether this desktop shows tray icons. */
  hasHost: () => Promise<boolean>;
  /** Called once it is known whether a person sees the icon. */
  onChange: () => void;
  platform: NodeJS.Platform;
  log: (line: string) => void;
}

/** The tray icon, shown or not. */
export type TrayIcon = ReturnType<typeof createTray>;

/** The tray's menu. */
export function trayMenu(status: TrayStatus, actions: TrayActions): MenuItemConstructorOptions[] {
  const { menu, tray } = words;
  const busy = status.working - status.awaiting;
  return withSeparators([
    [
      { id: 'tray.address', label: tray.running(status.address), enabled: false },
      // A chat that waits for a person isn't being answered, but isn't idle either.
      ...(busy > 0 || status.awaiting === 0
        ? [{ id: 'tray.status', label: busy > 0 ? tray.working(busy) : tray.idle, enabled: false }]
        : []),
      ...(status.awaiting > 0
        ? [{ id: 'tray.awaiting', label: words.awaiting(status.awaiting), click: actions.show }]
        : []),
      ...(status.unread > 0
        ? [{ id: 'tray.unread', label: words.unread(status.unread), click: actions.show }]
        : []),
    ],
    [
      { id: 'tray.show', label: menu.showWindow, click: actions.show },
      { id: 'tray.new', label: menu.newChat, click: actions.newChat },
      { id: 'tray.quick-ask', label: menu.quickAsk, click: actions.quickAsk },
    ],
    [
      { id: 'tray.copy-address', label: tray.copyAddress, click: actions.copyAddress },
      { id: 'tray.copy-key', label: tray.copyKey, click: actions.copyKey },
    ],
    [{ id: 'tray.quit', label: menu.quit, click: actions.quit }],
  ]);
}

/** Creates the tray's keeper; the icon appears with {@link TrayIcon.set}. */
export function createTray(deps: TrayDeps) {
  const { create, buildMenu, status, actions, hasHost, onChange, platform, log } = deps;
  let tray: ReturnType<TrayDeps['create']> | null = null;
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
    tray.setContextMenu(buildMenu(trayMenu(now, actions)));
  }

  async function check(): Promise<boolean> {
    const before = isSeen;
    const isHosted = tray !== null && (await hasHost());
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
          tray = create();
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
    repaint: (): void => tray?.setImage(deps.icon()),
  };
}
