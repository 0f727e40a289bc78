import type { AgentRuntime } from '../agents/turn.ts';
import type { StoredChat } from '../store/chat-repository.ts';
import type { Store } from '../store/types.ts';

/** What a processor works with. */
export interface ProcessorDeps {
  store: Store;
  runtime: AgentRuntime;
  /** The current time. */
  clock: () => Date;
  /** Makes ids of messages and notes. */
  newId: () => string;
  /** IANA zone of the person, e.g. `Europe/Paris`. */
  timeZone: string;
  /** A turn that gets nowhere for so long fails with `timed_out`; 5 minutes unless told otherwise. */
  turnTimeoutMs?: number;
  /** Chats worked on at the same time; 32 unless told otherwise. */
  concurrency?: number;
  /** Told of faults of ours that were met on the way; the work goes on. Ignored unless given. */
  onError?: (error: unknown, chatId: string) => void;
}

/**
 * Answers waiting messages. The rows in the store say what there is to do; this only decides when. It doesn't own the
 * store or the runtime: whoever made them closes them, after this.
 */
export interface Processor {
  /** Says that the chat has something to do. Call it once the message is on disk. Cheap; more often than needed is fine. */
  accept(chatId: string): void;
  /**
   * Ends the chat's turn and everything that waits in it, and resolves with the chat once that is on disk; a chat with
   * nothing to stop comes back as it is. Null: there is no such chat. Rejects when the store refuses.
   */
  stop(chatId: string): Promise<StoredChat | null>;
  /**
   * How many chats are served before this one: 0 = it is being worked on, 1 = next, and so on. For a chat that isn't
   * in line it is the place it would get now.
   */
  queuePosition(chatId: string): number;
  /** Takes up what an earlier process left undone. Call it once, before anything else; resolves when all is in line. */
  recover(): Promise<void>;
  /**
   * Stops working, within 4 seconds: turns under way are given back to be done at the next start, without counting
   * as a try. Nothing is taken up afterwards.
   */
  close(): Promise<void>;
}

/** Makes the one processor of a store; {@link Processor.recover} starts it. */
export function createProcessor(_deps: ProcessorDeps): Processor {
  throw new Error('under construction');
}
