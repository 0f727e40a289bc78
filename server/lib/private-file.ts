import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { removeFile, renameFile } from './held-files.ts';
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
