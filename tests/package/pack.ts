/**
 * The packages, as electron-builder makes them from electron-builder.yml and out/: with a real Electron, or, offline and for every system,
 * around a runtime that is only made to look like it and whose executable holds nothing but the fuses.
 */
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Arch, build, Platform, type Configuration } from 'electron-builder';
import { asar, fuses, plist, SENTINEL } from '../support/electron/builder.ts';
import { allowSandbox, type TestRuntime } from '../support/electron/runtime.ts';

/** The project's folder. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** As Electron 45 comes: one fuse more than are set here, and each of those the other way round. */
const FUSE_VERSION = 1;
const FUSES_AS_THEY_COME = '101100111';

const executable = (): Buffer =>
  Buffer.concat([
    Buffer.from('not a program\n'),
    Buffer.from(SENTINEL),
    Buffer.from([FUSE_VERSION, FUSES_AS_THEY_COME.length]),
    Buffer.from(FUSES_AS_THEY_COME),
    Buffer.from('\nnothing after it'),
  ]);

async function write(path: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

async function writeLinuxRuntime(folder: string): Promise<void> {
  await write(join(folder, 'electron'), executable());
  await chmod(join(folder, 'electron'), 0o755);
  for (const name of [
    'version',
    'LICENSE',
    'LICENSES.chromium.html',
    'chrome-sandbox',
    'locales/de.pak',
    'locales/en-GB.pak',
    'locales/en-US.pak',
  ]) {
    await write(join(folder, name), name);
  }
  await mkdir(join(folder, 'resources'));
}

async function writeMacRuntime(folder: string): Promise<void> {
  const contents = join(folder, 'Electron.app', 'Contents');
  const info = (name: string): string => plist.build({ CFBundleName: name, CFBundleExecutable: name });
  await write(join(contents, 'Info.plist'), info('Electron'));
  await write(join(contents, 'MacOS', 'Electron'), 'not a program');
  await write(join(contents, 'Resources', 'electron.icns'), 'not an icon');
  await write(
    join(contents, 'Frameworks', 'Electron Framework.framework', 'Electron Framework'),
    executable(),
  );
  const resources = join(
    contents,
    'Frameworks',
    'Electron Framework.framework',
    'Versions',
    'A',
    'Resources',
  );
  for (const language of ['de', 'en', 'en_GB']) {
    await write(join(resources, `${language}.lproj`, 'locale.pak'), language);
  }
  for (const kind of ['', ' (GPU)', ' (Plugin)', ' (Renderer)']) {
    const name = `Electron Helper${kind}`;
    await write(join(contents, 'Frameworks', `${name}.app`, 'Contents', 'Info.plist'), info(name));
    await write(join(contents, 'Frameworks', `${name}.app`, 'Contents', 'MacOS', name), 'not a program');
  }
}

/** A package, unpacked as it is installed. */
export interface Packed {
  /** What the fuses are in. */
  executable: string;
  /** Where app.asar is. */
  resources: string;
  archive: string;
}

/** What goes to the tools that make a Debian package and an AppImage, which have to be downloaded. */
export interface LinuxInstallers {
  debArguments: string[];
  /** What the Debian package runs once it is installed, and once it is removed. */
  afterInstall: string;
  afterRemove: string;
  desktopEntry: string;
}

async function run(
  folder: string,
  config: Configuration,
  options: Parameters<typeof build>[0],
): Promise<void> {
  if (!existsSync(join(ROOT, 'out/main/main.js')))
    throw new Error('out/ is missing: build the project first.');
  await build({
    projectDir: ROOT,
    publish: 'never',
    ...options,
    config: {
      electronDist: join(folder, 'runtime'),
      ...config,
      directories: { output: join(folder, 'dist') },
    },
  });
}

/** Packs for Linux below the folder, and goes on with the installers up to where their tools would be called. */
export async function packLinux(folder: string): Promise<Packed & LinuxInstallers> {
  await mkdir(folder, { recursive: true });
  await writeLinuxRuntime(join(folder, 'runtime'));
  let debArguments: string[] = [];
  const scripts = { afterInstall: '', afterRemove: '' };
  let desktopEntry = '';
  await run(
    folder,
    {},
    {
      targets: Platform.LINUX.createTarget(['AppImage', 'deb'], Arch.x64),
      effectiveOptionComputed: async (computed: [string[], string] | { desktop: string }) => {
        if (Array.isArray(computed)) {
          [debArguments] = computed;
          const read = (option: string): string =>
            readFileSync(debArguments[debArguments.indexOf(option) + 1] ?? '', 'utf8');
          scripts.afterInstall = read('--after-install');
          scripts.afterRemove = read('--after-remove');
        } else desktopEntry = computed.desktop;
        return true;
      },
    },
  );
  return { ...unpackedIn(folder), debArguments, ...scripts, desktopEntry };
}

/**
 * Packs the app for Linux with a real Electron below the folder, unpacked as it is installed. With an older Electron the archive has one
 * module more, which loads what that one lacks and then the app.
 */
export async function packApp(folder: string, { program, polyfills }: TestRuntime): Promise<Packed> {
  const start = join(folder, 'start');
  if (polyfills !== null) {
    await write(
      join(start, 'start.mjs'),
      `import { createRequire } from 'node:module';
      ${JSON.stringify(Object.values(polyfills))}.forEach((path) => createRequire('/')(path));
      await import('./out/main/main.js');\n`,
    );
  }
  const config: Configuration = {
    electronDist: dirname(program),
    ...(polyfills !== null && {
      extraMetadata: { main: 'start.mjs' },
      linux: { files: [{ from: start, to: '.' }] },
    }),
  };
  await run(folder, config, { targets: Platform.LINUX.createTarget('dir', Arch.x64) });
  const packed = unpackedIn(folder);
  await allowSandbox(dirname(packed.executable));
  return packed;
}

function unpackedIn(folder: string): Packed {
  const app = join(folder, 'dist', 'linux-unpacked');
  const resources = join(app, 'resources');
  return { executable: join(app, 'parley'), resources, archive: join(resources, 'app.asar') };
}

/** Packs for macOS below the folder, unsigned. */
export async function packMac(folder: string): Promise<Packed & { info: Record<string, unknown> }> {
  await mkdir(folder, { recursive: true });
  await writeMacRuntime(join(folder, 'runtime'));
  // Signing takes a Mac and a program that can be signed.
  const config = { electronFuses: { resetAdHocDarwinSignature: false }, mac: { identity: null } };
  await run(folder, config, { targets: Platform.MAC.createTarget('dir', Arch.x64) });
  const app = join(folder, 'dist', 'mac', 'Parley.app');
  const resources = join(app, 'Contents', 'Resources');
  return {
    executable: app,
    resources,
    archive: join(resources, 'app.asar'),
    info: plist.parse(await readFile(join(app, 'Contents', 'Info.plist'), 'utf8')),
  };
}

/** The paths of an archive's files, with slashes on all systems; the archive itself is asked with the system's own. */
export function filesIn(archive: string): string[] {
  return asar
    .listPackage(archive, { isPack: false })
    .map((path) => path.replaceAll('\\', '/').replace(/^\//, ''))
    .filter((path) => asar.statFile(archive, normalize(path)).files === undefined)
    .sort();
}

/** Each of the fuses that Parley sets by name, `true` when it is on; any further one by its number. */
export async function readFuses(executablePath: string): Promise<Record<string, boolean>> {
  const wire = Object.entries(await fuses.getCurrentFuseWire(executablePath));
  return Object.fromEntries(
    wire
      .filter(([place]) => place !== 'version')
      .map(([place, state]) => [String(fuses.FuseV1Options[place] ?? place), state === '1'.charCodeAt(0)]),
  );
}
