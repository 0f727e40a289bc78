/** `connection.json` in the data folder: how local tools find the running service. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivateFile } from './private-file.ts';

/** What stands in the file. */
export interface Connection {
  /** `http://127.0.0.1:<port>` */
  baseUrl: string;
  /** The local key. */
  apiKey: string;
  pid: number;
  version: string;
  /** ISO time. */
  startedAt: string;
}

const pathIn = (dataDir: string): string => join(dataDir, 'connection.json');

/** The file of a running service. */
export interface ConnectionFile {
  /** Writes it anew with another local key; does nothing once it is being withdrawn. */
  updateKey(apiKey: string): Promise<void>;
  /** Removes it, unless somebody else has written it since. */
  withdraw(): Promise<void>;
}

/** Says that the service is ready. Only the owner of the folder may. */
export async function publishConnection(dataDir: string, connection: Connection): Promise<ConnectionFile> {
  const write = (apiKey: string): Promise<void> =>
    writePrivateFile(pathIn(dataDir), `${JSON.stringify({ ...connection, apiKey }, null, 2)}\n`);
  await write(connection.apiKey);
  let writing = Promise.resolve();
  let isWithdrawn = false;
  return {
    updateKey(apiKey) {
      const written = writing.then(() => (isWithdrawn ? undefined : write(apiKey)));
      writing = written.catch(() => undefined);
      return written;
    },
    async withdraw() {
      isWithdrawn = true;
      await writing;
      await removeConnectionFile(dataDir, connection);
    },
  };
}

/** Removes what a process that died left behind. Only the owner of the folder may. */
export async function clearConnectionFile(dataDir: string): Promise<void> {
  await rm(pathIn(dataDir), { force: true });
}

async function removeConnectionFile(dataDir: string, own: Connection): Promise<void> {
  try {
    const found = JSON.parse(await readFile(pathIn(dataDir), 'utf8')) as Partial<Connection> | null;
    if (found?.pid !== own.pid || found.startedAt !== own.startedAt) return;
  } catch {
    return;
  }
  await clearConnectionFile(dataDir);
}
