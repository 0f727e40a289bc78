import { Type, type Static } from 'typebox';
import { CHAT_STATUSES } from '../choices.ts';
import {
  DEFAULT_PAGE_SIZE,
  MAX_PAGE_SIZE,
  MAX_PERSON_TITLE_CHARACTERS,
  MAX_WAIT_SECONDS,
  RESTORE_WINDOW_DAYS,
} from '../limits.ts';
import {
  AgentType,
  choice,
  described,
  flag,
  list,
  marker,
  object,
  optional,
  orNull,
  partial,
  PositiveNumber,
  text,
  time,
  Timestamp,
  whole,
  WorkspaceId,
} from './common.ts';
import { Parameters, ParametersOrNull } from './parameters.ts';

const ProjectIdOrNull = orNull(Type.String({ minLength: 1, maxLength: 64 }), {
  expected: 'the id of a project of the workspace, or null',
});

export const Chat = object('A conversation.', {
  id: text('Unique id of the chat.', '6f1d2c0e-8a4b-4f6e-9d57-2b8f0c1a7e34'),
  title: text('One line. Taken from the first message, unless a person or a model wrote it.', 'Percentages'),
  status: choice(
    CHAT_STATUSES,
    'See the group Chats. A client that polls stops at `idle`, `failed` or `stopped`.',
  ),
  model: text('Name of the model that answers, e.g. `offline-assistant`.', 'offline-assistant'),
  createdAt: Timestamp,
  updatedAt: time(
    "Changes whenever the chat's status or one of its messages changes, but not with a new title, pin or archive mark.",
  ),
  workspaceId: text('The workspace it is in.', '9a3e5f71-2c4d-4b8a-a6f0-1d2e3c4b5a69'),
  agentType: text('The agent that answers.', 'orchestrator'),
  pinned: flag('Whether a person pinned it.'),
  archived: flag('Whether it is archived. Archived chats are only listed on request.'),
  ...optional({
    projectId: text('The project it is in; absent: none.', 'c2b6f0de-51a7-4c0e-9f43-7d8e9a0b1c2d'),
    parameters: described(
      Parameters,
      "Only if it has any. They override its agent's parameters of the same name, from the next message on.",
    ),
    unread: marker('Only if it has a reply that nobody has looked at yet; clear it with `PATCH`.'),
    deletedAt: time(
      `Only on a deleted chat: when it was deleted. It can be restored for ${RESTORE_WINDOW_DAYS} days.`,
    ),
    queuePosition: whole('Only while a reply is pending: 0 = in progress, 1 = next, and so on.'),
    awaitingApproval: marker(
      "Only while a tool waits for a person's approval; the steps of the reply say which one.",
    ),
    lastProgressAt: time('Only while a reply is in progress: when the turn last made progress.'),
  }),
});
export type Chat = Static<typeof Chat>;

/** Body of `POST /api/v1/chats`, which may be absent. */
export const CreateChatBody = partial({
  agentType: AgentType,
  title: text('A title that the service never changes. Blank or absent: it follows from the first message.', {
    examples: ['Percentages'],
    maxLength: MAX_PERSON_TITLE_CHARACTERS,
  }),
  model: text(
    'The model that answers, one of `GET /api/v1/models`. Absent: as the agent, the project or the workspace says.',
    { expected: 'the name of a model' },
  ),
  projectId: described(
    ProjectIdOrNull,
    'The project to put it in, one of the same workspace. Null or absent: none.',
  ),
  workspaceId: WorkspaceId,
});
export type CreateChatBody = Static<typeof CreateChatBody>;

/** Query of `GET /api/v1/chats`; numbers are plain decimal digits. */
export const ListChatsQuery = partial({
  page: described(PositiveNumber, 'Default: 1. A page past the last is empty.'),
  pageSize: text(`Default: ${DEFAULT_PAGE_SIZE}.`, {
    pattern: '^([1-9][0-9]?|100)$',
    expected: `a whole number from 1 to ${MAX_PAGE_SIZE}`,
  }),
  agentType: described(AgentType, 'Only chats with this agent.'),
  projectId: text('Only chats in this project; `none`: only chats in no project.', {
    expected: 'the id of a project, or "none"',
  }),
  archived: choice(
    ['true', 'false', 'only'],
    '`true` includes archived chats, `only` lists nothing else. Otherwise they are left out.',
  ),
  pinned: choice(['true', 'false'], '`true` lists only pinned chats, `false` leaves them out.'),
  deleted: choice(
    ['true', 'false'],
    '`true` lists only deleted chats, archived or not, the latest deletion first. Otherwise they are left out.',
  ),
  workspaceId: WorkspaceId,
});

/** Answer of `GET /api/v1/chats`: one page, and how many chats there are on all pages. */
export const ChatList = Type.Object({
  data: list(Chat, 'The chats of the page.'),
  total: whole('Number of chats on all pages.'),
});
export type ChatList = Static<typeof ChatList>;

/** Answer of every endpoint for one chat, except the one that creates it. */
export const ChatAnswer = Type.Object({ chat: Chat });
export type ChatAnswer = Static<typeof ChatAnswer>;

/** How long an answer may wait for a chat: seconds as decimal digits. */
export const WaitSeconds = text(
  'How many seconds the response may wait for the chat. It then holds the chat as it is at that moment. Default: 0.',
  {
    pattern: '^(?:60(?:\\.0{1,3})?|[1-5]?[0-9](?:\\.[0-9]{1,3})?)$',
    expected: `seconds to wait, 0 to ${MAX_WAIT_SECONDS}, such as "30" or "0.5"`,
    examples: ['30'],
  },
);

/** Query of `GET /api/v1/chats/:chatId`. */
export const FindChatQuery = partial({
  wait: WaitSeconds,
  for: Type.Enum(['rest', 'change'], {
    type: 'string',
    description:
      'What to wait for. `rest` (default): until the chat is `idle`, `failed` or `stopped`. `change`: until it or one of its messages differs from the `ETag` sent as `If-None-Match`, or without one, from when the request arrived.',
    expected: '"rest" or "change": what to wait for',
  }),
  workspaceId: WorkspaceId,
});

/** Body of `PATCH /api/v1/chats/:chatId`. Absent fields stay as they are. */
export const UpdateChatBody = partial({
  title: text('A title written by a person. The service never changes it.', {
    examples: ['Percentages'],
    pattern: '\\S',
    maxLength: MAX_PERSON_TITLE_CHARACTERS,
  }),
  pinned: flag('Whether it is pinned.'),
  archived: flag('Whether it is archived.'),
  unread: flag('Set it to `false` once somebody has looked at the last reply.'),
  agentType: described(AgentType, 'The agent that answers from the next message on.'),
  model: text('The model that answers from the next message on, one of `GET /api/v1/models`.', {
    expected: 'the name of a model',
  }),
  parameters: described(
    ParametersOrNull,
    'Replaces all of its parameters. Null or an empty object removes them.',
  ),
  projectId: described(
    ProjectIdOrNull,
    'The project to put it in, one of its workspace; null takes it out. Its model stays.',
  ),
  workspaceId: WorkspaceId,
});
export type UpdateChatBody = Static<typeof UpdateChatBody>;

/** Body of `POST /api/v1/chats/:chatId/move`. */
export const MoveChatBody = Type.Object({
  toWorkspaceId: text('The workspace to move it to.', { minLength: 1, expected: 'the id of a workspace' }),
  projectId: Type.Optional(
    described(ProjectIdOrNull, 'The project there to put it in. Null or absent: none.'),
  ),
  workspaceId: Type.Optional(WorkspaceId),
});

/** Query of `DELETE /api/v1/chats/:chatId`. */
export const DeleteChatQuery = partial({
  permanent: choice(
    ['true', 'false'],
    "`true` removes the chat and all its text for good, from the store's files too. This can't be undone.",
  ),
  workspaceId: WorkspaceId,
});

/** Response of `DELETE /api/v1/deleted-chats`. */
export const ErasedChats = Type.Object({
  count: whole('How many chats were removed.', { minimum: 0, examples: [3] }),
});
