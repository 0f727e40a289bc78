/**
 * The work of a compaction: what the files hold becomes the next snapshot. It works from the files alone, so it can run
 * in a thread (compactor.ts); what is written meanwhile goes to a later log, which it doesn't read.
 */
import { type Disk } from './disk.ts';
import { listFolder, logPath, sidecarPath, snapshotPath } from './folder.ts';
import { loadStore } from './recovery.ts';
import { writeSnapshot } from './snapshot.ts';

/** What to turn into a snapshot: the newest sound snapshot and the logs since, up to the one before `generation`. */
export interface CompactionTask {
  dir: string;
  /** The generation of the new snapshot, and of the log that continues from it. */
  generation: number;
  /** Where the last of these logs ends, in bytes. */
  end: number;
  /** The last transaction in them. */
  sequence: number;
}

const MIB = 1024 * 1024;
/** Room left for the log while a snapshot is written. */
const SPARE_BYTES = 16 * MIB;

/**
 * Makes the snapshot; resolves with its size once it is durable under its name. It holds nothing that was deleted,
 * since SQLite rewrites it from the remaining rows. Rejects, leaving all needed files in place, when the disk refuses
 * or has too little room (`ENOSPC`), or the files don't hold what they should.
 */
export async function compactStore(disk: Disk, task: CompactionTask, signal?: AbortSignal): Promise<number> {
  const { dir, generation, end, sequence } = task;
  const loaded = await loadStore(disk, dir, { limit: { generation: generation - 1, end } });
  let image: Uint8Array;
  try {
    // The running store holds everything: incomplete files must not replace it.
    if (loaded.isAhead) throw new Error(`a log in ${dir} was found damaged`);
    const found = loaded.position.sequence;
    if (found !== sequence)
      throw new Error(`the files hold ${found} transactions, but ${sequence} were stored`);
    signal?.throwIfAborted();
    image = loaded.database.compactFile();
  } finally {
    loaded.database.close();
  }
  signal?.throwIfAborted();
  await makeRoom(disk, dir, image.length, loaded.base);
  await writeSnapshot(disk, dir, { generation, sequence, image }, signal);
  return image.length;
}

/**
 * A full disk would refuse the log too, so free space is checked first. If it is short, everything older than the
 * snapshot that has just been read in full is removed: it is only a fallback.
 */
async function makeRoom(disk: Disk, dir: string, bytes: number, base: number): Promise<void> {
  const isNarrow = async (): Promise<boolean> => (await disk.freeBytes(dir)) < bytes + SPARE_BYTES;
  if (!(await isNarrow())) return;
  await removeGenerations(disk, dir, base);
  if (!(await isNarrow())) return;
  const message = `${Math.ceil((bytes + SPARE_BYTES) / MIB)} MB have to be free for the next snapshot`;
  throw Object.assign(new Error(message), { code: 'ENOSPC' });
}

/** Removes everything before a generation, oldest first, so that a crash leaves no gap in what is kept. */
export async function removeGenerations(disk: Disk, dir: string, before: number): Promise<void> {
  const { snapshots, logs } = await listFolder(disk, dir);
  const old = [...new Set([...snapshots, ...logs])].filter((generation) => generation < before);
  for (const generation of old.sort((a, b) => a - b)) {
    await disk.unlink(snapshotPath(dir, generation));
    await disk.unlink(sidecarPath(dir, generation));
    await disk.unlink(logPath(dir, generation));
  }
  await disk.syncDir(dir);
}
