/** Makes the files agree with memory, so that the log can continue. */
import { basename, join } from 'node:path';
import { type Disk, closeQuietly, readFully, writeNew } from './disk.ts';
import { freeName, listFolder, logPath, setAside, temporaryPath } from './folder.ts';
import type { OpenLog } from './folder.ts';
import { createLog, openLog } from './log-file.ts';
import type { LoadedStore } from './replay.ts';
import type { DamagedLog } from './replay.ts';
import { writeSnapshot } from './snapshot.ts';

/** What {@link repairFiles} did. */
export interface Repaired {
  log: OpenLog;
  /** Names of the files in which damaged logs are kept. */
  kept: string[];
}

/**
 * Removes leftovers, sets damaged files aside, cuts a torn end off and opens the log for appending; all of it is durable
 * when this resolves. If memory differs from the files, it is written as a whole and a new log is started. Can be
 * called again after it threw.
 */
export async function repairFiles(disk: Disk, dir: string, loaded: LoadedStore): Promise<Repaired> {
  await disk.mkdir(dir);
  const { temporary } = await listFolder(disk, dir);
  for (const name of temporary) await disk.unlink(join(dir, name));
  for (let next = loaded.damaged[0]; next; next = loaded.damaged[0]) {
    await setAside(disk, dir, next.path);
    loaded.damaged.shift();
  }
  for (const generation of loaded.unused) await disk.unlink(logPath(dir, generation));
  const kept: string[] = [];
  for (const damaged of loaded.damagedLogs) kept.push(await copyAside(disk, dir, damaged));
  if (loaded.isAhead) return { log: await writeWhole(disk, dir, loaded), kept };
  if (loaded.end === 0) return { log: await beginLog(disk, dir, loaded), kept };
  const { generation, end, position } = loaded;
  const log = await openLog(disk, dir, { generation, end, chain: position.chain });
  try {
    await disk.syncDir(dir);
    return { log, kept };
  } catch (error) {
    await closeQuietly(log.file);
    throw error;
  }
}

/** Writes memory as a new snapshot with a new log. All other files stay but no longer count. */
async function writeWhole(disk: Disk, dir: string, loaded: LoadedStore): Promise<OpenLog> {
  const { snapshots, logs } = await listFolder(disk, dir);
  const generation = Math.max(0, loaded.generation, ...snapshots, ...logs) + 1;
  const image = loaded.database.exportFile();
  const { sequence } = loaded.position;
  await writeSnapshot(disk, dir, { generation, sequence, image });
  loaded.generation = generation;
  loaded.base = generation;
  loaded.snapshotBytes = image.length;
  loaded.loggedBytes = 0;
  return beginLog(disk, dir, loaded);
}

async function beginLog(disk: Disk, dir: string, loaded: LoadedStore): Promise<OpenLog> {
  const log = await createLog(disk, dir, loaded.generation);
  loaded.end = log.end;
  loaded.position.chain = log.chain;
  loaded.position.uses = new Map();
  return log;
}

/**
 * Copies a damaged log to another name and returns that name. The log itself stays: it is read again if the new
 * snapshot gets damaged. A copy made by an earlier start is not made twice.
 */
async function copyAside(disk: Disk, dir: string, { path, content }: DamagedLog): Promise<string> {
  const names = await disk.readdir(dir);
  for (const name of names.filter((each) => each.startsWith(`${basename(path)}.damaged-`)))
    if (content.equals(await readFully(disk, join(dir, name)))) return name;
  const name = freeName(names, `${basename(path)}.damaged`);
  const temporary = temporaryPath(join(dir, name));
  await writeNew(disk, temporary, content);
  await disk.rename(temporary, join(dir, name));
  await disk.syncDir(dir);
  return name;
}
