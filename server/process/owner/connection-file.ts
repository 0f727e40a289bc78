/** `connection.json` in the data folder: how local tools find the running service. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isSameService } from '../../auth/identity.ts';
import { nameFault } from '../../lib/fault-report.ts';
import { removeFile } from '../../lib/held-files.ts';
import { readOwnFile, writePrivateFile } from '../../lib/private-file.ts';
import { createSequence } from '../../lib/sequence.ts';

/** The contents of the file. */
export interface ConnectionInfo {
  /** `http://127.0.0.1:<port>` */
  baseUrl: string;
  /** The local key. */
  apiKey: string;
  /**
   * The service's public key (SPKI in base64url). A kill leaves this file behind, so before a client sends its key, it lets the
   * service prove itself. See `isSameService`.
   */
  publicKey: string;
  pid: number;
  version: string;
  /** ISO time. */
  startedAt: string;
}

const pathIn = (dataDir: string): string => join(dataDir, 'connection.json');

const RETRY_MS = 5_000;

/**
 * Announces that the service is ready. Only the owner of the folder may call it. If the disk refuses, it logs that and tries again
 * until the disk accepts it.
 */
export async function publishConnection(
  dataDir: string,
  connection: ConnectionInfo,
  log: (line: string) => void,
  retryMs = RETRY_MS,
) {
  const path = pathIn(dataDir);
  const sequence = createSequence();
  let { apiKey } = connection;
  let isWithdrawn = false;
  let timer: NodeJS.Timeout | undefined;
  const write = async (): Promise<void> => {
    if (isWithdrawn) return;
    await writePrivateFile(path, `${JSON.stringify({ ...connection, apiKey }, null, 2)}\n`);
  };
  const publish = (): Promise<void> =>
    sequence.run(write).catch((error: unknown) => {
      if (!timer)
        log(`connection.json can't be written yet, so programs don't find Parley: ${nameFault(error)}`);
      timer = setTimeout(() => void publish(), retryMs).unref();
    });

  await publish();
  return {
    /** Writes it again with another local key; does nothing once it is being removed. */
    updateKey: (text: string): Promise<void> =>
      sequence.run(() => {
        apiKey = text;
        return write();
      }),
    /** Writes it again if it is missing. */
    restore: (): Promise<void> => sequence.run(async () => (existsSync(path) ? undefined : write())),
    /** Removes it, unless another process has written it since. */
    async withdraw(): Promise<void> {
      isWithdrawn = true;
      clearTimeout(timer);
      await sequence.settled();
      const found = await readConnection(dataDir).catch(() => null);
      if (found?.pid === connection.pid && found.baseUrl === connection.baseUrl)
        await clearConnectionFile(dataDir);
    },
  };
}

const ADDRESS = /^http:\/\/127\.0\.0\.1:([1-9]\d{0,4})$/;
const MAX_PORT = 65_535;

/** The part of the file that other programs read. */
type KnownConnection = Pick<ConnectionInfo, 'baseUrl' | 'apiKey' | 'publicKey'> & { pid: number | null };

/**
 * The contents of the file; null if they are invalid. Rejects with the system's error if it can't be read. The service may be gone:
 * see `isSameService`.
 */
export async function readConnection(dataDir: string): Promise<KnownConnection | null> {
  const text = await readOwnFile(pathIn(dataDir));
  try {
    const { baseUrl, apiKey, publicKey, pid } = (JSON.parse(text) ?? {}) as Partial<ConnectionInfo>;
    if (typeof baseUrl !== 'string' || typeof apiKey !== 'string' || typeof publicKey !== 'string')
      return null;
    const port = ADDRESS.exec(baseUrl)?.[1];
    if (port === undefined || Number(port) > MAX_PORT) return null;
    return { baseUrl, apiKey, publicKey, pid: typeof pid === 'number' ? pid : null };
  } catch {
    return null;
  }
}

const WAIT_MS = 2_000;

/** The contents of the file, if the service has proved within 2 s that it is running; otherwise null. */
export async function findRunning(dataDir: string): Promise<KnownConnection | null> {
  try {
    const connection = await readConnection(dataDir);
    if (connection === null) return null;
    const signal = AbortSignal.timeout(WAIT_MS);
    return (await isSameService(connection.baseUrl, connection.publicKey, signal)) ? connection : null;
  } catch {
    return null;
  }
}

/** Removes the file that a killed process left behind. Only the owner of the folder may call it. */
export const clearConnectionFile = (dataDir: string): Promise<void> => removeFile(pathIn(dataDir));
