import type { App, BrowserWindow, NativeImage } from 'electron';
import { wantingWords } from './words.ts';

/** What the badge works with. */
export interface BadgeDeps {
  app: Pick<App, 'setBadgeCount'>;
  platform: NodeJS.Platform;
  /** The dot on a taskbar button, on Windows. */
  image: NativeImage | null;
  /** How many chats await an answer, are unread, and either. */
  counts: () => { awaiting: number; unread: number; wanting: number };
  /** Null: it doesn't exist. */
  window: () => BrowserWindow | null;
}

/** Shows on the app's icon how many chats need attention; returns a function that shows the numbers as they are now. */
export function createBadge({ app, platform, image, counts, window }: BadgeDeps): () => void {
  return () => {
    const now = counts();
    if (platform === 'win32') window()?.setOverlayIcon(now.wanting > 0 ? image : null, wantingWords(now));
    else app.setBadgeCount(now.wanting);
  };
}
