import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '../errors.ts';
import { diskErrorCode } from '../store/disk.ts';
import { refusalFor } from '../store/store-error.ts';

const UNWRITABLE = new Set(['EROFS', 'EACCES', 'EPERM', 'ENOENT']);
const IN_THE_WAY = new Set(['EEXIST', 'ENOTDIR']);

/** Puts into words why a start could not write what it has to; any other error is returned unchanged. */
export function explainStart(error: unknown, dataDir: string): unknown {
  const cause = error instanceof AppError ? error.cause : error;
  const words = wordsFor(error, cause, dataDir);
  return words === null ? error : new Error(words, { cause });
}

function wordsFor(error: unknown, cause: unknown, dataDir: string): string | null {
  const mustWrite = 'Parley has to write there before it can start for the first time, or after an update.';
  if (refusalFor(error).code === 'storage_full')
    return `The disk with ${dataDir} is full. ${mustWrite} Free some space and start again.`;
  // Ports can be refused by the same codes.
  if (!(cause instanceof Error && 'path' in cause && typeof cause.path === 'string')) return null;
  const { path } = cause;
  const code = diskErrorCode(cause);
  const syscall = 'syscall' in cause ? cause.syscall : '';
  const isMaking = syscall === 'mkdir';
  if (code === 'EBUSY') return `${path} is open in another program. Close it there, and start Parley again.`;
  if ((isMaking || syscall === 'scandir' || syscall === 'stat') && IN_THE_WAY.has(code))
    return `${path} can't be made: a file is in its way (${code}). Move it away, or choose another folder.`;
  if (code === 'EISDIR' || code === 'ESPIPE')
    return `${path} is not a file, but Parley needs that name for one. Move it away, and start Parley again.`;
  if (code === 'ELOOP')
    return `${path} is a link that only leads back to itself. Remove it, and start Parley again.`;
  if (!UNWRITABLE.has(code) || (code === 'ENOENT' && !isMaking)) return null;
  const why = code === 'ENOENT' ? (refusalOfParent(path) ?? code) : code;
  return `${dataDir} can't be written (${why}). ${mustWrite} Make it writable, or choose another folder.`;
}

/** Why nothing can be created next to that path: Node's recursive mkdir reports every refusal as ENOENT. */
function refusalOfParent(path: string): string | null {
  try {
    accessSync(dirname(path), constants.W_OK);
    return null;
  } catch (error) {
    return diskErrorCode(error);
  }
}
