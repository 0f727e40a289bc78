/**
 * The store's only way to the file system: a small port, so that tests can make a disk fail in every way a disk can.
 * Every call is asynchronous; the event loop never waits for the disk.
 */
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { openHeld, removeFile, renameFile } from '../lib/held-files.ts';
import { namingPath } from '../lib/private-file.ts';
import { syncFolder } from '../lib/sync-folder.ts';
import { FILE_PIECE_BYTES } from './memory-file.ts';

/** An open file. */
export interface DiskFile {
  /** Reads up to `length` bytes at `position`; shorter only at the end of the file. */
  read(position: number, length: number): Promise<Buffer>;
  /** Writes at `position`; resolves with how many bytes were taken, which may be fewer than given. */
  write(data: Uint8Array, position: number): Promise<number>;
  /** Resolves when the file's data, and what is needed to read it back, is on disk. */
  datasync(): Promise<void>;
  truncate(length: number): Promise<void>;
  size(): Promise<number>;
  /** Whether this very file is at that path; false also when nothing is. */
  isAt(path: string): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * How a file is opened: `create` makes a new, empty one; the others need it to exist. `append` is for a log: where the
 * platform can, a write there resolves once it is on disk, which saves a second call for each batch of records.
 */
type OpenMode = 'read' | 'append' | 'create';

/** A file system. Errors are Node's, with their `code` (`ENOSPC`, `EROFS`, …). */
export interface Disk {
  open(path: string, mode: OpenMode): Promise<DiskFile>;
  /** Renames a file, replacing any file at the target. */
  rename(from: string, to: string): Promise<void>;
  /** Names in a folder; throws ENOENT when there is none. */
  readdir(path: string): Promise<string[]>;
  /** Removes a file; nothing happens when there is none. */
  unlink(path: string): Promise<void>;
  /** Makes a folder and those above it, private to the user; nothing happens when it exists. */
  mkdir(path: string): Promise<void>;
  /** Free space at a path, in bytes; `Infinity` if unknown. */
  freeBytes(path: string): Promise<number>;
  /** Resolves when the folder's entries are on disk. */
  syncDir(path: string): Promise<void>;
}

/** Node refuses to read 2 GiB or more with one call. */
const MAX_READ_BYTES = 256 * 1024 * 1024;
const FILE_MODE = 0o600;
const DIR_MODE = 0o700;
/** Linux syncs such a write just as fdatasync would; macOS keeps it in the drive's cache, Windows doesn't have it. */
const CAN_WRITE_DURABLY = process.platform === 'linux';
const FLAGS: Record<OpenMode, string | number> = {
  // Opening a pipe would wait for a writer; as a file it is empty. Windows has neither.
  read: fs.constants.O_RDONLY | fs.constants.O_NONBLOCK,
  append: CAN_WRITE_DURABLY ? fs.constants.O_RDWR | fs.constants.O_DSYNC : 'r+',
  create: 'w+',
};

type Done<T> = (error: NodeJS.ErrnoException | null, value?: T) => void;

/** Callbacks on a plain descriptor: the write path runs thousands of times a second, and FileHandle costs more. */
const call = <T>(start: (done: Done<T>) => void): Promise<T> =>
  new Promise((resolve, reject) => {
    start((error, value) => {
      if (error) reject(error);
      else resolve(value as T);
    });
  });

function nodeFile(fd: number, path: string, writesDurably: boolean): DiskFile {
  /** Something was written that needs a sync to be durable. */
  let isUnsynced = !writesDurably;
  return {
    async read(position, length) {
      const buffer = Buffer.allocUnsafe(length);
      for (let filled = 0; ;) {
        const most = Math.min(length - filled, MAX_READ_BYTES);
        const reading = call<number>((done) => fs.read(fd, buffer, filled, most, position + filled, done));
        const count = await namingPath(path, reading);
        filled += count;
        if (count === 0 || filled === length) return buffer.subarray(0, filled);
      }
    },
    write: (data, position) => call((done) => fs.write(fd, data, 0, data.length, position, done)),
    async datasync() {
      if (!isUnsynced) return;
      await call((done) => fs.fdatasync(fd, done));
      isUnsynced = !writesDurably;
    },
    truncate(length) {
      isUnsynced = true;
      return call((done) => fs.ftruncate(fd, length, done));
    },
    size: async () => (await call<fs.Stats>((done) => fs.fstat(fd, done))).size,
    async isAt(path) {
      const statsOf = call<fs.BigIntStats>((done) => fs.stat(path, { bigint: true }, done));
      const found = await orWhenAbsent(statsOf, null);
      if (found === null) return false;
      const own = await call<fs.BigIntStats>((done) => fs.fstat(fd, { bigint: true }, done));
      return found.dev === own.dev && found.ino === own.ino;
    },
    close: () => call((done) => fs.close(fd, done)),
  };
}

/**
 * The real file system, with patience for files and folders that other programs hold for a moment. Files are made with mode 0600, folders
 * with 0700.
 */
export function nodeDisk(): Disk {
  return {
    async open(path, mode) {
      const fd = await openHeld(() => call<number>((done) => fs.open(path, FLAGS[mode], FILE_MODE, done)));
      return nodeFile(fd, path, mode === 'append' && CAN_WRITE_DURABLY);
    },
    rename: renameFile,
    readdir: (path) => openHeld(() => fsp.readdir(path)),
    unlink: removeFile,
    async mkdir(path) {
      const first = await fsp.mkdir(path, { recursive: true, mode: DIR_MODE });
      if (first !== undefined) await syncFolder(dirname(first));
    },
    freeBytes: (path) =>
      fsp.statfs(path).then(
        ({ bavail, bsize }) => bavail * bsize,
        () => Infinity,
      ),
    syncDir: syncFolder,
  };
}

/** Writes all of `data` at `position`, even if the disk takes it in small parts. */
export async function writeFully(file: DiskFile, data: Uint8Array, position: number): Promise<void> {
  let done = 0;
  while (done < data.length) {
    const count = await file.write(done === 0 ? data : data.subarray(done), position + done);
    if (count <= 0) throw Object.assign(new Error('The disk took no bytes.'), { code: 'EIO' });
    done += count;
  }
}

/**
 * Creates a file of these parts, durably, and resolves with its checksum; its name isn't durable yet, see
 * {@link Disk.syncDir}.
 */
export async function writeNew(
  disk: Disk,
  path: string,
  parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): Promise<number> {
  const file = await disk.open(path, 'create');
  try {
    let crc = 0;
    let end = 0;
    for await (const part of parts) {
      signal?.throwIfAborted();
      await writeFully(file, part, end);
      crc = crc32(part, crc);
      end += part.length;
    }
    await file.datasync();
    return crc;
  } finally {
    await closeQuietly(file);
  }
}

/** Closes a file whose content no longer matters or is already safe; ignores errors. */
export async function closeQuietly(file: DiskFile): Promise<void> {
  await file.close().catch(() => undefined);
}

/** The whole content of a file, or its first `limit` bytes. */
export async function readFully(disk: Disk, path: string, limit = Infinity): Promise<Buffer> {
  const file = await disk.open(path, 'read');
  try {
    return await file.read(0, Math.min(await file.size(), limit));
  } finally {
    await file.close();
  }
}

/** An open file, or its first `bytes`, in pieces of 256 KiB. */
export async function* piecesOf(file: DiskFile, bytes = Infinity): AsyncGenerator<Buffer> {
  for (let offset = 0; ;) {
    const piece = await file.read(offset, Math.min(FILE_PIECE_BYTES, bytes - offset));
    if (piece.length === 0) return;
    offset += piece.length;
    yield piece;
  }
}

/** The same as a stream; the file is closed at its end. */
export const streamOf = (file: DiskFile, bytes: number): Readable =>
  Readable.from(piecesOf(file, bytes), { objectMode: false }).once('close', () => void closeQuietly(file));

/** The `code` of a file system error, or an empty string. */
export function diskErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

const NOTHING_THERE = new Set(['ENOENT', 'ENOTDIR']);

/** What was read; `otherwise` when there is no such file or folder. */
export const orWhenAbsent = <T, O>(reading: Promise<T>, otherwise: O): Promise<T | O> =>
  reading.catch((error: unknown) => {
    if (NOTHING_THERE.has(diskErrorCode(error))) return otherwise;
    throw error;
  });
