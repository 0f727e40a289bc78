/**
 * Telling a person who looks elsewhere that a reply is ready or failed. One notification a reply; when many end at once,
 * as after a script's flood, one for all of them.
 */
import type { Notification as ElectronNotification } from 'electron';
import type { ReplyEnd } from '../server/activity/activity.ts';
import { words } from './words.ts';

/** What notifications work with. */
export interface NotificationDeps {
  /** Makes one; not shown yet. */
  create: (options: { title: string; body: string }) => Pick<ElectronNotification, 'on' | 'show' | 'close'>;
  isSupported: () => boolean;
  /** Whether the person wants them. */
  isWanted: () => boolean;
  /** Whether one of the app's windows is in front. */
  isInFront: () => boolean;
  /** Opens that chat; null: the window as it is. */
  open: (reply: ReplyEnd | null) => void;
  clock: () => number;
  platform: NodeJS.Platform;
}

/** The app's notifications. */
export interface Notifications {
  /** Tells of a reply, if it is to be told of. */
  tell(reply: ReplyEnd): void;
  /** A window came to the front: what was told is no news any more. */
  clear(): void;
}

/** So many within {@link BURST_MS} are shown one by one. */
const MAX_IN_BURST = 3;
const BURST_MS = 10_000;
/** What a person hasn't looked at is held on to, since one that is let go can't be clicked; the oldest give way. */
const MAX_KEPT = 20;

/** Makes the notifications of the app. */
export function createNotifications(deps: NotificationDeps): Notifications {
  const shown = new Set<Pick<ElectronNotification, 'close'>>();
  let recent: number[] = [];
  let summary: { notification: Pick<ElectronNotification, 'close'>; replies: number } | null = null;

  function show(title: string, body: string, reply: ReplyEnd | null): Pick<ElectronNotification, 'close'> {
    const notification = deps.create({ title, body });
    const forget = (): void => void shown.delete(notification);
    notification.on('click', () => {
      forget();
      deps.open(reply);
    });
    // Windows says so when it has only moved from the screen to the list of notifications, where it is clicked later.
    if (deps.platform !== 'win32') notification.on('close', forget);
    notification.on('failed', forget);
    shown.add(notification);
    const [oldest] = shown;
    if (shown.size > MAX_KEPT && oldest !== undefined) shown.delete(oldest);
    notification.show();
    return notification;
  }

  return {
    tell(reply) {
      if (!deps.isSupported() || !deps.isWanted() || deps.isInFront()) return;
      const now = deps.clock();
      recent = [...recent.filter((at) => now - at < BURST_MS), now];
      if (recent.length <= MAX_IN_BURST) {
        summary = null;
        show(
          reply.title,
          reply.outcome === 'failed' ? words.notification.failed(reply.text) : reply.text,
          reply,
        );
        return;
      }
      const replies = (summary?.replies ?? 0) + 1;
      if (summary !== null) {
        shown.delete(summary.notification);
        summary.notification.close();
      }
      const notification =
        replies === 1
          ? show(reply.title, reply.text, reply)
          : show(words.notification.many(replies), words.notification.manyBody, null);
      summary = { notification, replies };
    },
    clear() {
      for (const notification of shown) notification.close();
      shown.clear();
      recent = [];
      summary = null;
    },
  };
}
