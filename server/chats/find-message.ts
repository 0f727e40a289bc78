/** Finds the chat or message that a request names. Each function throws AppError `chat_not_found` or `message_not_found` if there is none. */
import { AppError, found } from '../errors.ts';
import { findChatIn, type ChatTarget, type StoredChat } from '../store/chat-repository.ts';
import type { Reader } from '../store/types.ts';
import { findLastQuestion, findPosition, type MessagePosition } from '../store/version-repository.ts';

const ANSWERS_NOTHING = 'This reply answers no message of the chat, so it cannot be retried.';
const NOTHING_TO_RETRY = 'There is no message in this chat to retry; send one first.';

/** The chat. */
export const requireChat = (reader: Reader, { chatId, workspaceId }: ChatTarget): StoredChat =>
  found(findChatIn(reader, chatId, workspaceId), 'chat_not_found');

/** The message, unless it was deleted; with `since` (ISO), one that was deleted after that, too. */
export function requireMessage(
  reader: Reader,
  chatId: string,
  messageId: string,
  since: string | null = null,
): MessagePosition {
  const message = found(findPosition(reader, chatId, messageId), 'message_not_found');
  const { deletedAt } = message;
  if (deletedAt !== null && (since === null || deletedAt <= since)) throw new AppError('message_not_found');
  return message;
}

/** The user message to answer again. */
export function findQuestion(reader: Reader, chatId: string, messageId: string | undefined): MessagePosition {
  if (messageId === undefined) {
    return found(findLastQuestion(reader, chatId), 'message_not_found', NOTHING_TO_RETRY);
  }
  const message = requireMessage(reader, chatId, messageId);
  if (message.role === 'user') return message;
  // An imported file may hold replies without a user message.
  if (message.replyTo === null) throw new AppError('invalid_request', ANSWERS_NOTHING);
  return requireMessage(reader, chatId, message.replyTo);
}
