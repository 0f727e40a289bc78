/**
 * One process owns a data folder. The claim is held by the kernel and vanishes with the process, however that ends, and a
 * process that is paused keeps it: no claim is ever stale, and none is taken over. On Linux it is a socket in the folder
 * itself (owner/folder-socket.ts), which holds across containers and other namespaces; where the folder can't hold one, or
 * the disk is full, a socket with an abstract name. Each looks for the other, once others can see it. A socket in the folder can be removed by a cleaner:
 * so its owner has the abstract name too, and puts back what is missing. On Windows it is a named pipe, elsewhere an exclusively locked file.
 * Whoever holds it says who it is, and that is believed as far as it can be checked (owner/owner-words.ts).
 *
 * None of it reaches another computer, or a virtual machine: on file systems that those share, this is said at the start.
 */
import { hash } from 'node:crypto';
import { mkdir, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { askHolder, claimAbstract, withAbstract } from './abstract-socket.ts';
import { claimFile, readOwner } from './file-lock.ts';
import { claimFolderSocket, findSocketOwner } from './folder-socket.ts';
import { askOwner, claimSocket } from './named-socket.ts';
import type { Owner } from './owner-words.ts';
import { createSequence } from '../../lib/sequence.ts';
import { nameSharedFileSystem } from './shared-folder.ts';

/** Another process owns the data folder. */
export class OwnedError extends Error {
  override name = 'OwnedError';
  readonly owner: Owner;

  constructor(dataDir: string, owner: Owner) {
    const process = owner.pid === null ? 'another process' : `process ${owner.pid}`;
    const address = owner.baseUrl === null ? '' : `, at ${owner.baseUrl}`;
    super(`Parley is already running on ${dataDir} (${process}${address}).`);
    this.owner = owner;
  }
}

/** A claim to a data folder. */
export interface Ownership {
  /** Lets others know where this process listens. */
  announce(baseUrl: string): void;
  /** Gives the folder up. */
  release(): Promise<void>;
  /**
   * Makes the folder and claims it anew when it, or what says whose it is, was deleted or moved. Throws {@link OwnedError} when
   * another process has it by now, from then on every time: what is there now is not what this process owned.
   */
  renew(): Promise<void>;
}

/** What was claimed, once. */
export interface Held extends Omit<Ownership, 'renew'> {
  /** Whether others still see it, at the folder's path. */
  isInPlace(): Promise<boolean>;
}

/** What a try to claim a folder comes to: it is ours, or another's (null: nobody answers, so it may be free by now). */
export type Claim = { held: Held } | { owner: Owner | null };

const RETRY_MS = 50;
const MAX_TRIES = 40;
/** How long an owner that doesn't say its address is asked again. */
const START_WAIT_MS = 3_000;
/** How often an owner looks whether others still see its claim. */
const LOOK_MS = 2_000;

/**
 * Claims an existing folder. Throws {@link OwnedError} when another process has it, ElsewhereError when another computer may. `warn` is told, in a sentence, of what
 * can't be made sure of.
 */
export async function ownDataDir(
  dataDir: string,
  warn: (line: string) => void = () => undefined,
): Promise<Ownership> {
  let held: Held | null = await hold(dataDir, warn);
  let address: string | null = null;
  let lostTo: OwnedError | null = null;

  async function renew(): Promise<void> {
    if (lostTo) throw lostTo;
    if (await held?.isInPlace()) return;
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await held?.release();
    held = null;
    try {
      held = await hold(dataDir, warn);
    } catch (error) {
      if (error instanceof OwnedError) lostTo = error;
      throw error;
    }
    if (address !== null) held.announce(address);
  }

  const renewals = createSequence();
  const name = await nameOf(dataDir);
  /** What was deleted with the folder, the store puts back when it finds out: there is nothing to protect before. */
  const putBack = async (): Promise<void> => {
    if (lostTo !== null || (await nameOf(dataDir).catch(() => null)) !== name) return;
    await renew().catch((error: unknown) => {
      if (error instanceof OwnedError) warn(`Another Parley has taken the data folder. ${error.message}`);
    });
  };
  const looking = setInterval(() => void renewals.run(putBack), LOOK_MS).unref();

  return {
    announce(baseUrl) {
      address = baseUrl;
      held?.announce(baseUrl);
    },
    async release() {
      clearInterval(looking);
      await renewals.run(async () => held?.release());
    },
    renew: () => renewals.run(renew),
  };
}

async function hold(dataDir: string, warn: (line: string) => void): Promise<Held> {
  const shared = await nameSharedFileSystem(dataDir);
  if (shared !== null) {
    warn(
      `${dataDir} lies on a file system that other computers may share (${shared}). Parley can't see whether another Parley uses the folder from there: never run two on it.`,
    );
  }
  const claim = await chooseClaim(dataDir, shared !== null, warn);
  const startWaitEnds = performance.now() + START_WAIT_MS;
  for (let tries = 1; ; tries += 1) {
    const claimed = await claim();
    if ('held' in claimed) return claimed.held;
    const { owner } = claimed;
    // An owner with no address yet is starting; one that doesn't answer may be too busy with that.
    const mayTellMore = owner?.baseUrl === null && performance.now() < startWaitEnds;
    if (owner !== null && !mayTellMore) throw new OwnedError(dataDir, owner);
    // Nobody there to answer: the owner has just ended, so the next try may have the folder.
    if (owner === null && tries >= MAX_TRIES) throw new OwnedError(dataDir, { pid: null, baseUrl: null });
    // Not in step with others that try.
    await sleep(RETRY_MS * (0.5 + Math.random()));
  }
}

async function chooseClaim(
  dataDir: string,
  isShared: boolean,
  warn: (line: string) => void,
): Promise<() => Promise<Claim>> {
  if (process.platform !== 'win32' && process.platform !== 'linux') {
    return async () => (await claimFile(dataDir)) ?? { owner: await readOwner(dataDir) };
  }
  const name = await nameOf(dataDir);
  const isInPlace = async (): Promise<boolean> => (await nameOf(dataDir).catch(() => null)) === name;
  if (process.platform === 'win32') {
    const address = pipeOf(name);
    return async () => (await claimSocket(address, isInPlace)) ?? { owner: await askOwner(address) };
  }
  return async () => {
    const claimed = await claimFolderSocket(dataDir, isShared);
    const claim = claimed ?? (await claimAbstract(name, isInPlace, warn));
    if ('owner' in claim) return claim;
    const owner = claimed ? await askHolder(name) : await findSocketOwner(dataDir);
    if (owner === null) return claimed ? { held: await withAbstract(claim.held, name) } : claim;
    await claim.held.release();
    return { owner };
  };
}

/** Who owns an existing folder, as far as can be seen without claiming it; null: nobody does. */
export async function findOwner(dataDir: string): Promise<Owner | null> {
  if (process.platform === 'win32') return askOwner(pipeOf(await nameOf(dataDir)));
  if (process.platform === 'linux')
    return (await findSocketOwner(dataDir)) ?? (await askHolder(await nameOf(dataDir)));
  const owner = await readOwner(dataDir);
  return typeof owner?.pid === 'number' && isAlive(owner.pid) ? owner : null;
}

/** A process that is killed leaves its words behind in the lock file. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const pipeOf = (name: string): string => `\\\\.\\pipe\\${name}`;

/** The folder is known by what it is, not by its path: links and other spellings lead to the same claim. */
async function nameOf(dataDir: string): Promise<string> {
  const { dev, ino } = await stat(dataDir, { bigint: true });
  return `parley-${hash('sha256', `${dev}:${ino}`, 'hex').slice(0, 32)}`;
}
