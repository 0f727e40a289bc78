/**
 * The local key: made at first start, for tools on this computer. It is the one key whose text is kept, in a file that
 * only its owner may read, so that it stays the same over restarts. The file decides: if a crash leaves several local
 * keys in force, the next start keeps the one in the file.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../errors.ts';
import { readPrivateFile, writePrivateFile } from '../lib/private-file.ts';
import { createSequence } from '../lib/sequence.ts';
import type { KeyRing } from './key-ring.ts';
import { digestOf, isKeyText } from './keys.ts';
import type { SessionOwner } from './sessions.ts';

const FILE_NAME = 'local-key';
/** What it is called in the list of keys. */
export const LOCAL_KEY_NAME = 'Local key';

/** Whether Parley was started on this data folder before: the key is made when a store is first opened there. */
export const hasLocalKey = (dataDir: string): boolean => existsSync(join(dataDir, FILE_NAME));

/** The local key of a running service. */
export type LocalKeyHolder = Awaited<ReturnType<typeof openLocalKey>>;

/**
 * Opens the local key. When the file is missing, damaged or names a key that isn't in force, a new key replaces all old
 * ones.
 */
export async function openLocalKey(dataDir: string, keys: KeyRing, workspaceId: string) {
  const path = join(dataDir, FILE_NAME);
  const inForce = (): { id: string; digest: string }[] =>
    keys.list().filter(({ kind, revokedAt }) => kind === 'local' && revokedAt === null);
  const create = async (): Promise<string> => {
    const { text } = await keys.create({
      kind: 'local',
      name: LOCAL_KEY_NAME,
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
    // The file is written before the old keys are revoked: a crash in between leaves a working key.
    await writeFile(current);
  }
  await keepOnly(current);

  const sequence = createSequence();
  const holder = {
    /** Its current text. */
    get text() {
      return current;
    },
    /** Called with the new text before the old one is revoked; a rejection undoes the rotation. */
    onRotate: (_text: string): Promise<void> => Promise.resolve(),
    /**
     * Replaces the key and resolves with the new text once all is on disk and the old one is revoked. Rejects with
     * AppError when the disk refuses: then the old key keeps working. Sessions that depend on the old key end, except
     * those of `carried`, which then depend on the new one.
     */
    rotate: (carried: SessionOwner | null): Promise<string> => sequence.run(() => rotateNow(carried)),
    /** Writes its file again if it is missing. */
    restore: (): Promise<void> =>
      sequence.run(async () => {
        if (!existsSync(path)) await writeFile(current);
      }),
  };

  /** Whenever it crashes, the key in the file works: the old one until the file is replaced. */
  async function rotateNow(carried: SessionOwner | null): Promise<string> {
    const old = current;
    const wasOfOld = carried?.keyDigest === digestOf(old);
    const text = await create();
    try {
      await writeFile(text);
      await holder.onRotate(text);
      // Requests that the rotating page sends meanwhile must not be refused.
      if (wasOfOld) carried.keyDigest = null;
      await keepOnly(text);
      current = text;
    } catch (error) {
      await undo(old);
      throw error instanceof AppError
        ? error
        : new AppError('storage_unavailable', undefined, { cause: error });
    } finally {
      if (wasOfOld) carried.keyDigest = digestOf(current);
    }
    return text;
  }

  /** As far as the disk allows. Nobody got the new key; if it can't be revoked now, the next start does it. */
  async function undo(old: string): Promise<void> {
    await writeFile(old)
      .then(() => holder.onRotate(old))
      .then(() => keepOnly(old))
      .catch(() => undefined);
  }

  return holder;
}

async function readKept(path: string): Promise<string | null> {
  const text = (await readPrivateFile(path))?.trim() ?? '';
  return isKeyText(text) ? text : null;
}
