/** `parley import`: brings chats in from an export. */
import { createReadStream, openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { ImportResult } from '../../shared/api/data.ts';
import { connect, type ListOptions } from './client.ts';
import { CommandError, EXIT } from './exit-codes.ts';
import { sayImport } from './import-words.ts';
import { sayJson } from './terminal.ts';

/** Imports a file of JSON; `-`, or nothing where something is piped in: standard input. Resolves with the exit code. */
export async function importFile(path: string | undefined, options: ListOptions): Promise<number> {
  const isPiped = path === '-' || (path === undefined && !process.stdin.isTTY);
  if (path === undefined && !isPiped)
    throw new CommandError('Which file? Give one that parley export --format json has written.', EXIT.usage);
  const client = await connect(options);
  const body = isPiped ? new Blob([await buffer(process.stdin)]) : await openFile(path ?? '');
  const result = await client.post<ImportResult>('/api/v1/import', { body });
  if (options.json) sayJson(result);
  else sayImport(result);
  return EXIT.done;
}

async function openFile(path: string): Promise<Blob> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) throw new CommandError(`${path} is a folder; name the file.`);
    // A pipe, as the shell's <(…) makes one, has no size.
    return found.isFile() ? await openAsBlob(path) : new Blob([await buffer(createReadStream(path))]);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${path} can't be read; is there such a file?`, undefined, { cause: error });
  }
}
