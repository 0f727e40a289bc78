/** Types shared in this folder. */
import type { Store } from '../store/types.ts';

/** Dependencies of every service here. */
export interface ServiceDeps {
  store: Store;
  /** The current time. */
  clock: () => Date;
  /** Creates ids of chats, messages and everything else. */
  newId: () => string;
}

/** A chat and the workspace to find it in. */
export interface ChatTarget {
  chatId: string;
  /** Null: any workspace. */
  workspaceId: string | null;
}

/** A message and the workspace to find it in. */
export interface MessageTarget extends ChatTarget {
  messageId: string;
}
