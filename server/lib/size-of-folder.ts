import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Size of a folder's files in bytes, without subfolders; 0 if there is no such folder. */
export async function sizeOfFolder(dir: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(dir).catch(() => [])) {
    // A file may be removed between the two calls.
    bytes += await stat(join(dir, name)).then(
      ({ size }) => size,
      () => 0,
    );
  }
  return bytes;
}
