import { open, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { openHeld, removeFile, renameFile } from './held-files.ts';
import { syncFolder } from './sync-folder.ts';

/**
 * Writes a file that only its owner may read (mode 0600), whole or not at all: readers see the old text or the new one,
 * also after a power cut once this has resolved. One writer at a time.
 */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.tmp`;
  // A file left by a crash may have another mode, and the mode only applies when a file is created.
  await removeFile(temporary);
  const file = await open(temporary, 'wx', 0o600);
  try {
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await renameFile(temporary, path);
  } catch (error) {
    await removeFile(temporary).catch(() => undefined);
    throw error;
  }
  await syncFolder(dirname(path));
}

/** The text of such a file; null: there is none. */
export const readPrivateFile = (path: string): Promise<string | null> =>
  readOwnFile(path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  });

/** The text of a file in the data folder. Anything else in its place is refused: reading a pipe would never end. */
export async function readOwnFile(path: string): Promise<string> {
  if (!(await stat(path)).isFile()) {
    throw Object.assign(new Error(`${path} is not a file.`), { code: 'EISDIR', syscall: 'read', path });
  }
  return namingPath(
    path,
    openHeld(() => readFile(path, 'utf8')),
  );
}

/** Adds the path to the error of a reading: Node doesn't where the file is open already, as a folder can be. */
export const namingPath = <T>(path: string, reading: Promise<T>): Promise<T> =>
  reading.catch((error: unknown) => {
    throw Object.assign(error as Error, { path });
  });
