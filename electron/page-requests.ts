/** Handles the requests of the windows' pages. */
import { dialog, ipcMain, type WebContents } from 'electron';
import type { Service } from '../server/service.ts';
import type { DesktopSession, DesktopState } from '../shared/ipc.ts';
import type { AppMenu } from './app-menu.ts';
import { createChooseFolder } from './choose-folder.ts';
import { setupIpc } from './ipc.ts';
import type { LoginItem } from './login-item.ts';
import type { MainWindow } from './main-window.ts';
import type { QuickAsk } from './quick-ask.ts';

/** What handling them needs. */
export interface PageRequestDeps {
  service: Service;
  main: MainWindow;
  quickAsk: QuickAsk;
  menu: AppMenu;
  loginItem: LoginItem;
  state: () => DesktopState;
  openFolder: (folder: 'data' | 'logs') => void;
  /** Runs the self-check; resolves with the results as text. */
  diagnose: () => Promise<string>;
  log: (line: string) => void;
}

/** Handles the pages' requests from now on. */
export function setupPageRequests(deps: PageRequestDeps): void {
  const { service, main, quickAsk, menu, loginItem, state, openFolder, diagnose, log } = deps;
  const chooseFolder = createChooseFolder(dialog);
  /** One per window; stays the same after a reload. */
  const sessions = new WeakMap<WebContents, DesktopSession>();
  setupIpc(
    {
      ipcMain,
      origin: service.url,
      kindOf: (contents) => {
        if (contents === main.current()?.window.webContents) return 'main';
        return contents === quickAsk.current()?.window.webContents ? 'quick-ask' : null;
      },
      log,
    },
    {
      session: (contents) => {
        const session = sessions.get(contents) ?? service.openSession();
        sessions.set(contents, session);
        return session;
      },
      state,
      diagnose,
      setOpenAtLogin: (open) => {
        try {
          loginItem.set(open);
        } catch (error) {
          log(`Opening at login could not be changed: ${String(error)}`);
        }
        if (loginItem.isSet() !== open) log(`The system did not ${open ? 'add' : 'remove'} the login item.`);
        return state();
      },
      chooseFolder: () => chooseFolder(main.current()?.window ?? null),
      offerCommands: (commands) => menu.offer(commands),
      listening: (contents) => {
        for (const page of [main.current(), quickAsk.current()]) {
          if (page?.window.webContents === contents) page.orders.listening();
        }
      },
      reveal: openFolder,
      openInMain: (chatId) => {
        quickAsk.hide();
        const workspaceId = chatId === null ? null : service.findWorkspaceOf(chatId);
        main.order({ type: 'open_chat', chatId, workspaceId });
      },
      dismiss: () => quickAsk.hide(),
    },
  );
}
