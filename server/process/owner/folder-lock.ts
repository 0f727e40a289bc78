/**
 * The claim to a data folder: SQLite's exclusive lock on `owner.sqlite`, an empty file. The operating system keeps the lock on the file
 * itself, so containers that mount the folder see it too. It ends with the process, even after kill -9, and a paused process keeps
 * it. So a claim is never stale and never has to be taken over.
 *
 * On Linux and macOS a process loses the lock as soon as any part of it opens and closes the file, so nothing else in the service may
 * open it (tools can't reach the data folder).
 */
import {
  accessSync,
  type BigIntStats,
  chmodSync,
  constants,
  lstatSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { attempt } from '../../../shared/attempt.ts';

/** A lock that is held. */
export interface FolderLock {
  /**
   * `exclusive`: nobody else can have it. `unwritable`: the disk is read-only or full, and another reader may have it too.
   * `unsupported`: the file system can't lock files.
   */
  kind: 'exclusive' | 'unwritable' | 'unsupported';
  /** Whether the file was missing or damaged. Something may have deleted or replaced it while its owner still runs. */
  isNew: boolean;
  /** Whether others still see it at the folder's path. */
  isInPlace(): Promise<boolean>;
  release(): void;
}

/** SQLite's codes: another process has the lock; the file can't be made; its content is damaged. */
const SQLITE_BUSY = 5;
const SQLITE_CANTOPEN = 14;
const SQLITE_DAMAGED = [11, 26];

const pathIn = (dataDir: string): string => join(dataDir, 'owner.sqlite');

/** The file at that path; undefined: none. Throws when something else is there. */
function findFile(path: string): BigIntStats | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  if ((found ?? lstatSync(path, { throwIfNoEntry: false }))?.isFile() === false)
    throw new Error(`${path} is not a file, so Parley can't lock its data folder. Move it away.`);
  return found;
}

/** Null: another process has it. Throws when something in the folder keeps it from being locked. */
export function lockFolder(dataDir: string): FolderLock | null {
  const path = pathIn(dataDir);
  for (let isNew = false; ;) {
    const before = findFile(path);
    const lock = tryLock(path);
    if (lock === null) return null;
    const { release, kind } = lock;
    if (kind === 'damaged') {
      // An owner never writes to the file, so this changes nothing if another process has just done the same and locked it.
      truncateSync(path);
      isNew = true;
      continue;
    }
    isNew ||= before === undefined;
    const locked = statSync(path, { bigint: true, throwIfNoEntry: false });
    // If the path leads to the same file as before, that is the file we locked.
    if (isSame(before, locked) || kind !== 'exclusive') {
      return {
        kind,
        isNew,
        release,
        isInPlace: async () => isSame(await stat(path, { bigint: true }).catch(() => undefined), locked),
      };
    }
    release();
  }
}

/** Whether a process has the folder. Changes nothing; throws as {@link lockFolder}. */
export function isLocked(dataDir: string): boolean {
  if (!findFile(pathIn(dataDir))) return false;
  const database = new DatabaseSync(pathIn(dataDir), { readOnly: true });
  try {
    database.exec(LOCK);
    return false;
  } catch (error) {
    return codeOf(error) === SQLITE_BUSY;
  } finally {
    database.close();
  }
}

/** If the file is read-only, this takes a shared lock: other readers can have it too, a writer can't. */
const LOCK = 'BEGIN EXCLUSIVE';

function tryLock(path: string): { release: () => void; kind: FolderLock['kind'] | 'damaged' } | null {
  let database: DatabaseSync | undefined;
  const release = (): void => {
    if (database?.isOpen) database.close();
  };
  try {
    database = new DatabaseSync(path);
    // A journal in a file would have to be written before the lock is held, which a full disk refuses.
    database.exec('PRAGMA journal_mode = MEMORY');
    database.exec(LOCK);
  } catch (error) {
    const code = codeOf(error) ?? 0;
    release();
    if (code === SQLITE_BUSY) return null;
    if (SQLITE_DAMAGED.includes(code)) return { release, kind: 'damaged' };
    return { release, kind: code === SQLITE_CANTOPEN ? 'unwritable' : 'unsupported' };
  }
  if (attempt(() => accessSync(path, constants.W_OK)) === null) return { release, kind: 'unwritable' };
  // Where that can't be done, it is as private as its folder.
  attempt(() => chmodSync(path, 0o600));
  return { release, kind: 'exclusive' };
}

/** SQLite's primary code, which is the low byte of what it gives; null: the error isn't SQLite's. */
const codeOf = (error: unknown): number | null =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : null;

/** Inode numbers are reused quickly. */
const isSame = (one: BigIntStats | undefined, other: BigIntStats | undefined): boolean =>
  one?.dev === other?.dev && one?.ino === other?.ino && one?.birthtimeNs === other?.birthtimeNs;
