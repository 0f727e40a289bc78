import { createWriteStream } from 'node:fs';
import { link, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { changeHeld, removeFile, renameFile } from '../lib/held-files.ts';
import { forReader } from './client.ts';
import { CommandError } from './exit-codes.ts';
import { note } from './terminal.ts';

/** Where to put a download. */
export interface DownloadOptions {
  /** A file, which only its owner may read; absent: standard output. */
  output?: string;
  /** Replaces an existing file. */
  force?: true;
}

/** Writes the body of an answer to a file, whole or not at all, or prints it: text on a terminal, the bytes as they are elsewhere. */
export async function saveDownload(answer: Response, { output, force }: DownloadOptions): Promise<void> {
  if (output === undefined) {
    if (process.stdout.isTTY) process.stdout.write(forReader(await answer.text()));
    else await pipeline(bodyOf(answer), process.stdout, { end: false });
    return;
  }
  const partial = `${output}.part`;
  try {
    await pipeline(bodyOf(answer), createWriteStream(partial, { mode: 0o600 }));
    if (force) await renameFile(partial, output);
    else await changeHeld(() => link(partial, output));
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    if (await isFolder(output)) throw new CommandError(`${output} is a folder; name a file.`);
    if (code === 'EEXIST') throw new CommandError(`${output} exists already; --force writes over it.`);
    const reason = code === 'ENOENT' ? `there is no folder ${dirname(output)}` : code;
    throw new CommandError(`${output} can't be written: ${reason}.`, undefined, { cause: error });
  } finally {
    await removeFile(partial);
  }
  note(`Written to ${output}.`);
}

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => null))?.isDirectory() === true;

function bodyOf({ body }: Response): Readable {
  return body === null ? Readable.from([]) : Readable.fromWeb(body);
}
