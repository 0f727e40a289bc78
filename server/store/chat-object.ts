import { isUnsettled, type Chat } from '../../shared/api/chat.ts';
import type { StoredChat } from './chat-repository.ts';

/** What only the processor knows of a chat. */
export interface ChatStanding {
  /** How many chats are served before this one. */
  queuePosition(chatId: string): number;
  /** Whether a tool of this chat waits for a person's answer. */
  isAsking(chatId: string): boolean;
}

/** A chat for clients; how it stands is asked for only while work is under way. */
export function toChat(chat: StoredChat, standing: ChatStanding): Chat {
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
    result.queuePosition = standing.queuePosition(chat.id);
    if (standing.isAsking(chat.id)) result.awaitingApproval = true;
    if (chat.lastProgressAt !== null) result.lastProgressAt = chat.lastProgressAt;
  }
  return result;
}
