/** Types shared in this folder. */
import type { Parameters } from '../../shared/api/parameters.ts';
import type { ChatTarget } from '../store/chat-repository.ts';
import type { Store } from '../store/types.ts';

/** Dependencies of every service here. */
export interface ServiceDeps {
  store: Store;
  clock: () => Date;
  /** Creates ids of chats, messages and everything else. */
  newId: () => string;
}

/** A message and the workspace to find it in. */
export interface MessageInWorkspace extends ChatTarget {
  messageId: string;
}

/** What a message may set for the model that answers it. */
export interface ModelChoice {
  /** Its name; absent: the chat's. */
  model?: string | undefined;
  /** Override those of the chat; absent or null: none. */
  parameters?: Parameters | null | undefined;
}

/** Who answers in a chat; absent fields stay as they are. The model must exist. */
export interface ChatAnswerer {
  model?: string;
  agentType?: string;
}
