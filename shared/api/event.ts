/**
 * What `GET /api/v1/chats/:chatId/events` and `GET /api/v1/events` send, as server-sent events: `event` is the type, `data`
 * the rest as JSON, `id` a cursor. A client that reconnects sends its last cursor (`Last-Event-ID`, or `?after=`) and gets
 * what it missed. Comments keep a quiet stream alive; see `STREAM_SILENCE_MS`.
 */
import { Type, type Static, type TSchema } from 'typebox';
import { LIST_NAMES } from '../choices.ts';
import { choice, flag, list, object, text, whole } from './common.ts';
import { Chat } from './chat.ts';
import { Message } from './message.ts';

/** Data of `sync`. */
export const SyncEvent = object(
  'The first event of a chat. It is sent again after an edit, a retry, a deletion or a change of version.',
  {
    chat: Chat,
    messages: list(Message, 'In the order of the message list.'),
    whole: flag(
      '`true`: these are all messages. `false`: only those after the cursor; replace messages whose id you already have.',
    ),
  },
);

/** Data of `chat`. */
export const ChatEvent = object('The chat changed.', { chat: Chat });

/** Data of `message`. */
export const MessageEvent = object('A message is new or changed.', { message: Message });

const growth = {
  messageId: text('Id of the reply.'),
  offset: whole('Where `text` begins, in UTF-16 code units: at the end of what was sent so far.'),
  text: text('The new text.'),
};

/** Data of `delta`. */
export const DeltaEvent = object('The text of a reply grew.', growth);

/** Data of `reasoning`. */
export const ReasoningEvent = object('The reasoning of a reply grew.', growth);

/** Data of `gone`. */
export const GoneEvent = object(
  'The chat was deleted, and its own stream ends. The workspace’s stream goes on, and sends `sync` once the chat is restored; it also sends this for a chat that doesn’t exist.',
  {},
);

/** Data of `relist`. */
export const RelistEvent = object(
  'Any chat of the workspace may have changed, and other lists, too, if this isn’t the first event: read them again. Events that arrive after you sent that request are newer than its response, or will be sent again.',
  {},
);

/** Data of `chats`. */
export const ChatsEvent = object('Chats of the workspace are new, restored or changed.', {
  chats: list(Chat, 'The chats as they are now, archived ones too.'),
  gone: list(Type.String(), 'The ids of deleted chats.'),
});

/** Data of `queue`. */
export const QueueEvent = object(
  'The new `queuePosition` of chats that changed in no other way. Sent at most once a second.',
  { positions: Type.Record(Type.String(), Type.Integer(), { description: 'By chat id.' }) },
);

/** Data of `lists`. */
export const ListsEvent = object(
  'Other lists have changed: read those again that you show. Projects and prompts may be those of another workspace.',
  {
    changed: list(
      choice([...LIST_NAMES]),
      'As in their addresses, such as `/api/v1/agents`. `connections`: the models, too.',
    ),
  },
);

/** The events about one chat, by name. */
export const CHAT_EVENTS = {
  sync: SyncEvent,
  chat: ChatEvent,
  message: MessageEvent,
  delta: DeltaEvent,
  reasoning: ReasoningEvent,
  gone: GoneEvent,
};

/** The events about a workspace's chats, by name. */
export const CHAT_LIST_EVENTS = {
  relist: RelistEvent,
  chats: ChatsEvent,
  queue: QueueEvent,
  lists: ListsEvent,
};

/** An event of each name with its data. */
type Named<Events extends Record<string, TSchema>> = {
  [Name in keyof Events]: { type: Name } & Static<Events[Name]>;
}[keyof Events];

/** All events about one chat. */
export type ConversationEvent = Named<typeof CHAT_EVENTS>;
export type DeltaEvent = Extract<ConversationEvent, { type: 'delta' }>;
export type ReasoningEvent = Extract<ConversationEvent, { type: 'reasoning' }>;

/** All events about a workspace's chats; the first event of a stream is `relist` or `chats`. */
export type ChatListEvent = Named<typeof CHAT_LIST_EVENTS>;

/** All events of `GET /api/v1/events`. Those of the requested chat are the same as in the chat's own stream. */
export type WorkspaceEvent = ChatListEvent | ConversationEvent;
