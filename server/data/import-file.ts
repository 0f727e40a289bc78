import {
  EXPORT_FORMAT,
  EXPORT_VERSION,
  type ExportedChat,
  type ImportResult,
} from '../../shared/api/data.ts';
import { AppError } from '../errors.ts';
import type { Store } from '../store/types.ts';
import { checkChat, type SeenIds } from './check-chat.ts';
import { clearUnfinished, createChatImporter, type ChatImporter } from './import-chats.ts';

/** Chats that one file may hold. */
const MAX_IMPORT_CHATS = 20_000;

/**
 * Brings the chats of an export into a workspace. The whole file is checked before anything is written: AppError
 * `unsupported_import` for what is no export, `invalid_request` for a damaged one, told by chat and message. When the
 * store refuses half-way, the error says how many chats are in.
 */
export async function importFile(
  store: Store,
  newId: () => string,
  file: unknown,
  workspaceId: string,
): Promise<ImportResult> {
  const chats = chatsOf(file);
  const seen: SeenIds = { chats: new Set(), messages: new Set() };
  for (const [index, chat] of chats.entries()) await checkChat(chat, index, seen);
  await clearUnfinished(store);
  const importer = createChatImporter(store, newId);
  return finishImport(importer, chats.length, async () => {
    for (const chat of chats) await importer.add(chat as ExportedChat, workspaceId);
    await importer.end();
  });
}

/** Runs an import of so many chats; what the store refuses it with says how far it came. */
export async function finishImport(
  importer: ChatImporter,
  total: number,
  run: () => Promise<void>,
): Promise<ImportResult> {
  try {
    await run();
    return importer.result;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { imported, copied, skipped } = importer.result;
    const done = imported + copied + skipped;
    throw new AppError(
      error.code,
      `${WHY[error.code] ?? error.message} ${done.toLocaleString('en')} of ${total.toLocaleString('en')} chats are in, ` +
        'each of them whole; what is in is passed over when the same is done again.',
      { cause: error },
    );
  }
}

const WHY: Readonly<Partial<Record<string, string>>> = {
  storage_full: 'The disk is full, or Parley’s store is: make room and try again.',
  storage_unavailable: 'The data could not be written to disk: check the data folder and try again.',
  shutting_down: 'Parley is stopping: try again when it has started anew.',
};

function chatsOf(file: unknown): unknown[] {
  if (typeof file !== 'object' || file === null) throw new AppError('unsupported_import');
  const { format, version, chats } = file as Record<string, unknown>;
  if (format !== EXPORT_FORMAT || !Number.isInteger(version)) throw new AppError('unsupported_import');
  if (version !== EXPORT_VERSION) {
    throw new AppError(
      'unsupported_import',
      `This file was written by another version of Parley (format ${String(version)}, this version reads ${EXPORT_VERSION}); update Parley to import it.`,
    );
  }
  if (!Array.isArray(chats)) {
    throw new AppError(
      'invalid_request',
      'The file is damaged: "chats" must be a list. Nothing was imported.',
      {
        details: [{ path: '/chats', message: '"chats" must be a list.' }],
      },
    );
  }
  if (chats.length > MAX_IMPORT_CHATS) {
    throw new AppError(
      'invalid_request',
      `The file holds more than ${MAX_IMPORT_CHATS.toLocaleString('en')} chats; import it in parts. Nothing was imported.`,
      { details: [{ path: '/chats', message: 'There are too many.' }] },
    );
  }
  return chats as unknown[];
}
