import { app } from './app.ts';
import { createEvent, emitPreventable } from './events.ts';
import { WindowPlace } from './window-place.ts';
import {
  focusedWindow,
  giveFocus,
  nextWindowId,
  type OpenWindow,
  openWindows,
  windowClosed,
  windowOpened,
} from './windows.ts';

/** A window without its contents: besides looks and position, its visibility, focus and end. */
export class BaseWindow extends WindowPlace implements OpenWindow {
  static getAllWindows = (): BaseWindow[] => openWindows() as unknown as BaseWindow[];
  static getFocusedWindow = (): BaseWindow | null => focusedWindow() as BaseWindow | null;
  static fromId = (id: number): BaseWindow | null =>
    BaseWindow.getAllWindows().find((window) => window.id === id) ?? null;

  readonly id = nextWindowId();
  #visible = false;
  #minimized = false;
  #parent: BaseWindow | null;
  #destroyed = false;

  constructor(options: Electron.BaseWindowConstructorOptions = {}) {
    super(options);
    this.#parent = (options.parent as unknown as BaseWindow | undefined) ?? null;
    windowOpened(this);
  }

  // Visibility

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

  // Parents and children

  getParentWindow(): BaseWindow | null {
    return this.#parent;
  }
  setParentWindow(parent: BaseWindow | null): void {
    this.#parent = parent;
  }
  getChildWindows(): BaseWindow[] {
    return BaseWindow.getAllWindows().filter((window) => window.getParentWindow() === this);
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
  /** For the stand-in only: further clean-up of a kind of window. */
  protected standInDispose(): void {
    // Nothing here.
  }
}
