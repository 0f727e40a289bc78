/** Decides what one stream sends: a chat, or the chats of a workspace and one of them in full. */
import type { LiveReply } from '../turns/live-replies.ts';
import type { ChatListReading } from './chat-list-reading.ts';
import { createChatListTeller, type ListFinding } from './chat-list-teller.ts';
import type { ChatReading } from './chat-reading.ts';
import { createConversationTeller, type Finding } from './conversation-teller.ts';
import { parseCursor, parseWorkspaceCursor, withCursor, workspaceCursorText } from './sse.ts';

/** The state at one moment, read once for all streams. */
export interface Look {
  /** Null: there is none, or it is deleted. */
  chat(chatId: string): ChatReading | null;
  list(workspaceId: string): ChatListReading;
}

/** Finds the reply of a chat that is being written now. */
export type FindLive = (chatId: string) => LiveReply | null;

/** What differs from what a stream has sent. */
export interface StreamFinding {
  list: ListFinding | null;
  chat: Finding | null;
}

/** Keeps one client up to date. */
export interface StreamTeller {
  /** The chat that it sends in full; null: none, or it is gone. */
  readonly chatId: string | null;
  /** Everything is sent, and nothing will follow. */
  readonly isOver: boolean;
  /** What has to be sent; null: nothing. */
  compare(look: Look, live: FindLive): StreamFinding | null;
  /** The text for a finding. */
  tell(finding: StreamFinding, live: FindLive): string;
  /** The text for what the chat's reply has gained. */
  grow(live: FindLive): string;
  /** What was sent may not be true any more. */
  forget(): void;
}

/** What a client subscribes to. */
export interface StreamSubject {
  /** The workspace whose chats are sent; null: only the chat. */
  workspaceId: string | null;
  /** The chat that is sent in full; null: only the workspace's chats. */
  chatId: string | null;
  /** The cursor that the client sent; an invalid one is the same as none. */
  cursor: unknown;
}

/** A teller for a new stream. `start` differs at each start of the service. */
export function createStreamTeller(subject: StreamSubject, start: string): StreamTeller {
  const { workspaceId, cursor } = subject;
  let { chatId } = subject;
  let isOver = false;
  let toldCursor: string | null = null;
  const known = workspaceId === null ? null : parseWorkspaceCursor(cursor);
  const conversation = createConversationTeller(
    workspaceId === null ? parseCursor(cursor) : (known?.chat ?? null),
  );
  const list = createChatListTeller(known?.start === start ? known.version : null);

  const currentCursor = (): string =>
    workspaceId === null
      ? conversation.cursor
      : workspaceCursorText(start, list.version ?? 0, chatId === null ? null : conversation.cursor);

  function compareChat(look: Look, live: FindLive): Finding | null {
    if (chatId === null) return null;
    const reading = look.chat(chatId);
    const isThere = reading !== null && (workspaceId === null || reading.workspaceId === workspaceId);
    return conversation.compare(isThere ? reading : null, live(chatId));
  }

  return {
    get chatId() {
      return chatId;
    },
    get isOver() {
      return isOver;
    },
    compare(look, live) {
      const chat = compareChat(look, live);
      const changes = workspaceId === null ? null : list.compare(look.list(workspaceId));
      return chat === null && changes === null ? null : { chat, list: changes };
    },
    tell({ chat, list: changes }, live) {
      const events = changes === null ? [] : list.tell(changes);
      if (chat !== null) events.push(...conversation.tell(chat, chatId === null ? null : live(chatId)));
      if (chat?.kind === 'gone') {
        chatId = null;
        isOver = workspaceId === null;
      }
      const last = events.pop();
      if (last === undefined) return '';
      // Only on the last event: a client cut off before it still has the earlier cursor, which is just as good.
      const cursorNow = currentCursor();
      const isMoved = cursorNow !== toldCursor && !isOver;
      toldCursor = cursorNow;
      return events.join('') + (isMoved ? withCursor(last, cursorNow) : last);
    },
    grow(live) {
      const reply = chatId === null ? null : live(chatId);
      return reply === null ? '' : conversation.grow(reply);
    },
    forget() {
      conversation.forget();
      list.forget();
    },
  };
}
