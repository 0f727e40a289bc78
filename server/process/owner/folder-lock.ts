/**
 * A claim to a data folder: an exclusive lock of SQLite's on `owner.sqlite`, an empty file in it. The system holds the lock on the file
 * itself, so containers that have the folder mounted see it, too; it ends with the process, however that ends, and a process that
 * is paused keeps it. So no claim is ever stale, and none is taken over.
 *
 * On Linux and macOS such a lock is lost as soon as its process closes the file, whoever in it opened it: nothing else in the
 * service may open this one (tools are kept out of the data folder).
 */
import { accessSync, type BigIntStats, chmodSync, constants, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A lock that is held. */
export interface FolderLock {
  /**
   * `exclusive`: nobody else can have it. `unwritable`: on a disk that is read-only or full, another that only reads may have it, too.
   * `unsupported`: the file system can't lock files.
   */
  kind: 'exclusive' | 'unwritable' | 'unsupported';
  /** Whether the file was missing: it may have been removed from under its owner. */
  isNew: boolean;
  /** Whether others still see it at the folder's path. */
  isInPlace(): Promise<boolean>;
  release(): void;
}

/** SQLite's codes: another process has the lock; the file can't be made. */
const SQLITE_BUSY = 5;
const SQLITE_CANTOPEN = 14;

const pathIn = (dataDir: string): string => join(dataDir, 'owner.sqlite');

/** Null: another process has it. */
export function lockFolder(dataDir: string): FolderLock | null {
  const path = pathIn(dataDir);
  for (let isNew = false; ;) {
    const before = statSync(path, { bigint: true, throwIfNoEntry: false });
    const lock = tryLock(path);
    if (lock === null) return null;
    const { release, kind } = lock;
    isNew ||= before === undefined;
    const locked = statSync(path, { bigint: true, throwIfNoEntry: false });
    // What was locked is the file that is there, if that is the same as before.
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

/** Whether a process has the folder. Changes nothing. */
export function isLocked(dataDir: string): boolean {
  if (!statSync(pathIn(dataDir), { throwIfNoEntry: false })) return false;
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

/** Where the file can only be read, this takes a lock that others may have beside it, though none that may write. */
const LOCK = 'BEGIN EXCLUSIVE';

function tryLock(path: string): Pick<FolderLock, 'release' | 'kind'> | null {
  let database: DatabaseSync | undefined;
  const release = (): void => {
    if (database?.isOpen) database.close();
  };
  try {
    database = new DatabaseSync(path);
    database.exec(LOCK);
  } catch (error) {
    const code = codeOf(error);
    release();
    if (code === SQLITE_BUSY) return null;
    return { release, kind: code === SQLITE_CANTOPEN ? 'unwritable' : 'unsupported' };
  }
  try {
    accessSync(path, constants.W_OK);
  } catch {
    return { release, kind: 'unwritable' };
  }
  try {
    chmodSync(path, 0o600);
  } catch {
    // Where that can't be done, it is as private as its folder.
  }
  return { release, kind: 'exclusive' };
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'errcode' in error ? error.errcode : undefined;

/** An inode's number alone may be used again at once. */
const isSame = (one: BigIntStats | undefined, other: BigIntStats | undefined): boolean =>
  one?.dev === other?.dev && one?.ino === other?.ino && one?.birthtimeNs === other?.birthtimeNs;
