import { Type } from 'typebox';
import { Chat } from './chat.ts';
import { Message } from './message.ts';

/** Data of `sync`. */
export const SyncEvent = Type.Object(
  {
    chat: Chat,
    messages: Type.Array(Message, { description: 'In the order of the message list.' }),
    whole: Type.Boolean({
      description:
        '`true`: these are all messages. `false`: those after the cursor’s; a message known by its id takes the new one’s place.',
    }),
  },
  {
    description:
      'The first event of a chat, and again after an edit, a retry, a deletion or a choice of version.',
  },
);

/** Data of `chat`. */
export const ChatEvent = Type.Object({ chat: Chat }, { description: 'The chat has changed.' });

/** Data of `message`. */
export const MessageEvent = Type.Object(
  { message: Message },
  { description: 'A message is new or has changed.' },
);

const growth = {
  messageId: Type.String({ description: 'Which reply.' }),
  offset: Type.Integer({
    description: 'Where `text` stands, in UTF-16 code units: where what was told ended so far.',
  }),
  text: Type.String({ description: 'What has come.' }),
};

/** Data of `delta`. */
export const DeltaEvent = Type.Object(growth, { description: 'The text of a reply has grown.' });

/** Data of `reasoning`. */
export const ReasoningEvent = Type.Object(growth, {
  description: 'What a reply’s model thinks before it answers has grown.',
});

/** Data of `gone`. */
export const GoneEvent = Type.Object(
  {},
  {
    description:
      'The chat was deleted, and its own stream ends. The workspace’s goes on, and tells this of a chat that isn’t there, too.',
  },
);

/** Data of `relist`. */
export const RelistEvent = Type.Object(
  {},
  {
    description:
      'Any chat of the workspace may have changed: ask for the list again. What is told after the question was sent is newer than the answer, or will be told again.',
  },
);

/** Data of `chats`. */
export const ChatsEvent = Type.Object(
  {
    chats: Type.Array(Chat, { description: 'As they are now, archived ones too.' }),
    gone: Type.Array(Type.String(), { description: 'The ids of those that were deleted.' }),
  },
  { description: 'Chats of the workspace are new, back or have changed.' },
);

/** Data of `queue`. */
export const QueueEvent = Type.Object(
  { positions: Type.Record(Type.String(), Type.Integer(), { description: 'By the chat’s id.' }) },
  {
    description:
      'The `queuePosition` of chats of the workspace about which nothing else has changed; once a second at most.',
  },
);

/** What is told of one chat, by the events' names. */
export const CHAT_EVENTS = {
  sync: SyncEvent,
  chat: ChatEvent,
  message: MessageEvent,
  delta: DeltaEvent,
  reasoning: ReasoningEvent,
  gone: GoneEvent,
};

/** What is told of a workspace's chats, by the events' names. */
export const CHAT_LIST_EVENTS = { relist: RelistEvent, chats: ChatsEvent, queue: QueueEvent };
