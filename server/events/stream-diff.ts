/** Decides what one stream sends: a chat, or the chats of a workspace and one of them in full. */
import type { LiveReply } from '../turns/live-reply.ts';
import type { ChatListReading } from './chat-list-reading.ts';
import { createChatListDiff } from './chat-list-diff.ts';
import type { ChatReading } from './chat-reading.ts';
import { createConversationDiff } from './conversation-diff.ts';
import {
  eventText,
  parseCursor,
  parseWorkspaceCursor,
  withCursor,
  workspaceCursorText,
  type StreamEvent,
} from './sse.ts';

/** The state at one moment, read once for all streams. */
export interface CurrentState {
  /** Null: there is none, or it is deleted. */
  chat(chatId: string): ChatReading | null;
  list(workspaceId: string): ChatListReading;
}

/** Keeps one client up to date. */
export type StreamDiff = ReturnType<typeof createStreamDiff>;

/** What a client subscribes to. */
export interface StreamSubject {
  /** The workspace whose chats are sent; null: only the chat. */
  workspaceId: string | null;
  /** The chat that is sent in full; null: only the workspace's chats. */
  chatId: string | null;
  /** The cursor that the client sent; an invalid one is the same as none. */
  cursor: unknown;
}

/** For a new stream. `start` differs at each start of the service; `findLive` finds the reply of a chat that is being written. */
export function createStreamDiff(
  subject: StreamSubject,
  start: string,
  findLive: (chatId: string) => LiveReply | null,
) {
  const { workspaceId, chatId, cursor } = subject;
  let isGone = false;
  let isOver = false;
  let sentCursor: string | null = null;
  const known = workspaceId === null ? null : parseWorkspaceCursor(cursor);
  const conversation = createConversationDiff(
    workspaceId === null ? parseCursor(cursor) : (known?.chat ?? null),
  );
  const list = createChatListDiff(known?.start === start ? known.version : null);

  const currentCursor = (): string =>
    workspaceId === null
      ? conversation.cursor
      : workspaceCursorText(start, list.version ?? 0, chatId === null || isGone ? null : conversation.cursor);

  /** The events, the last one with the client's new position. */
  function withPosition(events: StreamEvent[]): StreamEvent[] {
    const last = events.pop();
    if (last === undefined) return [];
    // Only on the last event: a client cut off before it still has the earlier cursor, which is just as good.
    const cursorNow = currentCursor();
    const isMoved = cursorNow !== sentCursor && !isOver;
    sentCursor = cursorNow;
    return [...events, isMoved ? withCursor(last, cursorNow) : last];
  }

  function compareChat(current: CurrentState): (() => StreamEvent[]) | null {
    if (chatId === null) return null;
    const reading = current.chat(chatId);
    if (reading !== null && (workspaceId === null || reading.workspaceId === workspaceId)) {
      isGone = false;
      const makeEvents = conversation.compare(reading, findLive(chatId));
      return makeEvents && (() => makeEvents(findLive(chatId)));
    }
    if (isGone) return null;
    return () => {
      isGone = true;
      // It may be restored, or moved back.
      conversation.forget();
      isOver = workspaceId === null;
      return [eventText('gone', '{}')];
    };
  }

  return {
    /** The chat that it sends in full; null: none, or it is gone. */
    get chatId(): string | null {
      return isGone ? null : chatId;
    },
    /** Everything is sent, and nothing will follow. */
    get isOver(): boolean {
      return isOver;
    },
    /** What has to be sent, as a function that gives the events once it is on disk; null: nothing. */
    compare(current: CurrentState): (() => StreamEvent[]) | null {
      const sendChat = compareChat(current);
      const sendList = workspaceId === null ? null : list.compare(current.list(workspaceId));
      return sendChat === null && sendList === null
        ? null
        : () => withPosition([...(sendList?.() ?? []), ...(sendChat?.() ?? [])]);
    },
    /** The text for what the chat's reply has gained. */
    grow(): string {
      const reply = chatId === null || isGone ? null : findLive(chatId);
      return reply === null ? '' : conversation.grow(reply);
    },
    /** What was sent may not be true any more. */
    forget(): void {
      conversation.forget();
      list.forget();
    },
  };
}
