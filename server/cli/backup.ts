/** `parley backup` and `parley restore`: makes, lists, fetches and restores backups. */
import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Backup, BackupList, CreatedBackup, DataInfo, ImportResult } from '../../shared/api/data.ts';
import { type Client, connect, type ListOptions, type ServiceOptions } from './client.ts';
import { CommandError } from './exit-codes.ts';
import { sayImport, printFindings } from './import.ts';
import { type DownloadOptions, saveDownload } from './save-download.ts';
import { sayTable, timeColumn } from './table.ts';
import { hint, say, sayJson, sizeOf } from './terminal.ts';

/** Makes a backup in the data folder and prints its path. */
export async function createBackup(options: ListOptions): Promise<void> {
  const client = await connect(options);
  const created = await client.post<CreatedBackup>('/api/v1/backups');
  if (options.json) {
    sayJson(created);
    return;
  }
  const { dataDir } = await client.get<DataInfo>('/api/v1/data');
  say(join(dataDir, 'backups', created.backup.name));
  hint(`${sizeOf(created.backup.bytes)}, checked by reading it back.`);
  printFindings(created);
}

/** Lists backups, newest first. */
export async function listBackups(options: ListOptions): Promise<void> {
  const client = await connect(options);
  const { backups } = await client.get<BackupList>('/api/v1/backups');
  if (options.json) sayJson({ backups });
  else if (backups.length === 0) hint('There is no backup yet. Make one with: parley backup');
  else {
    sayTable(backups, [
      { heading: 'NAME', value: ({ name }) => name },
      timeColumn('MADE', ({ createdAt }) => createdAt),
      { heading: 'SIZE', value: ({ bytes }) => String(bytes), shown: ({ bytes }) => sizeOf(bytes) },
    ]);
  }
}

/** Copies a backup to a file, or to standard output. */
export async function fetchBackup(name: string, options: ServiceOptions & DownloadOptions): Promise<void> {
  if ((options.output ?? '-') === '-' && process.stdout.isTTY)
    throw new CommandError(
      'A backup is a compressed file: give a file with --output FILE, or redirect the output.',
    );
  const client = await connect(options);
  const backup = await findBackup(client, name);
  await saveDownload(await client.request('GET', backupPath(backup)), options);
}

/** Restores a backup of the folder or from a file, which adds and never replaces. */
export async function restore(name: string, options: ListOptions): Promise<void> {
  const client = await connect(options);
  const isFile = (await stat(name).catch(() => null))?.isFile() === true;
  const result = isFile
    ? await client.post<ImportResult>('/api/v1/backups/restore', {
        body: await openAsBlob(name),
        headers: { 'content-type': 'application/gzip' },
      })
    : await client.post<ImportResult>(`${backupPath(await findBackup(client, name))}/restore`);
  if (options.json) sayJson(result);
  else sayImport(result);
}

/** A backup by its name; `last` is the newest. */
async function findBackup(client: Client, name: string): Promise<Backup> {
  const { backups } = await client.get<BackupList>('/api/v1/backups');
  const found = name === 'last' ? backups[0] : backups.find((backup) => backup.name === name);
  if (found === undefined) {
    throw new CommandError(
      backups.length === 0 && name === 'last'
        ? 'There is no backup yet. Make one with: parley backup'
        : `There is no backup "${name}", and no such file; parley backup list shows the backups.`,
    );
  }
  return found;
}

const backupPath = ({ name }: Backup): string => `/api/v1/backups/${encodeURIComponent(name)}`;
