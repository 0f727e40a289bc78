import type { Chat } from '../../shared/api/chat.ts';

/** Whether a reply is being generated or waits, according to the service's last answer. */
export const isWorking = ({ status }: Pick<Chat, 'status'>): boolean =>
  status === 'pending' || status === 'processing';

/** A chat's status in the list. `unknown`: it was being worked on when the connection to the service was lost. */
export type ChatMarkName = 'unknown' | 'asks' | 'waiting' | 'working' | 'failed' | 'unread';
