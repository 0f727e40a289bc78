/**
 * The Electron that tests run on: the project's own if it is installed, else a fetched Electron 33, in the user's cache folder. For root,
 * whom Chromium's sandbox refuses, the app runs as another user, so all it reads is where that user can read it.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, chown, cp, lchown, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findRuntime } from '../../../electron/runtime.ts';
import { DEFAULT_APP, FETCHED_VERSION, fetchRuntime, UnavailableError, whyNotFetched } from './fetch.ts';

/** What an app can be started with. */
export interface TestRuntime {
  /** Electron's program. */
  program: string;
  version: string;
  /** The project's folder, or a copy of what the app is started from. */
  app: string;
  /** Paths of what an older Electron has to load before the app: in each process and thread, and in the main process; null: nothing. */
  polyfills: { node: string; electron: string } | null;
  /** Whom the app runs as; null: as the tests. */
  user: { uid: number; gid: number } | null;
}

type FoundRuntime = Pick<TestRuntime, 'program' | 'version'>;

/** Programs for a display of the tests' own, on Linux. */
const DESK_PROGRAMS = ['Xvfb', 'openbox', 'dbus-daemon'];
/** What the app is started from, in the project's folder. */
const APP_PARTS = [
  'package.json',
  'out/main',
  'out/preload',
  'out/renderer',
  'electron/resources/images',
  'node_modules/sql.js',
];
/** Hands on to the tests' processes what was found. */
const PREPARED = 'PARLEY_TEST_ELECTRON';
/** `nobody`, on every Linux. */
const NOBODY = { uid: 65_534, gid: 65_534 };

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const isRoot = process.platform === 'linux' && process.getuid?.() === 0;

/**
 * Finds or fetches Electron, once for all processes of a test run, and prints what tests run on. Without it those tests are skipped, but
 * not on CI. The result removes what was made for the run.
 */
export async function prepareRuntime(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-electron-'));
  try {
    const runtime = await prepare(await findOrFetch(), folder);
    process.env[PREPARED] = JSON.stringify(runtime);
    console.log(`The desktop app is tested on Electron ${runtime.version}.`);
  } catch (error) {
    if (!(error instanceof UnavailableError) || process.env['CI'] !== undefined) throw error;
    process.env[PREPARED] = JSON.stringify({ missing: error.message });
    console.log(`The desktop app is not tested: ${error.message}.`);
  }
  return () => rm(folder, { recursive: true, force: true });
}

/** What {@link prepareRuntime} found, or why there is nothing. */
export function preparedRuntime(): TestRuntime | { missing: string } {
  const prepared = process.env[PREPARED];
  if (prepared === undefined) throw new Error('prepareRuntime() comes first.');
  return JSON.parse(prepared) as TestRuntime | { missing: string };
}

/** Puts what belongs to a run into a folder. */
async function prepare(found: FoundRuntime, folder: string): Promise<TestRuntime> {
  const runtime: TestRuntime = { ...found, app: ROOT, polyfills: null, user: isRoot ? NOBODY : null };
  if (found.version === FETCHED_VERSION) {
    runtime.polyfills = {
      node: join(folder, 'polyfills.cjs'),
      electron: join(folder, 'electron-polyfills.cjs'),
    };
    for (const path of Object.values(runtime.polyfills)) {
      await cp(new URL(basename(path), import.meta.url), path);
    }
  }
  if (isRoot) {
    runtime.app = join(folder, 'app');
    for (const part of APP_PARTS) {
      await cp(join(ROOT, part), join(runtime.app, part), { recursive: true });
    }
  }
  await giveTo(runtime.user, folder);
  return runtime;
}

/** Electron for the tests, which is fetched once. Throws an {@link UnavailableError} if it can’t be had. */
export async function findOrFetch(): Promise<FoundRuntime> {
  const missing = process.platform === 'linux' ? DESK_PROGRAMS.filter((name) => !canRun(name)) : [];
  if (missing.length > 0) throw new UnavailableError(`${missing.join(' and ')} must be installed`);
  // Root gives the sandbox's helper what it needs otherwise.
  if (process.platform === 'linux' && !isRoot && !canRun('unshare', '-Ur', 'true')) {
    throw new UnavailableError('Chromium’s sandbox is not allowed here');
  }
  const installed = findRuntime({});
  if (installed !== null) {
    const { version } = createRequire(import.meta.url)('electron/package.json') as { version: string };
    if (!isRoot) return { program: installed, version };
    const copy = (folder: string): Promise<void> => cp(dirname(installed), folder, { recursive: true });
    return { program: await cached(`electron-${version}`, copy), version };
  }
  const why = whyNotFetched();
  if (why !== null) throw new UnavailableError(`Electron’s runtime is not installed, and ${why}`);
  const hash = createHash('sha256').update(readFileSync(DEFAULT_APP)).digest('hex');
  const name = `electron-${FETCHED_VERSION}-${hash.slice(0, 8)}`;
  return { program: await cached(name, fetchRuntime), version: FETCHED_VERSION };
}

/** The program in a folder of the cache, which is made if it isn't there. */
async function cached(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const own = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const folder = join(isRoot ? '/var/cache' : own, 'parley-tests', name);
  if (!existsSync(folder)) {
    console.log(`Putting Electron for the tests into ${folder}, once …`);
    const making = `${folder}-${process.pid}`;
    await make(making);
    await allowSandbox(making);
    await rename(making, folder);
  }
  return join(folder, 'electron');
}

/** Gives the sandbox's helper, in a runtime's folder, the rights that it needs where user namespaces are not allowed. */
export async function allowSandbox(folder: string): Promise<void> {
  if (!isRoot) return;
  const helper = join(folder, 'chrome-sandbox');
  await chown(helper, 0, 0);
  await chmod(helper, 0o4755);
}

/** Whether a program is there; with arguments, whether it succeeds. */
const canRun = (program: string, ...args: string[]): boolean => {
  const { error, status } = spawnSync(program, args.length === 0 ? ['--version'] : args);
  return error === undefined && (args.length === 0 || status === 0);
};

/** Makes a file, or a folder and all that is in it, the user's, unless it is already. */
export async function giveTo(user: TestRuntime['user'], path: string): Promise<void> {
  const found = await stat(path);
  if (user === null || found.uid === user.uid) return;
  const within = found.isDirectory() ? await readdir(path, { recursive: true }) : [];
  for (const name of within) await lchown(join(path, name), user.uid, user.gid);
  await chown(path, user.uid, user.gid);
}
