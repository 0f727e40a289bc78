/**
 * Opens a file that was checked by its path, so that what is read is what was checked: links are not followed, and what
 * was opened is then compared with what the path leads to. Replacing a folder by a link in between gains nothing.
 */
import { constants, type BigIntStats } from 'node:fs';
import { lstat, open, opendir, realpath, type FileHandle } from 'node:fs/promises';
import { openHeld } from '../../lib/held-files.ts';
import { ToolError } from '../tool.ts';
import { changed, explainFileError, notThere } from './file-words.ts';
import { isSameFile, type ResolvedPath } from './resolve-path.ts';

/** Absent on Windows, where opening a link's path is caught by the comparison alone. */
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<typeof constants>;

/** A file that is there, and no folder, pipe, device or socket. */
export function requireFile({ stats, shown }: Pick<ResolvedPath, 'stats' | 'shown'>): BigIntStats {
  if (stats === null) throw new ToolError(notThere(shown));
  if (stats.isDirectory())
    throw new ToolError(`“${shown}” is a folder; use list_files to see what is in it.`);
  if (!stats.isFile()) throw new ToolError(`“${shown}” is not a regular file, so it can’t be used.`);
  return stats;
}

/** Has `work` use the file, open for reading; it is closed afterwards. */
export async function withFile<T>(
  resolved: Pick<ResolvedPath, 'real' | 'shown' | 'stats'>,
  work: (handle: FileHandle, size: number) => Promise<T>,
): Promise<T> {
  requireFile(resolved);
  const { real, shown } = resolved;
  try {
    // Without waiting: a pipe in the file's place would wait for a writer forever.
    const handle = await openHeld(() => open(real, (O_RDONLY ?? 0) | O_NOFOLLOW | O_NONBLOCK));
    try {
      const stats = await handle.stat({ bigint: true });
      await requireSame(real, shown, stats);
      requireFile({ stats, shown });
      return await work(handle, Number(stats.size));
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw explainFileError(error, shown);
  }
}

/** Rejects with ToolError unless the real path still leads, by itself and through no link, to what was opened. */
export async function requireSame(real: string, shown: string, opened: BigIntStats): Promise<void> {
  const [path, stats] = await Promise.all([realpath(real), lstat(real, { bigint: true })]);
  if (path !== real || !isSameFile(stats, opened)) throw new ToolError(changed(shown));
}

/** What stands in a folder. */
export interface FolderItem {
  name: string;
  kind: 'file' | 'folder' | 'link' | 'other';
}

/** What stands in a folder, at most `limit` of it, unsorted. */
export async function readFolder(
  real: string,
  shown: string,
  limit: number,
): Promise<{ entries: FolderItem[]; isCut: boolean }> {
  try {
    const before = await lstat(real, { bigint: true });
    if (!before.isDirectory()) throw new ToolError(changed(shown));
    const entries: FolderItem[] = [];
    let isCut = false;
    for await (const entry of await opendir(real)) {
      isCut = entries.length >= limit;
      if (isCut) break;
      const kind = entry.isFile()
        ? 'file'
        : entry.isDirectory()
          ? 'folder'
          : entry.isSymbolicLink()
            ? 'link'
            : 'other';
      entries.push({ name: entry.name, kind });
    }
    await requireSame(real, shown, before);
    return { entries, isCut };
  } catch (error) {
    throw explainFileError(error, shown);
  }
}
