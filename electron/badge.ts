import { app, type NativeImage } from 'electron';
import type { DesktopParts } from './desktop.ts';
import { wantingWords } from './words.ts';

/** Shows on the app's icon how many chats need attention; on Windows as a dot, over the window's taskbar button. */
export function setupBadge(
  { service, main }: Pick<DesktopParts, 'service' | 'main'>,
  dot: NativeImage,
): void {
  const refresh = (): void => {
    const counts = service.activity.counts();
    if (process.platform !== 'win32') app.setBadgeCount(counts.wanting);
    else main.current()?.window.setOverlayIcon(counts.wanting > 0 ? dot : null, wantingWords(counts));
  };
  service.activity.onCountsChange(refresh);
  // The taskbar button exists only while the window does.
  main.onOpened((window) => {
    window.on('show', refresh);
    window.on('focus', refresh);
  });
}
