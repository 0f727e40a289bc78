/**
 * A claim by a socket that lies in the folder. A name in a folder is the same in all namespaces, and a connection to it is
 * refused as soon as the process that listened has ended; so whoever sees the folder sees whether its owner lives, also one
 * that is paused or has another process number there.
 *
 * Each process that wants the folder puts a socket of its own there, under a name that appears only once it is listened
 * to, and then looks for others. Of two at the same time at least one sees the other, since both look after they can be
 * seen; who sees another takes its own away again and tries once more.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, constants, openSync } from 'node:fs';
import { lstat, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Claim } from './owner.ts';
import { machineTag } from './machine-tag.ts';
import { askOwner, createTeller, listen } from './named-socket.ts';
import type { Owner } from './owner-words.ts';

const NAME = /^owner-([0-9a-f]{8})-[0-9a-f]{8}\.sock(?:\.tmp)?$/;
/** The longest path of a socket, in bytes, that systems take. */
const MAX_PATH_BYTES = 100;
/** The folder may be in use on another computer. */
export class ElsewhereError extends Error {
  override name = 'ElsewhereError';

  constructor(path: string) {
    super(
      `The data folder is in use by a Parley on another computer, or was when that one crashed. If none runs there now, remove ${path} and start again.`,
    );
  }
}

/**
 * What a file system says that holds no sockets, or takes no files at all: FAT, Windows' and other shares, one that is mounted to be
 * read only, one that is full.
 */
const NO_SOCKETS = new Set('EPERM ENOTSUP EOPNOTSUPP ENOSYS EINVAL EROFS EACCES ENOSPC EDQUOT'.split(' '));

/**
 * Null: the folder can't hold a socket. `isShared`: other computers may see the folder, whose sockets seem dead from here;
 * such a one is left alone, and {@link ElsewhereError} thrown.
 */
export async function claimFolderSocket(dataDir: string, isShared: boolean): Promise<Claim | null> {
  const folder = openFolder(dataDir);
  const tag = await machineTag();
  const own = `owner-${tag}-${randomBytes(4).toString('hex')}.sock`;
  const temporary = `${own}.tmp`;
  const { server, self, stop } = createTeller();
  const release = async (): Promise<void> => {
    // Gone before it is refused: nobody has to find out then.
    await rm(join(dataDir, own), { force: true }).catch(() => undefined);
    await stop();
    folder.close();
  };

  const code = await listen(server, folder.pathOf(temporary));
  if (code !== null) {
    folder.close();
    if (NO_SOCKETS.has(code)) return null;
    throw Object.assign(new Error(`The data folder can't be claimed (${code}).`), { code, path: dataDir });
  }
  let ino: bigint;
  try {
    await rename(join(dataDir, temporary), join(dataDir, own));
    ino = (await lstat(join(dataDir, own), { bigint: true })).ino;
    for (const name of await readdir(dataDir)) {
      const itsTag = NAME.exec(name)?.[1];
      if (name === own || itsTag === undefined) continue;
      const owner = await askOwner(folder.pathOf(name));
      if (owner !== null) {
        await release();
        return { owner };
      }
      if (isShared && itsTag !== tag) throw new ElsewhereError(join(dataDir, name));
      // Who listened there is dead.
      await rm(join(dataDir, name), { force: true });
    }
  } catch (error) {
    await release();
    throw error;
  }
  return {
    held: {
      announce(baseUrl) {
        self.baseUrl = baseUrl;
      },
      release,
      isInPlace: () =>
        lstat(join(dataDir, own), { bigint: true }).then(
          (found) => found.ino === ino,
          () => false,
        ),
    },
  };
}

/** Who listens at a socket in the folder, for who can't put one there; null: nobody. */
export async function findSocketOwner(dataDir: string): Promise<Owner | null> {
  const folder = openFolder(dataDir);
  try {
    for (const name of await readdir(dataDir)) {
      const owner = NAME.test(name) ? await askOwner(folder.pathOf(name)) : null;
      if (owner !== null) return owner;
    }
    return null;
  } finally {
    folder.close();
  }
}

/** Paths in the folder that are short enough for sockets: by way of an open descriptor where its own is too long. */
function openFolder(dataDir: string): { pathOf: (name: string) => string; close: () => void } {
  const direct = (name: string): string => join(dataDir, name);
  if (Buffer.byteLength(direct('owner-01234567-89abcdef.sock.tmp')) <= MAX_PATH_BYTES) {
    return { pathOf: direct, close: () => undefined };
  }
  const descriptor = openSync(dataDir, constants.O_RDONLY | constants.O_DIRECTORY);
  return {
    pathOf: (name) => `/proc/self/fd/${descriptor}/${name}`,
    close: () => closeSync(descriptor),
  };
}
