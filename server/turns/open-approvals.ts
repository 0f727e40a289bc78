/** Which turns wait for a person, and for what; told as it changes. */
import type { Step } from '../../shared/api/message.ts';

/** Told a chat's id and the steps that wait there now, whenever which do has changed. It must not throw. */
export type AskingListener = (chatId: string, waiting: readonly Step[]) => void;

/** What is asked at the moment. */
export interface Asking {
  /** Whether a tool of the chat's turn waits for a person. */
  isAsking(chatId: string): boolean;
  /** The chats of which {@link isAsking} is true. */
  askingChats(): string[];
  /** Has the listener told what is asked, until what this returns is called. */
  onAsking(listener: AskingListener): () => void;
}

/** The open approvals of a processor. */
export interface OpenApprovals extends Asking {
  /** Notes which steps of a chat's turn wait for a person; none: it is over. */
  noteAsking: AskingListener;
}

/** None at first. `onCount` is told when a chat begins to wait (1), and when it no longer does (-1). */
export function createOpenApprovals(onCount: (chatId: string, change: 1 | -1) => void): OpenApprovals {
  const asking = new Set<string>();
  const listeners = new Set<AskingListener>();
  return {
    noteAsking(chatId, waiting) {
      const isAsking = waiting.length > 0;
      if (isAsking !== asking.has(chatId)) onCount(chatId, isAsking ? 1 : -1);
      if (isAsking) asking.add(chatId);
      else asking.delete(chatId);
      for (const listener of [...listeners]) listener(chatId, waiting);
    },
    isAsking: (chatId) => asking.has(chatId),
    askingChats: () => [...asking],
    onAsking(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
