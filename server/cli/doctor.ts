/** `parley doctor`: checks the data folder and the store without changing anything, and says what to do. */
import { constants, existsSync } from 'node:fs';
import { access, lstat, readdir, stat, statfs } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import type { StorageAnswer } from '../../shared/api/storage.ts';
import { count } from '../../shared/numbers.ts';
import { hasLocalKey } from '../auth/local-key.ts';
import { createBlobFolder } from '../files/blob-folder.ts';
import { filesDirOf } from '../files/file-store.ts';
import { messageOf } from '../lib/message-of.ts';
import { readPrivateFile } from '../lib/private-file.ts';
import { quotePath } from '../lib/quote-path.ts';
import { sizeOfFolder } from '../lib/size-of-folder.ts';
import { VERSION } from '../lib/version.ts';
import { findOwner, type Owner } from '../process/owner/owner.ts';
import { isOpenToOthers } from '../process/owner/windows-rights.ts';
import { explainStart } from '../process/start-refusal.ts';
import { readSecrets } from '../secrets/secret-file.ts';
import { nodeDisk } from '../store/disk.ts';
import { listBlobs } from '../store/file-repository.ts';
import { type LoadedStore, loadStore } from '../store/load.ts';
import { StoreOpenError, describeLoss } from '../store/store-error.ts';
import { connect } from './client.ts';
import { EXIT } from './exit-codes.ts';
import { hint, say, sayJson, sizeOf, styled, withoutControls } from './terminal.ts';

/** The result of one check. */
export interface DoctorRow {
  /** What was checked, in a word or two. */
  check: string;
  /** `warning`: it works, but could be better. `problem`: it has to be fixed. */
  state: 'ok' | 'warning' | 'problem';
  message: string;
  /** What to do; absent: nothing. */
  advice?: string;
}

const findingOf =
  (state: DoctorRow['state']) =>
  (check: string, message: string, advice?: string): DoctorRow => ({
    check,
    state,
    message,
    ...(advice !== undefined && { advice }),
  });
const [ok, warning, problem] = [findingOf('ok'), findingOf('warning'), findingOf('problem')];

/** With less, hardly anything can be written. */
const MIN_FREE_BYTES = 64 * 1024 * 1024;
const OTHER_USERS = 0o077;

/** Prints the findings; the exit code says whether there is a problem. */
export async function doctor({ dataDir, json }: { dataDir: string; json?: true }): Promise<void> {
  if (!json) hint(`Checking ${dataDir}; nothing is changed.`);
  const findings = await examine(dataDir);
  const isIntact = findings.every(({ state }) => state !== 'problem');
  if (json) sayJson({ dataDir, isSound: isIntact, findings });
  else for (const finding of findings) sayFinding(finding);
  if (!isIntact) process.exitCode = EXIT.failed;
}

async function examine(dataDir: string): Promise<DoctorRow[]> {
  const { versions, platform, arch } = process;
  const program = ok('Program', `Parley ${VERSION}, Node ${versions.node}, ${platform} ${arch}`);
  const folder = await checkFolder(dataDir);
  if (folder.state === 'problem' || !existsSync(dataDir)) return [program, folder];
  const service = await findOwner(dataDir).then(
    (owner) => (owner === null ? checkStore(dataDir) : checkService(dataDir, owner)),
    (error: unknown) => [problem('Service', messageOf(error))],
  );
  return [
    program,
    folder,
    await checkPermissions(dataDir),
    await checkSpace(dataDir),
    ...(await checkKeys(dataDir)),
    ...service,
  ];
}

async function checkFolder(dataDir: string): Promise<DoctorRow> {
  const check = 'Data folder';
  try {
    if (!(await stat(dataDir)).isDirectory())
      return problem(
        check,
        `${dataDir} is a file, not a folder.`,
        'Move it, or choose a folder with --data-dir.',
      );
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return ok(check, dataDir);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (await isBelowFile(dataDir))
      return problem(check, `${dataDir} lies below a file.`, 'Choose another folder with --data-dir.');
    if (code === 'ENOENT') return ok(check, `${dataDir} doesn't exist yet. The first start creates it.`);
    const advice = 'Get permission to read and write it, or choose another folder with --data-dir.';
    return problem(check, `${dataDir} can't be read and written (${code}).`, advice);
  }
}

/** Whether a file stands where a folder above the path would be; Windows just says that there is no such path. */
async function isBelowFile(path: string): Promise<boolean> {
  const above = dirname(path);
  if (above === path) return false;
  const stats = await stat(above).catch(() => null);
  return stats === null ? isBelowFile(above) : !stats.isDirectory();
}

async function checkPermissions(dataDir: string): Promise<DoctorRow> {
  const check = 'Permissions';
  if (process.platform === 'win32') {
    const isOpen = await isOpenToOthers(dataDir);
    if (isOpen === false) return ok(check, 'Other users of this computer can’t read it.');
    if (isOpen === null)
      return warning(check, 'Windows doesn’t say who can read it.', `icacls ${quotePath(dataDir)}`);
    const advice = `icacls ${quotePath(dataDir)} /inheritance:r /grant:r "${userInfo().username}:(OI)(CI)F"`;
    return problem(check, 'Other users of this computer can access the folder.', advice);
  }
  // Without access to the folder, nobody can reach its files.
  if (((await lstat(dataDir)).mode & OTHER_USERS) === 0) return ok(check, 'Only you can read the folder.');
  return problem(
    check,
    'Other users of this computer can access the folder.',
    `chmod -R go-rwx ${quotePath(dataDir)}`,
  );
}

async function checkSpace(dataDir: string): Promise<DoctorRow> {
  const check = 'Free space';
  const { bavail, bsize } = await statfs(dataDir);
  const store = await sizeOfFolder(join(dataDir, 'store'));
  const message = `${sizeOf(bavail * bsize)} free; the store takes ${sizeOf(store)}.`;
  // Compacting the store takes about as much space again.
  return bavail * bsize < MIN_FREE_BYTES + store
    ? problem(check, message, 'Free some space on that disk: writes will soon fail.')
    : ok(check, message);
}

/** Checks whether the files with keys and secrets can be read. */
async function checkKeys(dataDir: string): Promise<DoctorRow[]> {
  const faults: string[] = [];
  for (const name of ['local-key', 'identity'])
    await readPrivateFile(join(dataDir, name)).catch((error: unknown) =>
      faults.push(messageOf(explainStart(error, dataDir))),
    );
  const secrets = await readSecrets(dataDir);
  if (secrets.state === 'unreadable') faults.push(secrets.fault);
  return faults.map((fault) => problem('Keys', fault));
}

/** Checks whether the folder's service answers, and reports the notices about its store. */
async function checkService(dataDir: string, { pid, baseUrl }: Owner): Promise<DoctorRow[]> {
  const runs = `${pid === null ? 'Another process' : `Process ${pid}`} is using the folder${baseUrl === null ? '' : `, at ${baseUrl}`}`;
  try {
    const client = await connect({ dataDir });
    const { storage } = await client.get<StorageAnswer>('/api/v1/storage');
    return [
      ok('Service', `${runs}, and answers.`),
      ...storage.notices.map(({ message }) => warning('Store', message)),
    ];
  } catch (error) {
    const message = `${runs}, but doesn't answer as it should: ${messageOf(error)}`;
    return [
      problem('Service', message, 'End that process and start Parley again; no accepted message is lost.'),
    ];
  }
}

/** Checks the store's files while no service uses them. */
async function checkStore(dataDir: string): Promise<DoctorRow[]> {
  const dir = join(dataDir, 'store');
  const service = ok('Service', 'No service is running. Start it with parley serve or the app.');
  const setAside = (await readdir(dir).catch(() => [])).filter((name) => name.includes('.damaged-'));
  const advice =
    'Everything readable in it is in the store. Delete it once you are sure that nothing is missing.';
  const earlier = setAside.map((name) => warning('Set aside', `Earlier damage: ${join(dir, name)}.`, advice));
  let loaded: LoadedStore;
  try {
    loaded = await loadStore(nodeDisk(), dir, { isExpected: hasLocalKey(dataDir) });
  } catch (error) {
    const remedy =
      error instanceof StoreOpenError && error.reason === 'damaged'
        ? `Copy ${dataDir} somewhere safe. Then move ${dir} away, start Parley, and run: parley restore last`
        : undefined;
    return [service, problem('Store', messageOf(explainStart(error, dataDir)), remedy), ...earlier];
  }
  try {
    return [service, findDamage(dir, loaded), ...earlier, ...(await checkFiles(dataDir, loaded))];
  } finally {
    loaded.database.close();
  }
}

function findDamage(dir: string, loaded: LoadedStore): DoctorRow {
  const files = [...loaded.damaged.keys()];
  const loss = describeLoss(dir, loaded);
  if (files.length === 0 && loss === null) {
    const isThere = loaded.database.userVersion() > 0;
    return ok('Store', isThere ? `${dir} is intact.` : 'There is no store yet. The first start creates it.');
  }
  const damage = files.length === 0 ? '' : `Damaged: ${files.join(', ')}. `;
  return problem(
    'Store',
    `${damage}${loss ?? 'Nothing is lost.'}`,
    `Copy ${dir} somewhere safe and check the disk. The next start repairs the store, keeps the damaged file beside it, and loses no more than that; parley restore last restores what is in the backup.`,
  );
}

/** Checks that the bytes of all messages' files are there, and what they were. */
async function checkFiles(dataDir: string, { database }: LoadedStore): Promise<DoctorRow[]> {
  // A store without any file has no tables yet.
  if (database.userVersion() === 0) return [];
  const folder = createBlobFolder(nodeDisk(), filesDirOf(dataDir));
  const blobs = listBlobs(database);
  let lost = 0;
  for (const { sha256, bytes } of blobs) {
    const file = await folder.open(sha256, bytes);
    if (file === null) lost += 1;
    await file?.close();
  }
  if (lost === 0) return [ok('Files', `${count(blobs.length, 'file')} of messages, all there and intact.`)];
  const message = `Missing from ${filesDirOf(dataDir)}, or damaged: ${lost} of ${count(blobs.length, 'file')} of messages.`;
  return [problem('Files', message, 'Put them back, or restore those in the backup: parley restore last')];
}

const CHECKS = { ok: 'green', warning: 'yellow', problem: 'red' } as const;
const MARKS = { ok: '✓', warning: '!', problem: '✗' } as const;

function sayFinding({ check, state, message, advice }: DoctorRow): void {
  say(`${styled(CHECKS[state], MARKS[state])} ${check.padEnd(14)} ${withoutControls(message)}`);
  if (advice !== undefined) say(`${' '.repeat(17)}→ ${withoutControls(advice)}`);
}
