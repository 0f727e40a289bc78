import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ResolvedPath, PathResolver } from './resolve-path.ts';
import { readFolder, type FolderItem } from './safe-open.ts';

/** How far a walk goes. */
interface WalkBounds {
  /** Levels of folders. */
  depth: number;
  /** Most entries of one folder. */
  entries: number;
  /** Names of folders that aren't entered. */
  skipped?: ReadonlySet<string>;
  signal: AbortSignal;
}

/** What a walk has left out so far. */
export interface Omissions {
  /** A folder had too many entries. */
  isCut: boolean;
  /** Some folders were too deep. */
  hasDeeper: boolean;
  /** Why folders could not be read. */
  failures: unknown[];
}

/** Something on the way, with the paths of a {@link ResolvedPath}. */
export interface Met extends Pick<ResolvedPath, 'real' | 'shown'> {
  kind: FolderItem['kind'];
}

const BY_NAME = (one: FolderItem, other: FolderItem): number =>
  Number(other.kind === 'folder') - Number(one.kind === 'folder') ||
  one.name.localeCompare(other.name, 'en', { numeric: true });

/**
 * Walks through folders level by level; a root that is a file is met itself. Enters each folder once, follows no links, and
 * passes over Parley's own data. What it leaves out is noted in `omitted`.
 */
export async function* walk(
  resolver: Pick<PathResolver, 'isOwnData'>,
  roots: readonly ResolvedPath[],
  { depth, entries, skipped, signal }: WalkBounds,
  omitted: Omissions,
): AsyncGenerator<Met> {
  const folders: (Pick<ResolvedPath, 'real' | 'shown'> & { level: number })[] = [];
  for (const { real, shown, stats } of roots) {
    if (stats?.isDirectory()) folders.push({ real, shown, level: 1 });
    else yield { real, shown, kind: 'file' };
  }
  const entered = new Set<string>();
  // Folders are added on the way.
  for (const folder of folders) {
    signal.throwIfAborted();
    // Roots may lie in one another.
    if (entered.has(folder.real)) continue;
    entered.add(folder.real);
    const listed = await readFolder(folder.real, folder.shown, entries).catch((error: unknown) => {
      omitted.failures.push(error);
      return { entries: [], isCut: false };
    });
    omitted.isCut ||= listed.isCut;
    for (const { name, kind } of listed.entries.sort(BY_NAME)) {
      const met = { real: join(folder.real, name), shown: `${folder.shown}/${name}`, kind };
      if (kind === 'folder' && !(await mayEnter(resolver, met.real))) continue;
      yield met;
      if (kind !== 'folder' || skipped?.has(name)) continue;
      if (folder.level < depth) folders.push({ ...met, level: folder.level + 1 });
      else omitted.hasDeeper = true;
    }
  }
}

async function mayEnter(resolver: Pick<PathResolver, 'isOwnData'>, folder: string): Promise<boolean> {
  const stats = await lstat(folder, { bigint: true }).catch(() => null);
  return stats !== null && !(await resolver.isOwnData(stats));
}
