/**
 * `secrets.json` in the data folder: `{ version: 1, secrets: { <name>: { how, text } } }`, readable by its owner only and
 * replaced as a whole. What can't be understood is set aside, never overwritten.
 */
import { constants, existsSync } from 'node:fs';
import { chmod, copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../errors.ts';
import { nameFault } from '../lib/fault-report.ts';
import { writePrivateFile } from '../lib/private-file.ts';

/** A secret as it stands in the file. */
export interface KeptSecret {
  /** `sealed`: base64 that the host's box opens. `file`: the text itself. */
  how: 'sealed' | 'file';
  text: string;
}

/** What is in the file. */
export type SecretFileReading =
  { state: 'read'; secrets: ReadonlyMap<string, KeptSecret> } | { state: 'unreadable'; reason: string };

const VERSION = 1;
const UNREADABLE = 'The file with the secrets can’t be read; the log says why.';
const NEWER = 'The file with the secrets was written by a newer version of Parley.';
const FULL_CODES = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** The file of a data folder, read when first needed. `log` is called for a damaged file. One call at a time. */
export function openSecretFile(dataDir: string, log: (line: string) => void) {
  const path = join(dataDir, 'secrets.json');
  let known: ReadonlyMap<string, KeptSecret> | null = null;
  /** The copy of a damaged file, until its sound part has replaced the file. */
  let copy: string | null = null;

  async function all(): Promise<SecretFileReading> {
    if (known !== null) return { state: 'read', secrets: known };
    let json: string;
    try {
      json = await readFile(path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
        log(`${path} could not be read: ${nameFault(error)}`);
        return { state: 'unreadable', reason: UNREADABLE };
      }
      known = new Map();
      return { state: 'read', secrets: known };
    }
    // If that isn't possible, it is as private as its folder.
    await chmod(path, 0o600).catch(() => undefined);
    const parsed = parseSecrets(json);
    if (parsed.version > VERSION) return { state: 'unreadable', reason: NEWER };
    if (parsed.isDamaged) {
      try {
        copy ??= await copyAside(path);
        await replace(parsed.secrets);
        log(`${path} was damaged; as it was it stands in ${copy}, and what could be read of it was kept.`);
      } catch (error) {
        log(`${path} is damaged and could not be set aside: ${nameFault(error)}`);
        return { state: 'unreadable', reason: UNREADABLE };
      }
    }
    known = parsed.secrets;
    return { state: 'read', secrets: known };
  }

  async function current(): Promise<Map<string, KeptSecret>> {
    const found = await all();
    if (found.state === 'unreadable') throw new AppError('storage_unavailable', found.reason);
    return new Map(found.secrets);
  }

  async function replace(secrets: ReadonlyMap<string, KeptSecret>): Promise<void> {
    const content = { version: VERSION, secrets: Object.fromEntries(secrets) };
    try {
      await writePrivateFile(path, `${JSON.stringify(content, null, 2)}\n`);
    } catch (error) {
      const isFull = FULL_CODES.includes((error as NodeJS.ErrnoException).code ?? '');
      throw new AppError(isFull ? 'storage_full' : 'storage_unavailable', undefined, { cause: error });
    }
    known = secrets;
  }

  return {
    path,
    all,
    /** Rejects with AppError when the disk refuses; the file is then as it was. */
    async set(name: string, kept: KeptSecret): Promise<void> {
      await replace((await current()).set(name, kept));
    },
    /** As `set`; false: there was none. */
    async remove(name: string): Promise<boolean> {
      const secrets = await current();
      if (!secrets.delete(name)) return false;
      await replace(secrets);
      return true;
    },
    /** Writes a missing file again, with its last known content. */
    async restore(): Promise<void> {
      if (known !== null && known.size > 0 && !existsSync(path)) await replace(known);
    },
  };
}

interface Parsed {
  version: number;
  secrets: Map<string, KeptSecret>;
  isDamaged: boolean;
}

function parseSecrets(json: string): Parsed {
  const secrets = new Map<string, KeptSecret>();
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return { version: 0, secrets, isDamaged: true };
  }
  if (!isRecord(value)) return { version: 0, secrets, isDamaged: true };
  const { version, secrets: entries } = value;
  const isNewer = typeof version === 'number' && version > VERSION;
  if (isNewer) return { version, secrets, isDamaged: false };
  if (version !== VERSION || !isRecord(entries)) return { version: 0, secrets, isDamaged: true };
  let isDamaged = false;
  for (const [name, entry] of Object.entries(entries)) {
    if (isKeptSecret(entry)) secrets.set(name, { how: entry.how, text: entry.text });
    else isDamaged = true;
  }
  return { version, secrets, isDamaged };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isKeptSecret = (value: unknown): value is KeptSecret =>
  isRecord(value) &&
  (value['how'] === 'sealed' || value['how'] === 'file') &&
  typeof value['text'] === 'string';

/** Copies the file under a name that is free, and returns that. */
async function copyAside(path: string): Promise<string> {
  for (let index = 1; ; index += 1) {
    const name = `${path}.damaged-${index}`;
    try {
      await copyFile(path, name, constants.COPYFILE_EXCL);
      return name;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
