import { type Disk, writeNew } from './disk.ts';
import { probePath } from './folder.ts';

/** Enough that a disk with only a few bytes left doesn't count as having room. */
const PROBE_BYTES = 64 * 1024;

/** Really writes and syncs something; throws what the disk throws. */
export async function probe(disk: Disk, dir: string): Promise<void> {
  const path = probePath(dir);
  try {
    await writeNew(disk, path, Buffer.alloc(PROBE_BYTES));
  } finally {
    await disk.unlink(path).catch(() => undefined);
  }
}
