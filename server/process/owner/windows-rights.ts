/**
 * Who may read a folder on Windows, where modes mean nothing: a new folder takes the rights of the one above it, which outside the
 * person's own profile usually lets everybody in.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { nameFault } from '../../lib/fault-report.ts';
import { makeFolder } from '../../lib/make-folder.ts';

const run = promisify(execFile);
const system = (program: string): string =>
  join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', program);
/** By their numbers, since names are translated: everyone, whoever has signed in, and all users. */
const OTHERS = ['*S-1-1-0', '*S-1-5-11', '*S-1-5-32-545'];
const SYSTEM = '*S-1-5-18';
const ADMINISTRATORS = '*S-1-5-32-544';
const TIMEOUT_MS = 5_000;

const icacls = async (...args: string[]): Promise<string> =>
  (await run(system('icacls.exe'), args, { timeout: TIMEOUT_MS, windowsHide: true })).stdout;

/** Creates the data folder if it is missing, private to the person. `warn` is called when Windows refuses that. */
export async function makeDataFolder(folder: string, warn: (line: string) => void): Promise<void> {
  const isNew = !existsSync(folder);
  makeFolder(folder);
  if (!isNew || process.platform !== 'win32' || isInProfile(folder)) return;
  await closeToOthers(folder).catch((error: unknown) =>
    warn(`Other users of this computer may be able to read ${folder}: ${nameFault(error)}`),
  );
}

async function closeToOthers(folder: string): Promise<void> {
  const options = { timeout: TIMEOUT_MS, windowsHide: true };
  const { stdout } = await run(system('whoami.exe'), ['/user', '/fo', 'csv', '/nh'], options);
  const person = /S-1-[\d-]+/.exec(stdout)?.[0];
  if (person === undefined) throw new Error('Windows didn’t say who is signed in.');
  const rights = [`*${person}`, SYSTEM, ADMINISTRATORS].map((who) => `${who}:(OI)(CI)F`);
  await icacls(folder, '/inheritance:r', '/grant:r', ...rights);
}

const isInProfile = (folder: string): boolean => /^(?!\.\.|[A-Za-z]:|\\)/.test(relative(homedir(), folder));

/** Whether other users may get into a folder; null: Windows doesn't say. */
export async function isOpenToOthers(folder: string): Promise<boolean | null> {
  try {
    for (const who of OTHERS) if ((await icacls(folder, '/findsid', who)).includes(folder)) return true;
    return false;
  } catch {
    return null;
  }
}
