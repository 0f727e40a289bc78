/**
 * Reports what happens in the service, for a host that shows it outside the window: a badge, notifications. Without
 * listeners it costs nothing.
 */
import type { Step } from '../../shared/api/message.ts';
import { visible } from '../../shared/visible.ts';
import { plainLine } from '../lib/plain-text.ts';
import { countUnreadChats, countWorkingChats, findChat, type StoredChat } from '../store/chat-repository.ts';
import type { Store } from '../store/types.ts';
import type { Processor, StoredReply } from '../turns/processor.ts';
import { createWatch } from './watch.ts';

/** A reply that ended by itself. */
export interface ReplyEnd {
  chatId: string;
  workspaceId: string;
  /** The chat's title, as it is now. */
  title: string;
  outcome: 'completed' | 'failed';
  /** The reply's beginning, or why there is none: one line of plain words, 160 characters at most. May be empty. */
  text: string;
}

/** A call that a person has to approve. */
export interface PendingApproval {
  /** The approval's id. */
  id: string;
  chatId: string;
  workspaceId: string;
  /** The chat's title, as it is now. */
  title: string;
  /** The tool's name. */
  tool: string;
  /** What the tool would do, in one line of plain words, 160 characters at most; empty: the tool's name says it all. */
  text: string;
}

/** Gets approvals that people are asked for, and their ends. */
interface ApprovalListener {
  /** Something is asked. */
  asked(approval: PendingApproval): void;
  /** The approval of that id has been answered, anywhere, or has ended in another way. */
  over(id: string): void;
}

/** How many chats, of all workspaces. */
export interface ChatCounts {
  /** Listed ones, without archived and deleted ones, with a reply that nobody has looked at. */
  unread: number;
  /** Chats with a reply under way, or with a message that waits for one. */
  working: number;
  /** Working chats in which a tool waits for a person's answer. */
  awaiting: number;
  /** Chats that need attention: unread, or awaiting an answer. */
  wanting: number;
}

/** What happens in the service, in all workspaces. Each `on…` returns a function that unsubscribes. */
export type Activity = Omit<ReturnType<typeof createActivity>, 'close'>;

const MAX_TEXT_CHARACTERS = 160;

/** Follows a store and its processor until closed; `onError` gets what listeners throw. */
export function createActivity(deps: {
  store: Store;
  processor: Pick<Processor, 'onReply' | 'onPendingApprovals' | 'chatsAwaitingApproval'>;
  onError: (error: unknown) => void;
}) {
  const { store, processor, onError } = deps;
  const find = (chatId: string): StoredChat | null => store.read((reader) => findChat(reader, chatId));
  let isClosed = false;

  /** Wraps a listener: it does nothing after closing, and what it throws affects nobody else. */
  const guarded = <A extends unknown[]>(work: (...args: A) => void): ((...args: A) => void) => {
    return (...args) => {
      if (isClosed) return;
      try {
        work(...args);
      } catch (error) {
        onError(error);
      }
    };
  };

  function counts(): ChatCounts {
    const unread = store.read(countUnreadChats);
    // The chats that ask right now: few, usually none.
    const awaiting = processor.chatsAwaitingApproval().flatMap((id) => find(id) ?? []);
    const isCounted = (chat: StoredChat): boolean => chat.unread && !chat.archived;
    return {
      unread,
      working: store.read(countWorkingChats),
      awaiting: awaiting.length,
      wanting: unread + awaiting.filter((chat) => !isCounted(chat)).length,
    };
  }

  const watch = createWatch({ store, read: counts, onError });

  function describeReply({ chatId, final }: StoredReply): ReplyEnd | null {
    const chat = final.stopReason === 'stopped' ? null : find(chatId);
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

  function describeApproval(chatId: string, { approval, tool }: Step): PendingApproval | null {
    const chat = find(chatId);
    if (chat === null || approval === undefined) return null;
    const { workspaceId, title } = chat;
    const text = plainLine(visible(approval.summary ?? ''), MAX_TEXT_CHARACTERS);
    return { id: approval.id, chatId, workspaceId, title, tool: approval.call?.tool ?? tool, text };
  }

  return {
    counts,
    /** Each change of {@link counts} once it is on disk. */
    onCountsChange: (listener: (counts: ChatCounts) => void): (() => void) => watch.on(listener),
    /**
     * Each reply once it is on disk, whole or failed. Replies that a person stopped, that continue at the next start, or
     * that an earlier process left are not reported.
     */
    onReply: (listener: (reply: ReplyEnd) => void): (() => void) =>
      processor.onReply(
        guarded((reply) => {
          const end = describeReply(reply);
          if (end !== null) listener(end);
        }),
      ),
    /** Each call that a person has to approve, and the end of that. */
    onApproval(listener: ApprovalListener): () => void {
      const open = new Map<string, Set<string>>();
      return processor.onPendingApprovals(
        guarded((chatId, waiting) => {
          const before = open.get(chatId) ?? new Set();
          const now = new Set(waiting.flatMap(({ approval }) => approval?.id ?? []));
          if (now.size === 0) open.delete(chatId);
          else open.set(chatId, now);
          for (const id of before) if (!now.has(id)) listener.over(id);
          for (const step of waiting) {
            const approval = before.has(step.approval?.id ?? '') ? null : describeApproval(chatId, step);
            if (approval !== null) listener.asked(approval);
          }
        }),
      );
    },
    close(): void {
      isClosed = true;
      watch.close();
    },
  };
}
