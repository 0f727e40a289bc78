/** How many chats are unread, on the app's icon where the platform shows that. */
import type { App, BrowserWindow, NativeImage } from 'electron';
import { words } from './words.ts';

/** What the badge works with. */
export interface BadgeDeps {
  app: Pick<App, 'setBadgeCount'>;
  platform: NodeJS.Platform;
  /** The window whose place in the taskbar carries the dot on Windows; null: there is none now. */
  window: () => Pick<BrowserWindow, 'setOverlayIcon'> | null;
  /** The dot. */
  image: () => NativeImage;
}

/** The badge on the app's icon. */
export interface Badge {
  /** Shows so many; 0: none. */
  show(unread: number): void;
}

/** Makes the badge's keeper. */
export function createBadge({ app, platform, window, image }: BadgeDeps): Badge {
  return {
    show(unread) {
      if (platform !== 'win32') app.setBadgeCount(unread);
      else window()?.setOverlayIcon(unread > 0 ? image() : null, unread > 0 ? words.unread(unread) : '');
    },
  };
}
