/**
 * Notifies a person who is looking elsewhere that a reply is ready or failed, or that a tool needs an answer. One notification each; if
 * many come at once, such as after a script's requests, one for all of them.
 */
import type { Notification as ElectronNotification } from 'electron';
import { escapeUTF8 } from 'entities/escape';
import type { PendingApproval, ReplyEnd } from '../server/events/activity.ts';
import { askerOf, requestTitle } from '../shared/approval-request.ts';
import { words } from './words.ts';

/** The chat that a click opens. */
export interface NotifiedChat {
  chatId: string;
  workspaceId: string;
}

/** What notifications work with. */
export interface NotificationDeps {
  /** Creates a notification without showing it. */
  create: (options: { title: string; body: string }) => Shown;
  isSupported: () => boolean;
  isWanted: () => boolean;
  /** Whether one of the app's windows is in front. */
  isInFront: () => boolean;
  /** Opens that chat; null: the window as it is. */
  open: (chat: NotifiedChat | null) => void;
  /** Called with the reason when the system did not show one. */
  onTrouble: (reason: string) => void;
  clock: () => number;
  platform: NodeJS.Platform;
}

type Shown = Pick<ElectronNotification, 'on' | 'show' | 'close'>;

interface News {
  title: string;
  body: string;
  target: NotifiedChat;
}

/** News of one kind: shown one by one at first, then together if many come close after each other. */
interface Burst {
  /** When the latest came. */
  recent: number[];
  summary: { shown: Shown; count: number } | null;
  /** The notification for several, from two on. */
  many: (count: number) => { title: string; body: string };
}

/** This many within {@link BURST_MS} are shown one by one. */
const MAX_IN_BURST = 3;
const BURST_MS = 10_000;
/** References are kept, since a notification that is garbage-collected can't be clicked; the oldest are dropped. */
const MAX_KEPT = 20;

/** The app's notifications. */
export type Notifications = ReturnType<typeof createNotifications>;

/** Creates the app's notifications. */
export function createNotifications(deps: NotificationDeps) {
  const kept = new Set<Shown>();
  let trouble: string | null = null;
  /** By the ids of the approvals that it covers. */
  const ofApproval = new Map<string, Shown>();
  const replies = createBurst((count) => ({
    title: words.notification.many(count),
    body: words.notification.manyBody,
  }));
  const approvals = createBurst((count) => ({
    title: words.notification.manyAsk(count),
    body: words.notification.manyAskBody,
  }));

  function show({ title, body }: Pick<News, 'title' | 'body'>, target: NotifiedChat | null): Shown {
    // Linux desktops read the body, which a model may have written, as markup: links in it, or nothing where it is malformed.
    const notification = deps.create({ title, body: deps.platform === 'linux' ? escapeUTF8(body) : body });
    const forget = (): void => void kept.delete(notification);
    notification.on('click', () => {
      forget();
      deps.open(target);
    });
    // Windows also sends this when it only moves one from the screen to the notification list, where it may be clicked later.
    if (deps.platform !== 'win32') notification.on('close', forget);
    notification.on('show', () => {
      trouble = null;
    });
    // On a Mac, notifications of an unsigned app only ever get here.
    notification.on('failed', (_event, reason) => {
      forget();
      trouble = reason;
      deps.onTrouble(reason);
    });
    kept.add(notification);
    const [oldest] = kept;
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    notification.show();
    return notification;
  }

  /** The notification that shows this news, alone or with others; null: none. */
  function notificationOf(burst: Burst, news: News): Shown | null {
    if (!deps.isSupported() || !deps.isWanted() || deps.isInFront()) return null;
    const now = deps.clock();
    burst.recent = [...burst.recent.filter((at) => now - at < BURST_MS), now];
    if (burst.recent.length <= MAX_IN_BURST) {
      burst.summary = null;
      return show(news, news.target);
    }
    const before = burst.summary;
    const count = (before?.count ?? 0) + 1;
    if (before !== null) withdraw(before.shown);
    const shown = count === 1 ? show(news, news.target) : show(burst.many(count), null);
    burst.summary = { shown, count };
    for (const [id, other] of ofApproval) if (other === before?.shown) ofApproval.set(id, shown);
    return shown;
  }

  function withdraw(shown: Shown): void {
    kept.delete(shown);
    shown.close();
  }

  return {
    /** Notifies about a reply, if that is wanted. */
    notificationOf({ title, outcome, text, chatId, workspaceId }: ReplyEnd): void {
      const body = outcome === 'failed' ? words.notification.failed(text) : text;
      notificationOf(replies, { title, body, target: { chatId, workspaceId } });
    },
    /** Notifies about a tool that needs an answer, if that is wanted. */
    ask({ id, title, tool, text, chatId, workspaceId }: PendingApproval): void {
      const asks = requestTitle(askerOf(tool));
      const body = text === '' ? asks : `${asks}: ${text}`;
      const shown = notificationOf(approvals, { title, body, target: { chatId, workspaceId } });
      if (shown !== null) ofApproval.set(id, shown);
    },
    /** The approval with that id was answered or has expired: its notification is withdrawn. */
    settle(approvalId: string): void {
      const shown = ofApproval.get(approvalId);
      ofApproval.delete(approvalId);
      // One that covers several is closed with the last of them.
      if (shown === undefined || [...ofApproval.values()].includes(shown)) return;
      if (approvals.summary?.shown === shown) approvals.summary = null;
      withdraw(shown);
    },
    /** Why the system did not show the last one; null: it did. */
    trouble: (): string | null => trouble,
    /** A window came to the front: all notifications are withdrawn. */
    clear(): void {
      for (const notification of kept) notification.close();
      kept.clear();
      ofApproval.clear();
      for (const burst of [replies, approvals]) Object.assign(burst, createBurst(burst.many));
    },
  };
}

const createBurst = (many: Burst['many']): Burst => ({ recent: [], summary: null, many });
