/**
 * From files to memory: finds the newest sound snapshot, and replays the logs from its generation on, in order, up to
 * the first record that isn't whole. Only reads; what has to be mended on disk is reported (see repair.ts), so that a
 * store that is refused stays as it was.
 */
import { type MemoryDatabase, openDatabase } from './database.ts';
import { type Disk, diskErrorCode, readFully } from './disk.ts';
import { type FolderListing, listFolder, logPath, snapshotPath } from './folder.ts';
import {
  HEADER_BYTES,
  LOG_FORMAT,
  type LogPosition,
  decodeHeader,
  decodePayload,
  decodeRecord,
} from './log-format.ts';
import { readSidecar, readSnapshot } from './snapshot.ts';
import { StoreOpenError, newerFormat } from './store-error.ts';

/** How far to trust the files: nothing behind this was ever durable. */
export interface DurableLimit {
  generation: number;
  /** In bytes, in the log of that generation. */
  end: number;
}

/** A store as its files hold it. */
export interface LoadedStore {
  database: MemoryDatabase;
  /** Where the log goes on; `chain` is to be set anew when the log has to be made. */
  position: LogPosition;
  generation: number;
  /** Where that log's sound part ends; 0 when the log has to be made. */
  end: number;
  /** What the logs hold beyond the snapshot, in bytes; the current log's share included. */
  loggedBytes: number;
  /** 0 when there is no snapshot. */
  snapshotBytes: number;
  /** Earlier logs that end in something torn, and where their sound part ends. */
  torn: { generation: number; end: number }[];
  /** Files that are damaged or lead nowhere, with what is wrong. */
  damaged: { path: string; reason: string }[];
  /** Logs without a record that can go. */
  unused: number[];
}

/** How long a replay may hold the event loop before it lets others in. */
const REPLAY_SLICE_MS = 12;

/**
 * Loads a store; one that has no files is empty. Throws StoreOpenError when a newer version wrote it or no sound state
 * can be put together, and what the disk throws when it can't be read.
 */
export async function loadStore(disk: Disk, dir: string, limit?: DurableLimit): Promise<LoadedStore> {
  const listing = await listStore(disk, dir);
  await refuseNewer(disk, dir, listing);
  const logs = listing.logs.filter((generation) => !limit || generation <= limit.generation);
  const loaded = await loadBase(disk, dir, { ...listing, logs });
  loaded.unused.push(...listing.logs.filter((generation) => !logs.includes(generation)));
  try {
    await replayLogs(disk, dir, logs, loaded, limit);
  } catch (error) {
    loaded.database.close();
    throw error;
  }
  return loaded;
}

async function listStore(disk: Disk, dir: string): Promise<FolderListing> {
  try {
    return await listFolder(disk, dir);
  } catch (error) {
    if (diskErrorCode(error) === 'ENOENT') return { snapshots: [], logs: [], temporary: [], setAside: [] };
    throw error;
  }
}

/** Looks at every file's format before anything else is read. */
async function refuseNewer(disk: Disk, dir: string, listing: FolderListing): Promise<void> {
  for (const generation of listing.snapshots) await readSidecar(disk, dir, generation);
  for (const generation of listing.logs) {
    const path = logPath(dir, generation);
    // One that can't be read now fails later, if it is needed at all.
    const start = await readFully(disk, path, HEADER_BYTES).catch(() => Buffer.alloc(0));
    const header = decodeHeader(start);
    if (header.kind === 'newer') throw newerFormat(path, header.format, LOG_FORMAT);
  }
}

/** The newest sound snapshot; for a store whose first log is there, or that has no files, nothing at all will do. */
async function loadBase(disk: Disk, dir: string, listing: FolderListing): Promise<LoadedStore> {
  const damaged: LoadedStore['damaged'] = [];
  const start = (
    database: MemoryDatabase,
    generation: number,
    sequence: number,
    bytes: number,
  ): LoadedStore => ({
    database,
    position: { chain: 0, sequence, statements: new Map() },
    generation,
    end: 0,
    loggedBytes: 0,
    snapshotBytes: bytes,
    torn: [],
    damaged,
    unused: [],
  });
  for (const generation of listing.snapshots.toReversed()) {
    const snapshot = await readSnapshot(disk, dir, generation);
    if (snapshot) {
      return start(snapshot.database, generation, snapshot.sequence ?? UNKNOWN_SEQUENCE, snapshot.bytes);
    }
    damaged.push({ path: snapshotPath(dir, generation), reason: 'it is not a sound snapshot' });
  }
  const empty = listing.snapshots.length === 0 && listing.logs.length === 0;
  if (!empty && !listing.logs.includes(FIRST_GENERATION)) {
    throw new StoreOpenError('damaged', `No sound snapshot is left in ${dir}; nothing was changed.`);
  }
  return start(await openDatabase(null), FIRST_GENERATION, 0, 0);
}

const FIRST_GENERATION = 1;
/** A snapshot that nothing vouches for: its own log's first record says where it stands. */
const UNKNOWN_SEQUENCE = -1;

async function replayLogs(
  disk: Disk,
  dir: string,
  logs: number[],
  loaded: LoadedStore,
  limit: DurableLimit | undefined,
): Promise<void> {
  const base = loaded.generation;
  let sizeOfLast = 0;
  for (const generation of logs.filter((each) => each >= base)) {
    const path = logPath(dir, generation);
    const file = await readFully(disk, path, generation === limit?.generation ? limit.end : Infinity);
    const header = decodeHeader(file);
    if (header.kind !== 'known' || header.generation !== generation) {
      // A log's header is durable before the log is used: a short file is a crash's, a long one was damaged later.
      if (file.length <= HEADER_BYTES) loaded.unused.push(generation);
      else if (base === FIRST_GENERATION && generation === base && loaded.snapshotBytes === 0)
        throw unreadable(path);
      else loaded.damaged.push({ path, reason: 'its header is damaged' });
      continue;
    }
    const first = decodeRecord(file, HEADER_BYTES, header.chain, null);
    const known = loaded.position.sequence !== UNKNOWN_SEQUENCE;
    if (first && (known ? first.sequence !== loaded.position.sequence + 1 : generation !== base)) {
      loaded.damaged.push({ path, reason: 'the log before it is damaged or missing' });
      continue;
    }
    if (first && !known) loaded.position.sequence = first.sequence - 1;
    if (loaded.end > 0 && loaded.end < sizeOfLast)
      loaded.torn.push({ generation: loaded.generation, end: loaded.end });
    sizeOfLast = file.length;
    loaded.generation = generation;
    await replayLog(file, header.chain, loaded, path);
    loaded.loggedBytes += loaded.end - HEADER_BYTES;
  }
  loaded.unused = loaded.unused.filter((generation) => generation !== loaded.generation);
  if (loaded.position.sequence === UNKNOWN_SEQUENCE) loaded.position.sequence = 0;
}

const unreadable = (path: string): StoreOpenError =>
  new StoreOpenError('damaged', `${path} can't be read: its header is damaged. Nothing was changed.`);

/** Replays one log's sound records; many to a transaction, since each was whole when it was written. */
async function replayLog(file: Buffer, chain: number, loaded: LoadedStore, path: string): Promise<void> {
  const { database, position } = loaded;
  const statements: string[] = [];
  let end = HEADER_BYTES;
  let more = true;
  while (more) {
    const deadline = performance.now() + REPLAY_SLICE_MS;
    database.begin();
    while (performance.now() < deadline) {
      const expected = position.sequence === UNKNOWN_SEQUENCE ? null : position.sequence + 1;
      const record = decodeRecord(file, end, chain, expected);
      more = record !== null;
      if (!record) break;
      try {
        for (const { sql, params } of decodePayload(record.payload, statements)) database.run(sql, params);
      } catch (error) {
        if (error instanceof Error && error.name === 'DatabaseLostError') throw error;
        const message = `Record ${record.sequence} of ${path} can't be replayed; nothing was changed.`;
        throw new StoreOpenError('damaged', message, { cause: error });
      }
      chain = record.crc;
      position.sequence = record.sequence;
      end = record.end;
    }
    database.commit();
    if (more) await new Promise((resolve) => setImmediate(resolve));
  }
  position.chain = chain;
  position.statements = new Map(statements.map((sql, index) => [sql, index]));
  loaded.end = end;
}
