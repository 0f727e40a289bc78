/**
 * The current state of turns, which the rows hold later or never: replies being written, and chats that wait for a person.
 * Turns write it; streams and waiting clients read it.
 */
import type { Step } from '../../shared/api/message.ts';
import { applyUpdate, NO_GROWTH, type Growth, type GrowthUpdate } from '../../shared/growth.ts';
import { createListeners } from '../lib/listeners.ts';

/** A reply that is being written. Each attempt has its own object. */
export interface LiveReply {
  readonly replyId: string;
  /** What has been written so far. */
  readonly growth: Growth;
}

/** The live replies of one service, by chat: a chat has at most one. */
export interface LiveReplies {
  /** The live reply of a chat; null: none is being written. */
  get(chatId: string): LiveReply | null;
  /** Starts an empty live reply for the chat. */
  begin(chatId: string, replyId: string): LiveReply;
  /** Adds an update to the chat's live reply, if there is one. */
  grow(chatId: string, update: GrowthUpdate): void;
  /** Removes the chat's live reply. */
  end(chatId: string): void;
  /** Calls the listener with the chat's id whenever its reply grows. Returns a function that unsubscribes. */
  onGrown(listener: (chatId: string) => void): () => void;
}

/** None yet. */
export function createLiveReplies(): LiveReplies {
  const replies = new Map<string, { replyId: string; growth: Growth }>();
  const listeners = createListeners<[chatId: string]>();
  return {
    get: (chatId) => replies.get(chatId) ?? null,
    begin(chatId, replyId) {
      const reply = { replyId, growth: NO_GROWTH };
      replies.set(chatId, reply);
      return reply;
    },
    grow(chatId, update) {
      const reply = replies.get(chatId);
      if (reply === undefined) return;
      reply.growth = applyUpdate(reply.growth, update);
      listeners.tell(chatId);
    },
    end: (chatId) => void replies.delete(chatId),
    onGrown: (listener) => listeners.on(listener),
  };
}

/** Which chats wait for a person. */
export interface Asking {
  /** Whether a tool of the chat's turn waits for a person. */
  isAsking(chatId: string): boolean;
  /** The chats of which {@link isAsking} is true. */
  askingChats(): string[];
  /** Calls the listener with a chat's id and its waiting steps whenever those change. Returns a function that unsubscribes. */
  onAsking(listener: (chatId: string, waiting: readonly Step[]) => void): () => void;
}

/** Starts with no waiting chats. `onCount` gets 1 when a chat starts to wait and -1 when it stops. */
export function createAsking(
  onCount: (chatId: string, change: 1 | -1) => void,
): Asking & { noteAsking: (chatId: string, waiting: readonly Step[]) => void } {
  const asking = new Map<string, string>();
  const listeners = createListeners<[chatId: string, waiting: readonly Step[]]>();
  return {
    noteAsking(chatId, waiting) {
      const before = asking.get(chatId) ?? '';
      const now = waiting.map(({ approval }) => approval?.id).join();
      if (now === before) return;
      if (now === '') asking.delete(chatId);
      else asking.set(chatId, now);
      if ((now === '') !== (before === '')) onCount(chatId, now === '' ? -1 : 1);
      listeners.tell(chatId, waiting);
    },
    isAsking: (chatId) => asking.has(chatId),
    askingChats: () => [...asking.keys()],
    onAsking: (listener) => listeners.on(listener),
  };
}
