/**
 * The requests of the windows' pages. Each is checked before anything is done: it has to come from the top frame of one of the
 * app's windows that shows the service's own page, and hold what it should.
 */
import type { Dialog, IpcMain, WebContents } from 'electron';
import type { Service } from '../server/service.ts';
import {
  channelOf,
  type DesktopSession,
  type DesktopState,
  type OfferedCommand,
  type PageRequest,
  type RevealedFolder,
  type WindowKind,
} from '../shared/ipc.ts';
import type { LoginItem } from './login-item.ts';
import type { MainWindow } from './main-window.ts';
import { toOpenChat } from './orders.ts';
import type { PageWindow } from './page-window.ts';
import type { QuickAskWindow } from './quick-ask.ts';
import { isFromOwnPage } from './security.ts';
import { words } from './words.ts';

/** What handling them needs. */
export interface PageRequestDeps {
  ipcMain: Pick<IpcMain, 'handle'>;
  dialog: Pick<Dialog, 'showOpenDialog'>;
  service: Pick<Service, 'url' | 'openSession' | 'findWorkspaceOf'>;
  main: Pick<MainWindow, 'current' | 'order'>;
  quickAsk: Pick<QuickAskWindow, 'current' | 'hide'>;
  loginItem: LoginItem;
  /** Puts the window's commands into the menus. */
  offerCommands: (commands: readonly OfferedCommand[]) => void;
  state: () => Promise<DesktopState>;
  openFolder: (folder: RevealedFolder) => void;
  /** Runs the self-check; resolves with the results as text. */
  diagnose: () => Promise<string>;
  log: (line: string) => void;
}

const GROUPS: readonly string[] = ['chat', 'go', 'view', 'help'] satisfies OfferedCommand['group'][];
/** More commands, and longer words, than a page can have. */
const MAX_COMMANDS = 200;
const MAX_TEXT = 200;

/** Handles the pages' requests from now on. */
export function setupPageRequests(deps: PageRequestDeps): void {
  const { ipcMain, dialog, service, main, quickAsk, loginItem, state, log } = deps;
  /** One per window; stays the same after a reload. */
  const sessions = new WeakMap<WebContents, DesktopSession>();

  /** Handles a request of every window, or only of one. */
  function handle(
    request: PageRequest,
    answer: (argument: unknown, page: PageWindow) => unknown,
    only?: WindowKind,
  ): void {
    ipcMain.handle(channelOf(request), (event, argument: unknown) => {
      const windows = { main: main.current(), 'quick-ask': quickAsk.current() };
      const allowed = only === undefined ? Object.values(windows) : [windows[only]];
      const page = allowed.find((one) => one?.window.webContents === event.sender);
      if (!page || !isFromOwnPage(event, service.url)) {
        log(`Refused ${channelOf(request)} from a page that may not ask for it.`);
        throw new Error('This page may not do that.');
      }
      return answer(argument, page);
    });
  }

  handle('session', (_argument, { window: { webContents } }) => {
    const session = sessions.get(webContents) ?? service.openSession();
    sessions.set(webContents, session);
    return session;
  });
  handle('state', state);
  handle('setOpenAtLogin', (argument) => {
    const open = argument === true;
    try {
      loginItem.set(open);
    } catch (error) {
      log(`Opening at login could not be changed: ${String(error)}`);
    }
    if (loginItem.isSet() !== open) log(`The system did not ${open ? 'add' : 'remove'} the login item.`);
    return state();
  });
  handle(
    'chooseFolder',
    async (_argument, { window }) => {
      const { title, choose: buttonLabel } = words.chooseFolder;
      const properties = ['openDirectory' as const, 'createDirectory' as const];
      const { filePaths } = await dialog.showOpenDialog(window, { title, buttonLabel, properties });
      return filePaths[0] ?? null;
    },
    'main',
  );
  handle('diagnose', deps.diagnose, 'main');
  handle('offerCommands', (commands) => deps.offerCommands(toCommands(commands)), 'main');
  handle('listening', (_argument, { orders }) => orders.listening());
  handle('reveal', (folder) => {
    if (folder === 'data' || folder === 'logs') deps.openFolder(folder);
  });
  handle('openInMain', (argument) => {
    const chatId = isText(argument) && argument !== '' ? argument : null;
    quickAsk.hide();
    main.order(toOpenChat(chatId, service));
  });
  handle('dismiss', () => quickAsk.hide(), 'quick-ask');
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= MAX_TEXT;

function toCommands(value: unknown): OfferedCommand[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, MAX_COMMANDS).flatMap((item: Partial<OfferedCommand> | null) => {
    if (item === null || typeof item !== 'object') return [];
    const { id, label, group, shortcut } = item;
    if (!isText(id) || !isText(label) || !isText(group) || !GROUPS.includes(group)) return [];
    return [{ id, label, group, shortcut: isText(shortcut) ? shortcut : null }];
  });
}
