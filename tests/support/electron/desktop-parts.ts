/**
 * The parts of Electron that only pass things to the system: nothing leaves the process here. Specs replace or record these
 * methods, as they would with Electron itself.
 */
import { EventEmitter } from 'node:events';
import { app } from './app.ts';
import { guardClass, guarded } from './guard.ts';

interface Buttons {
  buttons?: string[];
  defaultId?: number;
  cancelId?: number;
}

/** The system's answer when a dialog is dismissed: the cancel button; without one, as documented, "Cancel" or "No". */
function dismissed({ buttons = [], cancelId }: Buttons): number {
  if (cancelId !== undefined) return cancelId;
  const cancelling = buttons.findIndex((label) => /^(?:cancel|no)$/i.test(label));
  return cancelling < 0 ? 0 : cancelling;
}

/** Options come last; a window may come first. */
const optionsOf = (args: unknown[]): Buttons => args.at(-1) ?? {};

/** Every dialog is dismissed at once. */
export const dialog = guarded('dialog', {
  showMessageBox: async (...args: unknown[]) => ({
    response: dismissed(optionsOf(args)),
    checkboxChecked: false,
  }),
  showMessageBoxSync: (...args: unknown[]) => dismissed(optionsOf(args)),
  showErrorBox: (title: string, content: string) =>
    void process.stderr.write(`[error box] ${title}: ${content}\n`),
  showOpenDialog: async (..._args: unknown[]) => ({ canceled: true, filePaths: [] }),
  showOpenDialogSync: (..._args: unknown[]) => undefined,
  showSaveDialog: async (..._args: unknown[]) => ({ canceled: true, filePath: '' }),
  showSaveDialogSync: (..._args: unknown[]) => '',
});

export const shell = guarded('shell', {
  openExternal: async (_url: string, _options?: object): Promise<void> => undefined,
  openPath: async (_path: string) => '',
  showItemInFolder: (_path: string) => undefined,
  trashItem: async (_path: string): Promise<void> => undefined,
  beep: () => undefined,
});

let copied = '';
export const clipboard = guarded('clipboard', {
  readText: async () => copied,
  writeText: async (text: string): Promise<void> => void (copied = text),
  clear: () => void (copied = ''),
});

class PowerMonitor extends EventEmitter {
  onBatteryPower = false;
  isOnBatteryPower = (): boolean => this.onBatteryPower;
  getSystemIdleTime = (): number => 0;
  getSystemIdleState = (_threshold: number): string => 'active';
  getCurrentThermalState = (): string => 'nominal';
}
guardClass('powerMonitor', PowerMonitor);
/** Tests emit its events themselves; `shutdown` may be prevented. */
export const powerMonitor = new PowerMonitor();

export const crashReporter = guarded('crashReporter', {
  start: (_options: object) => undefined,
  getUploadToServer: () => false,
  setUploadToServer: (_upload: boolean) => undefined,
  addExtraParameter: (_key: string, _value: string) => undefined,
});

/** No update is ever there. */
class AutoUpdater extends EventEmitter {
  setFeedURL = (_options: object): void => undefined;
  getFeedURL = (): string => '';
  checkForUpdates = (): void => undefined;
}
guardClass('autoUpdater', AutoUpdater);
export const autoUpdater = new AutoUpdater();

class SystemPreferences extends EventEmitter {
  getUserDefault = (_key: string, _type: string): unknown => null;
  getAnimationSettings = (): object => ({
    shouldRenderRichAnimation: true,
    scrollAnimationsEnabledBySystem: true,
    prefersReducedMotion: false,
  });
  getAccentColor = (): string => '3366ccff';
  getMediaAccessStatus = (_type: string): string => 'granted';
}
guardClass('systemPreferences', SystemPreferences);
export const systemPreferences = new SystemPreferences();

export const net = guarded('net', {
  isOnline: () => true,
  get online() {
    return true;
  },
  fetch: (input: string | URL | Request, init?: RequestInit) => globalThis.fetch(input, init),
});

export const protocol = guarded('protocol', {
  /** Without effect: no page here has another scheme. */
  registerSchemesAsPrivileged: (_schemes: object[]) => {
    if (app.isReady())
      throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready');
  },
});
