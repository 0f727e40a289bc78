import { EventEmitter } from 'node:events';
import { guardClass } from './guard.ts';
import type { Menu } from './menu.ts';
import { type NativeImage, toImage } from './native-image.ts';

/** An icon in the system's tray. */
export class Tray extends EventEmitter {
  /** For the stand-in only: all icons. */
  static readonly standInAll = new Set<Tray>();

  /** For the stand-in only: what a person sees. */
  standIn: { image: NativeImage; toolTip: string; title: string; menu: Menu | null };
  #destroyed = false;

  constructor(image: NativeImage | string, _guid?: string) {
    super();
    this.standIn = { image: toImage(image), toolTip: '', title: '', menu: null };
    Tray.standInAll.add(this);
  }

  setImage(image: NativeImage | string): void {
    this.#alive(() => (this.standIn.image = toImage(image)));
  }
  setPressedImage(_image: NativeImage | string): void {
    this.#alive(() => undefined);
  }
  setToolTip(toolTip: string): void {
    this.#alive(() => (this.standIn.toolTip = toolTip));
  }
  setTitle(title: string): void {
    this.#alive(() => (this.standIn.title = title));
  }
  getTitle(): string {
    return this.standIn.title;
  }
  setContextMenu(menu: Menu | null): void {
    this.#alive(() => (this.standIn.menu = menu));
  }
  popUpContextMenu(menu?: Menu): void {
    this.#alive(() => (menu ?? this.standIn.menu)?.popup());
  }
  closeContextMenu(): void {
    this.#alive(() => this.standIn.menu?.closePopup());
  }
  setIgnoreDoubleClickEvents(_ignore: boolean): void {
    // Nothing shows.
  }
  getBounds(): Electron.Rectangle {
    return { x: 1880, y: 4, width: 24, height: 24 };
  }
  destroy(): void {
    this.#destroyed = true;
    Tray.standInAll.delete(this);
  }
  isDestroyed(): boolean {
    return this.#destroyed;
  }

  #alive(act: () => unknown): void {
    if (this.#destroyed) throw new TypeError('Tray is destroyed');
    act();
  }
}
guardClass('Tray', Tray);
