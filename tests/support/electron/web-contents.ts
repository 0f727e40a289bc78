import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { app } from './app.ts';
import { browser } from './boot.ts';
import type { Session } from './chromium.ts';
import { createEvent } from './events.ts';
import { type CdpFrame, FrameTree } from './frame-tree.ts';
import { guardClass } from './guard.ts';
import { IpcMain } from './ipc-main.ts';
import { Navigations } from './navigation.ts';
import { loadFailure } from './net-errors.ts';
import { nativeTheme } from './native-theme.ts';
import { PageIpc } from './page-ipc.ts';
import { BINDING, pageScripts, PRELOAD_WORLD } from './page-scripts.ts';
import { applyPermissions } from './permissions.ts';
import { closeForeign, createPageTarget } from './targets.ts';
import { session as sessions, type Session as ElectronSession } from './session.ts';
import type { WebFrameMain } from './web-frame-main.ts';

type Preferences = Electron.WebPreferences;
type WindowOpenHandler = (details: object) => { action: 'allow' | 'deny' };

interface Lifecycle {
  frameId: string;
  name: string;
}
interface WindowOpen {
  url: string;
  windowName: string;
  windowFeatures: string[];
}

let lastId = 0;
const all = new Map<number, WebContents>();

/** The page of a window: a page of the browser, with everything that comes from it told as Electron tells it. */
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
  zoomLevel = 0;
  /** For the stand-in alone: whether its window has the keyboard. */
  standInFocused: () => boolean = () => false;
  readonly #preferences: Preferences;
  readonly #frames: FrameTree;
  readonly #navigations: Navigations;
  readonly #ipc: PageIpc;
  readonly #opened: Promise<Session>;
  #size: Electron.Size;
  #targetId = '';
  #mainFrameId = '';
  #destroyed = false;
  #crashed = false;
  #loading = false;
  #openHandler: WindowOpenHandler | null = null;

  constructor(preferences: Preferences, size: Electron.Size) {
    super();
    lastId += 1;
    this.id = lastId;
    this.processId = lastId;
    this.#preferences = preferences;
    this.#size = size;
    const partition = preferences.session as unknown as ElectronSession | undefined;
    this.session = partition ?? sessions.fromPartition(preferences.partition ?? '');
    this.#frames = new FrameTree({
      processId: this.id,
      evaluateIn: (frame, code) => this.#evaluate(frame, code),
      sendTo: (frame, channel, args) => this.#ipc.send(frame, channel, args),
      reload: () => this.reload(),
    });
    this.#navigations = new Navigations(this, this.#frames, this.session.standInFilter);
    this.#ipc = new PageIpc(this, this.#frames);
    all.set(this.id, this);
    this.#opened = this.#open();
    this.#opened.catch((error: unknown) => {
      if (!this.#destroyed) process.emitWarning(`A window's page could not be made: ${String(error)}`);
    });
    app.emit('web-contents-created', createEvent(), this);
  }

  get mainFrame(): WebFrameMain {
    return this.#frames.main;
  }
  get focusedFrame(): WebFrameMain {
    return this.#frames.main;
  }

  async #open(): Promise<Session> {
    const { targetId, session } = await createPageTarget(browser(), this.#size);
    this.#targetId = targetId;
    // The browser names a page and its main frame alike.
    this.#mainFrameId = targetId;
    this.#frames.watch(session, this.#mainFrameId);
    this.#watch(session);
    await Promise.all([
      session.send('Page.enable'),
      session.send('Inspector.enable'),
      session.send('Page.setLifecycleEventsEnabled', { enabled: true }),
      session.send('Runtime.enable'),
      session.send('Runtime.addBinding', { name: BINDING, executionContextName: PRELOAD_WORLD }),
      this.#prepareDocuments(session),
      this.#navigations.watch(session),
      // Pages that a page opens stop before their first script, and are closed.
      session.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }),
      this.#resize(session),
      nativeTheme.standInEmulate(session),
    ]);
    this.#ipc.connect(session);
    return session;
  }

  async #prepareDocuments(session: Session): Promise<void> {
    const { preload, additionalArguments = [] } = this.#preferences;
    const scripts = pageScripts(preload === undefined ? '' : readFileSync(preload, 'utf8'), {
      argv: [process.execPath, '--type=renderer', ...additionalArguments],
      platform: process.platform,
      arch: process.arch,
      type: 'renderer',
      versions: { ...process.versions },
      env: {},
      sandboxed: true,
      contextIsolated: true,
      isMainFrame: true,
    });
    await session.send('Page.addScriptToEvaluateOnNewDocument', { source: scripts.page });
    await session.send('Page.addScriptToEvaluateOnNewDocument', {
      source: scripts.preload,
      worldName: PRELOAD_WORLD,
    });
  }

  #watch(session: Session): void {
    session.on('Page.lifecycleEvent', ({ frameId, name }: Lifecycle) => {
      if (frameId !== this.#mainFrameId || this.getURL() === '') return;
      if (name === 'DOMContentLoaded') this.emit('dom-ready', createEvent());
      if (name === 'firstPaint') this.emit('standInPainted');
      if (name === 'load') this.#loaded();
    });
    session.on('Page.frameNavigated', ({ frame }: { frame: CdpFrame }) => {
      if (frame.id !== this.#mainFrameId) return;
      this.#crashed = false;
      if (frame.unreachableUrl === undefined)
        this.emit('did-navigate', createEvent(), this.getURL(), 200, 'OK');
      else this.#failed = true;
      if (frame.url.startsWith('http'))
        applyPermissions(browser(), this.session, this, frame.url).catch(() => undefined);
    });
    session.on('Page.navigatedWithinDocument', ({ frameId, url }: { frameId: string; url: string }) =>
      this.emit('did-navigate-in-page', createEvent(), url, frameId === this.#mainFrameId, this.id, 0),
    );
    session.on('Page.windowOpen', ({ url, windowName, windowFeatures }: WindowOpen) =>
      this.#windowOpen(url, windowName, windowFeatures),
    );
    session.on(
      'Target.attachedToTarget',
      ({ targetInfo }: { targetInfo: { targetId: string; type: string } }) => {
        if (targetInfo.type === 'page') closeForeign(browser(), targetInfo.targetId);
      },
    );
    session.on('Inspector.targetCrashed', () => {
      this.#crashed = true;
      const details = { reason: 'crashed', exitCode: 5 };
      this.emit('render-process-gone', createEvent(), details);
      app.emit('render-process-gone', createEvent(), this, details);
    });
  }

  #failed = false;

  #loaded(): void {
    if (this.#failed) {
      this.#failed = false;
      this.emit('did-fail-load', createEvent(), -2, 'ERR_FAILED', this.getURL(), true, this.id, 0);
    } else {
      this.emit('did-frame-finish-load', createEvent(), true, this.id, 0);
      this.emit('did-finish-load', createEvent());
    }
    this.#loading = false;
    this.emit('did-stop-loading', createEvent());
  }

  #windowOpen(url: string, frameName: string, features: string[]): void {
    const details = {
      url,
      frameName,
      features: features.join(','),
      disposition: frameName === '_blank' ? 'foreground-tab' : 'new-window',
      referrer: { url: this.getURL(), policy: 'strict-origin-when-cross-origin' },
    };
    const { action } = this.#openHandler?.(details) ?? { action: 'allow' };
    if (action === 'allow')
      process.emitWarning(
        `The stand-in for Electron opens no windows for pages; ${url} was allowed, and stays unopened.`,
      );
  }

  /** Does something with the page once it is there; nothing when it is gone. */
  #with(act: (session: Session) => Promise<unknown>): void {
    this.#opened.then(act).catch((error: unknown) => {
      if (!this.#destroyed) process.emitWarning(`In a window's page: ${String(error)}`);
    });
  }

  // Loading

  async loadURL(url: string): Promise<void> {
    const session = await this.#opened;
    this.#loading = true;
    this.emit('did-start-loading', createEvent());
    this.#navigations.expected = url;
    const finished = new Promise<void>((resolve, reject) => {
      this.once('did-stop-loading', resolve);
      this.once('destroyed', () => reject(loadFailure('net::ERR_ABORTED', url)));
    });
    finished.catch(() => undefined);
    const { errorText } = await session.send<{ errorText?: string }>('Page.navigate', { url });
    this.#navigations.expected = null;
    if (errorText !== undefined && errorText !== '') {
      this.#failed = false;
      const failure = loadFailure(errorText, url);
      this.emit('did-fail-load', createEvent(), failure.errno, failure.code, url, true, this.id, 0);
      throw failure;
    }
    await finished;
  }
  loadFile(path: string): Promise<void> {
    return this.loadURL(`file://${path}`);
  }
  reload(): void {
    this.#navigations.expected = this.getURL();
    this.emit('did-start-loading', createEvent());
    this.#with((session) => session.send('Page.reload'));
  }
  reloadIgnoringCache(): void {
    this.#navigations.expected = this.getURL();
    this.#with((session) => session.send('Page.reload', { ignoreCache: true }));
  }
  stop(): void {
    this.#with((session) => session.send('Page.stopLoading'));
  }
  getURL(): string {
    return this.mainFrame.url;
  }
  isLoading(): boolean {
    return this.#loading;
  }
  isLoadingMainFrame(): boolean {
    return this.#loading;
  }
  isCrashed(): boolean {
    return this.#crashed;
  }
  getTitle(): string {
    return '';
  }
  getUserAgent(): string {
    return this.session.getUserAgent();
  }
  setUserAgent(userAgent: string): void {
    this.#with((s) => s.send('Emulation.setUserAgentOverride', { userAgent }));
  }

  setWindowOpenHandler(handler: WindowOpenHandler): void {
    this.#openHandler = handler;
  }
  getLastWebPreferences(): Preferences {
    return this.#preferences;
  }

  // The page

  send(channel: string, ...args: unknown[]): void {
    this.#ipc.send(this.mainFrame, channel, args);
  }
  executeJavaScript(code: string, _userGesture = false): Promise<unknown> {
    return this.#evaluate(this.mainFrame, code);
  }
  async #evaluate(frame: WebFrameMain, code: string): Promise<unknown> {
    const session = await this.#opened;
    const contextId = this.#frames.context(frame);
    const answer = await session.send<{
      result: { value: unknown };
      exceptionDetails?: { exception?: { description?: string } };
    }>('Runtime.evaluate', {
      expression: code,
      contextId,
      awaitPromise: true,
      returnByValue: true,
      userGesture: true,
    });
    if (answer.exceptionDetails !== undefined)
      throw new Error(answer.exceptionDetails.exception?.description ?? 'Script failed to execute');
    return answer.result.value;
  }
  async insertText(text: string): Promise<void> {
    await (await this.#opened).send('Input.insertText', { text });
  }
  #edit(command: string): void {
    this.#with(() => this.executeJavaScript(`document.execCommand(${JSON.stringify(command)})`));
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
    this.#with(() => this.insertText(text));
  }
  findInPage(_text: string, _options?: object): number {
    return 1;
  }
  stopFindInPage(_action: string): void {
    // Nothing shows.
  }

  // Looks

  getZoomLevel(): number {
    return this.zoomLevel;
  }
  setZoomLevel(level: number): void {
    this.zoomLevel = level;
    this.#with((session) => this.#resize(session));
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
  /** A zoomed page has fewer and larger pixels. */
  async #resize(session: Session): Promise<void> {
    const zoom = this.getZoomFactor();
    await session.send('Emulation.setDeviceMetricsOverride', {
      width: Math.round(this.#size.width / zoom),
      height: Math.round(this.#size.height / zoom),
      deviceScaleFactor: zoom === 1 ? 0 : zoom,
      mobile: false,
    });
  }
  /** For the stand-in alone: the window has another size. */
  standInResize(size: Electron.Size): void {
    this.#size = size;
    this.#with((session) => this.#resize(session));
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
  /** For the stand-in alone: its window has the keyboard, or not. Without it, Chromium gives that to one page only. */
  standInGiveFocus(has: boolean): void {
    this.#with((s) => s.send('Emulation.setFocusEmulationEnabled', { enabled: has }));
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
    this.#with(async (session) => void session.send('Page.crash').catch(() => undefined));
  }
  close(): void {
    this.standInDestroy();
  }
  /** For the stand-in alone: the window has closed. */
  standInDestroy(): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    all.delete(this.id);
    this.mainFrame.standInDetach();
    const close = (): void =>
      void browser()
        .send('Target.closeTarget', { targetId: this.#targetId })
        .catch(() => undefined);
    this.#opened.then(close, close);
    this.emit('destroyed', createEvent());
  }
}
guardClass('webContents', WebContents);
