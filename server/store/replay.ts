/** From logs to memory: replays their records in order, and skips what can't be read. */
import type { MemoryDatabase } from './database.ts';
import { type Disk, readFully } from './disk.ts';
import { logPath } from './files.ts';
import {
  type FoundRecord,
  HEADER_BYTES,
  LOG_FORMAT,
  type LogPiece,
  type LogPosition,
  NEXT_LOG,
  Statements,
  decodeHeader,
  decodePayload,
  decodeRecord,
  parsePayload,
  readPieces,
} from './log-format.ts';
import { migrateInMemory } from './migrate.ts';
import type { Migration } from './migrations.ts';
import { DatabaseLostError, StoreOpenError } from './store-error.ts';

/** How far the files count: nothing after this was ever durable. */
export interface DurableLimit {
  generation: number;
  /** In bytes, in the log of that generation. */
  end: number;
}

/** A store in memory, what its files hold, and what was wrong with them when they were read. */
export interface LoadedStore {
  database: MemoryDatabase;
  /** What the next record builds on; `chain` has to be set again when the log has to be created. */
  position: LogPosition;
  /** Generation of the newest log. */
  generation: number;
  /** Generation of the newest snapshot that counts; 1 when there is none. */
  base: number;
  /** Where that log's sound part ended when it was read; 0: it has to be created. */
  end: number;
  /** What the logs hold beyond the snapshot, in bytes; the current log's share included. */
  loggedBytes: number;
  /** 0 when there is no snapshot. */
  snapshotBytes: number;
  /** Paths of files that can't be used. */
  damaged: Set<string>;
  /** Damaged logs that were read as far as possible, by path, with what was read of them. */
  damagedLogs: Map<string, Buffer>;
  /** How many changes are missing from what was read; 0: none. */
  missing: number;
  /** No sound snapshot was left: how much is missing isn't known. */
  isPartial: boolean;
  /** What was deleted while nothing ran, with whatever it held; null: nothing, as far as can be seen. */
  lacks: 'the newest log' | 'all files' | null;
  /** Memory differs from the files, or their format is an older one: it has to be written as a whole before anything is added. */
  isAhead: boolean;
}

/** For a snapshot without a sidecar: its sequence follows from the first record of its log. */
export const UNKNOWN_SEQUENCE = -1;
/** How long a replay may block the event loop at a time. */
const REPLAY_SLICE_MS = 12;

/** A log as it was read. */
interface Log {
  path: string;
  file: Buffer;
  /** What the first record builds on; null: the header is damaged. */
  chain: number | null;
  isOldFormat: boolean;
  pieces: () => Iterable<LogPiece>;
  /** The number of the first record; null: the log is empty, or damaged there. */
  first: number | null;
}

/** Replays logs, oldest first, into what was loaded so far. */
export async function replayLogs(
  disk: Disk,
  dir: string,
  logs: number[],
  loaded: LoadedStore,
  migrations: readonly Migration[],
  limit: DurableLimit | undefined,
): Promise<void> {
  const { position } = loaded;
  const replay = createReplayer(loaded, migrations);
  let before: Log | null = null;
  for (const generation of logs) {
    const path = logPath(dir, generation);
    const file = await readFully(disk, path, generation === limit?.generation ? limit.end : Infinity);
    const log = readLog(path, file, generation, position.sequence);
    const { first = null } = log ?? {};
    // Without a record, nothing is lost.
    if (log === null && file.length <= HEADER_BYTES) continue;
    if (position.sequence === UNKNOWN_SEQUENCE && first !== null) position.sequence = first - 1;
    if (log === null && loaded.snapshotBytes === 0 && before === null)
      throw new StoreOpenError('damaged', `Nothing of ${path} can be read; nothing was changed.`);
    if (log === null || (first !== null && first <= position.sequence)) {
      loaded.damaged.add(path);
      continue;
    }
    // A crash only tears what was written last: a log that continues in the next one was once whole.
    if (before && first !== null && first > position.sequence + 1)
      loaded.damagedLogs.set(before.path, before.file);
    if (log.chain === null) loaded.damagedLogs.set(log.path, log.file);
    if (log.isOldFormat) loaded.isAhead = true;
    loaded.generation = generation;
    const next = await replay(log);
    const isDeleted = next !== null && !logs.includes(next) && !(limit && next > limit.generation);
    loaded.lacks = isDeleted ? 'the newest log' : null;
    loaded.loggedBytes += loaded.end - HEADER_BYTES;
    before = log;
  }
  if (position.sequence === UNKNOWN_SEQUENCE) position.sequence = 0;
}

/** Null when the header is missing, or damaged with no readable record after it. */
function readLog(path: string, file: Buffer, generation: number, sequence: number): Log | null {
  const header = decodeHeader(file);
  if (header.kind === 'known' && header.generation === generation) {
    const { chain, format } = header;
    const first = decodeRecord(file, HEADER_BYTES, chain, null)?.sequence ?? null;
    const pieces = (): Iterable<LogPiece> => readPieces(file, chain, first === null ? sequence : first - 1);
    return { path, file, chain, isOldFormat: format < LOG_FORMAT, pieces, first };
  }
  if (file.length <= HEADER_BYTES) return null;
  const pieces = (): Iterable<LogPiece> => readPieces(file, null, UNKNOWN_SEQUENCE);
  let first: number | null = null;
  for (const piece of pieces()) if (piece.kind === 'record') first ??= piece.record.sequence;
  return first === null ? null : { path, file, chain: null, isOldFormat: false, pieces, first };
}

/** Replays many records in one transaction, since each is whole; once some are missing, each gets its own. */
function createReplayer(
  loaded: LoadedStore,
  migrations: readonly Migration[],
): (log: Log) => Promise<number | null> {
  const { database, position } = loaded;
  const statements = new Statements();
  let hasHole = loaded.isPartial;
  let nextLog: number | null = null;

  const apply = (record: FoundRecord): void => {
    nextLog = null;
    for (const { sql, params } of decodePayload(record.payload, statements)) {
      database.run(sql, params);
      if (sql === NEXT_LOG) nextLog = Number(params[0]);
    }
  };

  /** After a hole, a record that no longer applies counts as missing too. */
  function replayRecord(log: Log, record: FoundRecord): void {
    if (hasHole) {
      database.commit();
      database.begin();
    }
    try {
      apply(record);
    } catch (error) {
      if (error instanceof DatabaseLostError) throw error;
      if (!hasHole) {
        const message = `Record ${record.sequence} of ${log.path} can't be replayed; nothing was changed.`;
        throw new StoreOpenError('damaged', message, { cause: error });
      }
      database.rollback();
      database.begin();
      // The schema was brought up to date at the hole.
      if (!record.payload.includes(SCHEMA_STEP)) loaded.missing += 1;
    }
  }

  /**
   * Records are missing. Later ones may need a schema that those made, and statements whose text was in the missing part, so it is looked for in
   * everything that follows.
   */
  function beginHole(log: Log): void {
    database.commit();
    migrateInMemory(database, migrations);
    database.begin();
    learnFrom(log, statements);
    hasHole = true;
  }

  /** Resolves with the log in which this one says that it is continued; null: it says nothing. */
  async function replay(log: Log): Promise<number | null> {
    statements.beginFile();
    nextLog = null;
    if (loaded.isPartial) learnFrom(log, statements);
    let deadline = performance.now() + REPLAY_SLICE_MS;
    loaded.end = HEADER_BYTES;
    database.begin();
    for (const piece of log.pieces()) {
      const gap = piece.kind === 'record' ? piece.record.sequence - position.sequence - 1 : 0;
      if (piece.kind === 'hole' || gap > 0) {
        beginHole(log);
        loaded.missing += gap;
        // A gap before the first record means that the log before this one is damaged.
        if (piece.kind === 'hole' || loaded.end > HEADER_BYTES) {
          loaded.damagedLogs.set(log.path, log.file);
          statements.stopCounting();
        }
      }
      if (piece.kind === 'record') {
        replayRecord(log, piece.record);
        position.chain = piece.record.crc;
        position.sequence = piece.record.sequence;
        loaded.end = piece.record.end;
      } else if (piece.kind === 'end' && piece.state === 'damaged') {
        loaded.damagedLogs.set(log.path, log.file);
        loaded.missing += 1;
      }
      if (performance.now() < deadline) continue;
      database.commit();
      await new Promise((resolve) => setImmediate(resolve));
      database.begin();
      deadline = performance.now() + REPLAY_SLICE_MS;
    }
    database.commit();
    if (loaded.end === HEADER_BYTES) position.chain = log.chain ?? 0;
    position.uses = new Map();
    return nextLog;
  }

  return replay;
}

const SCHEMA_STEP = 'PRAGMA user_version';

function learnFrom(log: Log, statements: Statements): void {
  for (const piece of log.pieces())
    if (piece.kind === 'record')
      for (const [statement] of parsePayload(piece.record.payload))
        if (typeof statement === 'string') statements.learn(statement);
}
