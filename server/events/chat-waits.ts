/**
 * Clients that wait until a chat rests or changes. A waiting client costs one timer and an entry here: the store is
 * read only after a write, and each changed chat only once, however many clients wait for it; all get the same result,
 * once it is on disk. While nobody waits, there are no listeners.
 */
import { isUnsettled } from '../../shared/choices.ts';
import { AppError } from '../errors.ts';
import { createSlots } from '../lib/slots.ts';
import { withTimeout } from '../lib/with-timeout.ts';
import type { Processor } from '../turns/processor.ts';
import { findRowOfChat } from '../store/chat-repository.ts';
import type { Store } from '../store/types.ts';
import { isSameButForPosition, type SeenChat } from '../store/chat-tags.ts';

/**
 * What a client waits for: that the chat rests, or that its tag (`shown`) differs from the one that the client knows. A
 * chat that is gone has reached both.
 */
export type WaitGoal = { for: 'rest' } | { for: 'change'; known: string };

/** The slot of one client that waits. */
export interface WaitSlot {
  /** The client left, or the service is closing: from now on waiting ends at once. */
  readonly isOver: boolean;
  /**
   * Resolves with the chat once it reaches the goal; null: it is gone, `ms` milliseconds have passed, or the slot is
   * over. Rejects when the chat can't be read. One wait at a time.
   */
  wait(chatId: string, goal: WaitGoal, ms: number): Promise<SeenChat | null>;
  /** Makes room for another client; calling it again does no harm. */
  leave(): void;
}

/** The clients of one service that wait. */
export type ChatWaits = ReturnType<typeof createChatWaits>;

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
  /** The last change of the chat when it was last read. */
  lastChange: number;
  isAwaitingApproval: boolean;
  /** The chat as read then; null until that is on disk. */
  seen: SeenChat | null;
}

/** This leaves a third of all connections for clients that don't wait (`plugins/connections.ts`). */
const MAX_WAITING = 2_000;
/** The most per key or session, so that none keeps the others out. */
const MAX_WAITING_OF_ONE = 1_500;
const RETRY_AFTER_SECONDS = 5;
/** The least time between two checks; after a quiet time the next one is immediate. */
const CHECK_INTERVAL_MS = 10;
/** How often at most a changed queue position alone ends a wait, since each turn moves many chats. */
const QUEUE_INTERVAL_MS = 1_000;

/** Whether the chat has reached the goal; `countsPosition`: a new position in the queue counts as a change. */
export function isReached(
  { chat, tags: { shown } }: SeenChat,
  goal: WaitGoal,
  countsPosition = false,
): boolean {
  if (goal.for === 'rest') return !isUnsettled(chat.status);
  return shown !== goal.known && (countsPosition || !isSameButForPosition(shown, goal.known));
}

/** Creates the waits of a service; nobody waits yet. */
export function createChatWaits({
  store,
  processor,
  read,
}: {
  store: Pick<Store, 'read' | 'onChange' | 'lastChangeOf'>;
  processor: Pick<Processor, 'isAwaitingApproval' | 'onPendingApprovals' | 'queuePosition'>;
  /** Reads a chat of any workspace, once that is on disk. */
  read: (chatId: string) => Promise<SeenChat | null>;
}) {
  const chats = new Map<string, WaitedChat>();
  const slots = new Set<WaitSlot>();
  const room = createSlots({
    most: MAX_WAITING,
    mostOfOne: MAX_WAITING_OF_ONE,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    words: (ofOne) =>
      `${ofOne ? `${MAX_WAITING_OF_ONE} requests of this key wait` : `${MAX_WAITING} requests wait`} for chats, which is as many as can; let some end, or ask without "wait" from time to time.`,
  });
  let stopListening: (() => void) | null = null;
  let timer: NodeJS.Timeout | null = null;
  let checkedAt = -Infinity;
  let isClosed = false;

  function noteChange(): void {
    timer ??= setTimeout(checkChanges, Math.max(0, CHECK_INTERVAL_MS - (performance.now() - checkedAt)));
  }

  function listen(): () => void {
    const endings = [store.onChange(noteChange), processor.onPendingApprovals(noteChange)];
    const care = setInterval(checkQueue, QUEUE_INTERVAL_MS);
    return () => {
      for (const end of endings) end();
      clearInterval(care);
      if (timer !== null) clearTimeout(timer);
      timer = null;
    };
  }

  function checkChanges(): void {
    timer = null;
    checkedAt = performance.now();
    for (const chat of chats.values()) {
      const isSame =
        chat.lastChange === store.lastChangeOf(chat.row) &&
        chat.isAwaitingApproval === processor.isAwaitingApproval(chat.id);
      if (!isSame) inspect(chat);
    }
  }

  function checkQueue(): void {
    for (const chat of chats.values()) {
      if (chat.seen === null || !isUnsettled(chat.seen.chat.status)) continue;
      if (chat.seen.chat.queuePosition === processor.queuePosition(chat.seen.chat))
        wakeReached(chat, chat.seen, true);
      else inspect(chat, true);
    }
  }

  function inspect(chat: WaitedChat, countsPosition = false): void {
    chat.lastChange = store.lastChangeOf(chat.row);
    chat.isAwaitingApproval = processor.isAwaitingApproval(chat.id);
    read(chat.id).then(
      (seen) => wakeReached(chat, seen, countsPosition),
      (error: unknown) => {
        for (const { fail } of chat.waiters) fail(error);
      },
    );
  }

  function wakeReached(chat: WaitedChat, seen: SeenChat | null, countsPosition: boolean): void {
    chat.seen = seen;
    for (const { goal, wake } of chat.waiters) {
      if (seen === null || isReached(seen, goal, countsPosition)) wake(seen);
    }
  }

  function watch(chatId: string): WaitedChat {
    const row = store.read((reader) => findRowOfChat(reader, chatId)) ?? 0;
    const chat = {
      id: chatId,
      row,
      waiters: new Set<Waiter>(),
      lastChange: 0,
      isAwaitingApproval: false,
      seen: null,
    };
    chats.set(chatId, chat);
    inspect(chat);
    return chat;
  }

  /** Adds a waiter, to be woken when the goal is reached; returns a function that removes it. */
  function join(chatId: string, waiter: Waiter): () => void {
    stopListening ??= listen();
    const chat = chats.get(chatId) ?? watch(chatId);
    chat.waiters.add(waiter);
    // The chat may have changed since the client read it.
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

  /** A slot for a client of that key or session; throws AppError `too_many_requests` when all are taken, or `shutting_down`. */
  function enter(holder: string): WaitSlot {
    if (isClosed) throw new AppError('shutting_down');
    const release = room.take(holder);
    const over = Promise.withResolvers<null>();
    let isOver = false;

    const slot: WaitSlot = {
      get isOver() {
        return isOver;
      },
      leave() {
        slots.delete(slot);
        release();
        isOver = true;
        over.resolve(null);
      },
      async wait(chatId, goal, ms) {
        if (isOver || ms <= 0) return null;
        const { promise, resolve: wake, reject: fail } = Promise.withResolvers<SeenChat | null>();
        const part = join(chatId, { goal, wake, fail });
        try {
          return (await withTimeout(ms, Promise.race([promise, over.promise]))) ?? null;
        } finally {
          part();
        }
      },
    };
    slots.add(slot);
    return slot;
  }

  return {
    enter,
    /** Ends all waiting at once. */
    close(): void {
      isClosed = true;
      for (const slot of [...slots]) slot.leave();
    },
  };
}
