import type { Chat } from '../../shared/api/chat.ts';

/** Whether work on the chat is under way or waits, by what the service said last. */
export const isWorking = (chat: Pick<Chat, 'status'>): boolean =>
  chat.status === 'pending' || chat.status === 'processing' || chat.status === 'completed';
