import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** What the files of a folder take, in bytes, without those of folders in it; 0 where there is no such folder. */
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
