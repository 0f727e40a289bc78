import type { CreatedBackup } from '../../shared/api/data.ts';
import { AppError } from '../errors.ts';
import type { BackupFolder } from './backup-folder.ts';
import { backupLines } from './backup-lines.ts';
import type { LineSource } from './chat-lines.ts';
import { openFile, type FileMethods } from './file-reader.ts';
import { withFileReader } from './import-file.ts';

const unreadable = (cause?: unknown): AppError =>
  new AppError(
    'storage_unavailable',
    'The backup could not be read back from the disk, so it was not kept. Check the disk and try again.',
    { cause },
  );

/**
 * Makes a backup and reads it back as a restore would before giving it its name. AppError `storage_unavailable` when
 * part of it can't be read; reports what a restore would have to repair.
 */
export async function makeBackup(
  source: LineSource,
  folder: BackupFolder,
  time: Date,
  scheduled: boolean,
): Promise<CreatedBackup> {
  const written = { chats: 0, messages: 0 };
  let found: Omit<CreatedBackup, 'backup'> = { mended: 0, leftOut: 0, problems: [] };
  const check = async (path: string): Promise<void> => {
    const read = await readBack(path);
    const { chats, messages } = read.summary;
    const isWhole = chats >= written.chats && messages + read.end.leftOut >= written.messages;
    if (read.isDamaged || !isWhole) throw unreadable();
    found = read.end;
  };
  const lines = backupLines(source, time.toISOString(), written);
  const backup = await folder.write(lines, time, check, scheduled);
  return { backup, ...found };
}

async function readBack(path: string): Promise<Awaited<ReturnType<FileMethods['count']>>> {
  try {
    return await withFileReader(openFile({ kind: 'backup', path }), (file) => file.call('count'));
  } catch (error) {
    throw error instanceof AppError ? unreadable(error) : error;
  }
}
