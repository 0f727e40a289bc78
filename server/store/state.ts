/** What the parts of an open store share. Changed only between transactions, on the one thread that owns it. */
import type { AppError } from '../errors.ts';
import type { Changes } from './changes.ts';
import type { Compactor } from './compaction.ts';
import type { LogWriter } from './log-writer.ts';
import type { LoadedStore } from './replay.ts';
import type { StoreOptions } from './store.ts';

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
};

export interface StoreState extends Readonly<Required<Omit<StoreOptions, 'isExpected'>>> {
  readonly limits: StoreLimits;
  readonly compactor: Compactor;
  /** Memory, and the files that it agrees with once every write is durable. */
  loaded: LoadedStore;
  readonly changes: Changes;
  /** Null until the files could be opened for writing. */
  writer: LogWriter | null;
  /** Notices for the user about the store, besides those of usage.ts: sentences by code. */
  readonly notices: Map<string, string>;
  /** Why writes are refused; null while they aren't. */
  refusal: AppError | null;
  closing: boolean;
}

/** Takes over what was loaded. */
export function adopt(state: StoreState, loaded: LoadedStore): void {
  state.loaded = loaded;
  loaded.database.watchRows((table, rowid, isRemoved) => {
    if (table === 'chats') state.changes.note(rowid, isRemoved);
  });
  state.changes.reset();
}
