/** `parley import`: imports chats and replaces nothing. */
import { createReadStream, openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { FileFindings, ImportResult } from '../../shared/api/data.ts';
import { count } from '../../shared/numbers.ts';
import { connect, type ListOptions } from './client.ts';
import { CommandError, EXIT } from './exit-codes.ts';
import { note, say, sayJson, withoutControls } from './terminal.ts';

/** Imports a file of JSON; `-`, or nothing where something is piped in: standard input. */
export async function sendImport(path: string | undefined, options: ListOptions): Promise<void> {
  const isPiped = path === '-' || (path === undefined && !process.stdin.isTTY);
  if (path === undefined && !isPiped)
    throw new CommandError('Which file? Give a file written by parley export --format json.', EXIT.usage);
  const client = await connect(options);
  const body = isPiped ? new Blob([await buffer(process.stdin)]) : await openFile(path ?? '');
  const result = await client.post<ImportResult>('/api/v1/import', { body });
  if (options.json) sayJson(result);
  else sayImport(result);
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

/** Prints the result of an import or a restore. */
export function sayImport({ imported, copied, skipped, workspaces = [], ...findings }: ImportResult): void {
  const parts = [
    `${count(imported, 'chat')} imported`,
    ...(copied > 0 ? [`${copied} as copies`] : []),
    ...(skipped > 0 ? [`${skipped} already there`] : []),
  ];
  say(`${parts.join(', ')}.`);
  for (const { id, name, chatIds } of workspaces)
    if (chatIds.length > 0)
      say(withoutControls(`${count(chatIds.length, 'chat')} in the workspace “${name}” (${id}).`));
  printFindings(findings);
}

/** Prints what in a file could not be imported as it is. */
export function printFindings({ mended, leftOut, problems }: FileFindings): void {
  if (mended + leftOut > 0) note(`${mended} repaired, ${leftOut} left out:`);
  for (const { chat, title, message, what } of problems) {
    const location = [
      ...(chat === null ? [] : [`chat ${chat}`]),
      ...(title === undefined ? [] : [`“${title}”`]),
      ...(message === null ? [] : [`message ${message}`]),
    ];
    note(withoutControls(`  ${location.length === 0 ? '' : `${location.join(', ')}: `}${what}`));
  }
}
