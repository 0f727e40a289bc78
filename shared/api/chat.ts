import { Type, type Static } from 'typebox';
import { CHAT_STATUSES } from '../chat-status.ts';
import { MAX_PAGE_SIZE, MAX_PERSON_TITLE_CHARACTERS } from '../limits.ts';
import { AgentType, PositiveNumber, Timestamp, WorkspaceId } from './common.ts';

export { CHAT_STATUSES, isUnsettled, type ChatStatus } from '../chat-status.ts';

/** A conversation, as clients see it. */
export const Chat = Type.Object({
  id: Type.String(),
  title: Type.String(),
  status: Type.Enum([...CHAT_STATUSES]),
  /** Name of the model that answers, e.g. `offline-assistant`. */
  model: Type.String(),
  createdAt: Timestamp,
  /** Changes whenever the chat's status or one of its messages does; a new title, pin or archive mark leaves it. */
  updatedAt: Timestamp,
  workspaceId: Type.String(),
  agentType: Type.String(),
  pinned: Type.Boolean(),
  archived: Type.Boolean(),
  /** Only when a reply came that nobody has looked at; see {@link UpdateChatBody}. */
  unread: Type.Optional(Type.Literal(true)),
  /** Only on a deleted chat: when it was deleted. It can be restored for `RESTORE_WINDOW_DAYS` days. */
  deletedAt: Type.Optional(Timestamp),
  /** Only while work is under way: 0 = being worked on, 1 = next, and so on. */
  queuePosition: Type.Optional(Type.Integer()),
  /** Only while a tool of the reply under way waits for a person's answer; which one, its steps say. */
  awaitingApproval: Type.Optional(Type.Literal(true)),
  /** Only while work is under way: when the turn last got anywhere. */
  lastProgressAt: Type.Optional(Timestamp),
});
export type Chat = Static<typeof Chat>;

/** Body of `POST /api/v1/chats`; the body itself may be absent. */
export const CreateChatBody = Type.Object({
  agentType: Type.Optional(AgentType),
  workspaceId: Type.Optional(WorkspaceId),
});
export type CreateChatBody = Static<typeof CreateChatBody>;

/** Query of `GET /api/v1/chats`; numbers are plain decimal digits. */
export const ListChatsQuery = Type.Object({
  /** 1 unless given; a page past the last is empty. */
  page: Type.Optional(PositiveNumber),
  /** {@link DEFAULT_PAGE_SIZE} unless given. */
  pageSize: Type.Optional(
    Type.String({ pattern: '^([1-9][0-9]?|100)$', description: `a whole number from 1 to ${MAX_PAGE_SIZE}` }),
  ),
  /** Only chats of that type. */
  agentType: Type.Optional(AgentType),
  /** `true` lists archived chats with the others, `only` lists them alone; otherwise they are left out. */
  archived: Type.Optional(Type.Enum(['true', 'false', 'only'], { description: '"true", "false" or "only"' })),
  /** `true` lists pinned chats alone, `false` leaves them out. */
  pinned: Type.Optional(Type.Enum(['true', 'false'], { description: '"true" or "false"' })),
  /** `true` lists deleted chats alone, newest deletion first, archived or not; otherwise they are left out. */
  deleted: Type.Optional(Type.Enum(['true', 'false'], { description: '"true" or "false"' })),
  workspaceId: Type.Optional(WorkspaceId),
});
export type ListChatsQuery = Static<typeof ListChatsQuery>;

/** Answer of `GET /api/v1/chats`: one page, and how many chats there are on all pages. */
export const ChatList = Type.Object({ data: Type.Array(Chat), total: Type.Integer() });
export type ChatList = Static<typeof ChatList>;

/** Which chat a path is about. */
export const ChatParams = Type.Object({ chatId: Type.String() });
export type ChatParams = Static<typeof ChatParams>;

/** Answer of every endpoint about one chat but the one that makes it. */
export const ChatAnswer = Type.Object({ chat: Chat });
export type ChatAnswer = Static<typeof ChatAnswer>;

/** Body of `PATCH /api/v1/chats/:chatId`; what is absent stays as it is. */
export const UpdateChatBody = Type.Object({
  /** A person's own title; the service never changes it again. */
  title: Type.Optional(
    Type.String({
      pattern: '\\S',
      maxLength: MAX_PERSON_TITLE_CHARACTERS,
      description: `text of 1 to ${MAX_PERSON_TITLE_CHARACTERS} characters that is not only white space`,
    }),
  ),
  pinned: Type.Optional(Type.Boolean({ description: 'true or false' })),
  archived: Type.Optional(Type.Boolean({ description: 'true or false' })),
  /** `false` once somebody has looked at the last reply. */
  unread: Type.Optional(Type.Boolean({ description: 'true or false' })),
  /** Who answers from the next message on. */
  agentType: Type.Optional(AgentType),
  /** Name of the model that answers from the next message on; one of `GET /api/v1/models`. */
  model: Type.Optional(Type.String({ description: 'the name of a model' })),
  workspaceId: Type.Optional(WorkspaceId),
});
export type UpdateChatBody = Static<typeof UpdateChatBody>;

/** Query of `DELETE /api/v1/chats/:chatId`. */
export const DeleteChatQuery = Type.Object({
  /** `true` removes the chat and all its text for good, from the store's files as well; it can't be undone. */
  permanent: Type.Optional(Type.Enum(['true', 'false'], { description: '"true" or "false"' })),
  workspaceId: Type.Optional(WorkspaceId),
});
export type DeleteChatQuery = Static<typeof DeleteChatQuery>;
