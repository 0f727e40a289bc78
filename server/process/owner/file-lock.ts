/** A claim by a file that is locked exclusively while it is open, as BSD and macOS can do it. */
import { constants, closeSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Held } from './owner.ts';
import { parseOwner, type Owner } from './owner-words.ts';

const LOCK_FILE = 'owner.lock';
/** BSD's open flags for "lock exclusively, and don't wait"; Node has no names for them. */
const O_EXLOCK = 0x20;
const O_NONBLOCK = 0x4;

/** Null: another process has it. */
export async function claimFile(dataDir: string): Promise<{ held: Held } | null> {
  const say = (file: number, owner: Owner): void => {
    ftruncateSync(file);
    writeSync(file, JSON.stringify(owner), 0);
  };
  let file: number;
  try {
    file = openSync(
      join(dataDir, LOCK_FILE),
      constants.O_RDWR | constants.O_CREAT | O_EXLOCK | O_NONBLOCK,
      0o600,
    );
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EAGAIN' || code === 'EWOULDBLOCK') return null;
    throw error;
  }
  say(file, { pid: process.pid, baseUrl: null });
  return {
    held: {
      async isInPlace() {
        const found = await stat(join(dataDir, LOCK_FILE)).catch(() => null);
        const { dev, ino } = fstatSync(file);
        return found?.dev === dev && found.ino === ino;
      },
      announce: (baseUrl) => say(file, { pid: process.pid, baseUrl }),
      async release() {
        ftruncateSync(file);
        closeSync(file);
      },
    },
  };
}

/** Who has it, as the file says; null: nobody any more. */
export async function readOwner(dataDir: string): Promise<Owner | null> {
  const text = await readFile(join(dataDir, LOCK_FILE), 'utf8').catch(() => '');
  return text === '' ? null : parseOwner(text);
}
