import type { ListName } from '../../shared/choices.ts';
import type { Storage } from '../../shared/api/storage.ts';

/** Types of SQL parameters and columns. Booleans are 0 and 1, structured values are JSON text. */
export type SqlValue = string | number | null;

/** Reads the in-memory store. Synchronous, and only valid inside the callback that receives it. */
export interface Reader {
  /** First row, or null. Column names as the statement gives them (alias to camelCase). */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows what its SQL yields
  get<Row>(sql: string, params?: readonly SqlValue[]): Row | null;
  /** All rows, or at most so many, in the statement's order. */
  all<Row>(sql: string, params?: readonly SqlValue[], most?: RowLimit): Row[];
}

/** How much is read in one go: so many rows, and no further row once their texts have so many characters. */
export interface RowLimit {
  rows: number;
  characters: number;
}

/**
 * Changes the store inside one transaction. Statements are replayed at recovery from their text and parameters, so they
 * must be deterministic: ids and times are parameters, never `random()` or `datetime('now')`.
 */
export interface Writer extends Reader {
  /** Runs one statement and returns how many rows it changed. */
  run(sql: string, params?: readonly SqlValue[]): number;
}

/** How the store has changed. */
export type StoreChange = 'written' | 'went back';

/** The state of the store. Files of messages are stored beside it. */
export type StoreUsage = Omit<Storage, 'files'>;

/** Durable storage in one folder, owned by one process. */
export interface Store {
  /** Runs `work` over the state in memory. Throws what `work` throws. */
  read<T>(work: (reader: Reader) => T): T;
  /**
   * Runs `work` in one transaction and resolves with its result once its record is on disk (fdatasync). `work` runs
   * synchronously, before this returns; when it throws, nothing is changed and the promise rejects with what it threw.
   * Rejects with AppError `storage_full` (507) or `storage_unavailable` (500) when the disk refused: nothing was kept,
   * in memory or on disk. A write that changes nothing is not logged and resolves when all before it is on disk.
   */
  write<T>(work: (writer: Writer) => T): Promise<T>;
  /**
   * Rises with every transaction that changes something, and when the store returns to what the disk holds: as long as
   * it stays the same, so does the result of every read.
   */
  readonly version: number;
  /**
   * Calls the listener whenever {@link version} rises; returns a function that unsubscribes. `went back`: the store
   * returned to what the disk holds, so earlier reads may not be true any more. The listener runs in the middle of
   * other work: it should only take note, and must not throw.
   */
  onChange(listener: (change: StoreChange) => void): () => void;
  /**
   * The rows of the chats that transactions after that {@link version} touched, deleted ones too (`findChatInRow`). Null:
   * there were too many, or the store went back; any chat may have changed.
   */
  chatsChangedSince(version: number): readonly number[] | null;
  /** The lists that transactions after that {@link version} touched. */
  listsChangedSince(version: number): readonly ListName[];
  /**
   * The {@link version} of the transaction that last touched the chat in that row, or a later one. As long as it stays the
   * same, so does all that is stored of the chat and its messages: whatever changes a message touches its chat.
   */
  lastChangeOf(chatRow: number): number;
  /**
   * Resolves when everything readers can see now is on disk: call it before answering a read, so that no client learns
   * something the disk might still lose. At once when nothing is under way; waits at most 2 s for a stuck disk.
   */
  settled(): Promise<void>;
  /** How much is stored, how much fits, and notices for the user. */
  usage(): StoreUsage;
  /**
   * Throws AppError `storage_full` when the store has grown to its limit. Call it before accepting anything that makes
   * it grow; accepted work is finished, and deleting stays possible.
   */
  requireNotFull(): void;
  /** `false` while writes are refused because the disk refused one; it recovers by itself. */
  readonly writable: boolean;
  /**
   * Turns the log into a new snapshot now, in a thread, as happens automatically when the log has grown. Rejects with
   * AppError when the disk refuses or has no room; nothing is lost then. `dropPrevious`: the previous snapshot, its log and files set
   * aside are removed too, so that no file holds text that was deleted before this call.
   */
  compact(options?: { dropPrevious?: boolean }): Promise<void>;
  /** Waits for writes under way, gives up a compaction, and closes the files. */
  close(): Promise<void>;
}
