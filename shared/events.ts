/**
 * What `GET /api/v1/chats/:chatId/events` and `GET /api/v1/events` send, as server-sent events: `event` is the type, `data` the rest as JSON, `id`
 * a cursor. A client that comes back names the last cursor (`Last-Event-ID`, or `?after=`) and is told what it missed.
 * Comments keep a quiet stream alive; one that is silent for {@link STREAM_SILENCE_MS} is dead.
 */
import type { Chat } from './api/chat.ts';
import type { Message } from './api/message.ts';

/** How often the service says something at least, in milliseconds. */
export const STREAM_HEARTBEAT_MS = 10_000;

/** How long a client hears nothing before it takes a stream for dead, in milliseconds. */
export const STREAM_SILENCE_MS = 25_000;

/** The first event of every stream, and the one after a message was edited, deleted or another version was chosen. */
export interface SyncEvent {
  type: 'sync';
  chat: Chat;
  /** In the order of the message list. */
  messages: Message[];
  /** `true`: these are all messages. `false`: those after the cursor's; a message known by its id takes the new one's place. */
  whole: boolean;
}

/** The chat has changed. */
export interface ChatEvent {
  type: 'chat';
  chat: Chat;
}

/** A message is new or has changed. */
export interface MessageEvent {
  type: 'message';
  message: Message;
}

/** A reply has grown: `text` stands at `offset` (UTF-16 code units), where its content ended so far. */
export interface DeltaEvent {
  type: 'delta';
  messageId: string;
  offset: number;
  text: string;
}

/** What a reply's model thinks has grown: as {@link DeltaEvent}, for the message's `reasoning`. */
export interface ReasoningEvent {
  type: 'reasoning';
  messageId: string;
  offset: number;
  text: string;
}

/** The chat was deleted; a stream of its own ends. */
export interface GoneEvent {
  type: 'gone';
}

/** Everything that is told of one chat. */
export type ConversationEvent =
  SyncEvent | ChatEvent | MessageEvent | DeltaEvent | ReasoningEvent | GoneEvent;

/** Any chat of the workspace may have changed: ask for the list again. */
export interface RelistEvent {
  type: 'relist';
}

/** Chats of the workspace are new, back or have changed. */
export interface ChatsEvent {
  type: 'chats';
  /** As they are now, archived ones too. */
  chats: Chat[];
  /** The ids of those that were deleted. */
  gone: string[];
}

/** The `queuePosition` of chats of the workspace, about which nothing else has changed. */
export interface QueueEvent {
  type: 'queue';
  /** By the chat's id. */
  positions: Record<string, number>;
}

/** What is told of a workspace's chats; the first event of a stream is `relist` or `chats`. */
export type ChatListEvent = RelistEvent | ChatsEvent | QueueEvent;

/** Everything that `GET /api/v1/events` tells. Those of the chat that it was asked for are as in a stream of its own. */
export type WorkspaceEvent = ChatListEvent | ConversationEvent;
