/** The errors for clients and people when the store can't be written. */
import { AppError } from '../errors.ts';
import { OUT_OF_FILES, isOutOfFiles } from '../lib/out-of-files.ts';
import { DatabaseLostError } from './database.ts';
import { diskErrorCode } from './disk.ts';
import { FilesGoneError } from './log-writer.ts';

const FULL_CODES = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

const LOST_WORDS =
  'Parley had to reload its data from the disk during this request. Nothing saved is lost. Try again in a moment.';
const GONE_WORDS =
  'Files of Parley’s store were deleted or moved while Parley was running, so nothing was saved. Parley is writing them again from memory. Try again in a moment.';
/** The error for clients when the disk refused, files are gone, or the in-memory database was lost. */
export function refusalFor(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const code = diskErrorCode(error);
  return new AppError(FULL_CODES.has(code) ? 'storage_full' : 'storage_unavailable', wordsFor(error), {
    cause: error,
  });
}

/** A code as file systems give it, `ENOSPC`, unlike those of Node's own errors. */
const DISK_CODE = /^E[A-Z0-9]+$/;

/** Runs `work`. Disk errors in it reject as {@link refusalFor}; all other errors stay as they are. */
export async function orRefusal<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw DISK_CODE.test(diskErrorCode(error)) ? refusalFor(error) : error;
  }
}

function wordsFor(error: unknown): string | undefined {
  if (error instanceof DatabaseLostError) return LOST_WORDS;
  if (error instanceof FilesGoneError) return GONE_WORDS;
  return isOutOfFiles(error) ? `Nothing was saved. ${OUT_OF_FILES}` : undefined;
}

/** Tells the user that the store was damaged. */
export function describeDamage(dir: string, kept: readonly string[], missing: number): string {
  const files = kept.length === 0 ? '' : ` As it was, it is kept as ${kept.join(', ')}.`;
  if (missing === 0) return `A file in ${dir} was damaged, and nothing was lost.${files}`;
  const changes = missing === 1 ? 'One change' : `${missing} changes`;
  return (
    `A file in ${dir} was damaged. ${changes} could not be read and may be missing from chats or settings; ` +
    `all others, earlier and later, were kept.${files}`
  );
}

/** Tells the user that the files had to be written again. */
export const describeLoss = (dir: string): string =>
  `Files in ${dir} were deleted or moved while Parley was running. Nothing is lost: Parley wrote them again from memory. ` +
  'Keep cleaners and sync programs away from this folder.';
