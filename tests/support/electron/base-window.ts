import { EventEmitter } from 'node:events';
import { app } from './app.ts';
import { createEvent, emitPreventable } from './events.ts';
import { guardClass } from './guard.ts';
import { screen } from './screen.ts';
import {
  focusedWindow,
  giveFocus,
  nextWindowId,
  type OpenWindow,
  openWindows,
  windowClosed,
  windowOpened,
} from './windows.ts';

type Options = Electron.BaseWindowConstructorOptions;
type Rectangle = Electron.Rectangle;

const DEFAULT_SIZE = { width: 800, height: 600 };

/** A window without what is in it: place, size, visibility, the keyboard, and its end. */
export class BaseWindow extends EventEmitter implements OpenWindow {
  static getAllWindows = (): BaseWindow[] => openWindows() as unknown as BaseWindow[];
  static getFocusedWindow = (): BaseWindow | null => focusedWindow() as BaseWindow | null;
  static fromId = (id: number): BaseWindow | null =>
    BaseWindow.getAllWindows().find((window) => window.id === id) ?? null;

  readonly id = nextWindowId();
  autoHideMenuBar: boolean;
  menuBarVisible = true;
  excludedFromShownWindowsMenu = false;
  representedFilename = '';
  documentEdited = false;
  resizable: boolean;
  movable = true;
  minimizable: boolean;
  maximizable: boolean;
  fullScreenable: boolean;
  closable: boolean;
  focusable: boolean;
  /** For the stand-in alone: what was set and can't be asked for. */
  readonly standInLooks: Record<string, unknown> = {};
  readonly #options: Options;
  #bounds: Rectangle;
  #title: string;
  #backgroundColor: string;
  #visible = false;
  #minimized = false;
  #maximized = false;
  #fullScreen = false;
  #alwaysOnTop: boolean;
  #everywhere = false;
  #minimum: [number, number];
  #maximum: [number, number];
  #opacity = 1;
  #parent: BaseWindow | null;
  #destroyed = false;

  constructor(options: Options = {}) {
    super();
    this.#options = options;
    const { width = DEFAULT_SIZE.width, height = DEFAULT_SIZE.height } = options;
    const { workArea } = screen.getPrimaryDisplay();
    this.#bounds = {
      x: options.x ?? Math.round(workArea.x + (workArea.width - width) / 2),
      y: options.y ?? Math.round(workArea.y + (workArea.height - height) / 2),
      width,
      height,
    };
    this.#title = options.title ?? app.getName();
    this.#backgroundColor = options.backgroundColor ?? '#FFFFFF';
    this.#alwaysOnTop = options.alwaysOnTop ?? false;
    this.#minimum = [options.minWidth ?? 0, options.minHeight ?? 0];
    this.#maximum = [options.maxWidth ?? 0, options.maxHeight ?? 0];
    this.#parent = (options.parent as unknown as BaseWindow | undefined) ?? null;
    this.autoHideMenuBar = options.autoHideMenuBar ?? false;
    this.resizable = options.resizable ?? true;
    this.minimizable = options.minimizable ?? true;
    this.maximizable = options.maximizable ?? true;
    this.fullScreenable = options.fullscreenable ?? true;
    this.closable = options.closable ?? true;
    this.focusable = options.focusable ?? true;
    windowOpened(this);
  }

  /** For the stand-in alone: with what the window was made. */
  get standInOptions(): Options {
    return this.#options;
  }

  // Being seen

  show(): void {
    this.showInactive();
    this.focus();
  }
  showInactive(): void {
    if (this.#destroyed) return;
    this.#minimized = false;
    if (this.#visible) return;
    this.#visible = true;
    this.emit('show');
  }
  hide(): void {
    if (!this.#visible) return;
    this.#visible = false;
    this.blur();
    this.emit('hide');
  }
  isVisible(): boolean {
    return this.#visible && !this.#minimized;
  }

  focus(): void {
    if (this.#visible && !this.#minimized && this.focusable && !this.#destroyed) giveFocus(this);
  }
  blur(): void {
    if (this.isFocused()) giveFocus(null);
  }
  isFocused(): boolean {
    return focusedWindow() === this;
  }
  announce(event: 'focus' | 'blur'): void {
    this.emit(event, createEvent());
    app.emit(`browser-window-${event}`, createEvent(), this);
  }
  moveTop(): void {
    // Nothing shows.
  }

  minimize(): void {
    if (this.#minimized) return;
    this.#minimized = true;
    this.blur();
    this.emit('minimize');
  }
  restore(): void {
    if (!this.#minimized) return;
    this.#minimized = false;
    this.#visible = true;
    this.emit('restore');
    this.focus();
  }
  isMinimized(): boolean {
    return this.#minimized;
  }
  maximize(): void {
    if (this.#maximized) return;
    this.#maximized = true;
    // Also shows a window that isn't shown, as documented; it isn't given the keyboard.
    this.showInactive();
    this.emit('maximize');
    this.#sized();
  }
  unmaximize(): void {
    if (!this.#maximized) return;
    this.#maximized = false;
    this.emit('unmaximize');
    this.#sized();
  }
  isMaximized(): boolean {
    return this.#maximized;
  }
  setFullScreen(full: boolean): void {
    if (full === this.#fullScreen) return;
    this.#fullScreen = full;
    this.emit(full ? 'enter-full-screen' : 'leave-full-screen');
    this.#sized();
  }
  isFullScreen(): boolean {
    return this.#fullScreen;
  }
  get fullScreen(): boolean {
    return this.#fullScreen;
  }
  set fullScreen(full: boolean) {
    this.setFullScreen(full);
  }
  isSimpleFullScreen(): boolean {
    return false;
  }
  isKiosk(): boolean {
    return false;
  }
  isNormal(): boolean {
    return !this.#minimized && !this.#maximized && !this.#fullScreen;
  }

  // Place and size

  getBounds(): Rectangle {
    const { bounds, workArea } = screen.getDisplayMatching(this.#bounds);
    if (this.#fullScreen) return { ...bounds };
    return this.#maximized ? { ...workArea } : { ...this.#bounds };
  }
  getNormalBounds(): Rectangle {
    return { ...this.#bounds };
  }
  getContentBounds(): Rectangle {
    return this.getBounds();
  }
  setBounds(change: Partial<Rectangle>, _animate = false): void {
    const before = this.#bounds;
    const wanted = { ...before, ...change };
    const [minimum, maximum] = [this.#minimum, this.#maximum];
    const within = (size: number, axis: 0 | 1): number =>
      Math.max(Math.min(size, maximum[axis] || Infinity), minimum[axis]);
    this.#bounds = { ...wanted, width: within(wanted.width, 0), height: within(wanted.height, 1) };
    if (before.x !== this.#bounds.x || before.y !== this.#bounds.y) {
      this.emit('move');
      this.emit('moved');
    }
    if (before.width !== this.#bounds.width || before.height !== this.#bounds.height) this.#sized();
  }
  setContentBounds(bounds: Rectangle): void {
    this.setBounds(bounds);
  }
  getSize(): number[] {
    return [this.getBounds().width, this.getBounds().height];
  }
  getContentSize(): number[] {
    return this.getSize();
  }
  setSize(width: number, height: number): void {
    this.setBounds({ width, height });
  }
  setContentSize(width: number, height: number): void {
    this.setBounds({ width, height });
  }
  getPosition(): number[] {
    return [this.getBounds().x, this.getBounds().y];
  }
  setPosition(x: number, y: number): void {
    this.setBounds({ x, y });
  }
  center(): void {
    const { workArea } = screen.getDisplayMatching(this.#bounds);
    this.setBounds({
      x: Math.round(workArea.x + (workArea.width - this.#bounds.width) / 2),
      y: Math.round(workArea.y + (workArea.height - this.#bounds.height) / 2),
    });
  }
  getMinimumSize(): number[] {
    return [...this.#minimum];
  }
  setMinimumSize(width: number, height: number): void {
    this.#minimum = [width, height];
  }
  getMaximumSize(): number[] {
    return [...this.#maximum];
  }
  setMaximumSize(width: number, height: number): void {
    this.#maximum = [width, height];
  }
  #sized(): void {
    this.emit('resize');
    this.emit('resized');
  }

  // Looks

  getTitle(): string {
    return this.#title;
  }
  setTitle(title: string): void {
    this.#title = title;
  }
  get title(): string {
    return this.#title;
  }
  set title(title: string) {
    this.#title = title;
  }
  getBackgroundColor(): string {
    return this.#backgroundColor;
  }
  setBackgroundColor(color: string): void {
    this.#backgroundColor = color;
  }
  setAlwaysOnTop(flag: boolean, _level?: string): void {
    this.#alwaysOnTop = flag;
    this.emit('always-on-top-changed', createEvent(), flag);
  }
  isAlwaysOnTop(): boolean {
    return this.#alwaysOnTop;
  }
  setVisibleOnAllWorkspaces(visible: boolean, _options?: object): void {
    this.#everywhere = visible;
  }
  isVisibleOnAllWorkspaces(): boolean {
    return this.#everywhere;
  }
  setOpacity(opacity: number): void {
    this.#opacity = opacity;
  }
  getOpacity(): number {
    return this.#opacity;
  }
  setMenuBarVisibility(visible: boolean): void {
    this.menuBarVisible = visible;
  }
  isMenuBarVisible(): boolean {
    return this.menuBarVisible;
  }
  setAutoHideMenuBar(hide: boolean): void {
    this.autoHideMenuBar = hide;
  }
  isMenuBarAutoHide(): boolean {
    return this.autoHideMenuBar;
  }
  setMenu(menu: unknown): void {
    this.#look('menu', menu);
  }
  removeMenu(): void {
    this.#look('menu', null);
  }
  setIcon(icon: unknown): void {
    this.#look('icon', icon);
  }
  setOverlayIcon(overlay: unknown, description: string): void {
    this.#look('overlayIcon', overlay && { overlay, description });
  }
  setProgressBar(progress: number): void {
    this.#look('progress', progress);
  }
  flashFrame(flag: boolean): void {
    this.#look('flashing', flag);
  }
  setSkipTaskbar(skip: boolean): void {
    this.#look('skipTaskbar', skip);
  }
  setThumbarButtons(buttons: unknown): boolean {
    this.#look('thumbarButtons', buttons);
    return true;
  }
  setAppDetails(details: unknown): void {
    this.#look('appDetails', details);
  }
  setTitleBarOverlay(options: unknown): void {
    this.#look('titleBarOverlay', options);
  }
  setVibrancy(type: unknown): void {
    this.#look('vibrancy', type);
  }
  setWindowButtonVisibility(visible: boolean): void {
    this.#look('windowButtons', visible);
  }
  setHasShadow(has: boolean): void {
    this.#look('shadow', has);
  }
  setContentProtection(enable: boolean): void {
    this.#look('contentProtection', enable);
  }
  setResizable(resizable: boolean): void {
    this.resizable = resizable;
  }
  isResizable(): boolean {
    return this.resizable;
  }
  setFullScreenable(able: boolean): void {
    this.fullScreenable = able;
  }
  isFullScreenable(): boolean {
    return this.fullScreenable;
  }
  setClosable(able: boolean): void {
    this.closable = able;
  }
  setFocusable(able: boolean): void {
    this.focusable = able;
  }
  isFocusable(): boolean {
    return this.focusable;
  }
  isModal(): boolean {
    return this.#options.modal ?? false;
  }
  setEnabled(enabled: boolean): void {
    this.#look('enabled', enabled);
  }
  isEnabled(): boolean {
    return this.standInLooks['enabled'] !== false;
  }
  getParentWindow(): BaseWindow | null {
    return this.#parent;
  }
  setParentWindow(parent: BaseWindow | null): void {
    this.#parent = parent;
  }
  getChildWindows(): BaseWindow[] {
    return BaseWindow.getAllWindows().filter((window) => window.getParentWindow() === this);
  }
  #look(name: string, value: unknown): void {
    this.standInLooks[name] = value;
  }

  // The end

  /** As if its close button were pressed. */
  close(): void {
    if (this.#destroyed) return;
    if (emitPreventable(this, 'close')) app.standInCloseCancelled();
    else this.destroy();
  }
  destroy(): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    this.#visible = false;
    if (this.isFocused()) giveFocus(null);
    this.standInDispose();
    this.emit('closed');
    windowClosed(this);
  }
  isDestroyed(): boolean {
    return this.#destroyed;
  }
  /** For the stand-in alone: what a kind of window ends besides. */
  protected standInDispose(): void {
    // Nothing here.
  }
}
guardClass('BaseWindow', BaseWindow);
