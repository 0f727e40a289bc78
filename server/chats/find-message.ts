/** Finds the chat or message that a request names. Each function throws AppError `chat_not_found` or `message_not_found` if there is none. */
import { AppError, found } from '../errors.ts';
import { findChatIn, type StoredChat } from '../store/chat-repository.ts';
import type { Reader } from '../store/types.ts';
import { findLastQuestion, findPosition, type MessagePlace } from '../store/version-repository.ts';
import type { ChatTarget } from './deps.ts';

const ANSWERS_NOTHING = 'This reply answers no message of the chat, so it cannot be retried.';
const NOTHING_TO_RETRY = 'There is no message in this chat to retry; send one first.';

/** The chat. */
export const requireChat = (reader: Reader, { chatId, workspaceId }: ChatTarget): StoredChat =>
  found(findChatIn(reader, chatId, workspaceId), 'chat_not_found');

/** The message, unless it can no longer be restored. */
export function findRestorable(
  reader: Reader,
  chatId: string,
  messageId: string,
  since: string,
): MessagePlace {
  const message = findPosition(reader, chatId, messageId);
  if (message === null || (message.deletedAt !== null && message.deletedAt <= since)) {
    throw new AppError('message_not_found');
  }
  return message;
}

/** The message; AppError `message_not_found` for one that is deleted. */
export function findUndeleted(reader: Reader, chatId: string, messageId: string): MessagePlace {
  const message = findPosition(reader, chatId, messageId);
  if (message === null || message.deletedAt !== null) throw new AppError('message_not_found');
  return message;
}

/** The user message to answer again. */
export function findQuestion(reader: Reader, chatId: string, messageId: string | undefined): MessagePlace {
  if (messageId === undefined) {
    return found(findLastQuestion(reader, chatId), 'message_not_found', NOTHING_TO_RETRY);
  }
  const message = findUndeleted(reader, chatId, messageId);
  if (message.role === 'user') return message;
  // An imported file may hold replies without a user message.
  if (message.replyTo === null) throw new AppError('invalid_request', ANSWERS_NOTHING);
  return findUndeleted(reader, chatId, message.replyTo);
}
