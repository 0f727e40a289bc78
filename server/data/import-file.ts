import type { ImportResult } from '../../shared/api/data.ts';
import { AppError, ERRORS } from '../errors.ts';
import type { Store } from '../store/types.ts';
import type { FilePart } from './file-parts.ts';
import { openFile, type FileReader } from './file-reader.ts';
import { clearUnfinished, createChatImporter, type Imported } from './import-chats.ts';

/** The body of an import, in the order of its bytes. */
export type ImportBody = AsyncIterable<Uint8Array>;

/**
 * Brings the chats of an export into the workspace that `workspaceFor` gives, which is told what the file says of it. What can't be
 * taken as it stands is put right or left out, and told. AppError `unsupported_import` or `invalid_json` for what is no export:
 * nothing is written then.
 */
export async function importFile(
  store: Store,
  newId: () => string,
  body: ImportBody,
  workspaceFor: (named: unknown) => string,
): Promise<ImportResult> {
  return withFile(openFile({ kind: 'import' }), async (file) => {
    for await (const piece of body) await file.call('take', piece);
    await file.call('into', workspaceFor(await file.call('open')));
    return importParts(store, newId, file, async () => undefined);
  });
}

/** Parts of a file other than chats. */
export type OtherPart = Extract<FilePart, { agents: unknown } | { workspace: unknown }>;

/**
 * Stores what the file's reader gives, and what isn't chats by `storeOther`. What the store refuses half-way says how far it came.
 */
export async function importParts(
  store: Store,
  newId: () => string,
  file: FileReader,
  storeOther: (part: OtherPart) => Promise<void>,
): Promise<ImportResult> {
  await clearUnfinished(store);
  const importer = createChatImporter(store, newId);
  try {
    for (;;) {
      const part = await file.call('next');
      if ('end' in part) return { ...importer.result, ...part.end };
      if ('chats' in part) await importer.add(part.chats);
      else if ('longChat' in part) await importer.addLong(file, part.longChat.id);
      else await storeOther(part);
    }
  } catch (error) {
    throw error instanceof AppError ? withProgress(error, importer.result) : error;
  }
}

/** Works with a file, and lets go of its thread. */
export async function withFile<T>(file: FileReader, work: (file: FileReader) => Promise<T>): Promise<T> {
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

function withProgress(error: AppError, { imported, copied, skipped }: Imported): AppError {
  const done = imported + copied + skipped;
  if (done === 0) return error;
  // The sentences of the table say that nothing was accepted, which isn't true any more; others say what really was the matter.
  const why =
    error.message === ERRORS[error.code].message ? (WHY[error.code] ?? error.message) : error.message;
  return new AppError(
    error.code,
    `${why} Chats that are in: ${done.toLocaleString('en')}, each of them whole; they are passed over when the same is done again.`,
    { cause: error },
  );
}

const WHY: Readonly<Partial<Record<string, string>>> = {
  storage_full: 'The disk is full: make room and try again.',
  storage_unavailable: 'The data could not be written to disk: check the data folder and try again.',
  shutting_down: 'Parley is stopping: try again when it has restarted.',
};
