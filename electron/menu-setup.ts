/** The menus of the running app: what they do, and the commands that they offer. */
import { app, BrowserWindow, clipboard, Menu, shell } from 'electron';
import type { OfferedCommand } from '../shared/ipc.ts';
import type { DesktopParts } from './desktop.ts';
import type { MainWindow } from './main-window.ts';
import { applicationMenu, type MenuActions, type TrayActions } from './menu.ts';
import { toOpenChat } from './orders.ts';
import type { PageRequestDeps } from './page-requests.ts';

/** What the menus do, the app's and that of its tray icon. */
export function createMenuActions(
  parts: Pick<DesktopParts, 'service' | 'paths' | 'main' | 'quickAsk' | 'quit' | 'log'>,
): MenuActions & TrayActions {
  const { service, paths, main, quickAsk, quit, log } = parts;
  return {
    run: (commandId, byKeys) => main.order({ type: 'run', commandId, byKeys }),
    show: () => main.show(),
    newChat: () => main.order(toOpenChat(null, service)),
    quickAsk: () => quickAsk.show(),
    openFolder: (folder) =>
      void shell.openPath(folder === 'data' ? paths.dataDir : paths.logDir).then((problem) => {
        if (problem !== '') log(`A folder could not be opened: ${problem}`);
      }),
    // By the page, which also offers a file: Electron's own way does nothing where there is no printer.
    print: () => void BrowserWindow.getFocusedWindow()?.webContents.executeJavaScript('window.print()'),
    about: () => app.showAboutPanel(),
    copyAddress: () => void clipboard.writeText(service.url),
    copyKey: () => void clipboard.writeText(service.apiKey),
    quit: () => quit.quit(),
  };
}

/**
 * Sets the application menu, and returns how the window's page puts its commands into it. They are gone again when the window is.
 */
export function setupMenu({ onOpened }: MainWindow, actions: MenuActions): PageRequestDeps['offerCommands'] {
  const offer = (commands: readonly OfferedCommand[]): void => {
    const { platform } = process;
    const template = applicationMenu({ platform, isDevelopment: !app.isPackaged, commands }, actions);
    Menu.setApplicationMenu(Menu.buildFromTemplate(template));
  };
  onOpened((window) => window.on('closed', () => offer([])));
  offer([]);
  return offer;
}
