/** What the parts of an open store share. Changed only between transactions, on the one thread that owns it. */
import type { AppError } from '../errors.ts';
import type { ChangedChats } from './changed-chats.ts';
import type { MemoryDatabase } from './database.ts';
import type { Disk } from './disk.ts';
import type { StoreLimits } from './limits.ts';
import { HEADER_BYTES, type LogPosition } from './log-format.ts';
import type { LogWriter } from './log-writer.ts';
import type { Migration } from './migrations.ts';
import type { LoadedStore } from './replay.ts';
import type { StoreChange } from './types.ts';

export interface StoreState {
  readonly dir: string;
  readonly disk: Disk;
  readonly limits: StoreLimits;
  readonly warn: (message: string) => void;
  readonly migrations: readonly Migration[];
  database: MemoryDatabase;
  /** What the next record builds on. */
  position: LogPosition;
  /** See `version` in types.ts. */
  version: number;
  readonly changedChats: ChangedChats;
  /** Null until the files could be opened for writing. */
  writer: LogWriter | null;
  /** Notices for the user about the store, besides those of usage.ts: sentences by code. */
  readonly notices: Map<string, string>;
  /** Why writes are refused; null while they aren't. */
  refusal: AppError | null;
  closing: boolean;
  /** Generation of the newest snapshot; 1 when there is none. */
  base: number;
  snapshotBytes: number;
  /** Bytes in logs before the current one that the newest snapshot doesn't hold. */
  carriedBytes: number;
  /** See `onChange` in types.ts. */
  readonly listeners: Set<(change: StoreChange) => void>;
  /** Cancels a compaction under way; resolves once it has fully stopped. */
  stopCompaction: () => Promise<void>;
  /** Called after each batch becomes durable. */
  onDurable: () => void;
}

/** Notes that what readers see has changed. */
export function noteChange(state: StoreState, change: StoreChange): void {
  state.version += 1;
  if (change === 'written') state.changedChats.commit(state.version);
  else state.changedChats.reset(state.version);
  for (const listener of state.listeners) listener(change);
}

/** Takes over what was loaded: memory and log position now match the files. */
export function adopt(state: StoreState, loaded: LoadedStore): void {
  state.database = loaded.database;
  watchChats(state);
  state.position = loaded.position;
  noteChange(state, 'went back');
  takeFiles(state, loaded);
}

/** Tracks which chats are written from now on. A new store has no such table yet: call this again once it has its schema. */
export const watchChats = (state: StoreState): void =>
  state.database.watchRows('chats', (rowid, isRemoved) => state.changedChats.note(rowid, isRemoved));

/** Takes over which files exist and how large they are. */
export function takeFiles(state: StoreState, loaded: LoadedStore): void {
  state.base = loaded.base;
  state.snapshotBytes = loaded.snapshotBytes;
  state.carriedBytes = loaded.loggedBytes - Math.max(0, loaded.end - HEADER_BYTES);
}

/** How much the logs hold that the newest snapshot doesn't, in bytes. */
export const loggedBytes = (state: StoreState): number =>
  state.carriedBytes + (state.writer ? state.writer.log.end - HEADER_BYTES : 0);
