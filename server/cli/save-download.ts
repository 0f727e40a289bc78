import { createWriteStream } from 'node:fs';
import { link, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandError } from './exit-codes.ts';

/** Writes the body of an answer to a file that only its owner may read, whole or not at all; an existing one is kept unless `isForced`. */
export async function saveDownload(answer: Response, path: string, isForced: boolean): Promise<void> {
  const partial = `${path}.part`;
  try {
    await pipeline(bodyOf(answer), createWriteStream(partial, { mode: 0o600 }));
    if (isForced) await rename(partial, path);
    else await link(partial, path);
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new CommandError(`${path} exists already; --force writes over it.`);
    throw new CommandError(`${path} can't be written (${code}).`, undefined, { cause: error });
  } finally {
    await rm(partial, { force: true });
  }
}

/** Writes the body of an answer to standard output, as it is. */
export async function printDownload(answer: Response): Promise<void> {
  for await (const piece of bodyOf(answer))
    if (!process.stdout.write(piece as Buffer))
      await new Promise((resolve) => process.stdout.once('drain', resolve));
}

function bodyOf({ body }: Response): Readable {
  return body === null ? Readable.from([]) : Readable.fromWeb(body);
}
