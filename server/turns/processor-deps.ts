import type { AgentRuntime } from '../agents/turn.ts';
import type { ResolveAccess } from '../connections/access.ts';
import type { FileStore } from '../files/file-store.ts';
import type { SearchIndexer } from '../search/search-indexer.ts';
import type { Store } from '../store/types.ts';
import type { ToolSource } from '../tools/tool.ts';
import type { Approvals } from './approvals.ts';

/** What a processor works with. */
export interface ProcessorDeps {
  store: Store;
  runtime: AgentRuntime;
  /** Looks up how a chat's model is reached, before each turn; all models are taken for built-in ones when absent. */
  resolveAccess?: ResolveAccess;
  /** Bytes of messages' files; none can be read when absent. */
  files?: Pick<FileStore, 'read' | 'textOf'>;
  /** Where tools of the service come from; there are none when absent. */
  toolSources?: readonly ToolSource[];
  /** Asks people; one of its own, which nobody can answer, when absent. */
  approvals?: Approvals;
  /** How long a person has to answer, in milliseconds; {@link APPROVAL_WINDOW_MS} unless told otherwise. */
  approvalMs?: number;
  /** Brings the search index up to date before a tool searches. */
  search: Pick<SearchIndexer, 'catchUp'>;
  /** The current time. */
  clock: () => Date;
  /** Makes ids of messages and notes. */
  newId: () => string;
  /** IANA zone of the person, e.g. `Europe/Paris`; asked when a turn begins. */
  timeZone: string | (() => string);
  /** Whether connected models name chats; asked after a chat's first reply. They don't when absent. */
  nameChats?: () => boolean;
  /** A turn that gets nowhere for so long fails with `timed_out`; asked at its start. 5 minutes unless told otherwise. */
  turnTimeoutMs?: number | (() => number);
  /** Chats worked on at the same time; 32 unless told otherwise. */
  concurrency?: number;
  /** Told of faults of ours that were met on the way; the work goes on. Ignored unless given. */
  onError?: (error: unknown, chatId: string) => void;
}
