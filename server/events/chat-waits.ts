/**
 * Clients that wait until a chat rests or changes. A waiting client costs one timer and an entry here: nothing is asked of
 * the store before something was written, and then each chat that was touched is read once, however many wait for it: all of
 * them are handed the same, and nothing before it is on disk. While nobody waits nothing is listened to.
 */
import { isUnsettled } from '../../shared/api/chat.ts';
import { AppError } from '../errors.ts';
import { once } from '../lib/once.ts';
import { createPlaces } from '../lib/places.ts';
import type { Processor } from '../turns/processor.ts';
import { findRowOfChat } from '../store/chat-repository.ts';
import type { Store } from '../store/types.ts';
import { isSameButForPlace, type SeenChat } from '../store/chat-tags.ts';

/**
 * What a client waits for: that the chat rests, or that its tag (`shown`) is no longer the one that the client knows. A
 * chat that is gone has come to both.
 */
export type WaitGoal = { for: 'rest' } | { for: 'change'; known: string };

/** The place of one client that waits. */
export interface WaitPlace {
  /** It was left, or the service is closing: from here on waiting ends at once. */
  readonly isOver: boolean;
  /**
   * Resolves with the chat that has come to the goal; null: it is gone, or `ms` milliseconds are, or the place is over. Rejects when
   * the chat can't be read. One at a time.
   */
  wait(chatId: string, goal: WaitGoal, ms: number): Promise<SeenChat | null>;
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
  /** Reads a chat of any workspace, once that is on disk. */
  look: (chatId: string) => Promise<SeenChat | null>;
}

interface Waiter {
  goal: WaitGoal;
  wake: (seen: SeenChat | null) => void;
  fail: (error: unknown) => void;
}

/** A chat that somebody waits for. */
interface WaitedChat {
  id: string;
  row: number;
  waiters: Set<Waiter>;
  /** As it was when it was looked at last. */
  lastChange: number;
  isAsking: boolean;
  /** What was read then; null until that is on disk. */
  seen: SeenChat | null;
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

/** Whether the chat has come to the goal; `countsPlace`: a new place in the queue is a change. */
export function isReached({ chat, tags: { shown } }: SeenChat, goal: WaitGoal, countsPlace = false): boolean {
  if (goal.for === 'rest') return !isUnsettled(chat.status);
  return shown !== goal.known && (countsPlace || !isSameButForPlace(shown, goal.known));
}

/** Nobody waits yet. */
export function createChatWaits({ store, processor, look }: ChatWaitsDeps): ChatWaits {
  const chats = new Map<string, WaitedChat>();
  const places = new Set<WaitPlace>();
  const room = createPlaces({
    most: MAX_PLACES,
    mostOfOne: MAX_PLACES_OF_ONE,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    words: (ofOne) =>
      `${ofOne ? `${MAX_PLACES_OF_ONE} requests of this key wait` : `${MAX_PLACES} requests wait`} for chats, which is as many as can; let some end, or ask without "wait" from time to time.`,
  });
  let stopListening: (() => void) | null = null;
  let timer: NodeJS.Timeout | null = null;
  let lookedAt = -Infinity;
  let isClosed = false;

  function noteChange(): void {
    timer ??= setTimeout(lookAtChanges, Math.max(0, LOOK_INTERVAL_MS - (performance.now() - lookedAt)));
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

  function lookAtChanges(): void {
    timer = null;
    lookedAt = performance.now();
    for (const chat of chats.values()) {
      const isSame =
        chat.lastChange === store.lastChangeOf(chat.row) && chat.isAsking === processor.isAsking(chat.id);
      if (!isSame) lookAt(chat);
    }
  }

  function lookAtQueue(): void {
    for (const chat of chats.values()) {
      if (chat.seen === null || !isUnsettled(chat.seen.chat.status)) continue;
      if (chat.seen.chat.queuePosition === processor.queuePosition(chat.id)) tell(chat, chat.seen, true);
      else lookAt(chat, true);
    }
  }

  function lookAt(chat: WaitedChat, countsPlace = false): void {
    chat.lastChange = store.lastChangeOf(chat.row);
    chat.isAsking = processor.isAsking(chat.id);
    look(chat.id).then(
      (seen) => tell(chat, seen, countsPlace),
      (error: unknown) => {
        for (const { fail } of chat.waiters) fail(error);
      },
    );
  }

  function tell(chat: WaitedChat, seen: SeenChat | null, countsPlace: boolean): void {
    chat.seen = seen;
    for (const { goal, wake } of chat.waiters) {
      if (seen === null || isReached(seen, goal, countsPlace)) wake(seen);
    }
  }

  function watch(chatId: string): WaitedChat {
    const row = store.read((reader) => findRowOfChat(reader, chatId)) ?? 0;
    const chat = { id: chatId, row, waiters: new Set<Waiter>(), lastChange: 0, isAsking: false, seen: null };
    lookAt(chat);
    return chat;
  }

  /** Has the waiter woken; what it returns ends that. */
  function join(chatId: string, waiter: Waiter): () => void {
    stopListening ??= listen();
    const chat = once(chats, chatId, () => watch(chatId));
    chat.waiters.add(waiter);
    // It may have changed since the client's was read.
    if (chat.seen !== null && isReached(chat.seen, waiter.goal)) waiter.wake(chat.seen);
    return () => {
      chat.waiters.delete(waiter);
      if (chat.waiters.size > 0 || chats.get(chatId) !== chat) return;
      chats.delete(chatId);
      if (chats.size > 0) return;
      stopListening?.();
      stopListening = null;
    };
  }

  function enter(holder: string): WaitPlace {
    if (isClosed) throw new AppError('shutting_down');
    const giveBack = room.take(holder);
    let isOver = false;
    let end: (seen: SeenChat | null) => void = () => undefined;

    function leave(): void {
      if (isOver) return;
      isOver = true;
      places.delete(place);
      giveBack();
      end(null);
    }

    async function wait(chatId: string, goal: WaitGoal, ms: number): Promise<SeenChat | null> {
      if (isOver || ms <= 0) return null;
      const woken = Promise.withResolvers<SeenChat | null>();
      end = woken.resolve;
      const timeout = setTimeout(end, ms, null);
      const part = join(chatId, { goal, wake: woken.resolve, fail: woken.reject });
      try {
        return await woken.promise;
      } finally {
        clearTimeout(timeout);
        part();
      }
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
