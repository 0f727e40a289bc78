/**
 * Bytes of files, in one folder: `<aa>/<sha256>`, where `aa` are the first two digits of the SHA-256; equal files are
 * kept once. `<id>.tmp` while one is being written. A file has its place only once its bytes are on disk, and it is
 * durable when {@link BlobDraft.commit} has resolved. The name tells whether the bytes are still what was written: a damaged
 * file counts as missing. Which of them are still needed is known to file-store.ts.
 */
import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { closeQuietly, orWhenAbsent, piecesOf, writeFully, type Disk, type DiskFile } from '../store/disk.ts';

/** Bytes that are written but have no place yet. */
export interface BlobDraft {
  readonly sha256: string;
  readonly bytes: number;
  readonly file: DiskFile;
  /** Moves them to their place, durably. */
  commit(): Promise<void>;
  /** Removes them, unless they were given a place. Never rejects. */
  discard(): Promise<void>;
}

/** Whether a file holds what its name says. Rejects when it can't be read. */
async function isIntact(file: DiskFile, sha256: string, bytes: number): Promise<boolean> {
  if ((await file.size()) !== bytes) return false;
  const hash = createHash('sha256');
  for await (const piece of piecesOf(file, bytes)) hash.update(piece);
  return hash.digest('hex') === sha256;
}

const BLOB = /^[0-9a-f]{64}$/;
const TEMPORARY = /^[0-9a-f-]{36}\.tmp$/;

/** The bytes in the folder `dir`, which is created when first needed. Rejects with the disk's errors. */
export function createBlobFolder(disk: Disk, dir: string) {
  const writing = new Set<string>();
  const folderOf = (sha256: string): string => join(dir, sha256.slice(0, 2));
  const pathOf = (sha256: string): string => join(folderOf(sha256), sha256);

  /** Writes and syncs the pieces; a failure, of the source too, leaves nothing behind. */
  async function write(pieces: AsyncIterable<Uint8Array>): Promise<BlobDraft> {
    await disk.mkdir(dir);
    const name = `${randomUUID()}.tmp`;
    const path = join(dir, name);
    writing.add(name);
    const file = await disk.open(path, 'create').catch((error: unknown) => {
      writing.delete(name);
      throw error;
    });
    let closing: Promise<void> | undefined;
    // Close only once: by then the descriptor may belong to another file.
    const close = (): Promise<void> => (closing ??= file.close());
    const discard = async (): Promise<void> => {
      await close().catch(() => undefined);
      if (writing.delete(name)) await disk.unlink(path).catch(() => undefined);
    };
    try {
      const hash = createHash('sha256');
      let bytes = 0;
      for await (const piece of pieces) {
        await writeFully(file, piece, bytes);
        hash.update(piece);
        bytes += piece.length;
      }
      await file.datasync();
      const sha256 = hash.digest('hex');
      const commit = async (): Promise<void> => {
        const same = await open(sha256, bytes);
        if (same !== null) {
          await closeQuietly(same);
          return;
        }
        // Windows can't rename an open file.
        await close();
        await disk.mkdir(folderOf(sha256));
        await disk.rename(path, pathOf(sha256));
        writing.delete(name);
        await disk.syncDir(folderOf(sha256));
      };
      return { sha256, bytes, file, commit, discard };
    } catch (error) {
      await discard();
      throw error;
    }
  }

  /** Opens a file, which is read to its end first; null if it is missing, damaged or can't be read. */
  async function open(sha256: string, bytes: number): Promise<DiskFile | null> {
    const file = await orWhenAbsent(disk.open(pathOf(sha256), 'read'), null);
    if (file === null) return null;
    if (await isIntact(file, sha256, bytes).catch(() => false)) return file;
    await closeQuietly(file);
    return null;
  }

  const namesIn = (path: string): Promise<string[]> => orWhenAbsent(disk.readdir(path), []);

  return {
    write,
    open,
    /** The SHA-256 of every stored file. */
    async list(): Promise<string[]> {
      const found: string[] = [];
      for (const folder of await namesIn(dir)) {
        if (!/^[0-9a-f]{2}$/.test(folder)) continue;
        for (const name of await namesIn(join(dir, folder))) if (BLOB.test(name)) found.push(name);
      }
      return found;
    },
    /** Removes those that are there. */
    async remove(sha256s: readonly string[]): Promise<void> {
      for (const sha256 of sha256s) await disk.unlink(pathOf(sha256));
      for (const folder of new Set(sha256s.map(folderOf)))
        await orWhenAbsent(disk.syncDir(folder), undefined);
    },
    /** Removes files that a killed process left half written. */
    async removeLeftOvers(): Promise<void> {
      for (const name of await namesIn(dir))
        if (TEMPORARY.test(name) && !writing.has(name)) await disk.unlink(join(dir, name));
    },
  };
}
