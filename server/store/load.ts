/**
 * From files to memory: finds the newest sound snapshot, and replays the logs from its generation on, in order. Only
 * reads, so that a store that is refused stays as it was; what has to be repaired on disk, health.ts does.
 */
import { type MemoryDatabase, openDatabase } from './database.ts';
import { type Disk, diskErrorCode, readFully } from './disk.ts';
import {
  FIRST_GENERATION,
  type FolderListing,
  NO_FILES,
  listFolder,
  logPath,
  snapshotPath,
} from './files.ts';
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
  parsePayload,
  readPieces,
} from './log-format.ts';
import { MIGRATIONS, type Migration } from './migrations.ts';
import { migrateInMemory } from './migrate.ts';
import { openIntact, repairFlippedBit, repairDatabase, salvageSnapshot } from './salvage.ts';
import { type ReadSnapshot, UNKNOWN_SEQUENCE, readSnapshot } from './snapshot.ts';
import { DatabaseLostError, StoreOpenError, newerFormat } from './store-error.ts';

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
  /** Damaged files, by path: null for a snapshot, for a log the bytes that were read as far as possible. */
  damaged: Map<string, Buffer | null>;
  /** How many changes are missing from what was read; 0: none. */
  missing: number;
  /** No sound snapshot was left: how much is missing isn't known. */
  isPartial: boolean;
  /** What was deleted while nothing ran, with whatever it held; null: nothing, as far as can be seen. */
  lacks: 'the newest log' | 'all files' | null;
  /** Memory differs from the files, or their format is an older one: it has to be written as a whole before anything is added. */
  isAhead: boolean;
}

interface LoadOptions {
  /** How far the files count: nothing after the end of this log was ever durable, nor in a later one. */
  limit?: { generation: number; end: number } | undefined;
  migrations?: readonly Migration[];
  /** The store was there before. */
  isExpected?: boolean;
}

/** How long a replay may block the event loop at a time. */
const REPLAY_SLICE_MS = 12;

/**
 * Loads a store; one that has no files is empty. Throws StoreOpenError when a newer version wrote it or nothing of it
 * can be read, and the disk's error when it can't be read.
 */
export async function loadStore(
  disk: Disk,
  dir: string,
  { limit, migrations = MIGRATIONS, isExpected = false }: LoadOptions = {},
): Promise<LoadedStore> {
  const { snapshots, logs: named } = await listFolder(disk, dir).catch((error: unknown) => {
    if (diskErrorCode(error) === 'ENOENT') return NO_FILES;
    throw error;
  });
  const logs = await withHeader(disk, dir, named);
  const loaded = await loadBase(disk, dir, { snapshots, logs }, migrations);
  await replayLogs(disk, dir, logs, loaded, { limit, migrations });
  const version = loaded.database.userVersion();
  if (version > migrations.length) throw newerFormat(dir, version, migrations.length);
  if (loaded.missing > 0 || loaded.isPartial) {
    migrateInMemory(loaded.database, migrations);
    repairDatabase(loaded.database);
  }
  const isEmpty = loaded.snapshotBytes + loaded.loggedBytes === 0;
  if (isEmpty && loaded.damaged.size > 0) throw nothingReadable(dir);
  if (isExpected && isEmpty) loaded.lacks = 'all files';
  loaded.isAhead ||= loaded.missing > 0 || loaded.isPartial;
  return loaded;
}

/**
 * The logs that count: a log has a header from the moment it has its name, so one that is shorter was emptied later, often by a power
 * cut, and is as good as deleted. Throws StoreOpenError when a newer version wrote one.
 */
async function withHeader(disk: Disk, dir: string, logs: readonly number[]): Promise<number[]> {
  const begun: number[] = [];
  for (const generation of logs) {
    const path = logPath(dir, generation);
    // A file that can't be read fails later, if it is needed at all.
    const start = await readFully(disk, path, HEADER_BYTES).catch(() => null);
    const header = decodeHeader(start ?? Buffer.alloc(0));
    if (header.kind === 'newer') throw newerFormat(path, header.format, LOG_FORMAT);
    if (start === null || start.length === HEADER_BYTES) begun.push(generation);
  }
  return begun;
}

/**
 * The newest sound snapshot. A store that still has its first log, or has no files, can start empty. If neither is there,
 * the newest snapshot that can be repaired as a whole, else the newest of which anything can be read; else only the logs are left.
 */
async function loadBase(
  disk: Disk,
  dir: string,
  { snapshots, logs }: Pick<FolderListing, 'snapshots' | 'logs'>,
  migrations: readonly Migration[],
): Promise<LoadedStore> {
  const damaged = new Map<string, Buffer | null>();
  const start = (database: MemoryDatabase, base: number, read: ReadSnapshot | null): LoadedStore => ({
    database,
    base,
    generation: base,
    position: { chain: 0, sequence: read?.sequence ?? 0, uses: new Map() },
    end: 0,
    loggedBytes: 0,
    snapshotBytes: read?.image.bytes ?? 0,
    damaged,
    missing: 0,
    isPartial: false,
    lacks: null,
    isAhead: false,
  });
  const readable: { generation: number; read: ReadSnapshot }[] = [];
  for (const generation of snapshots.toReversed()) {
    const read = await readSnapshot(disk, dir, generation);
    const database = read && (await openIntact(read));
    if (database) {
      database.release(read.image);
      return start(database, generation, read);
    }
    damaged.set(snapshotPath(dir, generation), null);
    if (read) readable.push({ generation, read });
  }
  const first = logs[0] ?? (snapshots.length === 0 ? FIRST_GENERATION : undefined);
  const candidates = first === FIRST_GENERATION ? [] : readable;
  for (const { generation, read } of candidates) {
    const repaired = await repairFlippedBit(read);
    if (repaired) return { ...start(await openDatabase(repaired), generation, read), isAhead: true };
  }
  for (const { generation, read } of candidates) {
    const database = await salvageSnapshot(read.image, migrations);
    if (database) return { ...start(database, generation, read), isPartial: true };
  }
  if (first === undefined) throw nothingReadable(dir);
  return { ...start(await openDatabase(null), first, null), isPartial: first !== FIRST_GENERATION };
}

const nothingReadable = (dir: string): StoreOpenError =>
  new StoreOpenError('damaged', `Nothing can be read of the files in ${dir}; nothing was changed.`);

/** A log as it was read. */
interface LogFile {
  path: string;
  file: Buffer;
  pieces: () => Iterable<LogPiece>;
}

/**
 * Replays logs, oldest first, and skips what can't be read. Many records run in one transaction, since each is whole; once some are
 * missing, each gets its own, and one that no longer applies counts as missing too.
 */
async function replayLogs(
  disk: Disk,
  dir: string,
  logs: readonly number[],
  loaded: LoadedStore,
  { limit, migrations }: { limit: LoadOptions['limit']; migrations: readonly Migration[] },
): Promise<void> {
  const { database, position } = loaded;
  const statements = new Statements();
  let hasHole = loaded.isPartial;
  /** The log before the one that is replayed. */
  let before: LogFile | null = null;
  /**
   * A log that has to be there, if none follows: the snapshot's, or the one that the last record names. Only a snapshot that a
   * person copied here has neither a log nor a sidecar.
   */
  let due = loaded.snapshotBytes > 0 && position.sequence !== UNKNOWN_SEQUENCE ? loaded.base : null;

  function noteDamage({ path, file }: LogFile): void {
    loaded.damaged.set(path, file);
    loaded.isAhead = true;
  }

  function replayRecord(record: FoundRecord, { path }: LogFile): void {
    if (hasHole) {
      database.commit();
      database.begin();
    }
    try {
      due = null;
      for (const { sql, params } of decodePayload(record.payload, statements)) {
        database.run(sql, params);
        if (sql === NEXT_LOG) due = Number(params[0]);
      }
    } catch (error) {
      if (error instanceof DatabaseLostError) throw error;
      if (!hasHole) {
        const message = `Record ${record.sequence} of ${path} can't be replayed; nothing was changed.`;
        throw new StoreOpenError('damaged', message, { cause: error });
      }
      database.rollback();
      database.begin();
      // The schema was brought up to date at the hole.
      if (!record.payload.includes(SCHEMA_STEP)) loaded.missing += 1;
    }
  }

  /** Records are missing before this one. */
  function passHole(record: FoundRecord, log: LogFile): void {
    hasHole = true;
    // Later records may need a schema that the missing ones made, and statements whose text was in those.
    database.commit();
    migrateInMemory(database, migrations);
    database.begin();
    for (const piece of log.pieces())
      if (piece.kind === 'record')
        for (const [statement] of parsePayload(piece.record.payload))
          if (typeof statement === 'string') statements.learn(statement);
    // A crash only tears what was written last: a log that continues in the next one was once whole.
    const isBetween = record.start === HEADER_BYTES;
    if (!isBetween) statements.stopCounting();
    const torn = isBetween ? before : log;
    if (torn) noteDamage(torn);
  }

  const newest = limit?.generation ?? Infinity;
  for (const generation of logs.filter((each) => each >= loaded.base && each <= newest)) {
    const path = logPath(dir, generation);
    const file = await readFully(disk, path, generation === limit?.generation ? limit.end : Infinity);
    const header = decodeHeader(file);
    const isKnown = header.kind === 'known' && header.generation === generation;
    // Without a record, nothing is lost.
    if (!isKnown && file.length <= HEADER_BYTES) continue;
    const chain = isKnown ? header.chain : null;
    const { sequence } = position;
    const log = { path, file, pieces: () => readPieces(file, chain, sequence) };
    if (!isKnown) noteDamage(log);
    else if (header.format < LOG_FORMAT) loaded.isAhead = true;
    Object.assign(loaded, { generation, end: HEADER_BYTES });
    Object.assign(position, { chain: chain ?? 0, uses: new Map() });
    due = null;
    statements.beginFile();
    let deadline = performance.now() + REPLAY_SLICE_MS;
    database.begin();
    for (const piece of log.pieces()) {
      if (piece.kind === 'end') {
        if (piece.state === 'damaged') noteDamage(log);
        if (piece.state === 'damaged' || (!isKnown && loaded.end === HEADER_BYTES)) loaded.missing += 1;
        break;
      }
      const { record } = piece;
      // If the snapshot's own log is gone, at least one is missing.
      const step = generation === loaded.base ? 1 : 2;
      if (position.sequence === UNKNOWN_SEQUENCE) position.sequence = record.sequence - step;
      const missing = record.sequence - position.sequence - 1;
      if (missing > 0 || record.start > loaded.end) passHole(record, log);
      loaded.missing += missing;
      replayRecord(record, log);
      position.chain = record.crc;
      position.sequence = record.sequence;
      loaded.end = record.end;
      if (performance.now() < deadline) continue;
      database.commit();
      await new Promise((resolve) => setImmediate(resolve));
      database.begin();
      deadline = performance.now() + REPLAY_SLICE_MS;
    }
    database.commit();
    loaded.loggedBytes += loaded.end - HEADER_BYTES;
    before = log;
  }
  if (position.sequence === UNKNOWN_SEQUENCE) position.sequence = 0;
  if (due !== null && !logs.includes(due)) loaded.lacks = 'the newest log';
}

const SCHEMA_STEP = 'PRAGMA user_version';
