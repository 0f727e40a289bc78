/**
 * From files to memory: finds the newest sound snapshot, and replays the logs from its generation on, in order
 * (replay.ts). Only reads and reports what has to be repaired on disk (files.ts), so that a store that is refused
 * stays as it was.
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
import { HEADER_BYTES, LOG_FORMAT, decodeHeader } from './log-format.ts';
import { MIGRATIONS, type Migration } from './migrations.ts';
import { migrateInMemory } from './migrate.ts';
import { type DurableLimit, type LoadedStore, UNKNOWN_SEQUENCE, replayLogs } from './replay.ts';
import { nullIfDamaged, repairFlippedBit, repairRows, salvageSnapshot, unlessDamaged } from './salvage.ts';
import { type ReadSnapshot, readSidecar, readSnapshot } from './snapshot.ts';
import { StoreOpenError, newerFormat } from './store-error.ts';

/**
 * Loads a store; one that has no files is empty. `limit`: what comes after that isn't read. `isExpected`: it was there before. Throws StoreOpenError when a newer version wrote it or nothing of it
 * can be read, and the disk's error when it can't be read.
 */
export async function loadStore(
  disk: Disk,
  dir: string,
  {
    limit,
    migrations = MIGRATIONS,
    isExpected = false,
  }: { limit?: DurableLimit | undefined; migrations?: readonly Migration[]; isExpected?: boolean } = {},
): Promise<LoadedStore> {
  const listing = await listFolder(disk, dir).catch((error: unknown) => {
    if (diskErrorCode(error) === 'ENOENT') return NO_FILES;
    throw error;
  });
  const begun = await checkFormats(disk, dir, listing);
  const logs = begun.filter((generation) => !limit || generation <= limit.generation);
  const loaded = await loadBase(disk, dir, { ...listing, logs }, migrations);
  try {
    const later = logs.filter((generation) => generation >= loaded.generation);
    await replayLogs(disk, dir, later, loaded, migrations, limit);
    const version = loaded.database.userVersion();
    if (version > migrations.length) throw newerFormat(dir, version, migrations.length);
    if (loaded.missing > 0 || loaded.isPartial) {
      migrateInMemory(loaded.database, migrations);
      repairRows(loaded.database);
    }
    const isEmpty = loaded.snapshotBytes + loaded.loggedBytes === 0;
    if (loaded.isPartial && isEmpty && loaded.damaged.size > 0) throw nothingReadable(dir);
    if (isExpected && isEmpty) loaded.lacks = 'all files';
    loaded.isAhead ||= loaded.damagedLogs.size > 0 || loaded.missing > 0 || loaded.isPartial;
  } catch (error) {
    loaded.database.close();
    throw error;
  }
  return loaded;
}

/**
 * Checks every file's format before anything else is read. Resolves with the logs that count: a log has a header from the moment it has
 * its name, so one that is shorter was emptied later, often by a power cut, and is as good as deleted.
 */
async function checkFormats(disk: Disk, dir: string, listing: FolderListing): Promise<number[]> {
  for (const generation of listing.snapshots) await readSidecar(disk, dir, generation);
  const begun: number[] = [];
  for (const generation of listing.logs) {
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
 * The newest sound snapshot. A store that still has its first log, or has no files, can start empty. If neither is there, a
 * snapshot that can be repaired; else what can be read of the newest one that gives anything; else only the logs are left.
 */
async function loadBase(
  disk: Disk,
  dir: string,
  { snapshots, logs }: FolderListing,
  migrations: readonly Migration[],
): Promise<LoadedStore> {
  const damaged = new Set<string>();
  const start = (database: MemoryDatabase, base: number, read: ReadSnapshot | null): LoadedStore => ({
    database,
    base,
    generation: base,
    position: { chain: 0, sequence: read ? (read.sequence ?? UNKNOWN_SEQUENCE) : 0, uses: new Map() },
    end: 0,
    loggedBytes: 0,
    snapshotBytes: read?.image.bytes ?? 0,
    damaged,
    damagedLogs: new Map(),
    missing: 0,
    isPartial: false,
    // A log is made before its snapshot. Only a copy that a person made has neither a log nor a sidecar.
    lacks: read !== null && read.state !== 'unknown' && !logs.includes(base) ? 'the newest log' : null,
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
    damaged.add(snapshotPath(dir, generation));
    if (read) readable.push({ generation, read });
  }
  const isNew = snapshots.length === 0 && logs.length === 0;
  if (isNew || logs.includes(FIRST_GENERATION))
    return start(await openDatabase(null), FIRST_GENERATION, null);
  for (const { generation, read } of readable) {
    const image = await repairFlippedBit(read);
    if (image) return { ...start(await openDatabase(image), generation, read), isAhead: true };
  }
  for (const { generation, read } of readable) {
    const database = await salvageSnapshot(read.image, migrations);
    if (database) return { ...start(database, generation, read), isPartial: true };
  }
  const first = logs[0];
  if (first === undefined) throw nothingReadable(dir);
  const database = await openDatabase(null);
  migrateInMemory(database, migrations);
  const loaded = start(database, first, null);
  loaded.position.sequence = UNKNOWN_SEQUENCE;
  return { ...loaded, isPartial: true };
}

const nothingReadable = (dir: string): StoreOpenError =>
  new StoreOpenError('damaged', `Nothing can be read of the snapshots in ${dir}; nothing was changed.`);

/** The database in a snapshot; null if the snapshot is damaged. */
async function openIntact({ image, state }: ReadSnapshot): Promise<MemoryDatabase | null> {
  if (state === 'damaged' || image.bytes === 0) return null;
  const database = await openDatabase(image).catch(nullIfDamaged);
  // Without a checksum to go by, the pages themselves must be intact.
  return database && (state === 'intact' || unlessDamaged(() => database.isIntact())) ? database : null;
}
