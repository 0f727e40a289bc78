const MIB = 1024 * 1024;

/** When a store compacts its log, probes and gives up waiting. */
export interface StoreLimits {
  /**
   * How much may be stored, in bytes: what makes the store grow is refused from here on. SQLite makes no file of 2 GiB or more out of
   * a database in memory, and what was accepted is still finished.
   */
  limitBytes: number;
  /**
   * The log becomes part of a snapshot when it is longer than this, in bytes. It bounds the start after a crash: some 8 MB are
   * replayed in a second. The price is that a snapshot is written as often, however large the store is.
   */
  compactLogBytes: number;
  /** The same when nothing has been written for {@link restMs}, in bytes; the first snapshot is made then however short the log is. */
  restLogBytes: number;
  /** After how long without a write the store counts as being at rest, in milliseconds. */
  restMs: number;
  /** How long close waits for a disk that doesn't answer, in milliseconds. */
  closeWaitMs: number;
  /** How long after a failed compaction the next is tried, in milliseconds; doubled each time, up to an hour. */
  compactRetryMs: number;
  /** How long `settled` waits for a stuck disk, and a refused write for the store to be put back, in milliseconds. */
  settledMs: number;
  /** How often it is looked whether the files are still there while nothing is written, in milliseconds. */
  lookMs: number;
  /** How often a disk that refused is tried again, in milliseconds. */
  probeIntervalMs: number;
  /** How soon after a try a write may cause another, in milliseconds. */
  probeSpacingMs: number;
}

export const DEFAULT_LIMITS: Readonly<StoreLimits> = {
  limitBytes: 1792 * MIB,
  compactLogBytes: 12 * MIB,
  restLogBytes: MIB,
  restMs: 30_000,
  closeWaitMs: 1_000,
  compactRetryMs: 60_000,
  settledMs: 2_000,
  lookMs: 2_000,
  probeIntervalMs: 1_000,
  probeSpacingMs: 250,
};
