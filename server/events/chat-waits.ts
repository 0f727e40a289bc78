/**
 * Clients that wait until a chat rests or changes. A waiting client costs one timer and an entry here: nothing is asked of
 * the store before something was written, and then once for each chat that was touched, however many wait for it. While
 * nobody waits nothing is listened to.
 *
 * Who is woken reads the chat by itself, as any request does, so nothing is told before it is on disk.
 */
import { isUnsettled } from '../../shared/api/chat.ts';
import { AppError } from '../errors.ts';
import { once } from '../lib/once.ts';
import type { Processor } from '../turns/processor.ts';
import { findChat, findRowOfChat, type StoredChat } from '../store/chat-repository.ts';
import type { Store } from '../store/types.ts';
import { isSameButForPlace, type TagMaker } from '../store/chat-tags.ts';

/**
 * What a client waits for: that the chat rests, or that its tag (`shown`) is no longer the one that the client knows. A
 * chat that is gone has come to both.
 */
export type WaitGoal = { for: 'rest' } | { for: 'change'; known: string };

/** The place of one client that waits. */
export interface WaitPlace {
  /** It was left, or the service is closing: from here on waiting ends at once. */
  readonly isOver: boolean;
  /** Resolves when the chat may have come to the goal, after `ms` milliseconds, or when the place is over. One at a time. */
  wait(chatId: string, goal: WaitGoal, ms: number): Promise<void>;
  /** Makes room for another client; once more does no harm. */
  leave(): void;
}

/** The clients of one service that wait. */
export interface ChatWaits {
  /** A place for a client of that key or session; throws AppError `too_many_requests` when all are taken, or `shutting_down`. */
  enter(holder: string): WaitPlace;
  /** Ends all waiting at once. */
  close(): void;
}

/** What waiting works with. */
export interface ChatWaitsDeps {
  store: Pick<Store, 'read' | 'onChange' | 'lastChangeOf'>;
  processor: Pick<Processor, 'isAsking' | 'onAsking' | 'queuePosition'>;
  tags: TagMaker;
}

interface Waiter {
  goal: WaitGoal;
  wake: () => void;
}

/** A chat that somebody waits for, as it was last seen. */
interface WaitedChat {
  id: string;
  waiters: Set<Waiter>;
  /** Null: it is gone. */
  seen: { status: StoredChat['status']; row: number; lastChange: number; isAsking: boolean } | null;
}

/** Beside these there is room for as many connections that don't wait as ever (`plugins/connections.ts`). */
const MAX_PLACES = 2_000;
/** As many of one key or session, so that none keeps the others out. */
const MAX_PLACES_OF_ONE = 1_500;
const RETRY_AFTER_SECONDS = 5;
/** A look follows the one before after so long at least; after a quiet time it comes at once. */
const LOOK_INTERVAL_MS = 10;
/** Each turn moves many chats in the queue; who waits for a change is told of that alone so often at most. */
const QUEUE_INTERVAL_MS = 1_000;

/** Nobody waits yet. */
export function createChatWaits({ store, processor, tags }: ChatWaitsDeps): ChatWaits {
  const chats = new Map<string, WaitedChat>();
  const places = new Set<WaitPlace>();
  const placesOf = new Map<string, number>();
  let stopListening: (() => void) | null = null;
  let timer: NodeJS.Timeout | null = null;
  let lookedAt = -Infinity;
  let isClosed = false;

  function noteChange(): void {
    timer ??= setTimeout(look, Math.max(0, LOOK_INTERVAL_MS - (performance.now() - lookedAt)));
  }

  function listen(): () => void {
    const endings = [store.onChange(noteChange), processor.onAsking(noteChange)];
    const care = setInterval(lookAtQueue, QUEUE_INTERVAL_MS);
    return () => {
      for (const end of endings) end();
      clearInterval(care);
      if (timer !== null) clearTimeout(timer);
      timer = null;
    };
  }

  function look(): void {
    timer = null;
    lookedAt = performance.now();
    for (const chat of chats.values()) lookAt(chat);
  }

  function lookAt(chat: WaitedChat): void {
    const { id, seen } = chat;
    const isSame =
      seen !== null &&
      seen.lastChange === store.lastChangeOf(seen.row) &&
      seen.isAsking === processor.isAsking(id);
    if (isSame) return;
    chat.seen = see(id);
    wakeThoseDone(chat);
  }

  function lookAtQueue(): void {
    for (const chat of chats.values()) {
      if (chat.seen !== null && isUnsettled(chat.seen.status)) wakeThoseDone(chat, true);
    }
  }

  function see(chatId: string): WaitedChat['seen'] {
    const chat = store.read((reader) => findChat(reader, chatId));
    const row = chat && store.read((reader) => findRowOfChat(reader, chatId));
    if (chat === null || row === null) return null;
    return {
      status: chat.status,
      row,
      lastChange: store.lastChangeOf(row),
      isAsking: processor.isAsking(chatId),
    };
  }

  function wakeThoseDone(chat: WaitedChat, countsPlace = false): void {
    const tag = tagOf(chat);
    for (const { goal, wake } of chat.waiters) if (isDone(chat, goal, tag, countsPlace)) wake();
  }

  const tagOf = ({ id, seen }: WaitedChat): string =>
    seen === null ? '' : tags.tagsOf({ id, status: seen.status }, seen.row).shown;

  /** Whether the chat has come to the goal; `countsPlace`: a new place in the queue is a change. */
  function isDone({ seen }: WaitedChat, goal: WaitGoal, tag: string, countsPlace: boolean): boolean {
    if (seen === null) return true;
    if (goal.for === 'rest') return !isUnsettled(seen.status);
    return tag !== goal.known && (countsPlace || !isSameButForPlace(tag, goal.known));
  }

  /** Has the waiter woken; what it returns ends that. It is woken at once if the chat changed since the client's was read. */
  function join(chatId: string, waiter: Waiter): () => void {
    stopListening ??= listen();
    const chat = once(chats, chatId, () => ({ id: chatId, waiters: new Set<Waiter>(), seen: see(chatId) }));
    lookAt(chat);
    chat.waiters.add(waiter);
    if (isDone(chat, waiter.goal, tagOf(chat), false)) waiter.wake();
    return () => {
      chat.waiters.delete(waiter);
      if (chat.waiters.size > 0 || chats.get(chatId) !== chat) return;
      chats.delete(chatId);
      if (chats.size > 0) return;
      stopListening?.();
      stopListening = null;
    };
  }

  function takePlace(holder: string): void {
    if (isClosed) throw new AppError('shutting_down');
    const own = placesOf.get(holder) ?? 0;
    if (own >= MAX_PLACES_OF_ONE || places.size >= MAX_PLACES) {
      const what =
        own < MAX_PLACES_OF_ONE ? `${MAX_PLACES} requests wait` : `${own} requests of this key wait`;
      throw new AppError(
        'too_many_requests',
        `${what} for chats, which is as many as can; let some end, or ask without "wait" from time to time.`,
        { retryAfterSeconds: RETRY_AFTER_SECONDS },
      );
    }
    placesOf.set(holder, own + 1);
  }

  function enter(holder: string): WaitPlace {
    takePlace(holder);
    let isOver = false;
    let wake: () => void = () => undefined;

    function leave(): void {
      if (isOver) return;
      isOver = true;
      places.delete(place);
      const left = (placesOf.get(holder) ?? 0) - 1;
      if (left > 0) placesOf.set(holder, left);
      else placesOf.delete(holder);
      wake();
    }

    async function wait(chatId: string, goal: WaitGoal, ms: number): Promise<void> {
      if (isOver) return;
      const woken = Promise.withResolvers<undefined>();
      const end = (): void => woken.resolve(undefined);
      wake = end;
      const timeout = setTimeout(end, ms);
      const part = join(chatId, { goal, wake: end });
      await woken.promise;
      clearTimeout(timeout);
      part();
    }

    const place: WaitPlace = {
      get isOver() {
        return isOver;
      },
      wait,
      leave,
    };
    places.add(place);
    return place;
  }

  return {
    enter,
    close() {
      isClosed = true;
      for (const place of [...places]) place.leave();
    },
  };
}
