/**
 * Finds the real file or folder that a model's path means, and whether tools may touch it. Every link on the way is followed
 * first and the real path judged, so that no link leads out of the allowed folders; a path that is not there yet is judged
 * by the deepest part of it that is. Parley's own data is refused wherever it lies, under whatever name.
 *
 * A file may change between this check and its use, so code that opens one checks what it has opened (safe-open.ts).
 */
import type { BigIntStats } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { AllowedFolder } from '../../../shared/api/folder.ts';
import { ToolError } from '../tool.ts';
import { codeOf, explainFileError, NO_FOLDER } from './file-words.ts';
import { isInside, pathNames } from './path-text.ts';

/** Where a model's path leads. */
export interface ResolvedPath {
  folder: AllowedFolder;
  /** Absolute, and without links as far as it is there. */
  real: string;
  /** As models and people see it: `<folder name>/sub/file`. */
  shown: string;
  /** What is there; null: nothing. Never a link. */
  stats: BigIntStats | null;
}

/** Says where paths lead. */
export type PathResolver = ReturnType<typeof createPathResolver>;

/** Dependencies of {@link createPathResolver}. */
export interface PathResolverDeps {
  folders: () => Promise<AllowedFolder[]>;
  /** Parley's own. */
  dataDir: string;
}

/** Makes the resolver of the allowed folders. */
export function createPathResolver({ folders, dataDir }: PathResolverDeps) {
  /** Whether a folder found during a walk is Parley's own data. */
  const isOwnData = async (stats: BigIntStats): Promise<boolean> => {
    const own = await lstat(await realpath(dataDir), { bigint: true });
    return isSameFile(stats, own);
  };

  /** By its path, and by each folder above it, since a file system may know one folder by several names. */
  async function requireNotOwnData(resolved: ResolvedPath): Promise<void> {
    let isOwn = isInside(await realpath(dataDir), resolved.real);
    for (let path = resolved.real; !isOwn && isInside(resolved.folder.path, path); path = dirname(path)) {
      const stats = await lstat(path, { bigint: true }).catch(() => null);
      isOwn = stats !== null && (await isOwnData(stats));
    }
    if (isOwn) throw new ToolError('Parley keeps its own data there, which tools may not read or change.');
  }

  return {
    /** The folders that are allowed. */
    folders,
    isOwnData,
    /** Rejects with ToolError for whatever tools may not touch. */
    async find(path: string): Promise<ResolvedPath> {
      const names = pathNames(path);
      const all = await folders();
      const absolute = isAbsolute(path) ? resolve(path) : pathIn(all, names, path);
      // Not even accessed: access to a disk that went away never returns.
      const gone = all.find((folder) => !folder.available && isInside(folder.path, absolute));
      if (gone !== undefined) throw notThereAnyMore(gone);
      let found: RealPath;
      try {
        found = await realOf(absolute);
      } catch (error) {
        const within = all.some((folder) => isInside(folder.path, absolute));
        throw within ? explainFileError(error, path) : notAllowed(path, all);
      }
      const folder = all.find((one) => one.available && isInside(one.path, found.path));
      if (folder === undefined) throw notAllowed(path, all);
      const inner = relative(folder.path, found.path).split(sep).join('/');
      const shown = inner === '' ? folder.name : `${folder.name}/${inner}`;
      const resolved = { folder, real: found.path, shown, stats: found.stats };
      await requireNotOwnData(resolved);
      if (found.isDangling) throw new ToolError(`“${shown}” is a broken link.`);
      return resolved;
    },
  };
}

/** Whether both are one and the same file. */
export const isSameFile = (one: BigIntStats, other: BigIntStats): boolean =>
  one.ino === other.ino && one.dev === other.dev;

/** The absolute path that begins with an allowed folder's name. */
function pathIn(all: readonly AllowedFolder[], names: readonly string[], path: string): string {
  const [first = '', ...rest] = names;
  const folder =
    all.find(({ name }) => name === first) ??
    all.find(({ name }) => name.toLowerCase() === first.toLowerCase());
  if (folder === undefined) throw notAllowed(path, all);
  if (!folder.available) throw notThereAnyMore(folder);
  return join(folder.path, ...rest);
}

const notThereAnyMore = ({ name, path }: AllowedFolder): ToolError =>
  new ToolError(
    `The folder “${name}” (${path}) was allowed, but it isn’t there any more, or its disk doesn’t answer.`,
  );

/** The error for every path outside, whether or not it exists. */
function notAllowed(path: string, all: readonly AllowedFolder[]): ToolError {
  const names = all.filter(({ available }) => available).map(({ name }) => `“${name}”`);
  if (names.length === 0) return new ToolError(NO_FOLDER);
  const list = `${names.length === 1 ? 'The allowed folder is' : 'The allowed folders are'} ${names.join(', ')}`;
  return new ToolError(
    `“${path}” is not in a folder that tools may use. ${list}; begin the path with its name.`,
  );
}

interface RealPath {
  path: string;
  stats: BigIntStats | null;
  /** It is a link to something that isn't there. */
  isDangling: boolean;
}

/** The path with all links followed, as far as it is there; the rest is kept as it stands. */
async function realOf(absolute: string): Promise<RealPath> {
  try {
    const path = await realpath(absolute);
    return { path, stats: await lstat(path, { bigint: true }), isDangling: false };
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    const parent = dirname(absolute);
    if (parent === absolute) throw error;
    const isLink = await lstat(absolute).then(
      (stats) => stats.isSymbolicLink(),
      () => false,
    );
    const above = await realOf(parent);
    const path = join(above.path, absolute.slice(parent.length).replace(/^[\\/]/, ''));
    return { path, stats: null, isDangling: isLink || above.isDangling };
  }
}
