import { Type, type Static } from 'typebox';
import { MAX_CONTENT_CHARACTERS, MAX_MESSAGE_ATTACHMENTS } from '../limits.ts';
import { withThousands } from '../numbers.ts';
import { AttachmentInput } from './attachment.ts';
import { WaitSeconds } from './chat.ts';
import { described, PositiveNumber, WorkspaceId } from './common.ts';
import { Message, MESSAGE_MODES, ON_APPROVAL } from './message.ts';
import { Parameters, ParametersOrNull } from './parameters.ts';

const ModelField = Type.Optional(
  Type.String({
    maxLength: 400,
    description: "The model that answers this message; absent: the chat's. The chat keeps its own.",
    examples: ['ollama/llama3.2'],
    expected: 'the name of a model that GET /api/v1/models lists',
  }),
);
const ModeField = Type.Enum([...MESSAGE_MODES], { expected: '"agent" or "chat"' });
const OnApprovalField = Type.Optional(Type.Enum([...ON_APPROVAL], { expected: '"ask" or "deny"' }));

/** Body of `POST /api/v1/chats/:chatId/messages`, and of an edit, which is a send in place of that user message. */
export const SendMessageBody = Type.Object({
  content: Type.String({
    description: 'What to say. It may be empty when files go along.',
    examples: ['What is 12.5% of 1840?'],
    maxLength: MAX_CONTENT_CHARACTERS,
    expected: `text of 1 to ${withThousands(MAX_CONTENT_CHARACTERS)} characters that is not only white space`,
  }),
  mode: Type.Optional(
    described(
      ModeField,
      '`agent`, unless given: the model may use tools. `chat`: it answers from the conversation alone.',
    ),
  ),
  model: ModelField,
  parameters: Type.Optional(
    described(Parameters, 'They take the place of those of the same names of the chat and of its agent.'),
  ),
  onApproval: described(OnApprovalField, '`ask` unless given.'),
  attachments: Type.Optional(
    Type.Array(AttachmentInput, {
      description: 'Files that go along; on an edit: all that the message shall have then.',
      maxItems: MAX_MESSAGE_ATTACHMENTS,
      expected: `a list of at most ${MAX_MESSAGE_ATTACHMENTS} files, each { "fileId" } or { "name", "data" }`,
    }),
  ),
  workspaceId: Type.Optional(WorkspaceId),
});
export type SendMessageBody = Static<typeof SendMessageBody>;

/** Query of `POST /api/v1/chats/:chatId/messages`. */
export const SendMessageQuery = Type.Object({
  wait: Type.Optional(
    described(
      WaitSeconds,
      'The answer waits so many seconds for the chat to rest. The message is stored in any case. 0 unless given.',
    ),
  ),
  workspaceId: Type.Optional(WorkspaceId),
});

/** Query of `GET /api/v1/chats/:chatId/messages`; all messages unless something is given. */
export const ListMessagesQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      description: 'Only messages after the one of this id.',
      expected: 'the id of a message of this chat, once',
    }),
  ),
  limit: Type.Optional(described(PositiveNumber, 'At most so many, from the oldest of those asked for.')),
  workspaceId: Type.Optional(WorkspaceId),
});
export type ListMessagesQuery = Static<typeof ListMessagesQuery>;

/** Answer of `GET /api/v1/chats/:chatId/messages`, oldest first. */
export const MessageList = Type.Object({ messages: Type.Array(Message, { description: 'Oldest first.' }) });
export type MessageList = Static<typeof MessageList>;

/** Answer of `GET /api/v1/chats/:chatId/messages/:messageId`. */
export const MessageAnswer = Type.Object({ message: Message });

/** Path of the endpoints about one message. */
export const MessageParams = Type.Object({
  chatId: Type.String({ description: 'Id of the chat.' }),
  messageId: Type.String({ description: 'Id of the message.' }),
});

/** Body of `PATCH /api/v1/chats/:chatId/messages/:messageId`; what is absent stays as it is. */
export const ChangeMessageBody = Type.Object({
  content: Type.Optional(SendMessageBody.properties.content),
  mode: Type.Optional(described(ModeField, 'As in a send.')),
  model: Type.Optional(
    Type.Union([Type.String({ maxLength: 400 }), Type.Null()], {
      description: "The model that answers this message; null: the chat's.",
      expected: 'the name of a model that GET /api/v1/models lists, or null',
    }),
  ),
  parameters: Type.Optional(
    described(ParametersOrNull, 'All that the message shall have of its own; null: none.'),
  ),
  onApproval: described(
    OnApprovalField,
    'With it the message gets the tools that the key of this request may have it use; else it keeps its own, less what this key may not.',
  ),
  attachments: described(SendMessageBody.properties.attachments, 'All that the message shall have.'),
  workspaceId: Type.Optional(WorkspaceId),
});
export type ChangeMessageBody = Static<typeof ChangeMessageBody>;

/** Body of `POST /api/v1/chats/:chatId/messages/:messageId/move`. */
export const MoveMessageBody = Type.Object({
  before: Type.Union([Type.String(), Type.Null()], {
    description: 'Id of the waiting message that it shall stand before; null: behind all.',
    expected: 'the id of a message of this chat that waits, or null',
  }),
  workspaceId: Type.Optional(WorkspaceId),
});
export type MoveMessageBody = Static<typeof MoveMessageBody>;

/** Query of `DELETE /api/v1/chats/:chatId/messages/:messageId`. */
export const DeleteMessageQuery = Type.Object({
  ifWaiting: Type.Optional(
    Type.Enum(['true', 'false'], {
      description:
        '`true`: only if it waits; one that a worker has taken meanwhile stays, with its reply, and is a 409 `message_taken`.',
      expected: '"true" or "false"',
    }),
  ),
  workspaceId: Type.Optional(WorkspaceId),
});

/** Body of `POST /api/v1/chats/:chatId/retry`; it may be absent. */
export const RetryBody = Type.Object({
  messageId: Type.Optional(
    Type.String({
      description:
        'The reply to make anew, or the user message to answer anew; the last of the chat when absent.',
      expected: 'the id of a message of this chat',
    }),
  ),
  model: ModelField,
  mode: Type.Optional(described(ModeField, 'As the last time unless given.')),
  parameters: Type.Optional(described(Parameters, 'As the last time unless given.')),
  onApproval: described(OnApprovalField, '`ask` unless given, whatever it was the last time.'),
  workspaceId: Type.Optional(WorkspaceId),
});
export type RetryBody = Static<typeof RetryBody>;

/** Body of `POST /api/v1/chats/:chatId/messages/:messageId/continue`; it may be absent. */
export const ContinueBody = Type.Object({
  onApproval: described(OnApprovalField, '`ask` unless given.'),
  workspaceId: Type.Optional(WorkspaceId),
});

/** Path of a file that a tool gave. */
export const StepFileParams = Type.Object({
  chatId: Type.String({ description: 'Id of the chat.' }),
  fileId: Type.String({ description: 'Id of the file, as the step names it.' }),
});
