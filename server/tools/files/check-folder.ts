/** Checks a folder before tools may work in it, and each time they do. */
import { lstat, realpath } from 'node:fs/promises';
import { isAbsolute, parse } from 'node:path';
import PQueue from 'p-queue';
import { invalidField, type AppError } from '../../errors.ts';
import { withTimeout } from '../../lib/with-timeout.ts';
import { isInside } from './path-text.ts';

/** How long a disk may take to say whether a folder is there. */
const CHECK_TIMEOUT_MS = 3_000;
/**
 * A look at a folder on a disk that went away never returns, and blocks a thread of the process. So there is only one
 * look per folder at a time, and never more than a few in total.
 */
const MAX_CHECKS = 8;
const inspecting = new PQueue({ concurrency: MAX_CHECKS });
const inspections = new Map<string, Promise<Inspected>>();
/** Not real files but views of the system; Windows has no such folders. */
const SYSTEM_FOLDERS = ['/proc', '/sys', '/dev'];

/** A path on another computer or of a device, which Windows writes with two slashes. */
const isRemote = (path: string): boolean => process.platform === 'win32' && /^[\\/]{2}/.test(path);

/**
 * The real path of a folder that a person wants to allow. Rejects with AppError `invalid_request` when it is no whole path,
 * not there, no folder, the root of a file system, part of the system's own, or where Parley keeps its data.
 */
export async function readFolderPath(text: string, dataDir: string): Promise<string> {
  if (text.includes('\0') || !text.isWellFormed() || !isAbsolute(text) || isRemote(text)) {
    const example = process.platform === 'win32' ? 'C:\\Users\\Ana\\Notes' : '/home/ana/Notes';
    throw refusal(`“path” must be the whole path of a folder on this computer, like “${example}”.`);
  }
  const inspected = await inspectInTime(text);
  if (inspected === null) throw refusal(`The disk with “${text}” doesn’t answer; try again when it does.`);
  if ('error' in inspected) throw refusal(notReached(text, inspected.error));
  const { path, isFolder } = inspected;
  if (!isFolder) throw refusal(`“${text}” is a file; choose the folder it is in.`);
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
  const inspected = await inspectInTime(path);
  return inspected !== null && 'path' in inspected && inspected.path === path && inspected.isFolder;
}

/** Where a path really leads, and whether a folder is there; or why that can't be told. */
type Inspected = { path: string; isFolder: boolean } | { error: unknown };

/** Null: the disk doesn't answer in time. */
export async function inspectInTime(path: string, look = inspect): Promise<Inspected | null> {
  let pending = inspections.get(path);
  if (pending === undefined) {
    pending = inspecting.add(() => look(path)).catch((error: unknown) => ({ error }));
    inspections.set(path, pending);
    void pending.then(() => inspections.delete(path));
  }
  let inspected: Inspected | null = null;
  await withTimeout(
    CHECK_TIMEOUT_MS,
    pending.then((found) => (inspected = found)),
  );
  return inspected;
}

async function inspect(path: string): Promise<Inspected> {
  const real = await realpath(path);
  return { path: real, isFolder: (await lstat(real)).isDirectory() };
}

const refusal = (message: string): AppError => invalidField('path', message);

function notReached(path: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'EACCES' || code === 'EPERM')
    return `Parley may not look into “${path}”; check its permissions.`;
  if (code === 'ELOOP') return `“${path}” is a link that leads back to itself.`;
  return `There is no folder at “${path}”; check the path.`;
}
