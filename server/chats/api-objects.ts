import type { Chat } from '../../shared/api/chat.ts';
import { isUnsettled } from '../processor/transitions.ts';
import type { StoredChat } from '../store/chat-repository.ts';

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
  if (chat.unread) result.unread = true;
  if (chat.deletedAt !== null) result.deletedAt = chat.deletedAt;
  if (isUnsettled(chat.status)) {
    result.queuePosition = queuePosition(chat.id);
    if (chat.lastProgressAt !== null) result.lastProgressAt = chat.lastProgressAt;
  }
  return result;
}
