/** What is asked of a folder before tools may work in it, and each time they do. */
import { lstat, realpath } from 'node:fs/promises';
import { isAbsolute, parse } from 'node:path';
import { invalidField, type AppError } from '../errors.ts';
import { within } from '../within.ts';
import { isInside } from './inside.ts';

/** How long a disk may take to say whether a folder is there. */
const LOOK_TIMEOUT_MS = 3_000;
/** Not files but windows into the system; on Windows there are no such folders. */
const SYSTEM_FOLDERS = ['/proc', '/sys', '/dev'];

/** A path on another computer or of a device, which Windows writes with two slashes. */
const isRemote = (path: string): boolean => process.platform === 'win32' && /^[\\/]{2}/.test(path);

/**
 * The real path of a folder that a person wants to allow. Rejects with AppError `invalid_request` when it is no whole path,
 * not there, no folder, the root of a file system, part of the system's own, or where Parley keeps its data.
 */
export async function readFolderPath(text: string, dataDir: string): Promise<string> {
  if (text.includes('\0') || !text.isWellFormed() || !isAbsolute(text) || isRemote(text)) {
    throw refusal('“path” must be the whole path of a folder on this computer, like “/home/ana/Notes”.');
  }
  const path = await realpath(text).catch((error: unknown) => {
    throw refusal(notReached(text, error));
  });
  if (!(await lstat(path)).isDirectory()) throw refusal(`“${text}” is a file; choose the folder it is in.`);
  if (parse(path).root === path) {
    throw refusal('A whole drive or file system can’t be allowed; choose a folder in it.');
  }
  if (SYSTEM_FOLDERS.some((folder) => process.platform !== 'win32' && isInside(folder, path))) {
    throw refusal(`“${path}” belongs to the system itself; choose a folder with files of your own.`);
  }
  if (isRemote(path))
    throw refusal('Folders on other computers can’t be allowed; choose one on this computer.');
  if (isInside(await realpath(dataDir), path)) {
    throw refusal(
      'Parley keeps your chats and keys there, so tools can’t work in it; choose another folder.',
    );
  }
  return path;
}

/**
 * Whether a folder that was allowed is there and still itself: not gone, no file, no link to somewhere else, on no disk that
 * doesn't answer.
 */
export async function isAvailable(path: string): Promise<boolean> {
  let isThere = false;
  const look = async (): Promise<void> => {
    isThere = (await realpath(path)) === path && (await lstat(path)).isDirectory();
  };
  await within(
    LOOK_TIMEOUT_MS,
    look().catch(() => undefined),
  );
  return isThere;
}

const refusal = (message: string): AppError => invalidField('path', message);

function notReached(path: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'EACCES' || code === 'EPERM')
    return `Parley may not look into “${path}”; check its permissions.`;
  if (code === 'ELOOP') return `“${path}” is a link that leads back to itself.`;
  return `There is no folder at “${path}”; check the path.`;
}
