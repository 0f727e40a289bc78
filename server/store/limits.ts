const MIB = 1024 * 1024;

/** When a store folds, probes and gives up waiting. */
export interface StoreLimits {
  /** The log is folded in when it is longer than this, in bytes, and than {@link foldSnapshotShare} says. */
  foldLogBytes: number;
  /**
   * How long the log may grow as a share of the snapshot. Replaying a log takes some 20 times as long as reading a
   * snapshot of its size: the share bounds the start after a crash, the price is that snapshots are written more often.
   */
  foldSnapshotShare: number;
  /** On close a log longer than this is folded in, in bytes. */
  closeFoldLogBytes: number;
  /** How long a fold on close may take, in milliseconds. */
  closeFoldMs: number;
  /** How long close waits for a disk that doesn't answer, in milliseconds. */
  closeWaitMs: number;
  /** How long after a failed fold the next is tried, in milliseconds. */
  foldRetryMs: number;
  /** How long `settled` waits for a stuck disk, and a refused write for the store to be put back, in milliseconds. */
  settledMs: number;
  /** How often a disk that refused is tried again, in milliseconds. */
  probeIntervalMs: number;
  /** How soon after a try a write may cause another, in milliseconds. */
  probeSpacingMs: number;
}

export const DEFAULT_LIMITS: Readonly<StoreLimits> = {
  foldLogBytes: 8 * MIB,
  foldSnapshotShare: 0.5,
  closeFoldLogBytes: MIB,
  closeFoldMs: 1_500,
  closeWaitMs: 1_000,
  foldRetryMs: 60_000,
  settledMs: 2_000,
  probeIntervalMs: 1_000,
  probeSpacingMs: 250,
};
