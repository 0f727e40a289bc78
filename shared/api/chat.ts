import { Type, type Static } from 'typebox';
import { CHAT_STATUSES } from '../chat-status.ts';
import {
  DEFAULT_PAGE_SIZE,
  MAX_PAGE_SIZE,
  MAX_PERSON_TITLE_CHARACTERS,
  MAX_WAIT_SECONDS,
  RESTORE_WINDOW_DAYS,
} from '../limits.ts';
import { AgentType, described, PositiveNumber, Timestamp, WorkspaceId } from './common.ts';
import { Parameters, ParametersOrNull } from './parameters.ts';

export { CHAT_STATUSES, isUnsettled, type ChatStatus } from '../chat-status.ts';

const ProjectIdOrNull = Type.Union([Type.String({ minLength: 1, maxLength: 64 }), Type.Null()], {
  expected: 'the id of a project of the workspace, or null',
});

export const Chat = Type.Object(
  {
    id: Type.String({
      description: 'What the chat is told apart by.',
      examples: ['6f1d2c0e-8a4b-4f6e-9d57-2b8f0c1a7e34'],
    }),
    title: Type.String({
      description: 'One line. Made from the first message, unless a person or a model gave it.',
      examples: ['Percentages'],
    }),
    status: Type.Enum([...CHAT_STATUSES], {
      description: 'See the group Chats. Who polls stops at `idle`, `failed` or `stopped`.',
    }),
    model: Type.String({
      examples: ['offline-assistant'],
      description: 'Name of the model that answers, e.g. `offline-assistant`.',
    }),
    createdAt: Timestamp,
    updatedAt: described(
      Timestamp,
      "Changes whenever the chat's status or one of its messages does; a new title, pin or archive mark leaves it.",
    ),
    workspaceId: Type.String({
      description: 'The workspace it is in.',
      examples: ['9a3e5f71-2c4d-4b8a-a6f0-1d2e3c4b5a69'],
    }),
    agentType: Type.String({ description: 'Who answers.', examples: ['orchestrator'] }),
    pinned: Type.Boolean({ description: 'Whether a person pinned it.' }),
    archived: Type.Boolean({
      description: 'Whether it is archived: only lists that ask for archived chats have it.',
    }),
    projectId: Type.Optional(
      Type.String({
        description: 'Only when it is in a project: which one.',
        examples: ['c2b6f0de-51a7-4c0e-9f43-7d8e9a0b1c2d'],
      }),
    ),
    parameters: Type.Optional(
      described(
        Parameters,
        "Only when it has some: they count from its next message on, in place of its agent's of the same names.",
      ),
    ),
    unread: Type.Optional(
      Type.Literal(true, {
        description: 'Only when a reply came that nobody has looked at; `PATCH` takes it off.',
      }),
    ),
    deletedAt: Type.Optional(
      described(
        Timestamp,
        `Only on a deleted chat: when it was deleted. It can be restored for ${RESTORE_WINDOW_DAYS} days.`,
      ),
    ),
    queuePosition: Type.Optional(
      Type.Integer({
        description: 'Only while work is under way: 0 = being worked on, 1 = next, and so on.',
      }),
    ),
    awaitingApproval: Type.Optional(
      Type.Literal(true, {
        description:
          "Only while a tool of the reply under way waits for a person's answer; which one, its steps say.",
      }),
    ),
    lastProgressAt: Type.Optional(
      described(Timestamp, 'Only while work is under way: when the turn last got anywhere.'),
    ),
  },
  { description: 'A conversation, as clients see it.' },
);
export type Chat = Static<typeof Chat>;

/** Body of `POST /api/v1/chats`; the body itself may be absent. */
export const CreateChatBody = Type.Object({
  agentType: Type.Optional(AgentType),
  projectId: Type.Optional(
    described(
      ProjectIdOrNull,
      'The project that it is in, one of the workspace; null, as when absent: none.',
    ),
  ),
  workspaceId: Type.Optional(WorkspaceId),
});
export type CreateChatBody = Static<typeof CreateChatBody>;

/** Query of `GET /api/v1/chats`; numbers are plain decimal digits. */
export const ListChatsQuery = Type.Object({
  page: Type.Optional(described(PositiveNumber, '1 unless given; a page past the last is empty.')),
  pageSize: Type.Optional(
    Type.String({
      description: `${DEFAULT_PAGE_SIZE} unless given.`,
      pattern: '^([1-9][0-9]?|100)$',
      expected: `a whole number from 1 to ${MAX_PAGE_SIZE}`,
    }),
  ),
  agentType: Type.Optional(described(AgentType, 'Only chats of that type.')),
  projectId: Type.Optional(
    Type.String({
      description: 'Only chats of that project; `none`: only those that are in no project.',
      expected: 'the id of a project, or "none"',
    }),
  ),
  archived: Type.Optional(
    Type.Enum(['true', 'false', 'only'], {
      description:
        '`true` lists archived chats with the others, `only` lists them alone; otherwise they are left out.',
      expected: '"true", "false" or "only"',
    }),
  ),
  pinned: Type.Optional(
    Type.Enum(['true', 'false'], {
      description: '`true` lists pinned chats alone, `false` leaves them out.',
      expected: '"true" or "false"',
    }),
  ),
  deleted: Type.Optional(
    Type.Enum(['true', 'false'], {
      description:
        '`true` lists deleted chats alone, newest deletion first, archived or not; otherwise they are left out.',
      expected: '"true" or "false"',
    }),
  ),
  workspaceId: Type.Optional(WorkspaceId),
});
export type ListChatsQuery = Static<typeof ListChatsQuery>;

/** Answer of `GET /api/v1/chats`: one page, and how many chats there are on all pages. */
export const ChatList = Type.Object({
  data: Type.Array(Chat, { description: 'The chats of the page.' }),
  total: Type.Integer({ description: 'How many there are on all pages.' }),
});
export type ChatList = Static<typeof ChatList>;

/** Which chat a path is about. */
export const ChatParams = Type.Object({ chatId: Type.String({ description: 'Id of the chat.' }) });
export type ChatParams = Static<typeof ChatParams>;

/** Answer of every endpoint about one chat but the one that makes it. */
export const ChatAnswer = Type.Object({ chat: Chat });
export type ChatAnswer = Static<typeof ChatAnswer>;

/** How long an answer may wait for a chat: seconds as decimal digits. */
export const WaitSeconds = Type.String({
  pattern: '^(?:60(?:\\.0{1,3})?|[1-5]?[0-9](?:\\.[0-9]{1,3})?)$',
  description:
    'The answer waits so many seconds for the chat; it is the chat as it then is in any case. 0 unless given.',
  expected: `seconds to wait, 0 to ${MAX_WAIT_SECONDS}, such as "30" or "0.5"`,
  examples: ['30'],
});

/** Query of `GET /api/v1/chats/:chatId`. */
export const FindChatQuery = Type.Object({
  wait: Type.Optional(WaitSeconds),
  for: Type.Optional(
    Type.Enum(['rest', 'change'], {
      description:
        'What to wait for. `rest`, unless given: until the chat is `idle`, `failed` or `stopped`. `change`: until it or one of its messages is no longer as it was for the `ETag` sent as `If-None-Match`, or else when the request came.',
      expected: '"rest" or "change": what to wait for',
    }),
  ),
  workspaceId: Type.Optional(WorkspaceId),
});
export type FindChatQuery = Static<typeof FindChatQuery>;

/** Body of `PATCH /api/v1/chats/:chatId`; what is absent stays as it is. */
export const UpdateChatBody = Type.Object({
  title: Type.Optional(
    Type.String({
      examples: ['Percentages'],
      description: "A person's own title; the service never changes it again.",
      pattern: '\\S',
      maxLength: MAX_PERSON_TITLE_CHARACTERS,
      expected: `text of 1 to ${MAX_PERSON_TITLE_CHARACTERS} characters that is not only white space`,
    }),
  ),
  pinned: Type.Optional(Type.Boolean({ description: 'Whether it is pinned.', expected: 'true or false' })),
  archived: Type.Optional(
    Type.Boolean({ description: 'Whether it is archived.', expected: 'true or false' }),
  ),
  unread: Type.Optional(
    Type.Boolean({
      description: '`false` once somebody has looked at the last reply.',
      expected: 'true or false',
    }),
  ),
  agentType: Type.Optional(described(AgentType, 'Who answers from the next message on.')),
  model: Type.Optional(
    Type.String({
      description: 'Name of the model that answers from the next message on; one of `GET /api/v1/models`.',
      expected: 'the name of a model',
    }),
  ),
  parameters: Type.Optional(
    described(ParametersOrNull, 'All of them, in place of those it has; null, or an empty object: none.'),
  ),
  projectId: Type.Optional(
    described(
      ProjectIdOrNull,
      'The project that it is put into, one of its workspace; null: none. Its model stays.',
    ),
  ),
  workspaceId: Type.Optional(WorkspaceId),
});
export type UpdateChatBody = Static<typeof UpdateChatBody>;

/** Body of `POST /api/v1/chats/:chatId/move`. */
export const MoveChatBody = Type.Object({
  toWorkspaceId: Type.String({
    minLength: 1,
    description: 'The workspace that it is moved to.',
    expected: 'the id of a workspace',
  }),
  projectId: Type.Optional(
    described(ProjectIdOrNull, 'The project that it is put into there; null, as when absent: none.'),
  ),
  workspaceId: Type.Optional(WorkspaceId),
});
export type MoveChatBody = Static<typeof MoveChatBody>;

/** Query of `DELETE /api/v1/chats/:chatId`. */
export const DeleteChatQuery = Type.Object({
  permanent: Type.Optional(
    Type.Enum(['true', 'false'], {
      description:
        "`true` removes the chat and all its text for good, from the store's files as well; it can't be undone.",
      expected: '"true" or "false"',
    }),
  ),
  workspaceId: Type.Optional(WorkspaceId),
});
export type DeleteChatQuery = Static<typeof DeleteChatQuery>;
