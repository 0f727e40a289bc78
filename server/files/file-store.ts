/**
 * Files of messages: bytes in a folder, rows in the store. No row is ever without its bytes, so bytes come first and go
 * last: they are on disk before a row names them, and are removed once the row's deletion is on disk. An interruption
 * in between leaves bytes that no row names, which `sweep` removes.
 */
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Storage, StorageNotice } from '../../shared/api/storage.ts';
import { MAX_ATTACHMENT_BYTES } from '../../shared/limits.ts';
import { AppError, found } from '../errors.ts';
import { createSequence } from '../lib/sequence.ts';
import { nodeDisk, streamOf, type Disk } from '../store/disk.ts';
import { countFiles, listBlobs, listUnused, type StoredFile } from '../store/file-repository.ts';
import { listFolder } from '../store/files.ts';
import { orRefusal } from '../store/store-error.ts';
import type { Store, StoreUsage } from '../store/types.ts';
import { createBlobFolder, type BlobDraft } from './blob-folder.ts';
import { fileNameOf } from './file-name.ts';
import { type BlobRef, createFileTexts } from './file-texts.ts';
import type { ReadAt } from './image-size.ts';
import type { FileFacts } from './inspect.ts';

/** A file whose bytes are on disk. */
export type KeptFile = FileFacts & Pick<StoredFile, 'name' | 'sha256' | 'bytes'>;

/** A stored file that isn't removed before it is released. */
export interface HeldFile {
  readonly file: KeptFile;
  /** Releases it: if no row names its bytes by now, they are removed. Never rejects. */
  release(): Promise<void>;
}

/** The bytes of a file as they come. */
export type ByteSource = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

const PIECE_BYTES = 256 * 1024;
const MIB = 1024 * 1024;

/** Keeps the files of a store. AppError `storage_full` or `storage_unavailable` when the disk refuses. */
export type FileStore = ReturnType<typeof createFileStore>;

/** The files of the store in `<dataDir>/store`; on the real disk unless another is given. */
export function createFileStore({
  store,
  dataDir,
  disk = nodeDisk(),
}: {
  store: Store;
  dataDir: string;
  disk?: Disk | undefined;
}) {
  const storeDir = join(dataDir, 'store');
  const folder = createBlobFolder(disk, filesDirOf(dataDir));
  let lost = 0;
  /** How often bytes are held, by their SHA-256. */
  const held = new Map<string, number>();
  /** Storing and removing run one after the other, so that a new file isn't removed because of an older decision. */
  const changes = createSequence();

  function hold(sha256: string): void {
    held.set(sha256, (held.get(sha256) ?? 0) + 1);
  }

  function letGo(sha256: string): void {
    const left = (held.get(sha256) ?? 0) - 1;
    if (left > 0) held.set(sha256, left);
    else held.delete(sha256);
  }

  /**
   * Writes a file to disk; a refused one leaves nothing behind. AppError `body_too_large`, `unsupported_media_type`, or
   * `invalid_request` for an empty file and for an invalid name; and what the source throws.
   */
  const keep = (given: string, pieces: ByteSource): Promise<HeldFile> =>
    orRefusal(async () => {
      const name = fileNameOf(given);
      const draft = await folder.write(bounded(pieces));
      try {
        const facts = await inspect(draft, name);
        hold(draft.sha256);
        const { sha256, bytes } = draft;
        try {
          await changes.run(() => draft.commit());
        } catch (error) {
          await release(sha256);
          throw error;
        }
        return { file: { ...facts, name, sha256, bytes }, release: once(() => release(sha256)) };
      } finally {
        await draft.discard();
      }
    });

  async function release(sha256: string): Promise<void> {
    letGo(sha256);
    // If it can't be removed now, the next sweep does it.
    if (unusedOf([sha256]).length > 0) await removeUnused([sha256]).catch(() => undefined);
  }

  const unusedOf = (sha256s: readonly string[]): string[] =>
    store.read((reader) => listUnused(reader, sha256s)).filter((sha256) => !held.has(sha256));

  /** Removes those of these bytes that no row names, once the deletion of their rows is on disk. */
  async function removeUnused(sha256s: readonly string[]): Promise<void> {
    if (sha256s.length === 0) return;
    await store
      .write(() => undefined)
      .catch((error: unknown) => {
        // After a refusal the store matches the disk; a closing store can't be read any more.
        if (error instanceof AppError && error.code === 'shutting_down') throw error;
      });
    await changes.run(() => folder.remove(unusedOf(sha256s)));
  }

  /** The bytes as a stream, which has to be read to its end or destroyed. AppError `file_lost` when they are no longer there. */
  const read = (blob: BlobRef): Promise<Readable> =>
    orRefusal(async () => {
      const file = found(await folder.open(blob.sha256, blob.bytes), 'file_lost');
      return streamOf(file, blob.bytes);
    });

  return {
    keep,
    /** Whether all the bytes are there. */
    has: (blob: BlobRef): Promise<boolean> =>
      orRefusal(async () => {
        const file = await folder.open(blob.sha256, blob.bytes);
        await file?.close();
        return file !== null;
      }),
    read,
    textOf: createFileTexts(read),
    removeUnused,
    /**
     * Removes all bytes that no row names, and half-written files of a killed process. While a damaged store file is
     * set aside, the bytes stay, since it may name them.
     */
    async sweep(): Promise<void> {
      await folder.removeLeftOvers();
      const all = await folder.list();
      const there = new Set(all);
      lost = store.read(listBlobs).filter(({ sha256 }) => !there.has(sha256) && !held.has(sha256)).length;
      const { setAside } = await listFolder(disk, storeDir);
      if (setAside.length === 0) await removeUnused(unusedOf(all));
    },
    /** The state of the store and its files, the latter as of the last sweep, with more notices. */
    report(usage: StoreUsage, more: readonly StorageNotice[]): Storage {
      const notices = lost === 0 ? more : [{ code: 'files_lost', message: lostWords(lost) }, ...more];
      return { ...usage, files: store.read(countFiles), notices: [...usage.notices, ...notices] };
    },
  };
}

/** The folder of the bytes. */
export const filesDirOf = (dataDir: string): string => join(dataDir, 'files');

/** The notice for this many files whose bytes are gone. */
const lostWords = (count: number): string =>
  `${count === 1 ? 'One file of messages is' : `${count.toLocaleString('en')} files of messages are`} no longer in the data folder: something outside of Parley removed ${count === 1 ? 'it' : 'them'}. Sending or importing ${count === 1 ? 'it' : 'them'} again, or restoring a backup, brings ${count === 1 ? 'it' : 'them'} back.`;

const WORKS =
  'Parley takes pictures (PNG, JPEG, WebP, GIF), PDF, Word documents (DOCX), and text of any kind, code, CSV and JSON included. If this is a text, its encoding can’t be told, or is one that Parley doesn’t know: save it as UTF-8';

const inspect = ({ file, bytes }: BlobDraft, name: string): Promise<FileFacts> =>
  requireFacts((offset, length) => file.read(offset, length), bytes, name);

/**
 * The type and size of a file. AppError `unsupported_media_type` for files that messages can't have, `invalid_request`
 * for an empty one.
 */
export async function requireFacts(readAt: ReadAt, bytes: number, name: string): Promise<FileFacts> {
  if (bytes === 0) throw new AppError('invalid_request', `The file “${name}” is empty.`);
  // With tables of encodings, which a start doesn't need.
  const { inspectFile } = await import('./inspect.ts');
  const facts = await inspectFile(readAt, bytes, name);
  if (facts !== null) return facts;
  throw new AppError(
    'unsupported_media_type',
    `Messages can’t have files like “${name}”; the type comes from its bytes, not its name. ${WORKS}.`,
  );
}

/** The refusal of a file that is too large, however it comes. */
export const fileTooLarge = (): AppError =>
  new AppError('body_too_large', `A file can be at most ${MAX_ATTACHMENT_BYTES / MIB} MiB.`);

async function* bounded(pieces: ByteSource): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > MAX_ATTACHMENT_BYTES) throw fileTooLarge();
    // Hashing 20 MiB at once would block everything else.
    for (let offset = 0; offset < piece.length; offset += PIECE_BYTES)
      yield piece.subarray(offset, offset + PIECE_BYTES);
  }
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}
