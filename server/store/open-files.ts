/** Makes the files agree with memory, so that the log can continue. */
import { basename, join } from 'node:path';
import type { SnapshotTask } from './compaction.ts';
import { type Disk, closeQuietly, readFully } from './disk.ts';
import { type OpenLog, freeName, listFolder, setAside, snapshotPath, writeDurably } from './folder.ts';
import { type NewLog, createLog, openLog } from './log-file.ts';
import type { LoadedStore } from './replay.ts';

/**
 * Removes leftovers, sets damaged files aside, cuts a torn end off and opens the log for appending; all of it is durable
 * when this resolves. If memory differs from the files, it is written as a whole and a new log is started. Can be
 * called again after it threw. `kept`: the names of the files in which damaged logs are kept.
 */
export async function openFiles(
  disk: Disk,
  dir: string,
  loaded: LoadedStore,
  makeSnapshot: (task: SnapshotTask) => Promise<number>,
): Promise<{ log: OpenLog; kept: string[] }> {
  await disk.mkdir(dir);
  const { temporary } = await listFolder(disk, dir);
  for (const name of temporary) await disk.unlink(join(dir, name));
  // A damaged snapshot that memory was loaded from is the only copy until memory is written.
  await setAsideBut(snapshotPath(dir, loaded.base));
  const kept: string[] = [];
  for (const [path, content] of loaded.damagedLogs) kept.push(await copyAside(disk, dir, path, content));
  const log = await open();
  await setAsideBut(null);
  return { log, kept };

  async function setAsideBut(kept: string | null): Promise<void> {
    for (const path of loaded.damaged) {
      if (path === kept) continue;
      await setAside(disk, dir, path);
      loaded.damaged.delete(path);
    }
  }

  async function open(): Promise<OpenLog> {
    if (loaded.isAhead) return writeWhole();
    if (loaded.end === 0) return begin(loaded, await createLog(disk, dir, loaded.generation));
    return openLog(disk, dir, loaded);
  }

  /** Writes memory as a new snapshot, with a new log. All other files stay but no longer count. */
  async function writeWhole(): Promise<OpenLog> {
    const { database, base, position } = loaded;
    const { snapshots, logs } = await listFolder(disk, dir);
    const generation = Math.max(loaded.generation, ...snapshots, ...logs) + 1;
    const log = await createLog(disk, dir, generation);
    const image = database.freeze();
    try {
      const task = { generation, sequence: position.sequence, base, image };
      loaded.snapshotBytes = await makeSnapshot(task);
    } catch (error) {
      await closeQuietly(log.file);
      throw error;
    } finally {
      database.release(image);
    }
    Object.assign(loaded, { generation, base: generation, loggedBytes: 0, isAhead: false });
    return begin(loaded, log);
  }
}

function begin(loaded: LoadedStore, log: NewLog): OpenLog {
  loaded.end = log.end;
  loaded.position.chain = log.chain;
  loaded.position.uses = new Map();
  return log;
}

/**
 * Copies a damaged log to another name and returns that name. The log itself stays: it is read again if the new
 * snapshot gets damaged. A copy made by an earlier start is not made twice.
 */
async function copyAside(disk: Disk, dir: string, path: string, content: Buffer): Promise<string> {
  const names = await disk.readdir(dir);
  for (const name of names.filter((each) => each.startsWith(`${basename(path)}.damaged-`)))
    if (content.equals(await readFully(disk, join(dir, name)))) return name;
  const name = freeName(names, `${basename(path)}.damaged`);
  await writeDurably(disk, join(dir, name), content);
  return name;
}
