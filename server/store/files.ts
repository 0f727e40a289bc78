/** A store's folder: the names of its files, which are there, and which are removed or set aside. The layout is described in store.ts. */
import { basename, dirname, join } from 'node:path';
import { type Disk, orWhenAbsent, readFully, writeNew } from './disk.ts';
import type { OpenLog } from './log-writer.ts';

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
  await writeNew(disk, temporaryPath(path), [content]);
  await disk.rename(temporaryPath(path), path);
  await disk.syncDir(dirname(path));
}

/** Whether all files that a start would need are there: the newest snapshot (`base`), the logs since, and the open log at its path. */
export async function areFilesThere(disk: Disk, dir: string, base: number, open: OpenLog): Promise<boolean> {
  const { snapshots, logs } = await orWhenAbsent(listFolder(disk, dir), NO_FILES);
  if (base !== FIRST_GENERATION && !snapshots.includes(base)) return false;
  for (let generation = base; generation < open.generation; generation += 1)
    if (!logs.includes(generation)) return false;
  return open.file.isAt(logPath(dir, open.generation));
}

/** Removes everything before a generation, oldest first, so that a crash leaves no gap in what is kept. */
export async function removeGenerations(disk: Disk, dir: string, before: number): Promise<void> {
  const { snapshots, logs } = await listFolder(disk, dir);
  const old = [...new Set([...snapshots, ...logs])].filter((generation) => generation < before);
  for (const generation of old.sort((a, b) => a - b)) {
    await disk.unlink(snapshotPath(dir, generation));
    await disk.unlink(sidecarPath(dir, generation));
    await disk.unlink(logPath(dir, generation));
  }
  await disk.syncDir(dir);
}

/** Gives a file that can't be used another name, which says that it is damaged. It may be gone. */
export async function setAside(disk: Disk, dir: string, path: string): Promise<void> {
  await orWhenAbsent(disk.rename(path, join(dir, freeName(await disk.readdir(dir), path))), undefined);
}

/**
 * Copies a damaged log to another name and returns that name. The log itself stays: it is read again if the new
 * snapshot gets damaged. A copy made by an earlier start is not made twice.
 */
export async function copyAside(disk: Disk, dir: string, path: string, content: Buffer): Promise<string> {
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
