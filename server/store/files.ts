/** The files of a store: their names, which are there, and how they are made to agree with memory. The layout is described in store.ts. */
import { basename, dirname, join } from 'node:path';
import type { SnapshotTask } from './compaction.ts';
import { type Disk, type DiskFile, closeQuietly, orWhenAbsent, readFully, writeNew } from './disk.ts';
import { HEADER_BYTES, encodeHeader } from './log-format.ts';
import type { LoadedStore } from './replay.ts';

/** The content of a store's folder; generations in ascending order. */
export interface FolderListing {
  snapshots: number[];
  logs: number[];
  /** Left by a crash in the middle of writing a file; never of use. */
  temporary: string[];
  /** Damaged files kept for a person to look at. */
  setAside: string[];
}

/** A folder that isn't there. */
export const NO_FILES: Readonly<FolderListing> = { snapshots: [], logs: [], temporary: [], setAside: [] };

/** The first log begins empty and needs no snapshot. */
export const FIRST_GENERATION = 1;

const SNAPSHOT = /^snapshot-([1-9]\d{0,14})\.sqlite$/;
const LOG = /^log-([1-9]\d{0,14})$/;
const TEMPORARY = /^(?:snapshot|log|probe)[-.\w]*\.tmp$/;
const SET_ASIDE = /^(?:snapshot|log)-[-.\w]*\.damaged-\d+$/;

export const snapshotPath = (dir: string, generation: number): string =>
  join(dir, `snapshot-${generation}.sqlite`);
export const sidecarPath = (dir: string, generation: number): string =>
  join(dir, `snapshot-${generation}.check`);
export const logPath = (dir: string, generation: number): string => join(dir, `log-${generation}`);
export const temporaryPath = (path: string): string => `${path}.tmp`;
export const probePath = (dir: string): string => join(dir, 'probe.tmp');

/** Lists a store's folder; other files are left out. */
export async function listFolder(disk: Disk, dir: string): Promise<FolderListing> {
  const names = await disk.readdir(dir);
  const generations = (pattern: RegExp): number[] =>
    names
      .flatMap((name) => pattern.exec(name)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => a - b);
  return {
    snapshots: generations(SNAPSHOT),
    logs: generations(LOG),
    temporary: names.filter((name) => TEMPORARY.test(name)),
    setAside: names.filter((name) => SET_ASIDE.test(name)),
  };
}

/** Writes a file; whole and durable under its name when this resolves. */
export async function writeDurably(disk: Disk, path: string, content: Buffer): Promise<void> {
  await writeNew(disk, temporaryPath(path), content);
  await disk.rename(temporaryPath(path), path);
  await disk.syncDir(dirname(path));
}

/** A log that is open for appending. */
export interface OpenLog {
  generation: number;
  file: DiskFile;
  /** Where the durable part ends; the next byte goes here. */
  end: number;
}

/** Whether all files that a start would need are there: the newest snapshot (`base`), the logs since, and the open log at its path. */
export async function areFilesThere(disk: Disk, dir: string, base: number, open: OpenLog): Promise<boolean> {
  const { snapshots, logs } = await orWhenAbsent(listFolder(disk, dir), NO_FILES);
  if (base !== FIRST_GENERATION && !snapshots.includes(base)) return false;
  for (let generation = base; generation < open.generation; generation += 1)
    if (!logs.includes(generation)) return false;
  return open.file.isAt(logPath(dir, open.generation));
}

/** An empty log, with what its first record builds on: the crc of its header. */
export type NewLog = OpenLog & { chain: number };

/** Makes an empty log, whole and durable under its name before this resolves. */
export async function createLog(disk: Disk, dir: string, generation: number): Promise<NewLog> {
  const path = logPath(dir, generation);
  const header = encodeHeader(generation);
  await writeDurably(disk, path, header);
  const file = await disk.open(path, 'append');
  return { generation, file, end: HEADER_BYTES, chain: header.readUInt32LE(HEADER_BYTES - 4) };
}

/** Opens a log for appending at `end`. Before this resolves, anything after that is cut off, and what else changed in the folder is durable. */
async function openLog(
  disk: Disk,
  dir: string,
  { generation, end }: Pick<OpenLog, 'generation' | 'end'>,
): Promise<OpenLog> {
  const file = await disk.open(logPath(dir, generation), 'append');
  try {
    if ((await file.size()) > end) {
      await file.truncate(end);
      await file.datasync();
    }
    await disk.syncDir(dir);
  } catch (error) {
    await closeQuietly(file);
    throw error;
  }
  return { generation, file, end };
}

/**
 * Makes the files agree with memory, so that the log can continue: removes leftovers, sets damaged files aside, cuts a torn end off and
 * opens the log for appending; all of it is durable when this resolves. If memory differs from the files, it is written as a
 * whole and a new log is started. Can be called again after it threw. `kept`: the names of the files in which damaged logs are kept.
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
  let log: OpenLog;
  if (loaded.isAhead) log = await writeWhole(disk, dir, loaded, makeSnapshot);
  else if (loaded.end === 0) log = begin(loaded, await createLog(disk, dir, loaded.generation));
  else log = await openLog(disk, dir, loaded);
  await setAsideBut(null);
  return { log, kept };

  async function setAsideBut(path: string | null): Promise<void> {
    for (const damaged of loaded.damaged) {
      if (damaged === path) continue;
      const name = freeName(await disk.readdir(dir), damaged);
      await disk.rename(damaged, join(dir, name));
      loaded.damaged.delete(damaged);
    }
  }
}

/** Writes memory as a new snapshot, with a new log. All other files stay but no longer count. */
async function writeWhole(
  disk: Disk,
  dir: string,
  loaded: LoadedStore,
  makeSnapshot: (task: SnapshotTask) => Promise<number>,
): Promise<OpenLog> {
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
  const name = freeName(names, path);
  await writeDurably(disk, join(dir, name), content);
  return name;
}

/** The first name for a damaged file that is not among some. */
function freeName(names: readonly string[], path: string): string {
  let number = 1;
  while (names.includes(`${basename(path)}.damaged-${number}`)) number += 1;
  return `${basename(path)}.damaged-${number}`;
}
