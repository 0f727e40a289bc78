import { type Disk, writeFully } from './disk.ts';
import { probePath } from './folder.ts';
import { closeQuietly } from './log-file.ts';

/** Enough that a disk with only a few bytes left doesn't pass for one that has room. */
const PROBE_BYTES = 64 * 1024;

/** Really writes and syncs something; throws what the disk throws. */
export async function probe(disk: Disk, dir: string): Promise<void> {
  const path = probePath(dir);
  try {
    const file = await disk.open(path, 'create');
    try {
      await writeFully(file, Buffer.alloc(PROBE_BYTES), 0);
      await file.datasync();
    } finally {
      await closeQuietly(file);
    }
  } finally {
    await disk.unlink(path).catch(() => undefined);
  }
}
