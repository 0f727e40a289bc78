import { type Disk, closeQuietly, writeNew } from './disk.ts';
import { type OpenLog, logPath, temporaryPath } from './folder.ts';
import { HEADER_BYTES, encodeHeader } from './log-format.ts';
import { dirname } from 'node:path';

/** Makes an empty log, whole and durable under its name before this resolves. */
export async function createLog(disk: Disk, dir: string, generation: number): Promise<OpenLog> {
  const path = logPath(dir, generation);
  const header = encodeHeader(generation);
  await writeNew(disk, temporaryPath(path), header);
  await disk.rename(temporaryPath(path), path);
  await disk.syncDir(dirname(path));
  const file = await disk.open(path, 'append');
  return { generation, file, end: HEADER_BYTES, chain: header.readUInt32LE(HEADER_BYTES - 4) };
}

/** Opens a log for appending at `end`; anything after that is cut off, durably, before this resolves. */
export async function openLog(
  disk: Disk,
  dir: string,
  { generation, end, chain }: Pick<OpenLog, 'generation' | 'end' | 'chain'>,
): Promise<OpenLog> {
  const file = await disk.open(logPath(dir, generation), 'append');
  try {
    if ((await file.size()) > end) {
      await file.truncate(end);
      await file.datasync();
    }
  } catch (error) {
    await closeQuietly(file);
    throw error;
  }
  return { generation, file, end, chain };
}
