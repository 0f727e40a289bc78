/**
 * One process owns a data folder. The claim is held by the kernel and vanishes with the process, however that ends, so
 * no stale claim can be left behind: on Linux a socket with an abstract name, on Windows a named pipe, elsewhere an
 * exclusively locked file (where neither exists, and a socket file could be taken over by two processes at once).
 * Whoever holds it says who it is: by answering on the socket, or in the locked file.
 *
 * An abstract name is seen only within one network namespace: containers that share a data folder don't see each other.
 */
import { hash } from 'node:crypto';
import { constants, closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Who owns a data folder, as far as it says. */
export interface Owner {
  pid: number | null;
  /** Null while it is starting. */
  baseUrl: string | null;
}

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
}

const RETRY_MS = 50;
const MAX_TRIES = 40;
const ANSWER_TIMEOUT_MS = 1_000;
/** How long an owner that doesn't say its address is asked again. */
const START_WAIT_MS = 3_000;

/** Claims an existing folder. Throws {@link OwnedError} when another process has it. */
export async function ownDataDir(dataDir: string): Promise<Ownership> {
  const address = await socketAddress(dataDir);
  const claim = address === null ? () => claimFile(dataDir) : () => claimSocket(address);
  const ask = address === null ? () => readOwner(dataDir) : () => askOwner(address);
  const startWaitEnds = performance.now() + START_WAIT_MS;
  for (let tries = 1; ; tries += 1) {
    const ownership = await claim();
    if (ownership !== null) return ownership;
    const owner = await ask();
    // An owner with no address yet is starting; one that doesn't answer may be too busy with that.
    const mayTellMore = owner?.baseUrl === null && performance.now() < startWaitEnds;
    if (owner !== null && !mayTellMore) throw new OwnedError(dataDir, owner);
    // Nobody there to answer: the owner has just ended, so the next try may have the folder.
    if (owner === null && tries >= MAX_TRIES) throw new OwnedError(dataDir, { pid: null, baseUrl: null });
    await sleep(RETRY_MS);
  }
}

/** The folder is known by what it is, not by its path: links and other spellings lead to the same claim. */
async function socketAddress(dataDir: string): Promise<string | null> {
  const { dev, ino } = await stat(dataDir, { bigint: true });
  const name = `parley-${hash('sha256', `${dev}:${ino}`, 'hex').slice(0, 32)}`;
  if (process.platform === 'linux') return `\0${name}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`;
  return null;
}

async function claimSocket(address: string): Promise<Ownership | null> {
  const self: Owner = { pid: process.pid, baseUrl: null };
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.end(JSON.stringify(self));
  });
  const claimed = Promise.withResolvers<boolean>();
  server.once('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') claimed.resolve(false);
    else claimed.reject(error);
  });
  server.listen(address, () => claimed.resolve(true));
  if (!(await claimed.promise)) return null;
  server.on('error', () => undefined);
  server.unref();
  return {
    announce(baseUrl) {
      self.baseUrl = baseUrl;
    },
    release: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
}

/** Null: nobody is there any more. An owner that doesn't answer in time has no pid and no address. */
async function askOwner(address: string): Promise<Owner | null> {
  const answered = Promise.withResolvers<Owner | null>();
  const socket = connect(address);
  let text = '';
  socket.setTimeout(ANSWER_TIMEOUT_MS, () => answered.resolve({ pid: null, baseUrl: null }));
  socket.setEncoding('utf8');
  socket.on('data', (piece: string) => {
    text += piece;
  });
  socket.on('end', () => answered.resolve(parseOwner(text)));
  socket.on('error', () => answered.resolve(null));
  const owner = await answered.promise;
  socket.destroy();
  return owner;
}

const LOCK_FILE = 'owner.lock';
/** BSD's open flags for "lock exclusively, and don't wait"; Node has no names for them. */
const O_EXLOCK = 0x20;
const O_NONBLOCK = 0x4;

async function claimFile(dataDir: string): Promise<Ownership | null> {
  const say = (file: number, owner: Owner): void => {
    ftruncateSync(file);
    writeSync(file, JSON.stringify(owner), 0);
  };
  let file: number;
  try {
    file = openSync(
      join(dataDir, LOCK_FILE),
      constants.O_RDWR | constants.O_CREAT | O_EXLOCK | O_NONBLOCK,
      0o600,
    );
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EAGAIN' || code === 'EWOULDBLOCK') return null;
    throw error;
  }
  say(file, { pid: process.pid, baseUrl: null });
  return {
    announce: (baseUrl) => say(file, { pid: process.pid, baseUrl }),
    async release() {
      ftruncateSync(file);
      closeSync(file);
    },
  };
}

async function readOwner(dataDir: string): Promise<Owner | null> {
  const text = await readFile(join(dataDir, LOCK_FILE), 'utf8').catch(() => '');
  return text === '' ? null : parseOwner(text);
}

function parseOwner(text: string): Owner {
  let value: Partial<Owner> | null = null;
  try {
    value = JSON.parse(text) as Partial<Owner> | null;
  } catch {
    // Cut short, or not ours: whoever it is, it has the folder.
  }
  return {
    pid: typeof value?.pid === 'number' ? value.pid : null,
    baseUrl: typeof value?.baseUrl === 'string' ? value.baseUrl : null,
  };
}
