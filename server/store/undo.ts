/**
 * Rolls back in memory what the disk refused, without a second database: writes that aren't on disk yet run inside one
 * SQLite transaction, which ends as soon as all of them are. When the disk refuses, that transaction is rolled back and
 * its durable part is run again.
 *
 * Under constant load it would never end and would keep growing: past {@link MAX_HELD_BYTES} it is given up until the
 * next pause. If the disk refuses during that time, the store is reloaded from its files.
 */
import type { MemoryDatabase } from './database.ts';
import type { EncodedRecord, Operation } from './log-format.ts';

/** What a transaction did. */
export interface Transaction {
  operations: readonly Operation[];
  /** The record to write to disk; null: nothing changed. */
  record: EncodedRecord | null;
}

const MAX_HELD_BYTES = 1024 * 1024;

export type Undo = ReturnType<typeof createUndo>;

/** For one database whose content is all on disk. Any call may throw DatabaseLostError. */
export function createUndo(database: MemoryDatabase) {
  let isHeld = false;
  /** The operations of the open transaction that are already on disk. */
  let settled: (readonly Operation[])[] = [];
  let settledBytes = 0;
  let pending: Transaction[] = [];

  function end(): void {
    if (isHeld) database.commit();
    isHeld = false;
    settled = [];
    settledBytes = 0;
  }

  return {
    /** Runs one transaction's work, whole or not at all. */
    transact<T extends Transaction>(work: () => T): T {
      if (pending.length === 0) {
        database.begin();
        isHeld = true;
      }
      try {
        database.beginPart();
        try {
          const done = work();
          database.commitPart();
          if (done.record) pending.push(done);
          return done;
        } catch (error) {
          database.rollbackPart();
          throw error;
        }
      } finally {
        if (pending.length === 0) end();
      }
    },
    /** The next `count` transactions, in order, are on disk. */
    settle(count: number): void {
      const done = pending.splice(0, count);
      if (isHeld && pending.length > 0) {
        settled.push(...done.map(({ operations }) => operations));
        for (const { record } of done) settledBytes += record?.bytes.length ?? 0;
      }
      if (pending.length === 0 || settledBytes > MAX_HELD_BYTES) end();
    },
    /** Rolls back everything that isn't on disk; false: not possible, and memory is unchanged. */
    takeBack(): boolean {
      if (pending.length === 0) return true;
      if (!isHeld) return false;
      database.rollback();
      database.begin();
      for (const operations of settled) for (const { sql, params } of operations) database.run(sql, params);
      pending = [];
      end();
      return true;
    },
  };
}
