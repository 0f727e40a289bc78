/**
 * What `GET /api/v1/chats/:chatId/events` and `GET /api/v1/events` send, as server-sent events: `event` is the type, `data` the rest as JSON, `id`
 * a cursor. A client that reconnects sends its last cursor (`Last-Event-ID`, or `?after=`) and gets what it missed.
 * Comments keep a quiet stream alive; one that is silent for {@link STREAM_SILENCE_MS} is dead.
 */
import type { Static, TSchema } from 'typebox';
import type { CHAT_EVENTS, CHAT_LIST_EVENTS } from './api/event.ts';

/** The longest time between two signs of life from the service, in milliseconds. */
export const STREAM_HEARTBEAT_MS = 10_000;

/** After how much silence a client considers a stream dead, in milliseconds. */
export const STREAM_SILENCE_MS = 25_000;

/** An event of each name with its data. */
type Told<Events extends Record<string, TSchema>> = {
  [Name in keyof Events]: { type: Name } & Static<Events[Name]>;
}[keyof Events];

/** All events about one chat. */
export type ConversationEvent = Told<typeof CHAT_EVENTS>;

/** A reply has grown: `text` goes at `offset` (UTF-16 code units), where its content ended before. */
export type DeltaEvent = Extract<ConversationEvent, { type: 'delta' }>;

/** A reply's reasoning has grown: like {@link DeltaEvent}, for the message's `reasoning`. */
export type ReasoningEvent = Extract<ConversationEvent, { type: 'reasoning' }>;

/** All events about a workspace's chats; the first event of a stream is `relist` or `chats`. */
export type ChatListEvent = Told<typeof CHAT_LIST_EVENTS>;

/** All events of `GET /api/v1/events`. Those of the requested chat are the same as in the chat's own stream. */
export type WorkspaceEvent = ChatListEvent | ConversationEvent;
