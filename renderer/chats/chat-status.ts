import type { Chat } from '../../shared/api/chat.ts';
import { isUnsettled as isStatusUnsettled } from '../../shared/chat-status.ts';

/** Whether a reply is being made or waits, by what the service said last. */
export const isWorking = ({ status }: Pick<Chat, 'status'>): boolean =>
  status === 'pending' || status === 'processing';

/**
 * Whether the chat will still change. After a reply there may be work that nobody has to wait for: the chat gets a name,
 * or older messages are summarised.
 */
export const isUnsettled = ({ status }: Pick<Chat, 'status'>): boolean => isStatusUnsettled(status);

/** How a chat of the list stands. `unknown`: it was being worked on when the service went out of reach. */
export type ChatMarkName = 'unknown' | 'asks' | 'waiting' | 'working' | 'failed' | 'unread';
