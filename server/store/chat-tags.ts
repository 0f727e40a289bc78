/**
 * Short texts that tell one state of a chat from another, sent as `ETag`. They are counted rather than worked out from what
 * is sent: the store knows which transaction touched a chat last, and whatever changes a message touches its chat.
 */
import { randomBytes } from 'node:crypto';
import type { Chat } from '../../shared/api/chat.ts';
import { isUnsettled } from '../../shared/choices.ts';
import type { ChatStanding, QueuedChat } from './chat-columns.ts';
import { findRowOfChat, type StoredChat } from './chat-repository.ts';
import type { Store } from './types.ts';

/** The tags of a chat as it is now. */
interface ChatTags {
  /** Of all that is stored of the chat and its messages. */
  stored: string;
  /** Of the chat as clients see it, and its messages; its place in the queue stands at the end. */
  shown: string;
}

/** A chat as clients see it, and what tells its state from others. */
export interface SeenChat {
  chat: Chat;
  tags: ChatTags;
  /** The JSON text of `{ chat }`, made when it is first asked for. */
  readonly json: () => string;
}

const BEFORE_POSITION = '.';

/** Makes the tags of one start of the service; those of another start are all different. */
export function createTagMaker(store: Pick<Store, 'read' | 'lastChangeOf'>, standing: ChatStanding) {
  const start = randomBytes(6).toString('base64url');
  return {
    /** Of a chat that was just read; `row` is where it stands in the store, if that is known. */
    tagsOf(
      chat: QueuedChat & Pick<StoredChat, 'status'>,
      row = store.read((reader) => findRowOfChat(reader, chat.id)) ?? 0,
    ): ChatTags {
      const stored = `${start}-${store.lastChangeOf(row).toString(36)}`;
      if (!isUnsettled(chat.status)) return { stored, shown: stored };
      const asking = standing.isAwaitingApproval(chat.id) ? 'a' : '';
      return { stored, shown: `${stored}${asking}${BEFORE_POSITION}${standing.queuePosition(chat)}` };
    },
  };
}

/** Whether two tags differ by the chat's place in the queue at most. */
export const isSameButForPosition = (one: string, other: string): boolean =>
  one.split(BEFORE_POSITION, 1)[0] === other.split(BEFORE_POSITION, 1)[0];
