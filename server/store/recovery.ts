/**
 * From files to memory: finds the newest sound snapshot, and replays the logs from its generation on, in order
 * (replay.ts). Only reads and reports what has to be repaired on disk (repair.ts), so that a store that is refused
 * stays as it was.
 */
import { type MemoryDatabase, openDatabase } from './database.ts';
import { type Disk, diskErrorCode, readFully } from './disk.ts';
import { FIRST_GENERATION, type FolderListing, listFolder, logPath, snapshotPath } from './folder.ts';
import { HEADER_BYTES, LOG_FORMAT, decodeHeader } from './log-format.ts';
import { migrateInMemory } from './migrate.ts';
import { MIGRATIONS, type Migration } from './migrations.ts';
import { type DurableLimit, type LoadedStore, UNKNOWN_SEQUENCE, replayLogs } from './replay.ts';
import { mendRows } from './row-repair.ts';
import { readSidecar, readSnapshot } from './snapshot.ts';
import { StoreOpenError, newerFormat } from './store-error.ts';

/** A loaded store with these fields and nothing wrong. */
export const soundStore = (
  database: MemoryDatabase,
  place: Pick<LoadedStore, 'base' | 'generation' | 'position'>,
): LoadedStore => ({
  database,
  ...place,
  end: 0,
  loggedBytes: 0,
  snapshotBytes: 0,
  damaged: [],
  damagedLogs: [],
  missing: 0,
  isAhead: false,
  unused: [],
});

/**
 * Loads a store; one that has no files is empty. Throws StoreOpenError when a newer version wrote it or no sound state
 * can be recovered, and the disk's error when it can't be read.
 */
export async function loadStore(
  disk: Disk,
  dir: string,
  {
    limit,
    migrations = MIGRATIONS,
  }: { limit?: DurableLimit | undefined; migrations?: readonly Migration[] } = {},
): Promise<LoadedStore> {
  const listing = await listStore(disk, dir);
  await refuseNewer(disk, dir, listing);
  const logs = listing.logs.filter((generation) => !limit || generation <= limit.generation);
  const loaded = await loadBase(disk, dir, { ...listing, logs });
  loaded.unused.push(...listing.logs.filter((generation) => !logs.includes(generation)));
  try {
    const migrateNow = (): void => migrateInMemory(loaded.database, migrations);
    const later = logs.filter((generation) => generation >= loaded.generation);
    await replayLogs(disk, dir, later, loaded, { limit, onHole: migrateNow });
    if (loaded.missing > 0) {
      migrateNow();
      mendRows(loaded.database);
    }
    loaded.isAhead ||= loaded.damagedLogs.length > 0 || loaded.missing > 0;
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

/** Checks every file's format before anything else is read. */
async function refuseNewer(disk: Disk, dir: string, listing: FolderListing): Promise<void> {
  for (const generation of listing.snapshots) await readSidecar(disk, dir, generation);
  for (const generation of listing.logs) {
    const path = logPath(dir, generation);
    // A file that can't be read fails later, if it is needed at all.
    const start = await readFully(disk, path, HEADER_BYTES).catch(() => Buffer.alloc(0));
    const header = decodeHeader(start);
    if (header.kind === 'newer') throw newerFormat(path, header.format, LOG_FORMAT);
  }
}

/** The newest sound snapshot. A store that still has its first log, or has no files, can start empty. */
async function loadBase(disk: Disk, dir: string, listing: FolderListing): Promise<LoadedStore> {
  const damaged: LoadedStore['damaged'] = [];
  const start = (database: MemoryDatabase, base: number, sequence: number, bytes: number): LoadedStore => ({
    ...soundStore(database, { base, generation: base, position: { chain: 0, sequence, uses: new Map() } }),
    snapshotBytes: bytes,
    damaged,
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
