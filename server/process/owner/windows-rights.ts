/**
 * Who may read a folder on Windows, where modes mean nothing: a new folder takes the rights of the one above it, which outside the
 * person's own profile usually lets everybody in.
 */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { nameFault } from '../../lib/fault-report.ts';
import { makeFolder } from '../../lib/make-folder.ts';

/** By their numbers, since names are translated: everyone, whoever has signed in, and all users. */
const OTHERS = ['*S-1-1-0', '*S-1-5-11', '*S-1-5-32-545'];
const NOBODY = '*S-1-0-0';
const SYSTEM = '*S-1-5-18';
const ADMINISTRATORS = '*S-1-5-32-544';
const TIMEOUT_MS = 5_000;
/** What the desktop app makes in a new data folder before the service starts. */
const WINDOW_FOLDERS = ['window', 'logs'];

/** Runs a program of Windows and resolves with what it prints. */
type Run = (program: string, ...args: string[]) => Promise<string>;

const runSystem: Run = async (program, ...args) => {
  const path = join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', program);
  return (await promisify(execFile)(path, args, { timeout: TIMEOUT_MS, windowsHide: true })).stdout;
};

/**
 * Creates the data folder if it is missing. Outside the profile, makes a new or empty one private to the person, and leaves the
 * rights of another as they are. `warn` is called when other people can read it.
 */
export async function makeDataFolder(
  folder: string,
  warn: (line: string) => void,
  run = runSystem,
  platform: NodeJS.Platform = process.platform,
): Promise<void> {
  makeFolder(folder);
  if (platform !== 'win32' || isInProfile(folder)) return;
  const warning = `Other users of this computer may be able to read ${folder}`;
  if (readdirSync(folder).every((name) => WINDOW_FOLDERS.includes(name))) {
    await closeToOthers(folder, run).catch((error: unknown) => warn(`${warning}: ${nameFault(error)}`));
  } else if (await isOpenToOthers(folder, run)) {
    warn(`${warning}; “parley doctor” says how to prevent that.`);
  }
}

async function closeToOthers(folder: string, run: Run): Promise<void> {
  const person = /S-1-[\d-]+/.exec(await run('whoami.exe', '/user', '/fo', 'csv', '/nh'))?.[0];
  if (person === undefined) throw new Error('Windows didn’t say who is signed in.');
  const rights = [`*${person}`, SYSTEM, ADMINISTRATORS].map((who) => `${who}:(OI)(CI)F`);
  await run('icacls.exe', folder, '/inheritance:r', '/grant:r', ...rights);
}

const isInProfile = (folder: string): boolean => /^(?!\.\.|[A-Za-z]:|\\)/.test(relative(homedir(), folder));

/** Whether other users may get into a folder; null: Windows doesn't say. */
export async function isOpenToOthers(folder: string, run = runSystem): Promise<boolean | null> {
  try {
    // What it prints is translated, with the path in an old encoding, and differs only where rights are found.
    const [none, ...found] = await Promise.all(
      [NOBODY, ...OTHERS].map((who) => run('icacls.exe', folder, '/findsid', who)),
    );
    return none === '' ? null : found.some((text) => text !== none);
  } catch {
    return null;
  }
}
