/**
 * The local key: made at first start, for tools on this computer. It is the one key whose text is kept, in a file that
 * only its owner may read, so that it stays the same over restarts.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivateFile } from '../private-file.ts';
import type { KeyRing } from './key-ring.ts';
import { digestOf, isKeyText } from './keys.ts';

const FILE_NAME = 'local-key';

/**
 * The text of the local key. When the file is missing, damaged or names a key that isn't in force, a new key takes the
 * place of every old one.
 */
export async function openLocalKey(dataDir: string, keys: KeyRing, workspaceId: string): Promise<string> {
  const path = join(dataDir, FILE_NAME);
  const inForce = keys.list().filter(({ kind, revokedAt }) => kind === 'local' && revokedAt === null);
  const kept = await readKept(path);
  if (kept !== null) {
    const digest = digestOf(kept);
    if (inForce.some((key) => key.digest === digest)) return kept;
  }
  const { text } = await keys.create({
    kind: 'local',
    name: 'Local key',
    scope: 'admin',
    workspaceId,
    expiresAt: null,
  });
  // The file comes before the old keys go: a crash in between leaves a key that works.
  await writePrivateFile(path, `${text}\n`);
  for (const key of inForce) await keys.revoke(key.id);
  return text;
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
