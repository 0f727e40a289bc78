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

/** Says that the service is ready. Only the owner of the folder may. */
export async function writeConnectionFile(dataDir: string, connection: Connection): Promise<void> {
  await writePrivateFile(pathIn(dataDir), `${JSON.stringify(connection, null, 2)}\n`);
}

/** Removes what a process that died left behind. Only the owner of the folder may. */
export async function clearConnectionFile(dataDir: string): Promise<void> {
  await rm(pathIn(dataDir), { force: true });
}

/** Removes the file at stop, unless somebody else has written it since. */
export async function removeConnectionFile(dataDir: string, own: Connection): Promise<void> {
  try {
    const found = JSON.parse(await readFile(pathIn(dataDir), 'utf8')) as Partial<Connection> | null;
    if (found?.pid !== own.pid || found.startedAt !== own.startedAt) return;
  } catch {
    return;
  }
  await clearConnectionFile(dataDir);
}
