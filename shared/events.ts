/**
 * What `GET /api/v1/chats/:chatId/events` and `GET /api/v1/events` send, as server-sent events: `event` is the type, `data` the rest as JSON, `id`
 * a cursor. A client that comes back names the last cursor (`Last-Event-ID`, or `?after=`) and is told what it missed.
 * Comments keep a quiet stream alive; one that is silent for {@link STREAM_SILENCE_MS} is dead.
 */
import type { Static, TSchema } from 'typebox';
import type { CHAT_EVENTS, CHAT_LIST_EVENTS } from './api/event.ts';

/** How often the service says something at least, in milliseconds. */
export const STREAM_HEARTBEAT_MS = 10_000;

/** How long a client hears nothing before it takes a stream for dead, in milliseconds. */
export const STREAM_SILENCE_MS = 25_000;

/** An event of each name with its data. */
type Told<Events extends Record<string, TSchema>> = {
  [Name in keyof Events]: { type: Name } & Static<Events[Name]>;
}[keyof Events];

/** Everything that is told of one chat. */
export type ConversationEvent = Told<typeof CHAT_EVENTS>;

/** A reply has grown: `text` stands at `offset` (UTF-16 code units), where its content ended so far. */
export type DeltaEvent = Extract<ConversationEvent, { type: 'delta' }>;

/** What a reply's model thinks has grown: as {@link DeltaEvent}, for the message's `reasoning`. */
export type ReasoningEvent = Extract<ConversationEvent, { type: 'reasoning' }>;

/** What is told of a workspace's chats; the first event of a stream is `relist` or `chats`. */
export type ChatListEvent = Told<typeof CHAT_LIST_EVENTS>;

/** Everything that `GET /api/v1/events` tells. Those of the chat that it was asked for are as in a stream of its own. */
export type WorkspaceEvent = ChatListEvent | ConversationEvent;
