/** What the parts of an open store share. Changed only between transactions, on the one thread that owns it. */
import type { AppError } from '../errors.ts';
import type { ChangedChats } from './changed-chats.ts';
import type { MemoryDatabase } from './database.ts';
import type { Disk } from './disk.ts';
import { HEADER_BYTES, type LogPosition } from './log-format.ts';
import type { LogWriter } from './log-writer.ts';
import type { Migration } from './migrations.ts';
import type { LoadedStore } from './replay.ts';
import type { StoreChange } from './types.ts';

const MIB = 1024 * 1024;

/** When a store compacts its log, probes and gives up waiting. */
export interface StoreLimits {
  /**
   * How much may be stored, in bytes; from here on, whatever makes the store grow is refused. A compaction takes as much
   * memory again.
   */
  limitBytes: number;
  /**
   * The log becomes part of a snapshot when it is longer than this, in bytes, and than a quarter of the snapshot: so that a large
   * store isn't rewritten all the time.
   */
  compactLogBytes: number;
  /**
   * The same limit when nothing has been written for {@link restMs}, in bytes; the first snapshot is made then, however
   * short the log.
   */
  restLogBytes: number;
  /** After how long without a write the store counts as idle, in milliseconds. */
  restMs: number;
  /** How long close waits for a disk that doesn't answer, in milliseconds. */
  closeWaitMs: number;
  /** How long after a failed compaction the next is tried, in milliseconds; doubled each time, up to an hour. */
  compactRetryMs: number;
  /** How long `settled` waits for a stuck disk, and a refused write for the store to be put back, in milliseconds. */
  settledMs: number;
  /** How often the store checks that its files are still there, in milliseconds. */
  lookMs: number;
  /** How often a disk that refused is tried again, in milliseconds. */
  probeIntervalMs: number;
  /** How soon after a try a write may trigger another, in milliseconds. */
  probeSpacingMs: number;
}

export const DEFAULT_LIMITS: Readonly<StoreLimits> = {
  limitBytes: 1024 * MIB,
  compactLogBytes: 12 * MIB,
  restLogBytes: MIB,
  restMs: 30_000,
  closeWaitMs: 1_000,
  compactRetryMs: 60_000,
  settledMs: 2_000,
  lookMs: 1_000,
  probeIntervalMs: 1_000,
  probeSpacingMs: 250,
};

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
