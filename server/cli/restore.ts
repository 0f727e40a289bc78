/** `parley restore`: brings back what a backup holds and the store lacks. */
import type { ImportResult } from '../../shared/api/data.ts';
import { backupPath, findBackup } from './backup.ts';
import { connect, type ListOptions } from './client.ts';
import { sayImport } from './import-words.ts';
import { sayJson } from './terminal.ts';

/** Restores a backup, which adds and never replaces. */
export async function restore(name: string, options: ListOptions): Promise<void> {
  const client = await connect(options);
  const backup = await findBackup(client, name);
  const result = await client.post<ImportResult>(`${backupPath(backup)}/restore`);
  if (options.json) sayJson(result);
  else sayImport(result);
}
