/** Makes the files agree with what was loaded from them, so that the log can go on. */
import type { Disk } from './disk.ts';
import { join } from 'node:path';
import { listFolder, logPath, setAside } from './folder.ts';
import { type OpenLog, closeQuietly, createLog, openLog } from './log-file.ts';
import type { LoadedStore } from './recovery.ts';

/**
 * Removes leftovers, sets damaged files aside, cuts torn ends off and opens the log for appending; all of it is durable
 * when this resolves. Can be called again when it threw.
 */
export async function repairFiles(disk: Disk, dir: string, loaded: LoadedStore): Promise<OpenLog> {
  await disk.mkdir(dir);
  const { temporary } = await listFolder(disk, dir);
  for (const name of temporary) await disk.unlink(join(dir, name));
  for (let next = loaded.damaged[0]; next; next = loaded.damaged[0]) {
    await setAside(disk, dir, next.path);
    loaded.damaged.shift();
  }
  for (const generation of loaded.unused) await disk.unlink(logPath(dir, generation));
  for (const { generation, end } of loaded.torn) {
    await closeQuietly((await openLog(disk, dir, generation, end)).file);
  }
  if (loaded.end > 0) {
    const log = await openLog(disk, dir, loaded.generation, loaded.end);
    try {
      await disk.syncDir(dir);
    } catch (error) {
      await closeQuietly(log.file);
      throw error;
    }
    return log;
  }
  const { log, chain } = await createLog(disk, dir, loaded.generation);
  loaded.position.chain = chain;
  loaded.position.statements = new Map();
  return log;
}
