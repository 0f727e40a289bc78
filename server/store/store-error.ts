/** The errors of the store, and its sentences for clients and people. */
import { AppError } from '../errors.ts';
import { OUT_OF_FILES, isOutOfFiles } from '../lib/out-of-files.ts';
import { diskErrorCode } from './disk.ts';
import type { LoadedStore } from './load.ts';

/** SQLite refused a statement; the database is as it was before it. */
export class SqlError extends Error {
  override name = 'SqlError';
}

/** The database in memory can't be trusted any more (a trap, no memory, a damaged file); it has to be loaded from disk again. */
export class DatabaseLostError extends Error {
  override name = 'DatabaseLostError';
}

/** Messages of SQLite errors after which the database in memory can't be trusted. */
const LOST =
  /^(out of memory|database disk image is malformed|disk I\/O error|database or disk is full|file is not a database|malformed database schema)/;

/** SQLite's own refusals are plain Errors. A RuntimeError, RangeError or TypeError came from inside the instance. */
export const isSqliteRefusal = (error: unknown): error is Error =>
  error instanceof Error && Object.getPrototypeOf(error) === Error.prototype;

/** What sql.js threw, as one of the two errors above. */
export function translateError(error: unknown): SqlError | DatabaseLostError {
  if (error instanceof SqlError || error instanceof DatabaseLostError) return error;
  if (typeof error === 'string') return new SqlError(error);
  if (isSqliteRefusal(error) && !LOST.test(error.message))
    return new SqlError(error.message, { cause: error });
  return new DatabaseLostError('The database in memory was lost.', { cause: error });
}

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
