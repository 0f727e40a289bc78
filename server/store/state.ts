/**
 * What the parts of an open store share, and what it says of itself to people. Changed only between transactions, on the one thread
 * that owns it.
 */
import type { StorageNotice, StorageState } from '../../shared/api/storage.ts';
import { ERROR_SENTENCES } from '../../shared/errors.ts';
import { AppError } from '../errors.ts';
import type { Changes } from './changes.ts';
import type { LogWriter } from './log-writer.ts';
import type { LoadedStore } from './load.ts';
import type { StoreOptions } from './store.ts';
import type { StoreUsage } from './types.ts';

const MIB = 1024 * 1024;

/** When a store compacts its log, probes and gives up waiting. */
export const DEFAULT_LIMITS = {
  /**
   * How much may be stored, in bytes; from here on, whatever makes the store grow is refused. A compaction takes as much
   * memory again.
   */
  limitBytes: 1024 * MIB,
  /**
   * The log becomes part of a snapshot when it is longer than this, in bytes, and than a quarter of the snapshot: so that a large
   * store isn't rewritten all the time.
   */
  compactLogBytes: 12 * MIB,
  /**
   * The same limit when nothing has been written for {@link idleMs}, in bytes; the first snapshot is made then, however
   * short the log.
   */
  idleLogBytes: MIB,
  /** After how long without a write the store counts as idle, in milliseconds. */
  idleMs: 30_000,
  /** How long close waits for a disk that doesn't answer, in milliseconds. */
  closeWaitMs: 1_000,
  /** How long after a failed compaction, which has begun a new log, the next is tried, in milliseconds; doubled each time, up to an hour. */
  compactRetryMs: 60_000,
  /** How long `settled` waits for a stuck disk, and a refused write for the store to be put back, in milliseconds. */
  settledMs: 2_000,
  /** How often the store checks that its files are still there, and tries a disk that refused again, in milliseconds. */
  checkIntervalMs: 1_000,
};

export type StoreLimits = Readonly<typeof DEFAULT_LIMITS>;

export interface StoreState extends Readonly<Required<Omit<StoreOptions, 'isExpected'>>> {
  readonly limits: StoreLimits;
  /** Snapshots are made in a thread of their own. */
  readonly compactsInThread: boolean;
  /** Memory, and the files that it agrees with once every write is durable. */
  loaded: LoadedStore;
  readonly changes: Changes;
  /** Null until the files could be opened for writing. */
  writer: LogWriter | null;
  /** Notices for the user about the store, besides those of {@link createUsage}: sentences by code. */
  readonly notices: Map<string, string>;
  /** Why writes are refused; null while they aren't. */
  refusal: AppError | null;
  closing: boolean;
}

/** Takes over what was loaded. */
export function adopt(state: StoreState, loaded: LoadedStore): void {
  state.loaded = loaded;
  loaded.database.watchRows((operation, _database, table, rowid) => {
    if (table === 'chats') state.changes.note(rowid, operation === 'delete');
  });
  state.changes.reset();
}

const NEARLY_FULL_SHARE = 0.7;

/**
 * How full the store is. All of it lives in memory, and a file that is too large could be written but never opened
 * again: long before that, whatever makes it grow is refused. Deletions, and replies to accepted messages, never are.
 */
export function createUsage(state: StoreState) {
  const { limitBytes } = state.limits;
  return {
    usage(): StoreUsage {
      const used = state.loaded.database.usedBytes();
      const level = levelOf(used, limitBytes);
      const notices: StorageNotice[] = [...state.notices].map(([code, message]) => ({ code, message }));
      if (level !== 'ok') notices.unshift({ code: level, message: WORDS[level](used, limitBytes) });
      if (state.refusal) notices.unshift({ code: 'refusing', message: refusingWords(state.refusal) });
      return { bytes: used, limitBytes, state: state.refusal ? 'refusing' : level, notices };
    },
    /** Throws AppError `storage_full` when nothing more should come in. */
    requireNotFull(): void {
      const used = state.loaded.database.usedBytes();
      if (used >= limitBytes) throw new AppError('storage_full', WORDS.full(used, limitBytes));
    },
  };
}

function levelOf(bytes: number, limitBytes: number): Exclude<StorageState, 'refusing'> {
  if (bytes >= limitBytes) return 'full';
  return bytes >= limitBytes * NEARLY_FULL_SHARE ? 'nearly_full' : 'ok';
}

const inMb = (bytes: number): string => `${Math.ceil(bytes / MIB).toLocaleString('en')} MB`;

const WORDS = {
  nearly_full: (bytes: number, limitBytes: number) =>
    `Parley’s store holds ${inMb(bytes)} of the ${inMb(limitBytes)} it can hold. Before it is full, delete for good what you don’t need; ` +
    'an export keeps a copy.',
  full: (_bytes: number, limitBytes: number) =>
    `Parley’s store is full: it can hold ${inMb(limitBytes)}. Nothing new was accepted; delete chats for good to make room. Everything stored can still be read.`,
} as const;

const refusingWords = ({ code, message }: AppError): string =>
  message === ERROR_SENTENCES[code] ? REFUSING : message;

const REFUSING =
  'Parley can’t write to the disk, so nothing new is accepted. It keeps trying; everything stored can still be read.';
