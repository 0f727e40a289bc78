/**
 * The native menus, of the app and of the tray icon. The window's commands come from its page, as in its palette; the rest
 * is the system's own (copy, zoom, full screen) and what works without a window. Before the page has offered any commands, and
 * while the window is closed, the only chat command is New chat.
 */
import type { KeyboardEvent, MenuItemConstructorOptions } from 'electron';
import type { OfferedCommand } from '../shared/ipc.ts';
import { toAccelerator } from './accelerators.ts';
import { words } from './words.ts';

/** What the menu items do. */
export interface MenuActions {
  /** Runs a command of the window's page. */
  run: (commandId: string, byKeys: boolean) => void;
  newChat: () => void;
  quickAsk: () => void;
  openFolder: (folder: 'data' | 'logs') => void;
  /** Prints what the window in front shows. */
  print: () => void;
  about: () => void;
}

/** The state that the menus show. */
export interface MenuState {
  platform: NodeJS.Platform;
  /** Whether the developer tools are offered; not in an installed Parley. */
  isDevelopment: boolean;
  commands: readonly OfferedCommand[];
}

/** Commands with a fixed position, which aren't listed with their group. */
const NEW_CHAT = 'chat.new';
const SETTINGS = 'settings.open';

const SEPARATOR: MenuItemConstructorOptions = { type: 'separator' };
const OF_MAC: MenuItemConstructorOptions[][] = [
  [{ role: 'services' }],
  [{ role: 'hide' }, { role: 'hideOthers' }, { role: 'unhide' }],
];
const text = words.menu;

/** The application menu. */
export function applicationMenu(state: MenuState, actions: MenuActions): MenuItemConstructorOptions[] {
  const isMac = state.platform === 'darwin';
  const find = (id: string): OfferedCommand | undefined =>
    state.commands.find((command) => command.id === id);
  const item = (command: OfferedCommand): MenuItemConstructorOptions => ({
    id: command.id,
    // A single “&” marks the next character as a key.
    label: command.label.replaceAll('&', '&&'),
    ...keys(command.shortcut),
    click: (_item, _window, event) => actions.run(command.id, isByKeys(event)),
  });
  const group = (name: OfferedCommand['group']): MenuItemConstructorOptions[] =>
    state.commands
      .filter(({ id, group: own }) => own === name && id !== NEW_CHAT && id !== SETTINGS)
      .map(item);

  const settings = find(SETTINGS);
  const settingsItems = settings === undefined ? [] : [{ ...item(settings), label: text.settings }];
  const about: MenuItemConstructorOptions = { id: 'app.about', label: text.about, click: actions.about };
  const quit: MenuItemConstructorOptions = { id: 'app.quit', role: 'quit', label: text.quit };
  const newChat: MenuItemConstructorOptions = {
    id: NEW_CHAT,
    label: text.newChat,
    ...keys(find(NEW_CHAT)?.shortcut ?? null),
    // Its keys are left to the page, which knows what they mean now; for a click there may be no page yet.
    click: (_item, window, event) => {
      if (window !== undefined && isByKeys(event)) actions.run(NEW_CHAT, true);
      else actions.newChat();
    },
  };
  const quickAsk: MenuItemConstructorOptions = {
    id: 'app.quick-ask',
    label: text.quickAsk,
    click: actions.quickAsk,
  };

  const menus: (MenuItemConstructorOptions | null)[] = [
    isMac ? { label: words.app, submenu: withSeparators([[about], settingsItems, ...OF_MAC, [quit]]) } : null,
    {
      label: text.file,
      submenu: withSeparators([
        [newChat, quickAsk],
        [
          {
            id: 'app.print',
            label: text.print,
            accelerator: 'CommandOrControl+P',
            click: actions.print,
          },
        ],
        isMac ? [] : settingsItems,
        isMac ? [{ role: 'close' }] : [quit],
      ]),
    },
    { role: 'editMenu', label: text.edit },
    {
      label: text.view,
      submenu: withSeparators([
        group('view'),
        [{ role: 'resetZoom' }, { role: 'zoomIn' }, { role: 'zoomOut' }],
        [{ role: 'togglefullscreen' }],
        state.isDevelopment ? [{ role: 'forceReload' }, { role: 'toggleDevTools' }] : [],
      ]),
    },
    submenu(text.chat, group('chat')),
    submenu(text.go, group('go')),
    { role: 'windowMenu', label: text.window },
    {
      role: 'help',
      label: text.help,
      submenu: withSeparators([
        group('help'),
        [
          { id: 'app.logs', label: text.openLogs, click: () => actions.openFolder('logs') },
          { id: 'app.data', label: text.openData, click: () => actions.openFolder('data') },
        ],
        isMac ? [] : [about],
      ]),
    },
  ];
  return menus.filter((menu) => menu !== null);
}

const submenu = (label: string, items: MenuItemConstructorOptions[]): MenuItemConstructorOptions | null =>
  items.length === 0 ? null : { label, submenu: items };

/** The groups that aren't empty, separated by lines. */
export function withSeparators(groups: MenuItemConstructorOptions[][]): MenuItemConstructorOptions[] {
  return groups
    .filter((items) => items.length > 0)
    .flatMap((items, index) => (index === 0 ? items : [SEPARATOR, ...items]));
}

const isByKeys = (event: KeyboardEvent | undefined): boolean => event?.triggeredByAccelerator === true;

/**
 * Shown, not registered: the page handles its keys itself, and knows when they mean something else. A Mac registers them
 * anyway.
 */
function keys(shortcut: string | null): MenuItemConstructorOptions {
  const accelerator = shortcut === null ? null : toAccelerator(shortcut);
  return accelerator === null ? {} : { accelerator, registerAccelerator: false };
}

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
