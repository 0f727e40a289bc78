import { EventEmitter } from 'node:events';
import { app } from './app.ts';
import { createEvent } from './events.ts';
import { guardClass } from './guard.ts';
import { runRole } from './menu-roles.ts';
import { focusedWindow } from './windows.ts';

type Template = Electron.MenuItemConstructorOptions;

let lastCommandId = 0;

export class MenuItem {
  readonly commandId: number;
  readonly userAccelerator = null;
  id: string;
  label: string;
  sublabel: string;
  toolTip: string;
  accessibilityLabel: string;
  accelerator: string | null;
  registerAccelerator: boolean;
  icon: unknown;
  role: string | undefined;
  type: string;
  submenu: Menu | undefined;
  menu: Menu | undefined;
  enabled: boolean;
  visible: boolean;
  /** As if a person chose the item. */
  click: (event?: object, window?: unknown, contents?: unknown) => void;
  #checked: boolean;

  constructor(options: Template) {
    lastCommandId += 1;
    this.commandId = lastCommandId;
    const { submenu } = options;
    if (submenu !== undefined)
      this.submenu = Array.isArray(submenu) ? Menu.buildFromTemplate(submenu) : (submenu as unknown as Menu);
    this.role = options.role?.toLowerCase();
    this.type = options.type ?? (this.submenu === undefined ? 'normal' : 'submenu');
    if (this.type === 'submenu' && this.submenu === undefined && this.role === undefined)
      throw new Error('Invalid submenu');
    this.id = options.id ?? '';
    this.label = options.label ?? options.role ?? '';
    this.sublabel = options.sublabel ?? '';
    this.toolTip = options.toolTip ?? '';
    this.accessibilityLabel = '';
    this.accelerator = options.accelerator ?? null;
    this.registerAccelerator = options.registerAccelerator ?? true;
    this.icon = options.icon;
    this.enabled = options.enabled ?? true;
    this.visible = options.visible ?? true;
    this.#checked = options.checked ?? false;
    this.click = (event = {}, window = focusedWindow() ?? undefined) => {
      if (!this.enabled) return;
      if (this.type === 'checkbox') this.#checked = !this.#checked;
      if (this.type === 'radio') this.checked = true;
      if (this.role !== undefined && runRole(this.role)) return;
      (options.click as ((item: MenuItem, window: unknown, event: object) => void) | undefined)?.(
        this,
        window,
        event,
      );
    };
  }

  get checked(): boolean {
    return this.#checked;
  }
  set checked(checked: boolean) {
    if (this.type === 'radio') {
      for (const item of this.menu?.radioGroup(this) ?? []) item.#checked = false;
      this.#checked = true;
    } else {
      this.#checked = checked;
    }
  }
}
guardClass('MenuItem', MenuItem);

export class Menu extends EventEmitter {
  static buildFromTemplate(template: (Template | MenuItem)[]): Menu {
    if (!Array.isArray(template))
      throw new TypeError('Invalid template for Menu: Menu template must be an array');
    const menu = new Menu();
    for (const item of template) {
      if (
        !(item instanceof MenuItem) &&
        item.label === undefined &&
        item.role === undefined &&
        item.type === undefined
      )
        throw new TypeError('Invalid template for MenuItem: must have at least one of label, role or type');
      menu.append(item instanceof MenuItem ? item : new MenuItem(item));
    }
    return menu;
  }
  static setApplicationMenu(menu: Menu | null): void {
    if (menu !== null && !(menu instanceof Menu)) throw new TypeError('Invalid menu');
    app.applicationMenu = menu;
  }
  static getApplicationMenu = (): Menu | null => app.applicationMenu as Menu | null;
  static sendActionToFirstResponder = (_action: string): void => undefined;

  items: MenuItem[] = [];

  append(item: MenuItem): void {
    this.insert(this.items.length, item);
  }
  insert(position: number, item: MenuItem): void {
    item.menu = this;
    this.items.splice(position, 0, item);
    if (item.type !== 'radio' || item.checked) return;
    // The first of a group of radio items is checked, as documented.
    if (!this.radioGroup(item).some(({ checked }) => checked)) item.checked = true;
  }
  getMenuItemById(id: string): MenuItem | null {
    for (const item of this.items) {
      const found = item.id === id ? item : (item.submenu?.getMenuItemById(id) ?? null);
      if (found !== null) return found;
    }
    return null;
  }
  popup(options: { callback?: () => void } = {}): void {
    this.emit('menu-will-show', createEvent());
    this.#onClosed = options.callback;
  }
  closePopup(_window?: unknown): void {
    this.emit('menu-will-close', createEvent());
    this.#onClosed?.();
  }
  #onClosed: (() => void) | undefined;

  /** Radio items in the same group as this one, itself included. */
  radioGroup(item: MenuItem): MenuItem[] {
    const at = this.items.indexOf(item);
    const isOther = ({ type }: MenuItem): boolean => type !== 'radio';
    const start = this.items.slice(0, at).findLastIndex(isOther) + 1;
    const length = this.items.slice(at).findIndex(isOther);
    return this.items.slice(start, length < 0 ? undefined : at + length);
  }
}
guardClass('Menu', Menu);
