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

/** The log, or a file it builds on, was deleted or moved, so what was written can't be found any more. */
export class FilesGoneError extends Error {
  override name = 'FilesGoneError';
}

export interface LogWriterEvents {
  /**
   * Whether a log is still where a start would find it, with all files it builds on; checked while each batch is
   * written.
   */
  isInPlace(log: OpenLog): Promise<boolean>;
  /** A batch of this many records became durable. */
  onDurable(records: number): void;
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

export function createLogWriter(start: OpenLog, events: LogWriterEvents) {
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
  let durableRecords = 0;
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
        if (batch.chunks.length > 0) await makeDurable(batch, events);
      } catch (error) {
        fail(error, batch);
        break;
      }
      writing = null;
      durableRecords += batch.chunks.length;
      for (const waiter of batch.waiters) waiter.resolve();
      if (batch.switch) {
        log = batch.switch.next;
        batch.switch.ended(true);
      }
      events.onDurable(batch.chunks.length);
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
    get idle(): boolean {
      return !running;
    },
    /** The log written to now; its `end` is the durable one. */
    get log(): OpenLog {
      return log;
    },
    /** How many records are durable since this writer was made. */
    get durableRecords(): number {
      return durableRecords;
    },
  };
}

async function makeDurable({ chunks, log }: Batch, events: LogWriterEvents): Promise<void> {
  const data = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
  // Runs alongside the write, which takes longer. Nothing may still be running when this rejects.
  const looking = events.isInPlace(log).catch((error: unknown) => asError(error));
  await writeFully(log.file, data, log.end).finally(() => looking);
  await log.file.datasync();
  const found = await looking;
  if (found instanceof Error) throw found;
  if (!found) throw new FilesGoneError(`log-${log.generation}, or what it builds on, was deleted or moved`);
  log.end += data.length;
  log.chain = chunks.at(-1)?.readUInt32LE(0) ?? log.chain;
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
