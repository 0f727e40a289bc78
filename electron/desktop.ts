/** Sets up the desktop app around a running service: windows, menus, tray, notifications, and the links between them. */
import {
  app,
  BrowserWindow,
  clipboard,
  dialog,
  globalShortcut,
  Menu,
  nativeImage,
  nativeTheme,
  Notification,
  screen,
  session,
  shell,
  Tray,
} from 'electron';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeFault } from '../server/lib/fault-report.ts';
import type { Service } from '../server/service.ts';
import type { DesktopState } from '../shared/ipc.ts';
import { createAppMenu } from './app-menu.ts';
import { createBadge } from './badge.ts';
import { parseLink } from './deep-links.ts';
import type { Dialogs } from './dialogs.ts';
import { setupIdentity } from './identity.ts';
import { badgeIcon, trayIcon, windowIcon } from './images.ts';
import type { Intents } from './intents.ts';
import { createLoginItem } from './login-item.ts';
import { createMainWindow } from './main-window.ts';
import { setupNetwork } from './network.ts';
import { createNotifications } from './notifications.ts';
import { setupPageRequests } from './page-requests.ts';
import { createPageTroubles } from './page-troubles.ts';
import type { Paths } from './paths.ts';
import { createQuickAsk } from './quick-ask.ts';
import type { Quit } from './quit.ts';
import type { SecretsKept } from './secret-box.ts';
import { setupSecurity } from './security.ts';
import { applyTheme, backgroundColour } from './theme.ts';
import { hasTrayHost, watchHiddenStart } from './tray-host.ts';
import { createTray } from './tray.ts';
import { isWayland } from './wayland.ts';
import { setupUpdates } from './updates.ts';

/** What the desktop needs. */
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
  /** URL of the built main program; the preload is next to it. */
  program: string;
}

/** Opens the desktop; Electron has to be ready, and the service running. */
export function openDesktop(deps: DesktopDeps): void {
  const { service, paths, isHidden, intents, dialogs, quit, log } = deps;
  const { platform } = process;
  const origin = service.url;
  const settings = () => service.settings.current();

  setupIdentity(app, platform);
  applyTheme(nativeTheme, settings().theme);
  const openExternal = (url: string): Promise<void> => shell.openExternal(url);
  setupSecurity({ app, session: session.defaultSession, origin, openExternal, log });

  const pageDeps = {
    origin,
    preload: fileURLToPath(new URL('../preload/preload.cjs', deps.program)),
    backgroundColour: () => backgroundColour(nativeTheme),
    spelling: {
      isChecked: () => isSpellingChecked(),
      needsDownload: platform !== 'darwin',
      setChecked: (checkSpelling: boolean) => {
        service.settings
          .update({ checkSpelling })
          .catch((error: unknown) => log(`A setting was not saved: ${describeFault(error)}`));
      },
    },
    unload: { quit, dialogs },
    troubles: createPageTroubles({ log, dialogs, quit }),
  };
  const main = createMainWindow({
    ...pageDeps,
    screen,
    placePath: join(paths.windowDir, 'place.json'),
    iconPath: windowIcon(platform),
    staysOnClose: () => !quit.isQuitting() && (platform === 'darwin' || settings().keepRunning),
    hasWayBack: async () => platform === 'darwin' || (await tray.check()),
    onOpened: (window) => {
      // Windows puts the dot on the window's taskbar button, which exists only while the window does.
      const showBadge = (): void => badge.show(service.activity.counts());
      window.on('show', showBadge);
      window.on('focus', showBadge);
      // Windows tells only windows that the session ends, and ends the process once they have handled it: that is delayed
      // until the service has stopped, and continues when this process is gone.
      window.on('query-session-end', (event) => {
        event.preventDefault();
        quit.end();
      });
      window.on('session-end', () => quit.end());
      window.on('closed', () => {
        menu.offer([]);
        if (!staysWithoutWindow()) quit.quit();
      });
    },
  });
  const quickAsk = createQuickAsk({ ...pageDeps, globalShortcut, screen, platform, log });
  const badge = createBadge({
    app,
    platform,
    window: () => main.current()?.window ?? null,
    image: () => nativeImage.createFromPath(badgeIcon()),
  });
  const newChat = (): void => main.order({ type: 'open_chat', chatId: null, workspaceId: null });
  const menu = createAppMenu(platform, {
    run: (commandId, byKeys) => main.order({ type: 'run', commandId, byKeys }),
    newChat,
    quickAsk: () => quickAsk.show(),
    openFolder,
    about: () => app.showAboutPanel(),
  });
  const trayPath = (): string => trayIcon(platform, nativeTheme.shouldUseDarkColorsForSystemIntegratedUI);
  const tray = createTray({
    create: () => new Tray(trayPath()),
    iconPath: () => trayPath(),
    buildMenu: (template) => Menu.buildFromTemplate(template),
    status: () => ({ address: origin, ...service.activity.counts() }),
    actions: {
      show: () => main.show(),
      newChat,
      quickAsk: () => quickAsk.show(),
      copyAddress: () => void clipboard.writeText(origin),
      copyKey: () => void clipboard.writeText(service.apiKey),
      quit: () => quit.quit(),
    },
    hasHost: async () => platform !== 'linux' || (await hasTrayHost()),
    onChange: () => main.tell({ type: 'state', state: state() }),
    platform,
    log,
  });
  const notifications = createNotifications({
    create: (options) => new Notification(options),
    isSupported: () => Notification.isSupported(),
    isWanted: () => settings().notifyReplies,
    isInFront: () => BrowserWindow.getFocusedWindow() !== null,
    open: (chat) => {
      if (chat === null) main.show();
      else main.order({ type: 'open_chat', chatId: chat.chatId, workspaceId: chat.workspaceId });
    },
    onTrouble: (reason) => {
      log(`A notification was not shown: ${reason}`);
      main.tell({ type: 'state', state: state() });
    },
    clock: () => performance.now(),
    platform,
  });
  const loginItem = createLoginItem({ app, platform, env: process.env, execPath: process.execPath });

  let shortcut: string | null = null;
  let isShortcutTaken = false;

  /** Whether Parley keeps running with no window: as apps do on a Mac, elsewhere where a tray icon can bring one back. */
  function staysWithoutWindow(): boolean {
    return platform === 'darwin' || (settings().keepRunning && tray.isThere());
  }

  const isSpellingChecked = (): boolean => settings().checkSpelling ?? platform === 'darwin';

  const hasPortal = isWayland(process.env, app.commandLine.getSwitchValue('ozone-platform'), platform);
  function quickAskState(): DesktopState['quickAsk'] {
    if (settings().quickAskShortcut === null) return 'off';
    if (isShortcutTaken) return 'taken';
    return hasPortal ? 'asked' : 'ready';
  }

  const state = (): DesktopState => ({
    openAtLogin: loginItem.isSet(),
    quickAsk: quickAskState(),
    hasTray: tray.isThere(),
    canNotify: Notification.isSupported(),
    notifyTrouble: notifications.trouble(),
    secrets: deps.secretsKept(),
  });

  function openFolder(folder: 'data' | 'logs'): void {
    void shell.openPath(folder === 'data' ? paths.dataDir : paths.logDir).then((problem) => {
      if (problem !== '') log(`A folder could not be opened: ${problem}`);
    });
  }

  /** Applies the settings. */
  function followSettings(): void {
    const { theme, keepRunning, quickAskShortcut } = settings();
    applyTheme(nativeTheme, theme);
    // Everywhere but on a Mac, a dictionary is downloaded: that is the person's decision.
    const loadsFromElsewhere = isSpellingChecked() && pageDeps.spelling.needsDownload;
    void setupNetwork(session.defaultSession, { loadsFromElsewhere, log });
    session.defaultSession.setSpellCheckerEnabled(isSpellingChecked());
    // A hidden start without a tray icon would leave no way to reach the app.
    tray.set(keepRunning || (isHidden && main.current() === null));
    if (quickAskShortcut !== shortcut || isShortcutTaken) {
      shortcut = quickAskShortcut;
      isShortcutTaken = !quickAsk.setShortcut(shortcut);
    }
    main.tell({ type: 'state', state: state() });
  }

  function followLink(address: string): void {
    const target = parseLink(address);
    if (target === null) {
      log('A link could not be followed.');
      main.show();
    } else if (target.kind === 'new') {
      main.order({ type: 'compose', text: target.text });
    } else {
      const { chatId } = target;
      main.order({ type: 'open_chat', chatId, workspaceId: service.findWorkspaceOf(chatId) });
    }
  }

  setupPageRequests({
    service,
    main,
    quickAsk,
    menu,
    loginItem,
    state,
    openFolder,
    diagnose: () =>
      import('./diagnostics.ts').then(async ({ diagnose }) => (await diagnose(deps.program, origin)).text),
    log,
  });

  service.onSettingsChange(followSettings);
  service.activity.onReply((reply) => notifications.tell(reply));
  service.activity.onQuestion({
    asked: (question) => notifications.ask(question),
    over: (id) => notifications.settle(id),
  });
  service.activity.onCountsChange((counts) => {
    badge.show(counts);
    tray.refresh();
  });
  app.on('browser-window-focus', () => notifications.clear());
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
  setupUpdates({
    app,
    dialog,
    resourcesPath: process.resourcesPath,
    isQuitting: () => quit.isQuitting(),
    prepareToQuit: () => quit.prepare(),
    endInstead: () => {
      deps.startAgain(null);
      quit.end();
    },
    log,
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
  intents.follow((intent) => {
    // A person who starts it while it quits wants it to run.
    if (quit.isFinal()) {
      deps.startAgain(intent.kind === 'link' ? intent.address : null);
      return;
    }
    if (intent.kind === 'start' && !isHidden) main.show();
    if (intent.kind === 'show') main.show();
    if (intent.kind === 'link') followLink(intent.address);
  });
}
