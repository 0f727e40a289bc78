/** The errors of the store, and its sentences for clients and people. */
import { AppError } from '../errors.ts';
import { OUT_OF_FILES, isOutOfFiles } from '../lib/out-of-files.ts';
import { DatabaseLostError } from './database-error.ts';
import { diskErrorCode } from './disk.ts';
import type { LoadedStore } from './replay.ts';

/** Why a store can't be opened. Its message is for a person; the files were left exactly as they were. */
export class StoreOpenError extends Error {
  override name = 'StoreOpenError';
  /** `newer`: written by a later version of Parley. `damaged`: nothing in it can be read, or a log that lies. */
  readonly reason: 'newer' | 'damaged';

  constructor(reason: 'newer' | 'damaged', message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** The refusal of a file or schema that a later version of Parley wrote. */
export const newerFormat = (path: string, found: number, known: number): StoreOpenError =>
  new StoreOpenError(
    'newer',
    `${path} was written by a newer version of Parley (format ${found}, this version knows ${known}). ` +
      'Update Parley to open it; nothing was changed.',
  );

const FULL_CODES = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
/** A code as file systems give it, `ENOSPC`, unlike those of Node's own errors. */
const DISK_CODE = /^E[A-Z0-9]+$/;

/** The error for clients when the disk refused or the database in memory was lost. */
export function refusalFor(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const code = diskErrorCode(error);
  return new AppError(FULL_CODES.has(code) ? 'storage_full' : 'storage_unavailable', wordsFor(error), {
    cause: error,
  });
}

/** Runs `work`. Disk errors in it reject as {@link refusalFor}; all other errors stay as they are. */
export async function orRefusal<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw DISK_CODE.test(diskErrorCode(error)) ? refusalFor(error) : error;
  }
}

function wordsFor(error: unknown): string | undefined {
  if (error instanceof DatabaseLostError)
    return 'Parley had to reload its data from the disk during this request. Nothing saved is lost. Try again in a moment.';
  return isOutOfFiles(error) ? `Nothing was saved. ${OUT_OF_FILES}` : undefined;
}

/** What of a store is lost, as far as its files show; null: nothing. */
export function describeLoss(dir: string, { missing, isPartial, lacks }: LoadedStore): string | null {
  if (isPartial)
    return `No snapshot in ${dir} could be read as a whole. Parley kept what it could read; chats, messages or settings may be missing.`;
  if (lacks !== null)
    return `Something deleted, moved or emptied ${lacks} in ${dir} while Parley was not running. ${LOST_WITH[lacks]}`;
  if (missing === 0) return null;
  const changes = missing === 1 ? 'One change' : `${missing} changes`;
  return (
    `A file in ${dir} was damaged. ${changes} could not be read and may be missing from chats or settings; ` +
    'all others, earlier and later, were kept.'
  );
}

const LOST_WITH = {
  'the newest log': 'What was written last may be missing.',
  'all files':
    'Parley begins a new, empty store there. If the files were moved, stop Parley and move them back.',
};

/** What to do about a loss. `backup`: the newest one's name; null: there is none. */
export const adviseOnBackup = (backup: string | null): string =>
  backup === null
    ? 'There is no backup to restore it from.'
    : `The newest backup is ${backup}: restore it in the settings under Data, or with “parley restore last”. That adds what is missing and changes nothing else.`;

/** The refusal of a store in which nothing can be read, with what to do about it. */
export function withAdvice(error: StoreOpenError, dir: string, backup: string | null): StoreOpenError {
  if (error.reason !== 'damaged') return error;
  const advice = `Move ${dir} somewhere safe and start Parley again: it begins with an empty store.`;
  const message = `${error.message} ${advice} ${adviseOnBackup(backup)}`;
  return new StoreOpenError('damaged', message, { cause: error });
}

/** Why writes are refused until files that were deleted or moved are written again. */
export const FILES_GONE =
  'Files of Parley’s store were deleted or moved while Parley was running. Parley is writing them again from memory. Try again in a moment.';

/** Tells the user that the files had to be written again. */
export const describeRewriting = (dir: string): string =>
  `Files in ${dir} were deleted or moved while Parley was running. Nothing is lost: Parley wrote them again from memory. ` +
  'Keep cleaners and sync programs away from this folder.';
