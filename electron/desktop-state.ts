import { Notification } from 'electron';
import type { DesktopState } from '../shared/ipc.ts';
import type { DesktopParts } from './desktop.ts';

/** The state of the desktop app as its pages see it, from that of its parts. */
export function createDesktopState(parts: DesktopParts) {
  const { settings, main, quickAsk, tray, notifications, loginItem, secretsKept } = parts;
  const current = (): DesktopState => ({
    openAtLogin: loginItem.isSet(),
    quickAsk: quickAsk.shortcutState(),
    hasTray: tray.isThere(),
    canNotify: Notification.isSupported(),
    notifyTrouble: notifications.trouble(),
    secrets: secretsKept(),
  });
  return {
    /** The state now, after checking again what other programs may have changed. */
    check: async (): Promise<DesktopState> => {
      // A panel may have come or gone since, and another program may have let the shortcut go.
      await tray.check();
      quickAsk.setShortcut(settings().quickAskShortcut);
      return current();
    },
    /** Sends the main window the state. */
    send: (): void => main.send({ type: 'state', state: current() }),
  };
}
