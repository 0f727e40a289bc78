import { Type, type Static } from 'typebox';
import { AGENT_TYPE_PATTERN } from '../limits.ts';
import { Timestamp } from './common.ts';

/**
 * `idle`: nothing waits. `pending`: a message waits for a worker. `processing`: a worker has it. `completed`: the reply
 * is stored, follow-up work is under way. `failed`: the reply could not be made. `stopped`: somebody stopped it.
 */
export const CHAT_STATUSES = ['idle', 'pending', 'processing', 'completed', 'failed', 'stopped'] as const;
export type ChatStatus = (typeof CHAT_STATUSES)[number];

/** A conversation, as clients see it. */
export const Chat = Type.Object({
  id: Type.String(),
  title: Type.String(),
  status: Type.Enum([...CHAT_STATUSES]),
  /** Name of the model that answers, e.g. `offline-assistant`. */
  model: Type.String(),
  createdAt: Timestamp,
  /** Changes whenever the chat or one of its messages does. */
  updatedAt: Timestamp,
  workspaceId: Type.String(),
  agentType: Type.String(),
  pinned: Type.Boolean(),
  archived: Type.Boolean(),
  /** Only while work is under way: 0 = being worked on, 1 = next, and so on. */
  queuePosition: Type.Optional(Type.Integer()),
  /** Only while work is under way: when the turn last got anywhere. */
  lastProgressAt: Type.Optional(Timestamp),
});
export type Chat = Static<typeof Chat>;

/** Body of `POST /api/v1/chats`; the body itself may be absent. */
export const CreateChatBody = Type.Object({
  agentType: Type.Optional(Type.String({ pattern: AGENT_TYPE_PATTERN })),
  workspaceId: Type.Optional(Type.String()),
});
export type CreateChatBody = Static<typeof CreateChatBody>;
