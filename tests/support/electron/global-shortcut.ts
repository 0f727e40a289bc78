import { app } from './app.ts';
import { guarded } from './guard.ts';

/** Set in the environment: accelerators that other programs have, with commas between. */
const TAKEN = 'STAND_IN_TAKEN_SHORTCUTS';

const registered = new Map<string, () => void>();
const taken = new Set((process.env[TAKEN] ?? '').split(',').map(normal));

/** The same for all ways to write an accelerator. */
function normal(accelerator: string): string {
  const command = process.platform === 'darwin' ? 'command' : 'control';
  const parts = accelerator.toLowerCase().split('+');
  return parts
    .map((part) =>
      part
        .replace(/^(?:commandorcontrol|cmdorctrl)$/, command)
        .replace(/^ctrl$/, 'control')
        .replace(/^cmd$/, 'command')
        .replace(/^option$/, 'alt'),
    )
    .toSorted()
    .join('+');
}

function assertReady(): void {
  if (!app.isReady()) throw new Error('globalShortcut cannot be used before the app is ready');
}

export const globalShortcut = guarded('globalShortcut', {
  register: (accelerator: string, callback: () => void) => {
    assertReady();
    const name = normal(accelerator);
    if (taken.has(name) || registered.has(name)) return false;
    registered.set(name, callback);
    return true;
  },
  isRegistered: (accelerator: string) => registered.has(normal(accelerator)),
  unregister: (accelerator: string) => {
    registered.delete(normal(accelerator));
  },
  unregisterAll: () => registered.clear(),
});

/** For the stand-in only: a person presses the keys. Returns whether a listener was there. */
export function pressShortcut(accelerator: string): boolean {
  const callback = registered.get(normal(accelerator));
  callback?.();
  return callback !== undefined;
}
