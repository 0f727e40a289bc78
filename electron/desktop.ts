/** Sets up the desktop app around a running service: windows, menus, tray, notifications, and the links between them. */
import {
  app,
  BrowserWindow,
  clipboard,
  dialog,
  ipcMain,
  Menu,
  nativeImage,
  nativeTheme,
  Notification,
  session,
  shell,
} from 'electron';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeFault } from '../server/lib/fault-report.ts';
import type { Service } from '../server/service.ts';
import type { DesktopState, OfferedCommand } from '../shared/ipc.ts';
import { TOO_LONG_LINK } from './arguments.ts';
import { parseLink } from './deep-links.ts';
import type { Dialogs } from './dialogs.ts';
import { registerLinks, setupIdentity } from './identity.ts';
import type { Intents } from './intents.ts';
import { createLoginItem } from './login-item.ts';
import { applyTheme, backgroundColour, readPictures } from './appearance.ts';
import { createMainWindow } from './main-window.ts';
import { applicationMenu, type MenuActions } from './menu.ts';
import { setupNetwork } from './network.ts';
import { createNotifications } from './notifications.ts';
import { setupPageRequests } from './page-requests.ts';
import type { Paths } from './paths.ts';
import { createQuickAsk } from './quick-ask.ts';
import type { Quit } from './quit.ts';
import type { SecretsKept } from './secret-box.ts';
import { packageFiles, watchReplaced } from './replaced.ts';
import { setupSecurity } from './security.ts';
import { setupSpelling } from './spelling.ts';
import { watchHiddenStart } from './tray-host.ts';
import { createTray } from './tray.ts';
import { isWayland } from './wayland.ts';
import { wantingWords, words } from './words.ts';

/** Opens the desktop; Electron has to be ready, and the service running. */
export function openDesktop(deps: {
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
  /** URL of the built main program; the preload is next to it. */
  program: string;
}): void {
  const { service, paths, isHidden, dialogs, quit, log } = deps;
  const { platform } = process;
  const origin = service.url;
  const settings = () => service.settings.current();
  const pictures = readPictures(nativeImage, platform);
  const isSpellingChecked = (): boolean => settings().checkSpelling ?? platform === 'darwin';
  /** Whether Parley keeps running with no window: as apps do on a Mac, elsewhere where a tray icon can bring one back. */
  const staysWithoutWindow = (): boolean =>
    platform === 'darwin' || (settings().keepRunning && tray.isThere());
  const openFolder = (folder: 'data' | 'logs'): void =>
    void shell.openPath(folder === 'data' ? paths.dataDir : paths.logDir).then((problem) => {
      if (problem !== '') log(`A folder could not be opened: ${problem}`);
    });

  setupIdentity(app, platform);
  applyTheme(nativeTheme, settings().theme);
  setupSecurity({
    app,
    session: session.defaultSession,
    origin,
    openExternal: (url) => shell.openExternal(url),
    notify: (text) => notify(text),
    log,
  });

  const pageDeps = {
    origin,
    preload: fileURLToPath(new URL('../preload/preload.cjs', deps.program)),
    // Without a modifier, as in `sr-RS@latin`, which browsers don't understand.
    locale: app.getSystemLocale().replace(/@.*/, ''),
    icon: pictures.window,
    backgroundColour: () => backgroundColour(nativeTheme),
    spelling: {
      isChecked: isSpellingChecked,
      needsDownload: platform !== 'darwin',
      setChecked: (checkSpelling: boolean) => {
        service.settings
          .update({ checkSpelling })
          .catch((error: unknown) => log(`A setting was not saved: ${describeFault(error)}`));
      },
    },
    quit,
    dialogs,
    log,
  };

  const main = createMainWindow({
    ...pageDeps,
    boundsPath: join(paths.windowDir, 'place.json'),
    staysOnClose: () => !quit.isQuitting() && (platform === 'darwin' || settings().keepRunning),
    hasWayBack: async () => platform === 'darwin' || (await tray.check()),
    onOpened: (window) => {
      window.once('show', () => registerLinks(app, platform));
      // Windows puts the dot on the window's taskbar button, which exists only while the window does.
      window.on('show', () => refreshBadge());
      window.on('focus', () => refreshBadge());
      window.on('closed', () => {
        offerCommands([]);
        if (!staysWithoutWindow()) quit.quit();
      });
    },
  });
  const isOnWayland = isWayland(process.env, app.commandLine.getSwitchValue('ozone-platform'), platform);
  const quickAsk = createQuickAsk(pageDeps, isOnWayland);

  /** Shows on the app's icon how many chats need attention. */
  const refreshBadge = (): void => {
    const counts = service.activity.counts();
    if (platform !== 'win32') app.setBadgeCount(counts.wanting);
    else
      main.current()?.window.setOverlayIcon(counts.wanting > 0 ? pictures.badge : null, wantingWords(counts));
  };
  /** Null: a new chat. */
  const openChat = (chatId: string | null): void =>
    main.order({ type: 'open_chat', chatId, workspaceId: chatId && service.findWorkspaceOf(chatId) });
  const newChat = (): void => openChat(null);
  const notify = (text: string): void => main.send({ type: 'notice', text });
  const menuActions: MenuActions = {
    run: (commandId, byKeys) => main.order({ type: 'run', commandId, byKeys }),
    newChat,
    quickAsk: () => quickAsk.show(),
    openFolder,
    // By the page, which also offers a file: Electron's own way does nothing where there is no printer.
    print: () => void BrowserWindow.getFocusedWindow()?.webContents.executeJavaScript('window.print()'),
    about: () => app.showAboutPanel(),
  };
  /** Rebuilds the application menu with the commands that the window can run now; none while it doesn't exist. */
  const offerCommands = (commands: readonly OfferedCommand[]): void => {
    const template = applicationMenu({ platform, isDevelopment: !app.isPackaged, commands }, menuActions);
    Menu.setApplicationMenu(Menu.buildFromTemplate(template));
  };
  offerCommands([]);

  const tray = createTray({
    icon: () => pictures.tray(nativeTheme.shouldUseDarkColorsForSystemIntegratedUI),
    status: () => ({ address: origin, ...service.activity.counts() }),
    actions: {
      show: () => main.show(),
      newChat,
      quickAsk: () => quickAsk.show(),
      copyAddress: () => void clipboard.writeText(origin),
      copyKey: () => void clipboard.writeText(service.apiKey),
      quit: () => quit.quit(),
    },
    isOnWayland,
    onChange: () => sendState(),
    log,
  });

  const notifications = createNotifications({
    create: (options) => new Notification(options),
    isSupported: () => Notification.isSupported(),
    isWanted: () => settings().notifyReplies,
    isInFront: () => BrowserWindow.getFocusedWindow() !== null,
    open: (chat) => {
      if (chat === null) main.show();
      else main.order({ type: 'open_chat', ...chat });
    },
    onTrouble: (reason) => {
      log(`A notification was not shown: ${reason}`);
      sendState();
    },
    clock: () => performance.now(),
    platform,
  });
  const loginItem = createLoginItem({ app, platform, env: process.env, execPath: process.execPath });

  const state = (): DesktopState => ({
    openAtLogin: loginItem.isSet(),
    quickAsk: quickAsk.shortcutState(),
    hasTray: tray.isThere(),
    canNotify: Notification.isSupported(),
    notifyTrouble: notifications.trouble(),
    secrets: deps.secretsKept(),
  });
  const sendState = (): void => main.send({ type: 'state', state: state() });

  const followSettings = (): void => {
    const { theme, keepRunning, quickAskShortcut } = settings();
    applyTheme(nativeTheme, theme);
    // Everywhere but on a Mac, a dictionary is downloaded: that is the person's decision.
    const loadsFromElsewhere = isSpellingChecked() && pageDeps.spelling.needsDownload;
    void setupNetwork(session.defaultSession, { loadsFromElsewhere, log });
    setupSpelling(session.defaultSession, app, isSpellingChecked());
    // A hidden start without a tray icon would leave no way to reach the app.
    tray.set(keepRunning || (isHidden && main.current() === null));
    quickAsk.setShortcut(quickAskShortcut);
    sendState();
  };

  setupPageRequests({
    ipcMain,
    dialog,
    service,
    main,
    quickAsk,
    offerCommands,
    loginItem,
    state: async () => {
      // A panel may have come or gone since, and another program may have let the shortcut go.
      await tray.check();
      quickAsk.setShortcut(settings().quickAskShortcut);
      return state();
    },
    openFolder,
    diagnose: () =>
      import('./diagnostics.ts').then(async ({ diagnose }) => (await diagnose(deps.program, origin)).text),
    log,
  });

  service.onSettingsChange(() => {
    followSettings();
    for (const page of [main.current(), quickAsk.current()]) page?.orders.give({ type: 'settings' });
  });
  service.activity.onReply((reply) => notifications.notificationOf(reply));
  service.activity.onApproval({
    asked: (question) => notifications.ask(question),
    over: (id) => notifications.settle(id),
  });
  service.activity.onCountsChange(() => {
    refreshBadge();
    tray.refresh();
  });

  const watched = app.isPackaged ? packageFiles(process.execPath, process.resourcesPath) : [];
  const checkReplaced = watchReplaced(watched, () => {
    log('The package was replaced.');
    void dialogs.replaced().then((answer) => {
      if (answer === 'later' || quit.isQuitting()) return;
      deps.startAgain(null);
      quit.quit();
    });
  });
  app.on('browser-window-focus', () => {
    notifications.clear();
    checkReplaced();
  });
  app.on('window-all-closed', () => {
    if (!staysWithoutWindow()) quit.quit();
  });
  app.on('will-quit', () => quickAsk.close());
  nativeTheme.on('updated', () => {
    tray.repaint();
    for (const page of [main.current(), quickAsk.current()]) {
      page?.window.setBackgroundColor(pageDeps.backgroundColour());
    }
  });

  followSettings();
  // On a Mac the dock brings it back.
  if (isHidden && platform !== 'darwin') {
    void watchHiddenStart({
      isInTray: () => tray.check(),
      isOver: () => main.current() !== null || quit.isQuitting(),
      show: () => main.show(),
    });
  }
  deps.intents.follow((intent) => {
    const target = intent.kind === 'link' ? parseLink(intent.address) : null;
    // A person who starts it while it quits wants it to run.
    if (quit.isFinal()) deps.startAgain(intent.kind === 'link' ? intent.address : null);
    else if (target?.kind === 'new') main.order({ type: 'compose', text: target.text });
    else if (target?.kind === 'chat') openChat(target.chatId);
    else {
      if (intent.kind !== 'start' || !isHidden) main.show();
      if (intent.kind !== 'link') return;
      log('A link could not be followed.');
      notify(intent.address === TOO_LONG_LINK ? words.linkTooLong : words.linkUnknown);
    }
  });
}
