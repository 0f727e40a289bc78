/** The number of chats that need attention, on the app's icon where the platform supports it. */
import type { App, BrowserWindow, NativeImage } from 'electron';
import type { ChatCounts } from '../server/events/activity.ts';
import { wantingWords } from './words.ts';

/** What the badge works with. */
export interface BadgeDeps {
  app: Pick<App, 'setBadgeCount'>;
  platform: NodeJS.Platform;
  /** The window whose taskbar button gets the dot on Windows; null: there is none now. */
  window: () => Pick<BrowserWindow, 'setOverlayIcon'> | null;
  /** The dot. */
  image: () => NativeImage;
}

/** The badge on the app's icon. */
export interface Badge {
  /** Shows how many are unread or await an answer; 0 removes the badge. */
  show(counts: ChatCounts): void;
}

/** Creates the badge. */
export function createBadge({ app, platform, window, image }: BadgeDeps): Badge {
  return {
    show(counts) {
      if (platform !== 'win32') app.setBadgeCount(counts.wanting);
      else window()?.setOverlayIcon(counts.wanting > 0 ? image() : null, wantingWords(counts));
    },
  };
}
