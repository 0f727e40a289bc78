import type { Chat } from '../../shared/api/chat.ts';

/** Whether a reply is being made or waits, by what the service said last. */
export const isWorking = (chat: Pick<Chat, 'status'>): boolean =>
  chat.status === 'pending' || chat.status === 'processing';

/**
 * Whether more is to be heard of the chat. After a reply there may be work that nobody has to wait for: the chat gets a name,
 * or older messages are summarised.
 */
export const isUnsettled = (chat: Pick<Chat, 'status'>): boolean =>
  isWorking(chat) || chat.status === 'completed';
