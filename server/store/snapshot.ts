/**
 * Snapshots: how one is made of memory, and how they are written and read. A plain SQLite file, and beside it a small file (the
 * sidecar) with its size, checksum and last transaction. The sidecar is durable before the snapshot gets its name, so a named
 * snapshot without one was copied here by a person.
 */
import { crc32 } from 'node:zlib';
import { startThread } from '../lib/threads.ts';
import { unlessAborted } from '../lib/unless-aborted.ts';
import { openDatabase } from './database.ts';
import { type Disk, closeQuietly, diskErrorCode, piecesOf, readFully, writeNew } from './disk.ts';
import { removeGenerations, sidecarPath, snapshotPath, temporaryPath, writeDurably } from './files.ts';
import { type NewLog, beginLog } from './log-writer.ts';
import { type FileImage, MemoryFile, partsOf } from './memory-file.ts';
import type { StoreState } from './state.ts';
import { newerFormat } from './store-error.ts';

const SNAPSHOT_FORMAT = 1;

/** The content of the sidecar. */
interface Sidecar {
  format: number;
  generation: number;
  /** Number of the last transaction the snapshot holds. */
  sequence: number;
  bytes: number;
  crc32: number;
}

/** Of a snapshot without a sidecar: it follows from the first record of its log. */
export const UNKNOWN_SEQUENCE = -1;

/** A snapshot as it was read. */
export interface ReadSnapshot {
  image: FileImage;
  /** The number of its last transaction. */
  sequence: number;
  /** Whether it is what was once written. `unknown`: there is nothing to compare it with. */
  state: 'intact' | 'damaged' | 'unknown';
  /** The difference between its checksum and the right one; 0: there is none, or its length isn't right either. */
  crcDifference: number;
}

/**
 * Reads a snapshot; null when its bytes can't be read. Throws StoreOpenError when a newer version wrote it, and what the disk
 * throws when it can't be read at all for a reason that may pass.
 */
export async function readSnapshot(
  disk: Disk,
  dir: string,
  generation: number,
): Promise<ReadSnapshot | null> {
  const sidecar = await readSidecar(disk, dir, generation);
  const content = new MemoryFile();
  let crc: number;
  try {
    crc = await readThrough(disk, snapshotPath(dir, generation), (part) =>
      content.write(part, content.bytes),
    );
  } catch (error) {
    if (diskErrorCode(error) === 'EIO') return null;
    throw error;
  }
  const isWhole = sidecar?.bytes === content.bytes;
  const crcDifference = isWhole ? (sidecar.crc32 ^ crc) >>> 0 : 0;
  const isIntact = isWhole && crcDifference === 0;
  const state = sidecar ? (isIntact ? 'intact' : 'damaged') : 'unknown';
  return { image: content.freeze(), sequence: sidecar?.sequence ?? UNKNOWN_SEQUENCE, state, crcDifference };
}

/** Reads a file in pieces, and resolves with its checksum. */
async function readThrough(disk: Disk, path: string, take: (part: Buffer) => void): Promise<number> {
  const file = await disk.open(path, 'read');
  try {
    let crc = 0;
    for await (const part of piecesOf(file)) {
      take(part);
      crc = crc32(part, crc);
    }
    return crc;
  } finally {
    await closeQuietly(file);
  }
}

/**
 * Throws StoreOpenError when a newer version wrote the snapshot; null when there is no sidecar, or a damaged one. Every
 * later format keeps the outer shape: the crc of the JSON text in hex, a space, the JSON text with its `format`.
 */
async function readSidecar(disk: Disk, dir: string, generation: number): Promise<Sidecar | null> {
  const path = sidecarPath(dir, generation);
  const text = await readFully(disk, path).then(String, () => '');
  const json = text.slice(9).trimEnd();
  if (json === '' || text.slice(0, 9) !== `${checksum(json)} `) return null;
  const sidecar = JSON.parse(json) as Sidecar;
  if (sidecar.format > SNAPSHOT_FORMAT) throw newerFormat(path, sidecar.format, SNAPSHOT_FORMAT);
  return sidecar;
}

const encodeSidecar = (content: Sidecar): Buffer => {
  const json = JSON.stringify(content);
  return Buffer.from(`${checksum(json)} ${json}\n`);
};
const checksum = (text: string): string => crc32(text).toString(16).padStart(8, '0');

/** What to make a snapshot of. */
export interface SnapshotTask {
  /** The generation of the snapshot, and of the log that continues from it. */
  generation: number;
  /** The last transaction in it. */
  sequence: number;
  /** Generation of the newest snapshot that is there. */
  base: number;
  image: FileImage;
}

const MIB = 1024 * 1024;
/** Room left for the log while a snapshot is written. */
const SPARE_BYTES = 16 * MIB;

/**
 * Makes memory, as it is now, the snapshot that an empty log continues from: in one synchronous step the database is frozen and
 * later records go to that log. `endLog` ends the log before it in the same step, and resolves once all that is frozen is durable.
 */
export async function snapshotMemory(
  { dir, disk, loaded, compactsInThread }: StoreState,
  next: NewLog,
  signal: AbortSignal,
  endLog?: () => Promise<void>,
): Promise<void> {
  const { base, database, loggedBytes, position } = loaded;
  const { generation } = next;
  const image = database.freeze();
  try {
    const isDurable = endLog?.();
    beginLog(loaded, next);
    const { sequence } = position;
    await isDurable;
    const task = { generation, sequence, base, image };
    const make = compactsInThread ? makeInThread(dir, task, signal) : makeSnapshot(disk, dir, task, signal);
    loaded.snapshotBytes = await make;
  } finally {
    database.release(image);
  }
  loaded.base = generation;
  loaded.loggedBytes -= loggedBytes;
}

/**
 * Makes a snapshot that holds nothing that was deleted, since SQLite rewrites it from the remaining rows. Durable under its name, and
 * read back, when this resolves with its size. Rejects, leaving all needed files in place and nothing of its own, when the disk refuses
 * or has too little room (`ENOSPC`).
 */
export async function makeSnapshot(
  disk: Disk,
  dir: string,
  { generation, sequence, base, image }: SnapshotTask,
  signal?: AbortSignal,
): Promise<number> {
  const compacted = (await openDatabase(image)).compactFile();
  const { bytes } = compacted;
  const path = snapshotPath(dir, generation);
  const sidecar = sidecarPath(dir, generation);
  const temporary = temporaryPath(path);
  signal?.throwIfAborted();
  await requireFreeSpace(disk, dir, bytes, base);
  try {
    const crc = await writeNew(disk, temporary, partsOf(compacted), signal);
    if (crc !== (await readThrough(disk, temporary, () => signal?.throwIfAborted())))
      throw Object.assign(new Error(`${temporary} does not hold what was written.`), { code: 'EIO' });
    const content = { format: SNAPSHOT_FORMAT, generation, sequence, bytes, crc32: crc };
    await writeDurably(disk, sidecar, encodeSidecar(content));
    await disk.rename(temporary, path);
    await disk.syncDir(dir);
    return bytes;
  } catch (error) {
    for (const each of [temporary, temporaryPath(sidecar)]) await disk.unlink(each).catch(() => undefined);
    throw error;
  }
}

/** {@link makeSnapshot} in a thread of its own, over the real file system. Rejects once that has fully stopped. */
async function makeInThread(dir: string, task: SnapshotTask, signal: AbortSignal): Promise<number> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const worker = startThread('compaction-thread', { workerData: { dir, task } });
  worker.on('message', resolve);
  worker.on('error', reject);
  worker.on('exit', () => reject(new Error('The compaction thread ended early.')));
  try {
    return await unlessAborted(signal, promise);
  } finally {
    await worker.terminate();
  }
}

/**
 * A full disk would refuse the log too, so free space is checked first. If it is short, everything older than the newest
 * snapshot is removed: it is only a fallback.
 */
async function requireFreeSpace(disk: Disk, dir: string, bytes: number, base: number): Promise<void> {
  const isShort = async (): Promise<boolean> => (await disk.freeBytes(dir)) < bytes + SPARE_BYTES;
  if (!(await isShort())) return;
  await removeGenerations(disk, dir, base);
  if (!(await isShort())) return;
  const message = `${Math.ceil((bytes + SPARE_BYTES) / MIB)} MB have to be free for the next snapshot`;
  throw Object.assign(new Error(message), { code: 'ENOSPC' });
}
