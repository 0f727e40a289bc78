/** What the parts of this folder have in common. */
import type { Store } from '../store/types.ts';

/** What every service here works with. */
export interface ServiceDeps {
  store: Store;
  /** The current time. */
  clock: () => Date;
  /** Makes ids of chats, messages and all else. */
  newId: () => string;
}

/** A chat, and where a caller may look for it. */
export interface ChatTarget {
  chatId: string;
  /** Null: any workspace. */
  workspaceId: string | null;
}

/** A message, and where a caller may look for it. */
export interface MessageTarget extends ChatTarget {
  messageId: string;
}
