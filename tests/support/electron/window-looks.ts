import { EventEmitter } from 'node:events';
import { app } from './app.ts';
import { createEvent } from './events.ts';
import { guardClass } from './guard.ts';

type Options = Electron.BaseWindowConstructorOptions;

/** What a window looks like and may do, without effect on anything else. */
export class WindowLooks extends EventEmitter {
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
  /** For the stand-in only: values that were set and that Electron can't read back. */
  readonly standInLooks: Record<string, unknown> = {};
  /** For the stand-in only: the options the window was created with. */
  readonly standInOptions: Options;
  #title: string;
  #backgroundColor: string;
  #alwaysOnTop: boolean;
  #everywhere = false;
  #opacity = 1;

  constructor(options: Options) {
    super();
    this.standInOptions = options;
    this.#title = options.title ?? app.getName();
    this.#backgroundColor = options.backgroundColor ?? '#FFFFFF';
    this.#alwaysOnTop = options.alwaysOnTop ?? false;
    this.autoHideMenuBar = options.autoHideMenuBar ?? false;
    this.resizable = options.resizable ?? true;
    this.minimizable = options.minimizable ?? true;
    this.maximizable = options.maximizable ?? true;
    this.fullScreenable = options.fullscreenable ?? true;
    this.closable = options.closable ?? true;
    this.focusable = options.focusable ?? true;
  }

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
    return this.standInOptions.modal ?? false;
  }
  setEnabled(enabled: boolean): void {
    this.#look('enabled', enabled);
  }
  isEnabled(): boolean {
    return this.standInLooks['enabled'] !== false;
  }
  #look(name: string, value: unknown): void {
    this.standInLooks[name] = value;
  }
}
// At the end of the prototypes of all windows.
guardClass('BaseWindow', WindowLooks);
