/**
 * Logs that are written to. Group commit: one loop writes all waiting records with one call and syncs once, which settles their writes; meanwhile
 * the next batch gathers. A writer that failed isn't used again: the store checks what the disk holds and starts another.
 */
import { withTimeout } from '../lib/with-timeout.ts';
import { type Disk, type DiskFile, closeQuietly, writeFully } from './disk.ts';
import { logPath, writeDurably } from './files.ts';
import { HEADER_BYTES, encodeHeader } from './log-format.ts';
import type { LoadedStore } from './load.ts';

/** A log that is open for appending. */
export interface OpenLog {
  generation: number;
  file: DiskFile;
  /** Where the durable part ends; the next byte goes here. */
  end: number;
}

/** An empty log, with what its first record builds on: the crc of its header. */
export type NewLog = OpenLog & { chain: number };

/** Makes an empty log, whole and durable under its name before this resolves. */
export async function createLog(disk: Disk, dir: string, generation: number): Promise<NewLog> {
  const path = logPath(dir, generation);
  const header = encodeHeader(generation);
  await writeDurably(disk, path, header);
  const file = await disk.open(path, 'append');
  return { generation, file, end: HEADER_BYTES, chain: header.readUInt32LE(HEADER_BYTES - 4) };
}

/** Has the next record go to a log that is still empty. */
export function beginLog(loaded: LoadedStore, { generation, end, chain }: NewLog): void {
  Object.assign(loaded, { generation, end });
  Object.assign(loaded.position, { chain, uses: new Map() });
}

/** Opens a log for appending at `end`. Before this resolves, anything after that is cut off, and what else changed in the folder is durable. */
export async function openLog(
  disk: Disk,
  dir: string,
  { generation, end }: Pick<OpenLog, 'generation' | 'end'>,
): Promise<OpenLog> {
  const file = await disk.open(logPath(dir, generation), 'append');
  try {
    if ((await file.size()) > end) {
      await file.truncate(end);
      await file.datasync();
    }
    await disk.syncDir(dir);
  } catch (error) {
    await closeQuietly(file);
    throw error;
  }
  return { generation, file, end };
}

/** Records that become durable together. */
interface Batch {
  chunks: Buffer[];
  /** Settles their writes. */
  outcome: BatchEnd;
  /** Resolves when the outcome is settled either way, or the disk has hung for too long; null: nobody has asked. */
  settled: Promise<void> | null;
  /** The log that later batches go to; null: the same one. */
  next: OpenLog | null;
}

/** What becomes of a batch. */
export type BatchEnd = PromiseWithResolvers<void>;

interface LogWriterEvents {
  /** A batch became durable. */
  onDurable(): void;
  /** The disk refused. `outcomes` are those of everything waiting; the store must settle them. Called once. */
  onFailure(error: unknown, outcomes: BatchEnd[]): void;
}

const DONE = Promise.resolve();

export type LogWriter = ReturnType<typeof createLogWriter>;

/** Appends to `start`, whose last record has the number `sequence`. */
export function createLogWriter(start: OpenLog, sequence: number, events: LogWriterEvents) {
  let log = start;
  const waiting: Batch[] = [];
  let writing: Batch | null = null;
  let running: Promise<void> | null = null;

  /** The batch that will settle last, or null. */
  const lastBatch = (): Batch | null => waiting.at(-1) ?? writing;

  async function run(): Promise<void> {
    for (let batch = waiting.shift(); batch; batch = waiting.shift()) {
      writing = batch;
      try {
        await makeDurable(batch, log);
      } catch (error) {
        fail(error, batch);
        break;
      }
      sequence += batch.chunks.length;
      if (batch.next) {
        await closeQuietly(log.file);
        log = batch.next;
      }
      writing = null;
      batch.outcome.resolve();
      events.onDurable();
    }
    running = null;
  }

  function fail(error: unknown, batch: Batch): void {
    writing = null;
    const batches = [batch, ...waiting.splice(0)];
    for (const { next } of batches) if (next) void closeQuietly(next.file);
    events.onFailure(
      error,
      batches.map(({ outcome }) => outcome),
    );
  }

  /** Adds a record to the next batch, and returns that. */
  function enqueue(record: Buffer): Batch {
    let batch = waiting.at(-1);
    if (!batch || batch.next) waiting.push((batch = newBatch()));
    batch.chunks.push(record);
    // Everything that arrives in this turn of the event loop joins the first batch.
    running ??= new Promise((resolve) => setImmediate(() => resolve(run())));
    return batch;
  }

  return {
    /** Adds a record; resolves when it is durable. */
    append: (record: Buffer): Promise<void> => enqueue(record).outcome.promise,
    /** Resolves when everything appended so far is durable; at once when nothing is under way. */
    allDurable: (): Promise<void> => lastBatch()?.outcome.promise ?? DONE,
    /** Resolves when everything appended so far is settled, successfully or not; after `timeoutMs` at the latest. */
    settled(timeoutMs: number): Promise<void> {
      const last = lastBatch();
      if (!last) return DONE;
      return (last.settled ??= withTimeout(timeoutMs, last.outcome.promise).catch(() => undefined));
    },
    /** Ends the log with a record, and writes all later ones to another. Resolves when all so far is durable. */
    switchTo(next: OpenLog, record: Buffer): Promise<void> {
      const batch = enqueue(record);
      batch.next = next;
      return batch.outcome.promise;
    },
    /** Resolves when nothing is under way, or the writer has failed. */
    drained: (): Promise<void> => running ?? DONE,
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

function newBatch(): Batch {
  const outcome: BatchEnd = Promise.withResolvers();
  // Nobody may be waiting.
  outcome.promise.catch(() => undefined);
  return { chunks: [], outcome, settled: null, next: null };
}

async function makeDurable({ chunks }: Batch, log: OpenLog): Promise<void> {
  const data = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
  await writeFully(log.file, data, log.end);
  await log.file.datasync();
  log.end += data.length;
}
