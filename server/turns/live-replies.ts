/**
 * What goes on in turns now, which rows say later or not at all: the replies that are being written, and which chats wait for
 * a person. Turns write it, streams and waiting clients read it.
 */
import type { Step } from '../../shared/api/message.ts';
import { applyUpdate, NO_GROWTH, type Growth, type GrowthUpdate } from '../../shared/growth.ts';
import { createListeners } from '../lib/listeners.ts';

/** A reply that is being written; another object for each try at it. */
export interface LiveReply {
  readonly replyId: string;
  /** What has been written so far. */
  readonly growth: Growth;
}

/** The live replies of one service, by chat: a chat has at most one. */
export interface LiveReplies {
  /** The chat's; null: none is being written. */
  get(chatId: string): LiveReply | null;
  /** Begins the chat's, of which nothing is written yet. */
  begin(chatId: string, replyId: string): LiveReply;
  /** Notes what has come of the chat's, if there is one. */
  grow(chatId: string, update: GrowthUpdate): void;
  /** The chat's is over. */
  end(chatId: string): void;
  /** Has the listener told the id of the chat whenever its reply has grown, until what this returns is called. */
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
  /** Has the listener told a chat's id and the steps that wait there, whenever which do has changed, until what this returns is called. */
  onAsking(listener: (chatId: string, waiting: readonly Step[]) => void): () => void;
}

/** No chat waits at first. `onCount` is told when one begins to (1), and when it no longer does (-1). */
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
