import { open } from 'node:fs/promises';
import type { ImportPreview, ImportResult } from '../../shared/api/data.ts';
import { ERROR_SENTENCES } from '../../shared/errors.ts';
import { DEFAULT_AGENT_TYPE } from '../../shared/limits.ts';
import { modelOfNewChats } from '../connections/known-models.ts';
import { AppError } from '../errors.ts';
import { openHeld, removeFile } from '../lib/held-files.ts';
import { addProjects } from '../store/project-repository.ts';
import { addSchedules } from '../store/schedule-repository.ts';
import type { FileEnd, FilePart } from './file-parts.ts';
import { openFile, type FileReader } from './file-reader.ts';
import {
  clearUnfinished,
  createChatImporter,
  type ChatImporter,
  type Imported,
  type PartDeps,
  type Target,
} from './import-chats.ts';

/** The body of an import, in the order of its bytes. */
export type ImportBody = AsyncIterable<Uint8Array>;

/** Dependencies of an import. */
export interface ImportDeps extends PartDeps {
  /** Where to put the file, which may be too large for memory; removed at the end. */
  spoolPath: string;
  /** Returns the workspace for the chats, given what the file says. */
  workspaceFor: (named: unknown) => string;
  /** Called from time to time with how many chats are done. */
  onProgress?: (chats: number) => void;
  /** Runs the work once nothing else is under way; at once unless given. The file has arrived by then. */
  turn?: <T>(work: () => Promise<T>) => Promise<T>;
  /** Ends the reading with its reason, an AppError, when nobody waits for the result any more. */
  signal?: AbortSignal;
}

/**
 * Brings in the chats of an export, of Parley or another app. What can't be imported as it is gets repaired or left
 * out, and reported. AppError `unsupported_import` or `invalid_json` if it isn't an export: nothing is written then.
 */
export async function importFile(deps: ImportDeps, body: ImportBody): Promise<ImportResult> {
  return withImport(deps, body, (file, target) =>
    importParts(deps, file, target, async (part) => {
      if (!('projects' in part)) return;
      await deps.store.write((writer) => {
        addProjects(writer, target.workspaceId, part.projects);
        addSchedules(writer, target.workspaceId, part.schedules);
      });
    }),
  );
}

/** Reports what {@link importFile} would do, with the same errors. */
export async function previewFile(deps: ImportDeps, body: ImportBody): Promise<ImportPreview> {
  return withImport(deps, body, async (file, target) => {
    const importer = createChatImporter(deps, target, true);
    const { end, summary } = await takeParts(importer, file, async () => undefined);
    const { imported, copied, skipped } = importer.result;
    return { ...summary, imported, copied, skipped, ...end };
  });
}

async function withImport<T>(
  { store, spoolPath, workspaceFor, turn = (read) => read(), signal }: ImportDeps,
  body: ImportBody,
  work: (file: FileReader, target: Target) => Promise<T>,
): Promise<T> {
  try {
    await receive(body, spoolPath);
    signal?.throwIfAborted();
    return await turn(() =>
      withFileReader(openFile({ kind: 'import', path: spoolPath }), async (file) => {
        signal?.addEventListener('abort', () => void file.close());
        const workspaceId = workspaceFor(await file.call('open'));
        const model = store.read((reader) => modelOfNewChats(reader, workspaceId, DEFAULT_AGENT_TYPE));
        return work(file, { workspaceId, model });
      }),
    );
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    await removeFile(spoolPath);
  }
}

/** Writes the body to the disk. */
export async function receive(body: ImportBody, path: string): Promise<void> {
  const file = await openHeld(() => open(path, 'w', 0o600));
  try {
    await file.writeFile(body);
    if ((await file.stat()).size === 0) throw new AppError('unsupported_import', 'The file is empty.');
  } finally {
    await file.close();
  }
}

/** Parts of a file other than chats. */
type OtherPart = Extract<FilePart, { agents: unknown } | { workspace: unknown } | { projects: unknown }>;

/**
 * Stores the parts from the file's reader; `storeOther` stores those that aren't chats, and gets what was imported before. If the store refuses half-way,
 * the error says how far the import got.
 */
export async function importParts(
  deps: PartDeps & Pick<ImportDeps, 'onProgress'>,
  file: FileReader,
  target: Target,
  storeOther: (part: OtherPart, done: Imported) => Promise<void>,
): Promise<ImportResult> {
  await clearUnfinished(deps.store);
  const importer = createChatImporter(deps, target);
  try {
    const { end } = await takeParts(importer, file, storeOther, deps.onProgress);
    return { ...importer.result, ...end };
  } catch (error) {
    // If this fails too, the next import or start does it.
    await clearUnfinished(deps.store).catch(() => undefined);
    throw error instanceof AppError ? withProgress(error, importer.result) : error;
  } finally {
    await importer.end();
  }
}

async function takeParts(
  importer: ChatImporter,
  file: FileReader,
  storeOther: (part: OtherPart, done: Imported) => Promise<void>,
  onProgress?: (chats: number) => void,
): Promise<FileEnd> {
  for (;;) {
    const part = await file.call('next');
    if ('end' in part) return part;
    if ('pieces' in part) await importer.add(part.pieces);
    else if ('file' in part) await importer.addFile(part.file);
    else await storeOther(part, importer.result);
    onProgress?.(doneOf(importer.result));
  }
}

/** Works with a file, and ends its thread. */
export async function withFileReader<T>(
  file: FileReader,
  work: (file: FileReader) => Promise<T>,
): Promise<T> {
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

const doneOf = ({ imported, copied, skipped }: Imported): number => imported + copied + skipped;

function withProgress(error: AppError, result: Imported): AppError {
  const done = doneOf(result);
  if (done === 0) return error;
  // These codes' own messages say that nothing was accepted, which isn't true here; other errors keep their message.
  const why =
    error.message === ERROR_SENTENCES[error.code] ? (WHY[error.code] ?? error.message) : error.message;
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
