import { isUnsettled, type Chat } from '../../shared/api/chat.ts';
import { ALWAYS_TOLD, TOLD_IF_SET, type StoredChat } from './chat-columns.ts';

/** What only the processor knows of a chat. */
export interface ChatStanding {
  /** How many chats are served before this one. */
  queuePosition(chatId: string): number;
  /** Whether a tool of this chat waits for a person's answer. */
  isAsking(chatId: string): boolean;
}

/** An object that has all its fields from the start is faster to fill and to serialize. */
const NOTHING_TOLD = Object.fromEntries(ALWAYS_TOLD.map((name) => [name, null]));

/** A chat for clients. `standing` is asked only while work is under way; null leaves those fields out. */
export function toChat(chat: StoredChat, standing: ChatStanding | null): Chat {
  const told: Record<string, unknown> = { ...NOTHING_TOLD };
  for (const name of ALWAYS_TOLD) told[name] = chat[name];
  for (const name of TOLD_IF_SET) {
    const value = chat[name];
    if (value !== null && value !== false) told[name] = value;
  }
  const result = told as Chat;
  if (standing !== null && isUnsettled(chat.status)) {
    result.queuePosition = standing.queuePosition(chat.id);
    if (standing.isAsking(chat.id)) result.awaitingApproval = true;
    if (chat.lastProgressAt !== null) result.lastProgressAt = chat.lastProgressAt;
  }
  return result;
}
