import { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { createEvent, emitPreventable } from './events.ts';
import { guardClass, guarded } from './guard.ts';
import { findAppPath, Paths, readPackage } from './paths.ts';
import { SingleInstance } from './single-instance.ts';
import { focusedWindow, onAllClosed, openWindows } from './windows.ts';

/** Set in the environment: the app counts as installed. */
const PACKAGED = 'STAND_IN_PACKAGED';
/** Set in the environment: the languages of the system, with commas between. */
const LANGUAGES = 'STAND_IN_LANGUAGES';

type LoginItem = Partial<Electron.Settings>;

class App extends EventEmitter {
  // Documented as present on one system only.
  readonly dock = undefined;
  readonly setJumpList = process.platform === 'win32' ? () => 'ok' : undefined;
  readonly setUserTasks = process.platform === 'win32' ? () => true : undefined;
  readonly isPackaged = process.env[PACKAGED] === '1';
  applicationMenu: unknown = null;
  accessibilitySupportEnabled = false;
  userAgentFallback = 'Parley stand-in';
  badgeCount = 0;
  name: string;
  readonly commandLine = guarded('app.commandLine', {
    appendSwitch: (name: string, value = '') => void this.#switches.set(name, value),
    appendArgument: (_argument: string) => undefined,
    hasSwitch: (name: string) =>
      this.#switches.has(name) || process.argv.some((a) => a === `--${name}` || a.startsWith(`--${name}=`)),
    getSwitchValue: (name: string) =>
      this.#switches.get(name) ??
      process.argv.find((a) => a.startsWith(`--${name}=`))?.slice(name.length + 3) ??
      '',
    removeSwitch: (name: string) => void this.#switches.delete(name),
  });

  readonly #appPath = findAppPath(process.argv[1] ?? '.');
  readonly #package = readPackage(this.#appPath);
  readonly #switches = new Map<string, string>();
  readonly #paths: Paths;
  readonly #single = new SingleInstance();
  readonly #protocols = new Set<string>();
  readonly #ready: Promise<void>;
  #becomeReady: () => void = () => undefined;
  #isReady = false;
  #isQuitting = false;
  #isExiting = false;
  #exitCode = 0;
  #loginItem: LoginItem = {};
  #shutDown: () => Promise<void> = async () => undefined;

  constructor() {
    super();
    this.name = this.#package.productName ?? this.#package.name ?? 'Electron';
    this.#paths = new Paths(() => this.name);
    this.#ready = new Promise((resolve) => (this.#becomeReady = resolve));
    onAllClosed(() => this.#allClosed());
  }

  // Starting

  isReady = (): boolean => this.#isReady;
  whenReady = (): Promise<void> => this.#ready;

  /** For the stand-in only: what it does once Electron's start-up is done. */
  standInReady(): void {
    this.#isReady = true;
    this.emit('will-finish-launching');
    this.emit('ready', createEvent(), {});
    this.#becomeReady();
    this.#single.listen(({ argv, workingDirectory, additionalData }) =>
      this.emit('second-instance', createEvent(), argv, workingDirectory, additionalData),
    );
  }

  /** For the stand-in only. */
  get standInIsEnding(): boolean {
    return this.#isExiting;
  }

  /** For the stand-in only: what must end before the process does. */
  standInBeforeExit(shutDown: () => Promise<void>): void {
    this.#shutDown = shutDown;
  }

  requestSingleInstanceLock(additionalData: unknown = {}): boolean {
    return this.#single.request(this.getPath('userData'), additionalData);
  }
  hasSingleInstanceLock = (): boolean => this.#single.held;
  releaseSingleInstanceLock = (): void => this.#single.release();

  // Ending, in the order that Electron documents

  quit(): void {
    if (this.#isQuitting) return;
    this.#isQuitting = !emitPreventable(this, 'before-quit');
    if (!this.#isQuitting) return;
    if (openWindows().length === 0) this.#willQuit();
    else for (const window of openWindows()) window.close();
  }

  /** For the stand-in only: a window's `close` was prevented, and with it quitting. */
  standInCloseCancelled(): void {
    this.#isQuitting = false;
  }

  exit(exitCode = 0): void {
    if (this.#isExiting) return;
    this.#exitCode = exitCode;
    this.#isExiting = true;
    if (openWindows().length === 0) this.#end();
    else for (const window of openWindows()) window.destroy();
  }

  relaunch(options: { args?: string[]; execPath?: string } = {}): void {
    const args = options.args ?? process.argv.slice(1);
    process.once('exit', () => {
      spawn(options.execPath ?? process.execPath, [...process.execArgv, ...args], {
        detached: true,
        stdio: 'ignore',
      }).unref();
    });
  }

  #allClosed(): void {
    if (this.#isExiting) this.#end();
    else if (this.#isQuitting) this.#willQuit();
    else if (this.listenerCount('window-all-closed') === 0) this.quit();
    else this.emit('window-all-closed');
  }

  #willQuit(): void {
    if (emitPreventable(this, 'will-quit')) this.#isQuitting = false;
    else this.#end();
  }

  #end(): void {
    this.#isExiting = true;
    this.emit('quit', createEvent(), this.#exitCode);
    void this.#shutDown().finally(() => process.exit(this.#exitCode));
  }

  // Names and paths

  getName = (): string => this.name;
  setName(name: string): void {
    this.name = name;
  }
  getVersion = (): string => this.#package.version ?? '';
  getAppPath = (): string => this.#appPath;
  getPath = (name: string): string => this.#paths.get(name);
  setPath = (name: string, path: string): void => this.#paths.set(name, path);
  setAppLogsPath = (path?: string): void => this.#paths.setLogs(path);
  getPreferredSystemLanguages = (): string[] => (process.env[LANGUAGES] ?? 'en-GB').split(',');
  getSystemLocale = (): string => this.getPreferredSystemLanguages()[0] ?? 'en-GB';
  getLocale = (): string => this.getSystemLocale();
  getLocaleCountryCode = (): string => this.getSystemLocale().split('-')[1] ?? '';

  // The system's desktop

  setAsDefaultProtocolClient = (protocol: string): boolean => {
    this.#protocols.add(protocol);
    return true;
  };
  removeAsDefaultProtocolClient = (protocol: string): boolean => this.#protocols.delete(protocol);
  isDefaultProtocolClient = (protocol: string): boolean => this.#protocols.has(protocol);

  setLoginItemSettings(settings: LoginItem): void {
    this.#loginItem = settings;
  }
  getLoginItemSettings = (): Partial<Electron.LoginItemSettings> => {
    // Electron sets login items on Windows and macOS alone.
    const openAtLogin = process.platform !== 'linux' && this.#loginItem.openAtLogin === true;
    return {
      openAtLogin,
      wasOpenedAtLogin: false,
      executableWillLaunchAtLogin: openAtLogin,
      launchItems: [],
      status: openAtLogin ? 'enabled' : 'not-registered',
    };
  };
  setBadgeCount(count = 0): boolean {
    this.badgeCount = count;
    return true;
  }
  getBadgeCount = (): number => this.badgeCount;
  focus(): void {
    const [first] = openWindows();
    if (focusedWindow() === null && first?.isVisible() === true)
      (first as unknown as { focus(): void }).focus();
  }
  hide = (): void => undefined;
  show = (): void => undefined;
  setAppUserModelId = (_id: string): void => undefined;
  setDesktopName = (_name: string): void => undefined;
  setAboutPanelOptions = (_options: object): void => undefined;
  showAboutPanel = (): void => undefined;
  addRecentDocument = (_path: string): void => undefined;
  clearRecentDocuments = (): void => undefined;
  enableSandbox = (): void => undefined;
  disableHardwareAcceleration = (): void => undefined;
  isAccessibilitySupportEnabled = (): boolean => this.accessibilitySupportEnabled;
  setActivationPolicy = (_policy: string): void => undefined;
  getAppMetrics = (): object[] => [];
}

guardClass('app', App);

export const app = new App();
