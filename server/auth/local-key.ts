/**
 * The local key: made at first start, for tools on this computer. It is the one key whose text is kept, in a file that
 * only its owner may read, so that it stays the same over restarts. Whatever the file holds decides: of several local keys
 * in force, which a crash can leave behind, the next start keeps the one that stands there.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../errors.ts';
import { writePrivateFile } from '../lib/private-file.ts';
import type { KeyRing } from './key-ring.ts';
import { digestOf, isKeyText } from './keys.ts';
import type { Tie } from './sessions.ts';

const FILE_NAME = 'local-key';

/** The local key of a running service. */
export interface LocalKeyHolder {
  /** Its text, as it is now. */
  readonly text: string;
  /** Told of a new text before the old one is out of force; what this rejects with undoes the rotation. */
  onRotate: (text: string) => Promise<void>;
  /**
   * Puts a new key in the old one's place and resolves with its text once all is on disk and the old one is worthless.
   * Rejects with AppError when the disk refuses: then the old key goes on working. Sessions that hang on the old key end,
   * but for those of `carried`, which hang on the new one from then on.
   */
  rotate(carried: Tie | null): Promise<string>;
  /** Writes its file anew where that is missing. */
  restore(): Promise<void>;
}

/**
 * Opens the local key. When the file is missing, damaged or names a key that isn't in force, a new key takes the place
 * of every old one.
 */
export async function openLocalKey(
  dataDir: string,
  keys: KeyRing,
  workspaceId: string,
): Promise<LocalKeyHolder> {
  const path = join(dataDir, FILE_NAME);
  const inForce = (): { id: string; digest: string }[] =>
    keys.list().filter(({ kind, revokedAt }) => kind === 'local' && revokedAt === null);
  const create = async (): Promise<string> => {
    const { text } = await keys.create({
      kind: 'local',
      name: 'Local key',
      scope: 'admin',
      workspaceId,
      expiresAt: null,
    });
    return text;
  };
  const keepOnly = async (text: string): Promise<void> => {
    const digest = digestOf(text);
    for (const key of inForce()) if (key.digest !== digest) await keys.revoke(key.id);
  };
  const writeFile = (text: string): Promise<void> => writePrivateFile(path, `${text}\n`);

  const kept = await readKept(path);
  let current: string;
  if (kept !== null && inForce().some(({ digest }) => digest === digestOf(kept))) {
    current = kept;
  } else {
    current = await create();
    // The file comes before the old keys go: a crash in between leaves a key that works.
    await writeFile(current);
  }
  await keepOnly(current);

  const holder: LocalKeyHolder = {
    get text() {
      return current;
    },
    onRotate: () => Promise.resolve(),
    rotate(carried) {
      rotating = rotating.catch(() => undefined).then(() => rotateNow(carried));
      return rotating;
    },
    async restore() {
      await rotating.catch(() => undefined);
      if (!existsSync(path)) await writeFile(current);
    },
  };
  let rotating: Promise<unknown> & Promise<string> = Promise.resolve(current);

  /** A crash leaves the key that stands in the file working at every point: the old one until the file is replaced. */
  async function rotateNow(carried: Tie | null): Promise<string> {
    const old = current;
    const isTied = carried?.keyDigest === digestOf(old);
    const text = await create();
    try {
      await writeFile(text);
      await holder.onRotate(text);
      // What the page that asked for this asks meanwhile must not be refused.
      if (isTied) carried.keyDigest = null;
      await keepOnly(text);
      current = text;
    } catch (error) {
      await undo(old);
      throw error instanceof AppError
        ? error
        : new AppError('storage_unavailable', undefined, { cause: error });
    } finally {
      if (isTied) carried.keyDigest = digestOf(current);
    }
    return text;
  }

  /** As far as the disk lets it. Nobody was told the new key; one that can't be revoked now goes at the next start. */
  async function undo(old: string): Promise<void> {
    await writeFile(old)
      .then(() => holder.onRotate(old))
      .then(() => keepOnly(old))
      .catch(() => undefined);
  }

  return holder;
}

async function readKept(path: string): Promise<string | null> {
  try {
    const text = (await readFile(path, 'utf8')).trim();
    return isKeyText(text) ? text : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
