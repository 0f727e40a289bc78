/**
 * One process owns a data folder (folder-lock.ts) and writes its address to connection.json. If something deletes the lock file, the
 * owner restores it within two seconds; until then a second Parley finds the owner by its address, as it does where files can't be locked.
 *
 * This can't work across virtual machines, and not reliably across computers, so Parley warns when the file system may be shared.
 */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../errors.ts';
import { createSequence } from '../../lib/sequence.ts';
import { findRunning, readConnection } from './connection-file.ts';
import type { FolderLock } from './folder-lock.ts';
import { nameSharedFileSystem } from './shared-folder.ts';

/** Who owns a data folder, according to connection.json. Both are null while the owner is starting. */
export interface Owner {
  pid: number | null;
  /** `http://127.0.0.1:<port>` */
  baseUrl: string | null;
}

/** Another process owns the data folder. */
export class OwnedError extends Error {
  override name = 'OwnedError';
  readonly owner: Owner;

  constructor(dataDir: string, { pid, baseUrl }: Owner) {
    const process = pid === null ? 'another process' : `process ${pid}`;
    const address = baseUrl === null ? '' : `, at ${baseUrl}`;
    super(`Parley is already running on ${dataDir} (${process}${address}).`);
    this.owner = { pid, baseUrl };
  }
}

const RETRY_MS = 50;
/** How long to wait for an owner that hasn't written its address yet. */
const START_WAIT_MS = 3_000;
/** How often an owner checks that its claim is still in place. */
const CHECK_MS = 2_000;

/** Claims an existing folder. Throws {@link OwnedError} when another process has it. `warn` gets a sentence if that can't be guaranteed. */
export async function ownDataDir(dataDir: string, warn: (line: string) => void = () => undefined) {
  const shared = await nameSharedFileSystem(dataDir);
  if (shared !== null) {
    warn(
      `${dataDir} lies on a file system that other computers may share (${shared}). Parley can't see whether another Parley uses the folder from there: never run two on it.`,
    );
  }
  let lock = await claim(dataDir);
  const running = lock.isNew || lock.kind === 'unsupported' ? await findRunning(dataDir) : null;
  if (running !== null) {
    lock.release();
    throw new OwnedError(dataDir, running);
  }
  if (lock.kind === 'unsupported') {
    warn(
      `Files in ${dataDir} can't be locked, so Parley can't tell whether another Parley uses the folder: never run two on it.`,
    );
  }
  const restores: (() => Promise<void>)[] = [];
  let lostTo: OwnedError | null = null;

  async function renew(): Promise<void> {
    if (lostTo) throw lostTo;
    if (lock.kind === 'exclusive' && (await lock.isInPlace())) return;
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    lock.release();
    try {
      lock = await claim(dataDir);
    } catch (error) {
      if (error instanceof OwnedError) lostTo = error;
      throw error;
    }
  }

  const renewals = createSequence();
  /** If the whole folder is gone, the store recreates it when it notices; until then there is nothing to protect. */
  const check = async (): Promise<void> => {
    if (lostTo !== null || !existsSync(dataDir)) return;
    await renew().catch((error: unknown) => {
      if (error instanceof OwnedError) warn(`Another Parley has taken the data folder. ${error.message}`);
    });
  };
  const checking = setInterval(() => void renewals.run(check), CHECK_MS).unref();

  return {
    async release(): Promise<void> {
      clearInterval(checking);
      await renewals.run(async () => lock.release());
    },
    /** Adds something to restore after the claim, if it is missing. */
    onReclaim: (restore: () => Promise<void>): void => void restores.push(restore),
    /**
     * Recreates and reclaims the folder if it, or the lock file, was deleted or moved, then restores its contents. Rejects with AppError if
     * another process has taken it, and keeps rejecting from then on: the folder there now isn't the one this process owned.
     */
    async reclaim(): Promise<void> {
      try {
        await renewals.run(renew);
      } catch (error) {
        throw error instanceof OwnedError ? takenOver(error) : error;
      }
      for (const restore of restores) await restore();
    },
  };
}

async function claim(dataDir: string): Promise<FolderLock> {
  // Commands import this module but don't need SQLite.
  const { lockFolder } = await import('./folder-lock.ts');
  const startWaitEnds = performance.now() + START_WAIT_MS;
  for (;;) {
    const lock = lockFolder(dataDir);
    if (lock !== null) return lock;
    const owner = await readOwner(dataDir);
    if (owner.baseUrl !== null || performance.now() > startWaitEnds) throw new OwnedError(dataDir, owner);
    // A random pause, so that several don't retry in step.
    await sleep(RETRY_MS * (0.5 + Math.random()));
  }
}

/** Who owns an existing folder; null: nobody does. Throws when it can't be locked because of what is in it. */
export async function findOwner(dataDir: string): Promise<Owner | null> {
  const { isLocked } = await import('./folder-lock.ts');
  return isLocked(dataDir) ? readOwner(dataDir) : findRunning(dataDir);
}

const readOwner = async (dataDir: string): Promise<Owner> =>
  (await readConnection(dataDir).catch(() => null)) ?? { pid: null, baseUrl: null };

const takenOver = (error: OwnedError): AppError =>
  new AppError(
    'storage_unavailable',
    `The data folder was deleted or moved while this Parley was using it, and another took its place, so nothing was saved. ${error.message} ` +
      'You can still read and export what this one holds. Then stop it.',
    { cause: error },
  );
