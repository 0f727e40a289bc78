import type { ChatCounts } from '../server/events/activity.ts';
import { words } from './words.ts';

/** Which chats want a look, in words; empty: none does. */
export const wantingWords = ({ awaiting, unread }: Pick<ChatCounts, 'awaiting' | 'unread'>): string =>
  [...(awaiting > 0 ? [words.awaiting(awaiting)] : []), ...(unread > 0 ? [words.unread(unread)] : [])].join(
    ' · ',
  );
