/**
 * Reads files out of a ZIP archive on disk: their places and their unpacked bytes, up to a limit. Nothing is ever
 * written, so paths in names do no harm.
 */
import { crc32 } from 'node:zlib';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { AppError } from '../errors.ts';

/** A file in an archive. */
export interface ZippedFile {
  name: string;
  /** Its size according to the archive. */
  bytes: number;
  entry: Entry;
}

/** More than any archive of chats has, with a file for each picture. */
const MAX_FILES = 1_000_000;
const STORED = 0;
const DEFLATED = 8;

const DAMAGED = 'The archive is damaged or was cut off; download it again.';

/** An error that says what is wrong with an archive. */
export const badArchive = (message: string, cause?: unknown): AppError =>
  new AppError('unsupported_import', message, { cause });

/** The files in an archive whose names are wanted. Throws AppError `unsupported_import`. */
export async function listZip(path: string, isWanted: (name: string) => boolean): Promise<ZippedFile[]> {
  const zip = await openZip(path);
  try {
    if (zip.entryCount > MAX_FILES)
      throw badArchive('The archive holds too many files. Unpack it and import conversations.json alone.');
    const files: ZippedFile[] = [];
    for await (const entry of zip.eachEntry()) {
      // Some programs on Windows write its own separator.
      const name = entry.fileNameRaw.toString('utf8').replaceAll('\\', '/');
      if (isWanted(name)) files.push({ name, bytes: entry.uncompressedSize, entry });
    }
    return files;
  } catch (error) {
    throw asBadArchive(error);
  } finally {
    zip.close();
  }
}

/**
 * The bytes of a file, unpacked: never more than the archive says. Throws AppError `unsupported_import`, also at the
 * end, if the checksum is wrong.
 */
export async function* unzip(path: string, { entry }: ZippedFile): AsyncGenerator<Buffer> {
  if (entry.isEncrypted())
    throw badArchive(
      'The archive is protected by a password. Unpack it and import conversations.json alone.',
    );
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED)
    throw badArchive(
      'The archive is packed in a way that Parley can’t read. Unpack it and import conversations.json alone.',
    );
  const zip = await openZip(path);
  try {
    let crc = 0;
    for await (const piece of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
      crc = crc32(piece, crc);
      yield piece;
    }
    if (crc !== entry.crc32) throw badArchive(DAMAGED);
  } catch (error) {
    throw asBadArchive(error);
  } finally {
    zip.close();
  }
}

/** Names are only compared, so the library need not refuse those that lead elsewhere. */
const openZip = (path: string): Promise<ZipFile> =>
  openPromise(path, { autoClose: false, decodeStrings: false }).catch((error: unknown) => {
    throw asBadArchive(error);
  });

const asBadArchive = (error: unknown): AppError =>
  error instanceof AppError ? error : badArchive(DAMAGED, error);
