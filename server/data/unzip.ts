/**
 * Reads files out of a ZIP archive on disk: where they are, and their bytes as they are unpacked, with an end to how many. No library
 * of ours does that; what is needed of the format is little. Nothing is ever written, so names with paths lead nowhere.
 */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { PassThrough } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { AppError } from '../errors.ts';

/** A file in an archive. */
export interface ZipEntry {
  name: string;
  method: number;
  isEncrypted: boolean;
  crc: number;
  packedBytes: number;
  bytes: number;
  /** Where its own header is in the archive. */
  offset: number;
}

const END_MARK = 0x06054b50;
const END_BYTES = 22;
const END_64_LOCATOR_MARK = 0x07064b50;
const END_64_LOCATOR_BYTES = 20;
const END_64_MARK = 0x06064b50;
const ENTRY_MARK = 0x02014b50;
const ENTRY_BYTES = 46;
const HEADER_MARK = 0x04034b50;
const HEADER_BYTES = 30;
const MAX_COMMENT_BYTES = 0xffff;
const IN_EXTRA_32 = 0xffffffff;
const IN_EXTRA_16 = 0xffff;
/** More than any archive of chats has, with a file for each picture. */
const MAX_LIST_BYTES = 64 * 1024 ** 2;

const DAMAGED = 'The archive is damaged or was cut off; download it again.';

/** What is wrong with an archive, in words. */
export const badArchive = (message: string, cause?: unknown): AppError =>
  new AppError('unsupported_import', message, { cause });

/** The files in an archive. Throws AppError `unsupported_import`. */
export async function listZip(path: string): Promise<ZipEntry[]> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const read = async (position: number, length: number): Promise<Buffer> => {
      if (position < 0 || position + length > size) throw badArchive(DAMAGED);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
      if (bytesRead < length) throw badArchive(DAMAGED);
      return buffer;
    };
    const tailAt = Math.max(0, size - END_BYTES - MAX_COMMENT_BYTES);
    const tail = await read(tailAt, size - tailAt);
    const { listAt, listBytes } = await findList(tail, tailAt, read);
    if (listBytes > MAX_LIST_BYTES)
      throw badArchive('The archive holds too many files. Unpack it and import conversations.json alone.');
    return readList(await read(listAt, listBytes));
  } finally {
    await file.close();
  }
}

type Read = (position: number, length: number) => Promise<Buffer>;

async function findList(
  tail: Buffer,
  tailAt: number,
  read: Read,
): Promise<{ listAt: number; listBytes: number }> {
  for (let at = tail.length - END_BYTES; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== END_MARK) continue;
    const listBytes = tail.readUInt32LE(at + 12);
    const listAt = tail.readUInt32LE(at + 16);
    if (listAt !== IN_EXTRA_32 && listBytes !== IN_EXTRA_32 && tail.readUInt16LE(at + 10) !== IN_EXTRA_16)
      return { listAt, listBytes };
    const locator = await read(tailAt + at - END_64_LOCATOR_BYTES, END_64_LOCATOR_BYTES);
    // So many files need no wider fields by themselves.
    if (locator.readUInt32LE(0) !== END_64_LOCATOR_MARK) return { listAt, listBytes };
    const end = await read(safe(locator.readBigUInt64LE(8)), 56);
    if (end.readUInt32LE(0) !== END_64_MARK) throw badArchive(DAMAGED);
    return { listBytes: safe(end.readBigUInt64LE(40)), listAt: safe(end.readBigUInt64LE(48)) };
  }
  throw badArchive(DAMAGED);
}

function safe(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw badArchive(DAMAGED);
  return Number(value);
}

function readList(list: Buffer): ZipEntry[] {
  const entries: ZipEntry[] = [];
  let at = 0;
  while (at + ENTRY_BYTES <= list.length && list.readUInt32LE(at) === ENTRY_MARK) {
    const nameEnd = at + ENTRY_BYTES + list.readUInt16LE(at + 28);
    const extraEnd = nameEnd + list.readUInt16LE(at + 30);
    const end = extraEnd + list.readUInt16LE(at + 32);
    if (end > list.length) throw badArchive(DAMAGED);
    const wide = wideFields(list.subarray(nameEnd, extraEnd));
    const field = (position: number): number => {
      const value = list.readUInt32LE(at + position);
      return value === IN_EXTRA_32 ? wide() : value;
    };
    // In the order in which the extra field has those that don't fit.
    const bytes = field(24);
    const packedBytes = field(20);
    const offset = field(42);
    entries.push({
      name: list.toString('utf8', at + ENTRY_BYTES, nameEnd),
      isEncrypted: (list.readUInt16LE(at + 8) & 1) === 1,
      method: list.readUInt16LE(at + 10),
      crc: list.readUInt32LE(at + 16),
      packedBytes,
      bytes,
      offset,
    });
    at = end;
  }
  if (at < list.length) throw badArchive(DAMAGED);
  return entries;
}

/** Gives the next of the fields of 64 bits that an extra field holds. */
function wideFields(extra: Buffer): () => number {
  let fields = extra.subarray(0, 0);
  for (let at = 0; at + 4 <= extra.length;) {
    const end = at + 4 + extra.readUInt16LE(at + 2);
    if (extra.readUInt16LE(at) === 1) fields = extra.subarray(at + 4, end);
    at = end;
  }
  return () => {
    if (fields.length < 8) throw badArchive(DAMAGED);
    const value = safe(fields.readBigUInt64LE(0));
    fields = fields.subarray(8);
    return value;
  };
}

/** The bytes of a file, unpacked: never more than the archive says. Throws AppError `unsupported_import`, at the end too when they aren't what was packed. */
export async function* unzip(path: string, entry: ZipEntry): AsyncGenerator<Buffer> {
  if (entry.isEncrypted)
    throw badArchive(
      'The archive is protected by a password. Unpack it and import conversations.json alone.',
    );
  if (entry.method !== 0 && entry.method !== 8)
    throw badArchive(
      'The archive is packed in a way that Parley can’t read. Unpack it and import conversations.json alone.',
    );
  const start = await startOf(path, entry);
  if (entry.packedBytes === 0) return;
  const source = createReadStream(path, { start, end: start + entry.packedBytes - 1 });
  const unpacked = entry.method === 0 ? new PassThrough() : createInflateRaw();
  const done = pipeline(source, unpacked).catch(() => undefined);
  let bytes = 0;
  let crc = 0;
  try {
    for await (const piece of unpacked as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > entry.bytes) throw badArchive(DAMAGED);
      crc = crc32(piece, crc);
      yield piece;
    }
    if (bytes !== entry.bytes || crc !== entry.crc) throw badArchive(DAMAGED);
  } catch (error) {
    throw error instanceof AppError ? error : badArchive(DAMAGED, error);
  } finally {
    source.destroy();
    unpacked.destroy();
    await done;
  }
}

async function startOf(path: string, { offset }: ZipEntry): Promise<number> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, offset);
    if (bytesRead < HEADER_BYTES || buffer.readUInt32LE(0) !== HEADER_MARK) throw badArchive(DAMAGED);
    return offset + HEADER_BYTES + buffer.readUInt16LE(26) + buffer.readUInt16LE(28);
  } finally {
    await file.close();
  }
}
