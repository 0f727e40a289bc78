/**
 * Snapshots: a plain SQLite file, and beside it a small file (the sidecar) with its size, checksum and last
 * transaction. The sidecar is durable before the snapshot gets its name, so a named snapshot without one was copied
 * here by a person.
 */
import { crc32 } from 'node:zlib';
import { type DatabaseLostError, type MemoryDatabase, openDatabase } from './database.ts';
import {
  type Disk,
  type DiskFile,
  closeQuietly,
  diskErrorCode,
  readFully,
  writeFully,
  writeNew,
} from './disk.ts';
import { sidecarPath, snapshotPath, temporaryPath } from './folder.ts';
import { newerFormat } from './store-error.ts';

export const SNAPSHOT_FORMAT = 1;
const CHUNK_BYTES = 1024 * 1024;
const SQLITE_HEADER = Buffer.from('SQLite format 3\0', 'latin1');

interface Measures {
  bytes: number;
  crc32: number;
}

/** The content of the sidecar. */
interface Sidecar extends Measures {
  format: number;
  generation: number;
  /** Number of the last transaction the snapshot holds. */
  sequence: number;
}

/**
 * Writes a snapshot; durable under its name, and read back, when this resolves. Stops when the signal is aborted.
 * Leaves nothing behind when it rejects.
 */
export async function writeSnapshot(
  disk: Disk,
  dir: string,
  snapshot: { generation: number; sequence: number; image: Uint8Array },
  signal?: AbortSignal,
): Promise<void> {
  const { generation, sequence, image } = snapshot;
  const path = snapshotPath(dir, generation);
  const sidecar = sidecarPath(dir, generation);
  try {
    const crc = await writeImage(disk, temporaryPath(path), image, signal);
    const content: Sidecar = {
      format: SNAPSHOT_FORMAT,
      generation,
      sequence,
      bytes: image.length,
      crc32: crc,
    };
    await writeNew(disk, temporaryPath(sidecar), encodeSidecar(content));
    signal?.throwIfAborted();
    await disk.rename(temporaryPath(sidecar), sidecar);
    await disk.syncDir(dir);
    await disk.rename(temporaryPath(path), path);
    await disk.syncDir(dir);
  } catch (error) {
    for (const each of [path, sidecar]) await disk.unlink(temporaryPath(each)).catch(() => undefined);
    throw error;
  }
}

/** Writes and syncs a file, and reads it again; resolves with its checksum. */
async function writeImage(
  disk: Disk,
  path: string,
  image: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<number> {
  const file = await disk.open(path, 'create');
  try {
    let crc = 0;
    for (let offset = 0; offset < image.length; offset += CHUNK_BYTES) {
      signal?.throwIfAborted();
      const chunk = image.subarray(offset, offset + CHUNK_BYTES);
      crc = crc32(chunk, crc);
      await writeFully(file, chunk, offset);
    }
    await file.datasync();
    const written = await measure(file, signal);
    if (written.crc32 !== crc)
      throw Object.assign(new Error(`${path} does not hold what was written.`), { code: 'EIO' });
    return crc;
  } finally {
    await closeQuietly(file);
  }
}

/** A snapshot that was read and found sound. `sequence` is null when its last transaction is unknown. */
export interface LoadedSnapshot {
  database: MemoryDatabase;
  sequence: number | null;
  bytes: number;
}

/**
 * Reads a snapshot; null when it is damaged. Throws StoreOpenError when a newer version wrote it, and what the disk
 * throws when it can't be read at all for a reason that may pass.
 */
export async function readSnapshot(
  disk: Disk,
  dir: string,
  generation: number,
): Promise<LoadedSnapshot | null> {
  const sidecar = await readSidecar(disk, dir, generation);
  const path = snapshotPath(dir, generation);
  let found: Measures;
  try {
    const file = await disk.open(path, 'read');
    try {
      if (!(await file.read(0, SQLITE_HEADER.length)).equals(SQLITE_HEADER)) return null;
      found = await measure(file);
    } finally {
      await closeQuietly(file);
    }
  } catch (error) {
    if (diskErrorCode(error) === 'EIO') return null;
    throw error;
  }
  if (sidecar && (sidecar.bytes !== found.bytes || sidecar.crc32 !== found.crc32)) return null;
  let database: MemoryDatabase;
  try {
    database = await openDatabase(path);
  } catch (error) {
    if ((error as DatabaseLostError | undefined)?.name === 'DatabaseLostError') return null;
    throw error;
  }
  // Without a checksum to go by, the pages themselves must be sound.
  if (!sidecar && !isSound(database)) return null;
  return { database, sequence: sidecar?.sequence ?? null, bytes: found.bytes };
}

async function measure(file: DiskFile, signal?: AbortSignal): Promise<Measures> {
  let bytes = 0;
  let crc = 0;
  for (;;) {
    signal?.throwIfAborted();
    const chunk = await file.read(bytes, CHUNK_BYTES);
    if (chunk.length === 0) return { bytes, crc32: crc };
    bytes += chunk.length;
    crc = crc32(chunk, crc);
  }
}

function isSound(database: MemoryDatabase): boolean {
  try {
    return database.isSound();
  } catch {
    return false;
  }
}

/**
 * Throws StoreOpenError when a newer version wrote the snapshot; null when there is no sidecar, or a damaged one. Every
 * later format keeps the outer shape: the crc of the JSON text in hex, a space, the JSON text with its `format`.
 */
export async function readSidecar(disk: Disk, dir: string, generation: number): Promise<Sidecar | null> {
  const path = sidecarPath(dir, generation);
  let value: unknown;
  try {
    const text = (await readFully(disk, path)).toString('utf8');
    const json = text.slice(9).trimEnd();
    if (text.slice(0, 9) !== `${checksum(json)} `) return null;
    value = JSON.parse(json);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null || !('format' in value)) return null;
  const { format } = value;
  if (typeof format !== 'number') return null;
  if (format > SNAPSHOT_FORMAT) throw newerFormat(path, format, SNAPSHOT_FORMAT);
  return value as Sidecar;
}

const encodeSidecar = (content: Sidecar): Buffer => {
  const json = JSON.stringify(content);
  return Buffer.from(`${checksum(json)} ${json}\n`);
};
const checksum = (text: string): string => crc32(text).toString(16).padStart(8, '0');
