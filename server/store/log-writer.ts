/**
 * Group commit: one loop writes all waiting records with one call, syncs once and settles their writes in order;
 * meanwhile the next batch gathers. A writer that failed isn't used again: the store checks what the disk holds and
 * starts another.
 */
import { writeFully } from './disk.ts';
import type { OpenLog } from './folder.ts';

/** Someone who waits for a record to be on disk. */
export interface Waiter {
  resolve(): void;
  reject(error: unknown): void;
}

interface LogWriterEvents {
  /** A batch became durable. */
  onDurable(): void;
  /** The disk refused. `waiters` are everyone waiting, in order; the store must reject them. Called once. */
  onFailure(error: unknown, waiters: Waiter[]): void;
}

interface Batch {
  log: OpenLog;
  chunks: Buffer[];
  waiters: Waiter[];
  /** Set on the last batch of a log: the log to switch to, and a callback with whether everything so far became durable. */
  switch: { next: OpenLog; ended: (durable: boolean) => void } | null;
  settled: Promise<void> | null;
}

const DONE = Promise.resolve();

export type LogWriter = ReturnType<typeof createLogWriter>;

/** Appends to `start`, whose last record has the number `sequence`. */
export function createLogWriter(start: OpenLog, sequence: number, events: LogWriterEvents) {
  const newBatch = (log: OpenLog): Batch => ({
    log,
    chunks: [],
    waiters: [],
    switch: null,
    settled: null,
  });
  let open = newBatch(start);
  const closed: Batch[] = [];
  let writing: Batch | null = null;
  let log = start;
  let running = false;
  let failed = false;
  let drainWaiters: (() => void)[] = [];

  const kick = (): void => {
    if (running || failed) return;
    running = true;
    // Everything that arrived in this turn of the event loop joins the first batch.
    setImmediate(() => void run());
  };

  const takeBatch = (): Batch | undefined => {
    const next = closed.shift();
    if (next) return next;
    if (open.waiters.length === 0) return undefined;
    const batch = open;
    open = newBatch(batch.log);
    return batch;
  };

  /** The batch that will settle last, or null. */
  const lastBatch = (): Batch | null =>
    open.waiters.length > 0 ? open : (closed.findLast((batch) => batch.waiters.length > 0) ?? writing);

  async function run(): Promise<void> {
    for (let batch = takeBatch(); batch; batch = takeBatch()) {
      writing = batch;
      try {
        if (batch.chunks.length > 0) await makeDurable(batch);
      } catch (error) {
        fail(error, batch);
        break;
      }
      writing = null;
      sequence += batch.chunks.length;
      for (const waiter of batch.waiters) waiter.resolve();
      if (batch.switch) {
        log = batch.switch.next;
        batch.switch.ended(true);
      }
      events.onDurable();
    }
    running = false;
    const waiting = drainWaiters;
    drainWaiters = [];
    for (const resume of waiting) resume();
  }

  function fail(error: unknown, batch: Batch): void {
    failed = true;
    writing = null;
    const batches = [batch, ...closed.splice(0), open];
    open = newBatch(batch.log);
    events.onFailure(
      error,
      batches.flatMap((each) => each.waiters),
    );
    for (const each of batches) each.switch?.ended(false);
  }

  return {
    /** Adds a record to the next batch. */
    append(record: Buffer, waiter: Waiter): void {
      open.chunks.push(record);
      open.waiters.push(waiter);
      kick();
    },
    /** Settles the waiter with everything appended so far; at once when nothing is under way. */
    follow(waiter: Waiter): void {
      const last = lastBatch();
      if (last) last.waiters.push(waiter);
      else waiter.resolve();
    },
    /** Resolves when everything appended so far is settled, successfully or not; after `timeoutMs` at the latest. */
    settled(timeoutMs: number): Promise<void> {
      const last = lastBatch();
      if (!last) return DONE;
      last.settled ??= new Promise((resolve) => {
        const timer = setTimeout(resolve, timeoutMs).unref();
        const settle = (): void => {
          clearTimeout(timer);
          resolve();
        };
        last.waiters.push({ resolve: settle, reject: settle });
      });
      return last.settled;
    },
    /** Writes all later records to another log. Resolves with whether all earlier ones became durable. */
    switchTo(next: OpenLog): Promise<boolean> {
      return new Promise((resolve) => {
        if (failed) {
          resolve(false);
          return;
        }
        open.switch = { next, ended: resolve };
        closed.push(open);
        open = newBatch(next);
        kick();
      });
    },
    /** Resolves when nothing is under way, or the writer has failed. */
    drained: (): Promise<void> =>
      running ? new Promise((resolve) => drainWaiters.push(resolve)) : Promise.resolve(),
    /** The log written to now; its `end` is the durable one. */
    get log(): OpenLog {
      return log;
    },
    /** The number of the last durable record. */
    get sequence(): number {
      return sequence;
    },
  };
}

async function makeDurable({ chunks, log }: Batch): Promise<void> {
  const data = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
  await writeFully(log.file, data, log.end);
  await log.file.datasync();
  log.end += data.length;
  log.chain = chunks.at(-1)?.readUInt32LE(0) ?? log.chain;
}
