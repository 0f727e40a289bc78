import type { Chat } from '../../shared/api/chat.ts';
import { isUnsettled as isStatusUnsettled } from '../../shared/choices.ts';

/** Whether a reply is being generated or waits, according to the service's last answer. */
export const isWorking = ({ status }: Pick<Chat, 'status'>): boolean =>
  status === 'pending' || status === 'processing';

/**
 * Whether the chat will still change. After a reply there may be work that nobody has to wait for: naming the chat,
 * or summarising older messages.
 */
export const isUnsettled = ({ status }: Pick<Chat, 'status'>): boolean => isStatusUnsettled(status);

/** A chat's status in the list. `unknown`: it was being worked on when the connection to the service was lost. */
export type ChatMarkName = 'unknown' | 'asks' | 'waiting' | 'working' | 'failed' | 'unread';
