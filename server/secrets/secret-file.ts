/**
 * `secrets.json` in the data folder: `{ version: 1, secrets: { <name>: { how, text } } }`, readable by its owner only and
 * replaced as a whole. What can't be understood is never overwritten.
 */
import { existsSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../errors.ts';
import { attempt } from '../../shared/attempt.ts';
import { nameFault } from '../lib/fault-report.ts';
import { isObject } from '../lib/fields.ts';
import { readPrivateFile, writePrivateFile } from '../lib/private-file.ts';

/** A secret as it stands in the file. */
export interface KeptSecret {
  /** `sealed`: base64 that the host's box opens. `file`: the text itself. */
  how: 'sealed' | 'file';
  text: string;
}

/** `reason` is for clients, `fault` for the log. */
type SecretFileReading =
  | { state: 'read'; secrets: ReadonlyMap<string, KeptSecret> }
  | { state: 'unreadable'; reason: string; fault: string };

const VERSION = 1;
const UNREADABLE = 'The file with the secrets can’t be read; the log says why.';
const NEWER = 'The file with the secrets was written by a newer version of Parley.';
const DAMAGED =
  'The file with the secrets is damaged. Move secrets.json out of the data folder, and enter keys and headers again.';
const FULL_CODES = ['ENOSPC', 'EDQUOT', 'EFBIG'];

const pathIn = (dataDir: string): string => join(dataDir, 'secrets.json');

/** What the file of a data folder holds. */
export async function readSecrets(dataDir: string): Promise<SecretFileReading> {
  const path = pathIn(dataDir);
  let json: string | null;
  try {
    json = await readPrivateFile(path);
  } catch (error) {
    return {
      state: 'unreadable',
      reason: UNREADABLE,
      fault: `${path} could not be read: ${nameFault(error)}`,
    };
  }
  const secrets = json === null ? new Map<string, KeptSecret>() : parseSecrets(json);
  return typeof secrets === 'string'
    ? { state: 'unreadable', reason: secrets, fault: `${path}: ${secrets}` }
    : { state: 'read', secrets };
}

/** The file of a data folder, read when first needed. `log` is called once when it can't be. One call at a time. */
export function openSecretFile(dataDir: string, log: (line: string) => void) {
  const path = pathIn(dataDir);
  let known: ReadonlyMap<string, KeptSecret> | null = null;
  let fault: string | null = null;

  async function all(): Promise<SecretFileReading> {
    if (known !== null) return { state: 'read', secrets: known };
    const reading = await readSecrets(dataDir);
    if (reading.state === 'unreadable') {
      if (reading.fault !== fault) log(reading.fault);
      ({ fault } = reading);
      return reading;
    }
    fault = null;
    known = reading.secrets;
    // If that isn't possible, it is as private as its folder.
    await chmod(path, 0o600).catch(() => undefined);
    return reading;
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
    /** Why it couldn't be read the last time; null: it could. */
    get fault() {
      return fault;
    },
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

/** The secrets in the file's text, or why they can't be read. */
function parseSecrets(json: string): Map<string, KeptSecret> | string {
  const value = attempt(() => JSON.parse(json) as unknown);
  if (!isObject(value)) return DAMAGED;
  const { version, secrets } = value;
  if (typeof version === 'number' && version > VERSION) return NEWER;
  if (version !== VERSION || !isObject(secrets)) return DAMAGED;
  const entries = Object.entries(secrets);
  return entries.every((entry): entry is [string, KeptSecret] => isKeptSecret(entry[1]))
    ? new Map(entries)
    : DAMAGED;
}

const isKeptSecret = (value: unknown): value is KeptSecret =>
  isObject(value) &&
  (value['how'] === 'sealed' || value['how'] === 'file') &&
  typeof value['text'] === 'string';
