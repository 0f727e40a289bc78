/**
 * What a desktop spec sees and does outside the windows: notifications, tray, menus, dialogs, shortcuts, other
 * programs. It is injected into the main process before the app's own code and replaces methods of Electron's objects: nothing reaches
 * the desktop of the person running the tests, and the system behaves in ways that this one doesn't.
 */
import type * as ElectronModule from 'electron';

/** A call that would have left the app, or shown something on the system. */
export interface ProbedCall {
  /** e.g. `shell.openExternal`. */
  name: string;
  /** As far as they can be sent: functions are left out, and windows are `[window]`. */
  args: unknown[];
}

export interface MenuEntry {
  id: string;
  label: string;
  type: string;
  enabled: boolean;
  checked: boolean;
  accelerator: string | null;
  submenu: MenuEntry[];
}

/** The spec's access to the main process, as `globalThis.parleyProbe`. */
export interface Probe {
  calls: ProbedCall[];
  /** By a dialog's name, its next answer; without one it is dismissed. `open`: it waits for {@link settle}. */
  answers: Record<string, unknown[]>;
  /** Answers the oldest open dialog of that name; false: there is none. */
  settle: (name: string, value: unknown) => boolean;
  notifications: Electron.Notification[];
  trays: Map<Electron.Tray, { toolTip: string; menu: Electron.Menu | null }>;
  /** The context menu that was shown last. */
  popup: Electron.Menu | null;
  shortcuts: Map<string, () => void>;
  entries: (menu: Electron.Menu | null) => MenuEntry[];
}

/** What a system does that the tests' own doesn't. */
export interface Faults {
  /** Accelerators that other programs have. */
  takenShortcuts?: string[];
  /** The app runs as an installed one. */
  isPackaged?: boolean;
  /** Hidden windows are never painted, as on some Wayland desktops. */
  paintsNoHiddenWindow?: boolean;
}

/** Replaces the methods. Sent to the main process as source text: it uses nothing from outside itself. */
export function installProbe(
  electron: typeof ElectronModule,
  answers: Record<string, unknown[]>,
  faults: Faults,
): void {
  const open: { name: string; resolve: (value: unknown) => void }[] = [];
  const probe: Probe = {
    calls: [],
    answers,
    settle: (name, value) => {
      const at = open.findIndex((one) => one.name === name);
      const [found] = at === -1 ? [] : open.splice(at, 1);
      found?.resolve(value);
      return found !== undefined;
    },
    notifications: [],
    trays: new Map(),
    popup: null,
    shortcuts: new Map(),
    entries: (menu) =>
      (menu?.items ?? []).map((item) => ({
        id: item.id,
        label: item.label,
        type: item.type,
        enabled: item.enabled,
        checked: item.checked,
        accelerator: item.accelerator ?? null,
        submenu: probe.entries(item.submenu ?? null),
      })),
  };
  Object.assign(globalThis, { parleyProbe: probe });

  const plain = (value: unknown): unknown => {
    if (value instanceof electron.BaseWindow) return '[window]';
    return value === undefined || typeof value === 'function'
      ? null
      : (JSON.parse(JSON.stringify(value)) as unknown);
  };
  const record = (name: string, args: unknown[]): void =>
    void probe.calls.push({ name, args: args.filter((arg) => typeof arg !== 'function').map(plain) });
  type Method = (this: object, ...args: unknown[]) => unknown;
  /** Replaces a method; the replacement gets the original. */
  const replace = (owner: object, name: string, make: (before: Method) => Method): void => {
    const before = Reflect.get(owner, name) as Method;
    Object.defineProperty(owner, name, { value: make(before), configurable: true, writable: true });
  };

  const { app, dialog, globalShortcut, shell } = electron;
  const instead = (
    owner: object,
    ownerName: string,
    name: string,
    answer: (args: unknown[]) => unknown,
  ): void =>
    replace(owner, name, () => (...args: unknown[]) => {
      record(`${ownerName}.${name}`, args);
      const next = probe.answers[`${ownerName}.${name}`] ?? [];
      if (next.length === 0) return answer(args);
      const given = next.shift();
      if (given !== 'open') return Promise.resolve(given);
      return new Promise((resolve) => void open.push({ name: `${ownerName}.${name}`, resolve }));
    });

  instead(shell, 'shell', 'openExternal', () => Promise.resolve());
  instead(shell, 'shell', 'openPath', () => Promise.resolve(''));
  instead(shell, 'shell', 'showItemInFolder', () => undefined);
  const dismissed = (args: unknown[]): number => (args.at(-1) as Electron.MessageBoxOptions).cancelId ?? 0;
  instead(dialog, 'dialog', 'showMessageBox', (args) =>
    Promise.resolve({ response: dismissed(args), checkboxChecked: false }),
  );
  instead(dialog, 'dialog', 'showMessageBoxSync', dismissed);
  instead(dialog, 'dialog', 'showErrorBox', () => undefined);
  instead(dialog, 'dialog', 'showOpenDialog', () => Promise.resolve({ canceled: true, filePaths: [] }));
  instead(dialog, 'dialog', 'showSaveDialog', () => Promise.resolve({ canceled: true, filePath: '' }));
  // These would change the desktop of the person running the tests.
  instead(app, 'app', 'setAsDefaultProtocolClient', () => true);
  instead(app, 'app', 'setLoginItemSettings', () => undefined);
  instead(app, 'app', 'showAboutPanel', () => undefined);
  instead(app, 'app', 'relaunch', () => undefined);
  replace(
    app,
    'setBadgeCount',
    (before) =>
      function (...args) {
        record('app.setBadgeCount', args);
        return before.apply(this, args);
      },
  );

  replace(
    electron.BrowserWindow.prototype,
    'setOverlayIcon',
    (before) =>
      function (...args) {
        record('window.setOverlayIcon', args);
        return before.apply(this, args);
      },
  );
  replace(
    electron.Notification.prototype,
    'show',
    () =>
      function () {
        probe.notifications.push(this as Electron.Notification);
      },
  );
  const ofTray = (tray: object): { toolTip: string; menu: Electron.Menu | null } => {
    const known = probe.trays.get(tray as Electron.Tray) ?? { toolTip: '', menu: null };
    probe.trays.set(tray as Electron.Tray, known);
    return known;
  };
  replace(
    electron.Tray.prototype,
    'setToolTip',
    (before) =>
      function (...args) {
        ofTray(this).toolTip = args[0] as string;
        return before.apply(this, args);
      },
  );
  replace(
    electron.Tray.prototype,
    'setContextMenu',
    (before) =>
      function (...args) {
        ofTray(this).menu = args[0] as Electron.Menu | null;
        return before.apply(this, args);
      },
  );
  replace(
    electron.Tray.prototype,
    'destroy',
    (before) =>
      function () {
        probe.trays.delete(this as Electron.Tray);
        return before.apply(this);
      },
  );
  replace(
    electron.Menu.prototype,
    'popup',
    () =>
      function () {
        probe.popup = this as Electron.Menu;
      },
  );
  if (faults.isPackaged === true) Object.defineProperty(app, 'isPackaged', { value: true });
  if (faults.paintsNoHiddenWindow === true) {
    replace(
      electron.BrowserWindow.prototype,
      'emit',
      (before) =>
        function (...args) {
          return args[0] !== 'ready-to-show' && before.apply(this, args);
        },
    );
  }
  replace(globalShortcut, 'register', (before) => (...args) => {
    if (faults.takenShortcuts?.includes(args[0] as string) === true) return false;
    const isRegistered = before.apply(globalShortcut, args) as boolean;
    if (isRegistered) probe.shortcuts.set(args[0] as string, args[1] as () => void);
    return isRegistered;
  });
  replace(globalShortcut, 'unregister', (before) => (...args) => {
    probe.shortcuts.delete(args[0] as string);
    return before.apply(globalShortcut, args);
  });
  replace(globalShortcut, 'unregisterAll', (before) => () => {
    probe.shortcuts.clear();
    return before.apply(globalShortcut);
  });
}
