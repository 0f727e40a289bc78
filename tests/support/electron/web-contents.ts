import { EventEmitter } from 'node:events';
import { pathToFileURL } from 'node:url';
import { app } from './app.ts';
import type { Session } from './chromium.ts';
import { createEvent } from './events.ts';
import { FrameTree } from './frame-tree.ts';
import { guardClass } from './guard.ts';
import { IpcMain } from './ipc-main.ts';
import { Loading } from './loading.ts';
import { Navigations } from './navigation.ts';
import { Page } from './page.ts';
import { PageIpc } from './page-ipc.ts';
import { session as sessions, type Session as ElectronSession } from './session.ts';
import type { WebFrameMain } from './web-frame-main.ts';
import { WindowOpen, type WindowOpenHandler } from './window-open.ts';

type Preferences = Electron.WebPreferences;

let lastId = 0;
const all = new Map<number, WebContents>();

/** A window's page: a page of the browser, with its events reported as Electron does. */
export class WebContents extends EventEmitter {
  static getAllWebContents = (): WebContents[] => [...all.values()];
  static fromId = (id: number): WebContents | undefined => all.get(id);
  static getFocusedWebContents = (): WebContents | null =>
    [...all.values()].find((contents) => contents.isFocused()) ?? null;

  readonly id: number;
  readonly ipc = new IpcMain();
  readonly session: ElectronSession;
  readonly hostWebContents = null;
  readonly debugger = undefined;
  readonly processId: number;
  audioMuted = false;
  backgroundThrottling = true;
  /** For the stand-in only: whether its window has the focus. */
  standInFocused: () => boolean = () => false;
  readonly #preferences: Preferences;
  readonly #page: Page;
  readonly #frames: FrameTree;
  readonly #navigations: Navigations;
  readonly #loading: Loading;
  readonly #windowOpen = new WindowOpen();
  readonly #ipc: PageIpc;
  #zoomLevel = 0;
  #destroyed = false;

  constructor(preferences: Preferences, size: Electron.Size) {
    super();
    lastId += 1;
    this.id = lastId;
    this.processId = lastId;
    this.#preferences = preferences;
    const partition = preferences.session as unknown as ElectronSession | undefined;
    this.session = partition ?? sessions.fromPartition(preferences.partition ?? '');
    this.#frames = new FrameTree({
      processId: this.id,
      evaluateIn: (frame, code) => this.#page.evaluate(code, () => this.#frames.context(frame)),
      sendTo: (frame, channel, args) => this.#ipc.send(frame, channel, args),
      reload: () => this.reload(),
    });
    this.#navigations = new Navigations(this, this.#frames, this.session.standInFilter);
    this.#loading = new Loading(this, this.#navigations);
    this.#ipc = new PageIpc(this, this.#frames);
    all.set(this.id, this);
    this.#page = new Page({
      preferences,
      size,
      watch: (session, mainFrameId) => this.#watch(session, mainFrameId),
    });
    app.emit('web-contents-created', createEvent(), this);
  }

  async #watch(session: Session, mainFrameId: string): Promise<void> {
    // First of all: the others ask it where they are.
    this.#frames.watch(session, mainFrameId);
    this.#loading.watch(session, mainFrameId);
    this.#windowOpen.watch(session, () => this.getURL());
    this.#ipc.connect(session);
    await this.#navigations.watch(session);
  }

  get mainFrame(): WebFrameMain {
    return this.#frames.main;
  }
  get focusedFrame(): WebFrameMain {
    return this.#frames.main;
  }

  // Loading

  loadURL(url: string): Promise<void> {
    return this.#loading.load(this.#page, url);
  }
  loadFile(path: string): Promise<void> {
    return this.loadURL(pathToFileURL(path).href);
  }
  reload(): void {
    this.#navigations.expected = this.getURL();
    this.emit('did-start-loading', createEvent());
    this.#page.with((session) => session.send('Page.reload'));
  }
  reloadIgnoringCache(): void {
    this.#navigations.expected = this.getURL();
    this.#page.with((session) => session.send('Page.reload', { ignoreCache: true }));
  }
  stop(): void {
    this.#page.with((session) => session.send('Page.stopLoading'));
  }
  getURL(): string {
    return this.mainFrame.url;
  }
  isLoading(): boolean {
    return this.#loading.isLoading;
  }
  isLoadingMainFrame(): boolean {
    return this.#loading.isLoading;
  }
  isCrashed(): boolean {
    return this.#loading.isCrashed;
  }
  getTitle(): string {
    return '';
  }
  getUserAgent(): string {
    return this.session.getUserAgent();
  }
  setUserAgent(userAgent: string): void {
    this.#page.with((s) => s.send('Emulation.setUserAgentOverride', { userAgent }));
  }

  setWindowOpenHandler(handler: WindowOpenHandler): void {
    this.#windowOpen.handler = handler;
  }
  getLastWebPreferences(): Preferences {
    return this.#preferences;
  }

  // The page

  send(channel: string, ...args: unknown[]): void {
    this.#ipc.send(this.mainFrame, channel, args);
  }
  executeJavaScript(code: string, _userGesture = false): Promise<unknown> {
    return this.mainFrame.executeJavaScript(code);
  }
  async insertText(text: string): Promise<void> {
    await (await this.#page.opened).send('Input.insertText', { text });
  }
  #edit(command: string): void {
    this.#page.with(() => this.executeJavaScript(`document.execCommand(${JSON.stringify(command)})`));
  }
  copy(): void {
    this.#edit('copy');
  }
  cut(): void {
    this.#edit('cut');
  }
  paste(): void {
    this.#edit('paste');
  }
  pasteAndMatchStyle(): void {
    this.#edit('paste');
  }
  delete(): void {
    this.#edit('delete');
  }
  undo(): void {
    this.#edit('undo');
  }
  redo(): void {
    this.#edit('redo');
  }
  selectAll(): void {
    this.#edit('selectAll');
  }
  replaceMisspelling(text: string): void {
    this.#page.with(() => this.insertText(text));
  }
  findInPage(_text: string, _options?: object): number {
    return 1;
  }
  stopFindInPage(_action: string): void {
    // Nothing shows.
  }

  // Looks

  get zoomLevel(): number {
    return this.#zoomLevel;
  }
  set zoomLevel(level: number) {
    this.#zoomLevel = level;
    this.#page.zoom(this.getZoomFactor());
  }
  getZoomLevel(): number {
    return this.zoomLevel;
  }
  setZoomLevel(level: number): void {
    this.zoomLevel = level;
  }
  // Each level is a fifth more, or less, as Electron documents it.
  getZoomFactor(): number {
    return 1.2 ** this.zoomLevel;
  }
  setZoomFactor(factor: number): void {
    this.setZoomLevel(Math.log(factor) / Math.log(1.2));
  }
  async setVisualZoomLevelLimits(_minimum: number, _maximum: number): Promise<void> {
    // Pinching isn't stood in for.
  }
  setBackgroundThrottling(allowed: boolean): void {
    this.backgroundThrottling = allowed;
  }
  /** For the stand-in only: the window has another size. */
  standInResize(size: Electron.Size): void {
    this.#page.resize(size);
  }
  openDevTools(_options?: object): void {
    // Nothing shows.
  }
  closeDevTools(): void {
    // Nothing shows.
  }
  toggleDevTools(): void {
    // Nothing shows.
  }
  isDevToolsOpened(): boolean {
    return false;
  }

  // Being there

  focus(): void {
    // Nothing shows.
  }
  /** For the stand-in only: its window got or lost the focus. Without it, Chromium gives that to one page only. */
  standInGiveFocus(has: boolean): void {
    this.#page.with((s) => s.send('Emulation.setFocusEmulationEnabled', { enabled: has }));
  }
  isFocused(): boolean {
    return !this.#destroyed && this.standInFocused();
  }
  isDestroyed(): boolean {
    return this.#destroyed;
  }
  getType(): string {
    return 'window';
  }
  getOSProcessId(): number {
    return this.processId;
  }
  getProcessId(): number {
    return this.processId;
  }
  forcefullyCrashRenderer(): void {
    // Never answered: the page that would answer is gone.
    this.#page.with(async (session) => void session.send('Page.crash').catch(() => undefined));
  }
  close(): void {
    this.standInDestroy();
  }
  /** For the stand-in only: the window has closed. */
  standInDestroy(): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    all.delete(this.id);
    this.mainFrame.standInDetach();
    this.#page.close();
    this.emit('destroyed', createEvent());
  }
}
guardClass('webContents', WebContents);
