/** Stored rows as clients see them. What is absent in a row is absent in the object, never null. */
import type { Chat } from '../../shared/api/chat.ts';
import type { Message } from '../../shared/api/message.ts';
import { isUnsettled } from '../processor/transitions.ts';
import type { StoredChat } from '../store/chat-repository.ts';
import type { StoredMessage } from '../store/message-repository.ts';

/** A chat for clients; `queuePosition` is asked for only while work is under way. */
export function toChat(chat: StoredChat, queuePosition: (chatId: string) => number): Chat {
  const result: Chat = {
    id: chat.id,
    title: chat.title,
    status: chat.status,
    model: chat.model,
    createdAt: chat.createdAt,
    updatedAt: chat.updatedAt,
    workspaceId: chat.workspaceId,
    agentType: chat.agentType,
    pinned: chat.pinned,
    archived: chat.archived,
  };
  if (isUnsettled(chat.status)) {
    result.queuePosition = queuePosition(chat.id);
    if (chat.lastProgressAt !== null) result.lastProgressAt = chat.lastProgressAt;
  }
  return result;
}

/** A message for clients. */
export function toMessage(message: StoredMessage): Message {
  const result: Message = {
    role: message.role,
    content: message.content,
    status: message.status,
    createdAt: message.createdAt,
    id: message.id,
  };
  if (message.mode !== null) result.mode = message.mode;
  if (message.model !== null) result.model = message.model;
  if (message.steps.length > 0) result.steps = message.steps;
  if (message.error !== null) result.error = message.error;
  if (message.usage !== null) result.usage = message.usage;
  if (message.stopReason !== null) result.stopReason = message.stopReason;
  return result;
}
