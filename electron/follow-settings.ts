import { app, nativeTheme, session } from 'electron';
import { applyTheme } from './appearance.ts';
import type { DesktopParts } from './desktop.ts';
import { setupNetwork } from './network.ts';
import { setupSpelling } from './spelling.ts';

/**
 * Applies the settings that concern the desktop, now and whenever they change, and calls `onApplied` each time. Pages are sent each
 * change, too.
 */
export function followSettings(parts: DesktopParts, onApplied: () => void): void {
  const { service, isHidden, main, quickAsk, tray, spelling, log } = parts;
  const { defaultSession } = session;
  const apply = (): void => {
    const { theme, keepRunning, quickAskShortcut } = service.settings.current();
    applyTheme(nativeTheme, theme);
    const isChecked = spelling.isChecked();
    void setupNetwork(defaultSession, { loadsFromElsewhere: isChecked && spelling.needsDownload, log });
    setupSpelling(defaultSession, app, isChecked);
    // A hidden start without a tray icon would leave no way to reach the app.
    tray.set(keepRunning || (isHidden && main.current() === null));
    quickAsk.setShortcut(quickAskShortcut);
    onApplied();
  };
  service.onSettingsChange(() => {
    apply();
    for (const page of [main.current(), quickAsk.current()]) page?.orders.give({ type: 'settings' });
  });
  apply();
}
