import { app } from './app.ts';
import { BaseWindow } from './base-window.ts';
import { browser } from './boot.ts';
import { createEvent, emitPreventable } from './events.ts';
import { WebContents } from './web-contents.ts';

/** Set in the environment: as some Wayland compositors do, hidden windows are never painted. */
const NEVER_PAINTED = 'STAND_IN_HIDDEN_NEVER_PAINTED';

/** Options that all windows of the stand-in have; asking for the opposite is an error. */
const ONLY: Electron.WebPreferences = {
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInSubFrames: false,
  nodeIntegrationInWorker: false,
  sandbox: true,
  webSecurity: true,
  webviewTag: false,
};

/** A window with a page. */
export class BrowserWindow extends BaseWindow {
  static override getAllWindows = (): BrowserWindow[] =>
    BaseWindow.getAllWindows().filter((window) => window instanceof BrowserWindow);
  static override getFocusedWindow = (): BrowserWindow | null =>
    BrowserWindow.getAllWindows().find((window) => window.isFocused()) ?? null;
  static override fromId = (id: number): BrowserWindow | null =>
    BrowserWindow.getAllWindows().find((window) => window.id === id) ?? null;
  static fromWebContents = (contents: unknown): BrowserWindow | null =>
    BrowserWindow.getAllWindows().find((window) => window.webContents === contents) ?? null;

  readonly webContents: WebContents;

  constructor(options: Electron.BrowserWindowConstructorOptions = {}) {
    // Throws before the app is ready, as Electron does.
    browser();
    const preferences = options.webPreferences ?? {};
    for (const [name, value] of Object.entries(ONLY)) {
      const wanted = preferences[name as keyof typeof preferences];
      if (wanted !== undefined && wanted !== value)
        throw new Error(`The stand-in for Electron has only windows with ${name}: ${String(value)}.`);
    }
    super(options);
    const { width, height } = this.getBounds();
    this.webContents = new WebContents(preferences, { width, height });
    this.webContents.standInFocused = () => this.isFocused();
    this.webContents.on('standInPainted', () => {
      if (process.env[NEVER_PAINTED] === '1') return;
      if (!this.isDestroyed() && !this.isVisible()) this.emit('ready-to-show');
    });
    for (const event of ['focus', 'blur'] as const)
      this.on(event, () => this.webContents.standInGiveFocus(event === 'focus'));
    this.on('resize', () => {
      const { width: wide, height: high } = this.getBounds();
      this.webContents.standInResize({ width: wide, height: high });
    });
    app.emit('browser-window-created', createEvent(), this);
    if (options.fullscreen === true) this.setFullScreen(true);
    if (options.show !== false) this.show();
  }

  loadURL(url: string, _options?: object): Promise<void> {
    return this.webContents.loadURL(url);
  }
  loadFile(path: string): Promise<void> {
    return this.webContents.loadFile(path);
  }
  reload(): void {
    this.webContents.reload();
  }
  focusOnWebView(): void {
    this.webContents.focus();
  }
  blurWebView(): void {
    // Nothing shows.
  }

  /** For the stand-in only: the page has another title. */
  standInPageTitle(title: string): void {
    if (!emitPreventable(this, 'page-title-updated', title, true)) this.setTitle(title);
  }

  protected override standInDispose(): void {
    this.webContents.standInDestroy();
  }
}
