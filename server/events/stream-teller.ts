/** What one stream tells: a chat, or the chats of a workspace and one of them in full. */
import type { LiveReply } from '../turns/live-replies.ts';
import type { ChatListReading } from './chat-list-reading.ts';
import { createChatListTeller, type ListFinding } from './chat-list-teller.ts';
import type { ChatReading } from './chat-reading.ts';
import { createConversationTeller, type Finding } from './conversation-teller.ts';
import { parseCursor, parseWorkspaceCursor, withCursor, workspaceCursorText } from './sse.ts';

/** How things stand at one moment, read once for all streams. */
export interface Look {
  /** Null: there is none, or it is deleted. */
  chat(chatId: string): ChatReading | null;
  list(workspaceId: string): ChatListReading;
}

/** The reply of a chat that is being written now. */
export type FindLive = (chatId: string) => LiveReply | null;

/** What differs from what a stream has told. */
export interface StreamFinding {
  list: ListFinding | null;
  chat: Finding | null;
}

/** Tells one client. */
export interface StreamTeller {
  /** The chat that it tells in full; null: none, or it is gone. */
  readonly chatId: string | null;
  /** All is told, and nothing will follow. */
  readonly isOver: boolean;
  /** What has to be told; null: nothing. */
  compare(look: Look, live: FindLive): StreamFinding | null;
  /** The text for a finding. */
  tell(finding: StreamFinding, live: FindLive): string;
  /** The text for how the reply of the chat has grown. */
  grow(live: FindLive): string;
  /** What was told may never have been. */
  forget(): void;
}

/** What a client wants to be told. */
export interface StreamSubject {
  /** The workspace whose chats are told; null: only the chat. */
  workspaceId: string | null;
  /** The chat that is told in full; null: only the workspace's. */
  chatId: string | null;
  /** What the client named as its cursor; one that says nothing is the same as none. */
  cursor: unknown;
}

/** A teller for a new stream. `start` is another text at each start of the service. */
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
      // Only the last one: who is cut off in the midst has the cursor from before, which is as good.
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
