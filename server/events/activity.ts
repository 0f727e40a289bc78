/**
 * What goes on in the service, for a host that shows it outside of any window: a badge, notifications. As long as nobody
 * listens, it costs nothing.
 */
import { plainLine } from '../lib/plain-text.ts';
import type { Processor } from '../turns/processor.ts';
import type { StoredReply } from '../turns/turn-worker.ts';
import type { Asking } from '../turns/live-replies.ts';
import { countUnreadChats, countWorkingChats, findChat, type StoredChat } from '../store/chat-repository.ts';
import type { Store } from '../store/types.ts';
import { createEndings } from './endings.ts';
import { createQuestionWatch, type QuestionListener } from './questions.ts';
import { createWatch } from './watch.ts';

/** A reply that has come to its end by itself. */
export interface ReplyEnd {
  chatId: string;
  workspaceId: string;
  /** The chat's title, as it is now. */
  title: string;
  outcome: 'completed' | 'failed';
  /** The reply's beginning, or why there is none: one line of plain words, 160 characters at most. May be empty. */
  text: string;
}

/** How many chats, of all workspaces. */
export interface ChatCounts {
  /** Listed ones, without archived and deleted ones, with a reply that nobody has looked at. */
  unread: number;
  /** Those with a reply under way, or a message that waits for one. */
  working: number;
  /** Those of them in which a tool waits for a person's answer. */
  awaiting: number;
  /** Those that want a look: unread, or awaiting an answer. */
  wanting: number;
}

/** What goes on in the service, in all workspaces. */
export interface Activity {
  counts(): ChatCounts;
  /** Has the listener told each change of {@link counts} once it is on disk, until what this returns is called. */
  onCountsChange(listener: (counts: ChatCounts) => void): () => void;
  /**
   * Has the listener told each reply once it is on disk, whole or failed, until what this returns is called. Replies that
   * a person stopped, that go on at the next start, or that an earlier process left are not told.
   */
  onReply(listener: (reply: ReplyEnd) => void): () => void;
  /** Has the listener told what a person is asked, and when that is over, until what this returns is called. */
  onQuestion(listener: QuestionListener): () => void;
}

const MAX_TEXT_CHARACTERS = 160;

/** Follows a store and its processor until it is closed; `onError` is told of what listeners throw. */
export function createActivity(deps: {
  store: Store;
  processor: Pick<Processor, 'onReply'> & Asking;
  onError: (error: unknown) => void;
}): Activity & { close(): void } {
  const { store, processor, onError } = deps;
  const questions = createQuestionWatch(deps);

  function counts(): ChatCounts {
    const unread = store.read(countUnreadChats);
    // As many as ask at the moment: few, as a rule none.
    const awaiting = processor
      .askingChats()
      .flatMap((id) => store.read((reader) => findChat(reader, id)) ?? []);
    const isCounted = (chat: StoredChat): boolean => chat.unread && !chat.archived;
    return {
      unread,
      working: store.read(countWorkingChats),
      awaiting: awaiting.length,
      wanting: unread + awaiting.filter((chat) => !isCounted(chat)).length,
    };
  }

  const watch = createWatch({
    store,
    read: counts,
    isSame: (one, other) =>
      one.unread === other.unread &&
      one.working === other.working &&
      one.awaiting === other.awaiting &&
      one.wanting === other.wanting,
    onError,
  });
  const endings = createEndings();

  function describeReply({ chatId, final }: StoredReply): ReplyEnd | null {
    if (final.stopReason === 'stopped') return null;
    const chat = store.read((reader) => findChat(reader, chatId));
    if (chat === null) return null;
    const hasFailed = final.status === 'error';
    return {
      chatId,
      workspaceId: chat.workspaceId,
      title: chat.title,
      outcome: hasFailed ? 'failed' : 'completed',
      text: plainLine(hasFailed ? (final.error?.message ?? '') : final.content, MAX_TEXT_CHARACTERS),
    };
  }

  return {
    counts,
    onCountsChange: (listener) => watch.on(listener),
    onReply(listener) {
      const stop = processor.onReply((reply) => {
        try {
          const end = describeReply(reply);
          if (end !== null) listener(end);
        } catch (error) {
          onError(error);
        }
      });
      return endings.keep(stop);
    },
    onQuestion: (listener) => questions.on(listener),
    close() {
      watch.close();
      questions.close();
      endings.endAll();
    },
  };
}
