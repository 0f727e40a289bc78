import { constants } from 'node:fs';
import { access, lstat, readdir, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sizeOfFolder } from '../lib/size-of-folder.ts';
import { nameSharedFileSystem } from '../process/owner/shared-folder.ts';
import { isOpenToOthers } from '../process/owner/windows-rights.ts';
import { createBackupFolder } from '../data/backup-folder.ts';
import { type Finding, findingsOf } from './finding.ts';
import { count, localTime, sizeOf } from './terminal.ts';

/** With less, hardly anything can be written. */
const LEAST_BYTES = 64 * 1024 * 1024;
const OTHERS = 0o077;

/** The data folder: whether it is there, who may read it, what room is left, and its backups. */
export async function lookAtFiles(dataDir: string): Promise<Finding[]> {
  const folder = await lookAtFolder(dataDir);
  if (folder.state === 'problem' || (await stat(dataDir).catch(() => null)) === null) return [folder];
  const findings = [
    folder,
    await lookAtRights(dataDir),
    await lookAtSpace(dataDir),
    await lookAtBackups(dataDir),
  ];
  const shared = await nameSharedFileSystem(dataDir);
  if (shared !== null) {
    const message = `Other computers may share it (${shared}), and Parley can't see whether it is running there.`;
    findings.push(
      findingsOf('File system').warning(
        message,
        'Never run Parley with this folder on two computers at the same time.',
      ),
    );
  }
  return findings;
}

async function lookAtFolder(dataDir: string): Promise<Finding> {
  const { ok, problem } = findingsOf('Data folder');
  let found;
  try {
    found = await stat(dataDir);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTDIR')
      return problem(
        `${dataDir} can't be a folder: a file is in its place.`,
        'Choose another with --data-dir.',
      );
    if (code !== 'ENOENT')
      return problem(
        `${dataDir} can't be examined (${code}).`,
        `Get permission to read ${dirname(dataDir)}.`,
      );
    return ok(`${dataDir} isn't there yet. The first start creates it.`);
  }
  if (!found.isDirectory())
    return problem(
      `${dataDir} is a file, not a folder.`,
      'Move it, or choose another folder with --data-dir.',
    );
  const own = process.getuid?.();
  if (own !== undefined && own !== 0 && found.uid !== own) {
    return problem(
      `${dataDir} belongs to another user (number ${found.uid}).`,
      `Run Parley as that user, or take ownership of the folder: sudo chown -R ${own} ${quoted(dataDir)}`,
    );
  }
  if (!(await mayWrite(dataDir))) {
    return problem(
      `${dataDir} can't be read and written.`,
      process.platform === 'win32'
        ? 'Get permission to change it, or choose another folder with --data-dir.'
        : `chmod -R u+rwX ${quoted(dataDir)}, or make the file system writable.`,
    );
  }
  return ok(dataDir);
}

const mayWrite = (path: string): Promise<boolean> =>
  access(path, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );

async function lookAtRights(dataDir: string): Promise<Finding> {
  const { ok, warning, problem } = findingsOf('Permissions');
  if (process.platform === 'win32') {
    const isOpen = await isOpenToOthers(dataDir);
    if (isOpen === null) return warning('Windows doesn’t say who can read it.', `icacls ${quoted(dataDir)}`);
    if (!isOpen) return ok('Other users of this computer can’t read it.');
    return problem(
      'Other users of this computer can access the folder.',
      `icacls ${quoted(dataDir)} /inheritance:r /grant:r "%USERNAME%:(OI)(CI)F"`,
    );
  }
  const names = await readdir(dataDir, { recursive: true });
  const paths = [dataDir, ...names.map((name) => join(dataDir, name))];
  // What lies in the other is Chromium's own.
  const ours = paths.filter((path) => !path.startsWith(join(dataDir, 'window')));
  const open: string[] = [];
  for (const path of ours) {
    const found = await lstat(path).catch(() => null);
    if (found !== null && !found.isSymbolicLink() && (found.mode & OTHERS) !== 0) open.push(path);
  }
  // Without access to the folder, nobody can reach its files.
  if (!open.includes(dataDir)) return ok('Only you can read it.');
  const files = open.length > 1 ? `, and at ${count(open.length - 1, 'file')} in it` : '';
  return problem(
    `Other users of this computer can access the folder${files}.`,
    `chmod -R go-rwx ${quoted(dataDir)}`,
  );
}

async function lookAtSpace(dataDir: string): Promise<Finding> {
  const { ok, warning, problem } = findingsOf('Free space');
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  const store = await sizeOfFolder(join(dataDir, 'store'));
  const words = `${sizeOf(free)} free; the store takes ${sizeOf(store)}`;
  if (free < LEAST_BYTES) return problem(`${words}.`, 'Free some space on that disk: writes will soon fail.');
  if (free < store * 2) {
    const message = `${words}. Compacting the store needs about as much again; until there is room, its log keeps growing.`;
    return warning(message, 'Free some space on that disk.');
  }
  return ok(`${words}.`);
}

async function lookAtBackups(dataDir: string): Promise<Finding> {
  const [newest, ...others] = await createBackupFolder(join(dataDir, 'backups')).list();
  return findingsOf('Backups').ok(
    newest === undefined
      ? 'None yet. parley backup makes one while Parley runs.'
      : `${count(others.length + 1, 'backup')}, the newest of ${localTime(newest.createdAt)}.`,
  );
}

/** A path quoted for a shell. */
export const quoted = (path: string): string =>
  /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
