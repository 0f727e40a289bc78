/** Names the files of a store, and lists which are there. The layout is described in store.ts. */
import { basename, dirname, join } from 'node:path';
import { type Disk, type DiskFile, writeNew } from './disk.ts';

/** The content of a store's folder; generations in ascending order. */
export interface FolderListing {
  snapshots: number[];
  logs: number[];
  /** Left by a crash in the middle of writing a file; never of use. */
  temporary: string[];
  /** Damaged files kept for a person to look at. */
  setAside: string[];
}

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
  const needed = base === FIRST_GENERATION ? [] : [disk.exists(snapshotPath(dir, base))];
  for (let generation = base; generation < open.generation; generation += 1)
    needed.push(disk.exists(logPath(dir, generation)));
  const found = await Promise.all([open.file.isAt(logPath(dir, open.generation)), ...needed]);
  return found.every(Boolean);
}

/** Renames a damaged file so that it is kept but never read again. */
export async function setAside(disk: Disk, dir: string, path: string): Promise<void> {
  const name = freeName(await disk.readdir(dir), `${basename(path)}.damaged`);
  await disk.rename(path, join(dir, name));
}

/** The first of `<start>-1`, `<start>-2`, … that is not among some names. */
export function freeName(names: readonly string[], start: string): string {
  let number = 1;
  while (names.includes(`${start}-${number}`)) number += 1;
  return `${start}-${number}`;
}
