/**
 * Writing a file whole or not at all: into a temporary file in the same folder, onto the disk, then in the old one's place
 * in one step. A crash before that leaves the old file as it was, and at worst the temporary one beside it.
 */
import { randomBytes } from 'node:crypto';
import { constants, type BigIntStats } from 'node:fs';
import { access, lstat, mkdir, open, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { removeFile, renameFile } from '../../lib/held-files.ts';
import { syncFolder } from '../../lib/sync-folder.ts';
import { ToolError } from '../tool.ts';
import { changed, codeOf, explainFileError } from './file-words.ts';
import { isSameFile, type ResolvedPath } from './resolve-path.ts';
import { requireSame } from './safe-open.ts';

const { O_WRONLY, O_CREAT, O_EXCL } = constants;
/** Absent on Windows. */
const { O_NOFOLLOW = 0 } = constants as Partial<typeof constants>;

/** Read, write and execute for owner, group and others; nothing that lends rights to who runs a file. */
const PLAIN_MODE = 0o777n;
const ANY_WRITE = 0o222n;
const NEW_MODE = 0o666;

/**
 * Has the file hold these bytes. The mode of one that is replaced is kept. Rejects with ToolError in words; the file is then
 * what it was before.
 */
export async function replaceFile(resolved: ResolvedPath, bytes: Uint8Array): Promise<void> {
  const { real, shown, stats } = resolved;
  try {
    const folder = dirname(real);
    if (stats !== null) await requireWritable(resolved, stats);
    await makeFolders(resolved.folder.path, folder, shown);
    const temporary = join(folder, `.parley-${randomBytes(9).toString('hex')}.tmp`);
    const mode = stats === null ? NEW_MODE : Number(stats.mode & PLAIN_MODE);
    const file = await open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
    try {
      try {
        // Before anything is written: the folder may have become a link to elsewhere.
        await requireSame(temporary, shown, await file.stat({ bigint: true }));
        // The system's umask applies to a new file, but not to a mode that is kept.
        if (stats !== null) await file.chmod(mode);
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await requireUnchanged(resolved);
      await renameFile(temporary, real);
    } catch (error) {
      await removeFile(temporary).catch(() => undefined);
      throw error;
    }
    // Where the system can: the file is there by now.
    await syncFolder(folder).catch(() => undefined);
  } catch (error) {
    throw explainFileError(error, shown);
  }
}

/**
 * Renaming over a file only needs permission for the folder, but a file that its owner made read-only must stay as it
 * is.
 */
async function requireWritable({ real, shown }: ResolvedPath, { mode }: BigIntStats): Promise<void> {
  if ((mode & ANY_WRITE) === 0n) throw new ToolError(`“${shown}” is read-only, so it was not changed.`);
  await access(real, constants.W_OK);
}

/** Makes the folders that are missing, one by one, and none through a link. */
async function makeFolders(allowed: string, folder: string, shown: string): Promise<void> {
  if (folder.length < allowed.length) throw new ToolError(changed(shown));
  try {
    if ((await realpath(folder)) !== folder) throw new ToolError(changed(shown));
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || folder === allowed) throw error;
    await makeFolders(allowed, dirname(folder), shown);
    await mkdir(folder).catch((problem: unknown) => {
      if (codeOf(problem) !== 'EEXIST') throw problem;
    });
    if ((await realpath(folder)) !== folder) throw new ToolError(changed(shown));
  }
}

/** Checks that the file is still the one that was checked: nobody created, replaced or wrote it meanwhile. */
async function requireUnchanged({ real, shown, stats }: ResolvedPath): Promise<void> {
  const now = await lstat(real, { bigint: true }).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  });
  const isSame =
    now === null || stats === null
      ? now === stats
      : isSameFile(now, stats) && now.size === stats.size && now.mtimeNs === stats.mtimeNs;
  if (!isSame) throw new ToolError(changed(shown));
}
