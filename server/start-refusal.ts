import { AppError } from './errors.ts';
import { diskErrorCode } from './store/disk.ts';
import { refusalFor } from './store/refusal.ts';

const UNWRITABLE = new Set(['EROFS', 'EACCES', 'EPERM']);

/** What kept a start from writing what it can't do without, in words for a person; any other error as it is. */
export function explainStart(error: unknown, dataDir: string): unknown {
  const cause = error instanceof AppError ? error.cause : error;
  const refusal = refusalFor(error);
  const mustWrite = 'Parley has to write there before it can start for the first time, or after an update.';
  if (refusal.code === 'storage_full') {
    return new Error(`The disk with ${dataDir} is full. ${mustWrite} Free some space and start again.`, {
      cause,
    });
  }
  const code = diskErrorCode(cause);
  // Ports can be refused by the same codes.
  if (!UNWRITABLE.has(code) || !(cause instanceof Error && 'path' in cause)) return error;
  return new Error(`${dataDir} can't be written (${code}). ${mustWrite}`, { cause });
}
