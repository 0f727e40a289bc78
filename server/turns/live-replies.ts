/** The replies that are being written now. Turns write them, streams read them; their rows follow a little later. */
import { applyUpdate, NO_GROWTH, type Growth, type GrowthUpdate } from '../../shared/growth.ts';

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
  const listeners = new Set<(chatId: string) => void>();
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
      for (const listener of listeners) listener(chatId);
    },
    end: (chatId) => void replies.delete(chatId),
    onGrown(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
