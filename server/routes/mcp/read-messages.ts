import type { Message } from '../../../shared/api/message.ts';
import { found } from '../../errors.ts';
import type { ChatService } from '../../chats/chat-service.ts';

/**
 * The messages of a chat that are listed, oldest first, from the one after `after` on; one is read at a time, since
 * each may be as long as a book. AppError `chat_not_found` or `message_not_found`.
 */
export async function* readMessages(
  chats: ChatService,
  chatId: string,
  workspaceId: string | null,
  after: string | undefined,
): AsyncGenerator<Message> {
  let last = after;
  for (;;) {
    const range = { limit: 1, ...(last !== undefined && { after: last }) };
    const list = found(await chats.messagesAsJson(chatId, workspaceId, range), 'chat_not_found');
    const messages = JSON.parse(typeof list === 'string' ? list : await joined(list)) as Message[];
    yield* messages;
    last = messages.at(-1)?.id;
    if (last === undefined) return;
  }
}

async function joined(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}
