/** Sets up the desktop app around a running service: windows, menus, tray, notifications, and what connects them. */
import {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  nativeImage,
  nativeTheme,
  Notification,
  session,
} from 'electron';
import { join } from 'node:path';
import type { Settings } from '../shared/api/settings.ts';
import type { Service } from '../server/service.ts';
import { applyTheme, readPictures } from './appearance.ts';
import { createBackground } from './background.ts';
import { setupBadge } from './badge.ts';
import { createDesktopState } from './desktop-state.ts';
import type { Dialogs } from './dialogs.ts';
import { followSettings } from './follow-settings.ts';
import { registerLinks, setupIdentity } from './identity.ts';
import { followIntents, type Intents } from './intents.ts';
import { createLoginItem, type LoginItem } from './login-item.ts';
import { createMainWindow, type MainWindow } from './main-window.ts';
import { createMenuActions, setupMenu } from './menu-setup.ts';
import { createNotifications, type Notifications } from './notifications.ts';
import { setupPageRequests } from './page-requests.ts';
import type { Paths } from './paths.ts';
import { createQuickAsk, type QuickAskWindow } from './quick-ask.ts';
import type { Quit } from './quit.ts';
import { offerRestart } from './replaced.ts';
import type { SecretsKept } from './secret-box.ts';
import { setupSecurity } from './security.ts';
import { createSpelling, type Spelling } from './spelling.ts';
import { createTray, type AppTray } from './tray.ts';
import { isWayland } from './wayland.ts';

/** What the desktop is opened with. */
export interface DesktopDeps {
  service: Service;
  paths: Paths;
  /** Started without showing a window. */
  isHidden: boolean;
  intents: Intents;
  dialogs: Dialogs;
  quit: Quit;
  /** Restarts Parley once this process has ended, optionally with a link to follow. */
  startAgain: (link: string | null) => void;
  /** The state of the system's key store, as far as it has been asked. */
  secretsKept: () => SecretsKept;
  log: (line: string) => void;
  /** Opens an address in the system's browser. */
  openExternal: (url: string) => Promise<void>;
  /** URL of the built main program. */
  program: string;
}

/** The desktop's parts, for the steps that connect them. */
export interface DesktopParts extends DesktopDeps {
  settings: () => Settings;
  main: MainWindow;
  quickAsk: QuickAskWindow;
  tray: AppTray;
  notifications: Notifications;
  spelling: Spelling;
  loginItem: LoginItem;
}

/** Opens the desktop; Electron has to be ready, and the service running. */
export function openDesktop(deps: DesktopDeps): void {
  const { service, quit, log } = deps;
  const { platform, env, execPath } = process;
  const { url: origin, activity } = service;
  const settings = (): Settings => service.settings.current();
  const pictures = readPictures(nativeImage, platform);
  const spelling = createSpelling(service.settings, platform, log);
  const isOnWayland = isWayland(env, app.commandLine.getSwitchValue('ozone-platform'), platform);
  setupIdentity(app, platform);
  applyTheme(nativeTheme, settings().theme);

  const background = createBackground({ app, settings, tray: () => tray, quit });
  const pages = { ...deps, origin, icon: pictures.window, spelling };
  const main = createMainWindow({
    ...pages,
    background,
    boundsPath: join(deps.paths.windowDir, 'place.json'),
  });
  const quickAsk = createQuickAsk(pages, isOnWayland);
  setupSecurity({ ...deps, app, session: session.defaultSession, origin, notify: main.notify });
  main.onOpened((window) => window.once('show', () => registerLinks(app, platform)));

  const actions = createMenuActions({ ...deps, main, quickAsk });
  const offerCommands = setupMenu(main, actions);
  const tray = createTray({ pictures, service, actions, isOnWayland, onChange: () => state.send(), log });
  const notifications = createNotifications({
    create: (options) => new Notification(options),
    isSupported: () => Notification.isSupported(),
    isWanted: () => settings().notifyReplies,
    isInFront: () => BrowserWindow.getFocusedWindow() !== null,
    open: (chat) => (chat === null ? main.show() : main.order({ type: 'open_chat', ...chat })),
    onTrouble: (reason) => {
      log(`A notification was not shown: ${reason}`);
      state.send();
    },
    clock: () => performance.now(),
    platform,
  });
  const loginItem = createLoginItem({ app, platform, env, execPath });
  const parts = { ...deps, settings, main, quickAsk, tray, notifications, spelling, loginItem };
  const state = createDesktopState(parts);

  const diagnose = async (): Promise<string> =>
    (await (await import('./diagnostics.ts')).diagnose(deps.program, origin)).text;
  const { openFolder } = actions;
  setupPageRequests({ ...parts, ipcMain, dialog, offerCommands, state: state.check, openFolder, diagnose });
  setupBadge(parts, pictures.badge);
  activity.onReply((reply) => notifications.notificationOf(reply));
  activity.onApproval({
    asked: (approval) => notifications.ask(approval),
    over: (id) => notifications.settle(id),
  });
  app.on('browser-window-focus', () => notifications.clear());
  offerRestart(app, deps);
  followSettings(parts, state.send);
  background.watch(main, deps.isHidden);
  followIntents(parts);
}
