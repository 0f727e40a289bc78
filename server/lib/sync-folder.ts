import { open } from 'node:fs/promises';

/** Resolves when the folder's entries are on disk: only then does a file that was renamed there survive a power cut. */
export async function syncFolder(path: string): Promise<void> {
  // Windows has no way to sync a folder; its file systems order such changes themselves.
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
