import { Type, type Static } from 'typebox';
import { MESSAGE_MODES } from '../choices.ts';
import { MAX_CONTENT_CHARACTERS, MAX_MESSAGE_ATTACHMENTS } from '../limits.ts';
import { withThousands } from '../numbers.ts';
import { AttachmentInput } from './attachment.ts';
import { WaitSeconds } from './chat.ts';
import {
  choice,
  described,
  list,
  optional,
  orNull,
  partial,
  PositiveNumber,
  text,
  WorkspaceId,
} from './common.ts';
import { Message, ON_APPROVAL } from './message.ts';
import { Parameters, ParametersOrNull } from './parameters.ts';

const ModelField = text(
  "The model that answers this message. Absent: the chat's. The chat keeps its model.",
  {
    maxLength: 400,
    examples: ['ollama/llama3.2'],
    expected: 'the name of a model that GET /api/v1/models lists',
  },
);
const ModeField = choice([...MESSAGE_MODES]);
const OnApprovalField = choice([...ON_APPROVAL]);

/** Body of `POST /api/v1/chats/:chatId/messages`, and of an edit, which sends a new version of that user message. */
export const SendMessageBody = Type.Object({
  content: text('The text of the message. It may be empty if there are attachments.', {
    examples: ['What is 12.5% of 1840?'],
    maxLength: MAX_CONTENT_CHARACTERS,
    expected: `text of 1 to ${withThousands(MAX_CONTENT_CHARACTERS)} characters that is not only white space`,
  }),
  ...optional({
    mode: described(
      ModeField,
      '`agent` (default): the model may use tools. `chat`: it answers from the conversation alone.',
    ),
    model: ModelField,
    parameters: described(Parameters, 'They override parameters of the same name of the chat and its agent.'),
    onApproval: described(
      OnApprovalField,
      'What to do when a tool needs approval. `ask` (default): wait for a person. `deny`: skip it.',
    ),
    attachments: list(AttachmentInput, 'Files to attach. On an edit: all the files the new version has.', {
      maxItems: MAX_MESSAGE_ATTACHMENTS,
      expected: `a list of at most ${MAX_MESSAGE_ATTACHMENTS} files, each { "fileId" } or { "name", "data" }`,
    }),
    workspaceId: WorkspaceId,
  }),
});
export type SendMessageBody = Static<typeof SendMessageBody>;

/** Query of `POST /api/v1/chats/:chatId/messages`. */
export const SendMessageQuery = partial({
  wait: described(
    WaitSeconds,
    'How many seconds the response may wait until the chat is `idle`, `failed` or `stopped`. The message is stored in any case. Default: 0.',
  ),
  workspaceId: WorkspaceId,
});

/** Query of `GET /api/v1/chats/:chatId/messages`; all messages by default. */
export const ListMessagesQuery = partial({
  after: text('Only messages after the one with this id.', {
    expected: 'the id of a message of this chat, once',
  }),
  limit: described(PositiveNumber, 'The maximum number of messages, counted from the oldest.'),
  workspaceId: WorkspaceId,
});

/** Answer of `GET /api/v1/chats/:chatId/messages`, oldest first. */
export const MessageList = Type.Object({ messages: list(Message, 'Oldest first.') });
export type MessageList = Static<typeof MessageList>;

/** Answer of `GET /api/v1/chats/:chatId/messages/:messageId`. */
export const MessageAnswer = Type.Object({ message: Message });

/** Body of `PATCH /api/v1/chats/:chatId/messages/:messageId`. Absent fields stay as they are. */
export const ChangeMessageBody = partial({
  content: SendMessageBody.properties.content,
  mode: described(ModeField, 'As in a send.'),
  model: orNull(Type.String({ maxLength: 400 }), {
    description: "The model that answers this message; null: the chat's model.",
    expected: 'the name of a model that GET /api/v1/models lists, or null',
  }),
  parameters: described(ParametersOrNull, 'Replaces all parameters of the message; null removes them.'),
  onApproval: described(
    OnApprovalField,
    'If given, the message may use the tools that this request’s key allows. If absent, it keeps its own, except those this key doesn’t allow.',
  ),
  attachments: described(SendMessageBody.properties.attachments, 'Replaces all files of the message.'),
  workspaceId: WorkspaceId,
});
export type ChangeMessageBody = Static<typeof ChangeMessageBody>;

/** Body of `POST /api/v1/chats/:chatId/messages/:messageId/move`. */
export const MoveMessageBody = Type.Object({
  before: orNull(Type.String(), {
    description: 'Id of the waiting message to put it before; null: move it to the end.',
    expected: 'the id of a message of this chat that waits, or null',
  }),
  workspaceId: Type.Optional(WorkspaceId),
});

/** Query of `DELETE /api/v1/chats/:chatId/messages/:messageId`. */
export const DeleteMessageQuery = partial({
  ifWaiting: choice(
    ['true', 'false'],
    '`true`: delete it only if it is still waiting. If its reply has started, nothing is deleted and the response is a 409 `message_taken`.',
  ),
  workspaceId: WorkspaceId,
});

/** Body of `POST /api/v1/chats/:chatId/retry`, which may be absent. */
export const RetryBody = partial({
  messageId: text(
    'The reply to replace, or the user message to answer again. Default: the last one of the chat.',
    { expected: 'the id of a message of this chat' },
  ),
  model: ModelField,
  mode: described(ModeField, 'Default: the same as last time.'),
  parameters: described(Parameters, 'Default: the same as last time.'),
  onApproval: described(OnApprovalField, 'Default: `ask`, whatever it was last time.'),
  workspaceId: WorkspaceId,
});
export type RetryBody = Static<typeof RetryBody>;

/** Body of `POST /api/v1/chats/:chatId/messages/:messageId/continue`, which may be absent. */
export const ContinueBody = partial({
  onApproval: described(
    OnApprovalField,
    'What to do when a tool needs approval. `ask` (default): wait for a person. `deny`: skip it.',
  ),
  workspaceId: WorkspaceId,
});
