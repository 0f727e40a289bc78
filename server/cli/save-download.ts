import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { link, readlink, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { changeHeld, removeFile, renameFile } from '../lib/held-files.ts';
import { forReader } from './client.ts';
import { CommandError } from './exit-codes.ts';
import { note } from './terminal.ts';

/** Where to put a download. */
export interface DownloadOptions {
  /** A file, which only its owner may read; absent or `-`: standard output. */
  output?: string;
  /** Replaces an existing file. */
  force?: true;
}

/**
 * Writes the body of an answer to a file, whole or not at all, or prints it: text on a terminal, the bytes as they are elsewhere. A
 * pipe or a device gets the bytes as they come: a file in its place would end it.
 */
export async function saveDownload(
  answer: Response,
  { output = '-', force }: DownloadOptions,
): Promise<void> {
  if (output === '-') {
    if (process.stdout.isTTY) process.stdout.write(forReader(await answer.text()));
    else await pipeline(bodyOf(answer), process.stdout, { end: false });
    return;
  }
  const found = await stat(output).catch(() => null);
  if (found?.isDirectory()) throw new CommandError(`${output} is a folder; name a file.`);
  const isStream = found !== null && !found.isFile() && (force === true || !found.isBlockDevice());
  const path = await followLinks(output);
  // Under a name that nothing has: another program's download, or a link to elsewhere, may be called `….part`.
  const partial = isStream ? output : join(dirname(path), `.parley-${randomBytes(9).toString('hex')}.part`);
  try {
    const file = createWriteStream(partial, { mode: 0o600, flags: isStream ? 'w' : 'wx' });
    await pipeline(bodyOf(answer), file);
    if (!isStream) await (force ? renameFile(partial, path) : changeHeld(() => link(partial, path)));
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new CommandError(`${output} exists already; --force writes over it.`);
    const reason = code === 'ENOENT' ? `there is no folder ${dirname(path)}` : code;
    throw new CommandError(`${output} can't be written: ${reason}.`, undefined, { cause: error });
  } finally {
    if (!isStream) await removeFile(partial);
  }
  note(`Written to ${output}.`);
}

/** The file that the path leads to, which need not exist. */
const followLinks = (path: string): Promise<string> =>
  realpath(path).catch(async () => {
    const target = await readlink(path).catch(() => null);
    return target === null ? path : resolve(dirname(path), target);
  });

function bodyOf({ body }: Response): Readable {
  return body === null ? Readable.from([]) : Readable.fromWeb(body);
}
