import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { downloadHint, downloadRuntime, findRuntime } from '../../electron/runtime.ts';
import { whyNoWindow } from '../../electron/why-no-window.ts';

describe('a window', () => {
  // Named in a way that isn't checked.
  const screen = { DISPLAY: 'unix:/run/x11' };
  const person = (): number => 1000;

  it('is opened where there is a display', async () => {
    expect(await whyNoWindow([], { platform: 'linux', env: screen, getuid: person })).toBeNull();
    expect(await whyNoWindow([], { platform: 'win32', env: {} })).toBeNull();
    expect(await whyNoWindow([], { platform: 'darwin', env: {}, getuid: () => 0 })).toBeNull();
  });

  it('is not tried without a display, nor as root, and the reason begins a sentence', async () => {
    expect(await whyNoWindow([], { platform: 'linux', env: { DISPLAY: '' }, getuid: person })).toMatch(
      /^There is no display/,
    );
    expect(await whyNoWindow([], { platform: 'linux', env: screen, getuid: () => 0 })).toMatch(/as root$/);
  });

  it.each(['--json', '--help', '--version'])(
    'is not what %s asks for, and nothing is said about it',
    async (argument) => {
      expect(await whyNoWindow([argument], { platform: 'linux', env: screen, getuid: person })).toBe('');
    },
  );
});

describe('the runtime', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-test-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** A runtime as its package leaves it. */
  async function install(version: string): Promise<string> {
    await writeFile(join(folder, 'package.json'), '{"version":"45.4.1"}');
    await mkdir(join(folder, 'dist'));
    await writeFile(join(folder, 'dist', 'version'), version);
    await writeFile(join(folder, 'path.txt'), 'electron.exe');
    const program = join(folder, 'dist', 'electron.exe');
    await writeFile(program, '');
    return program;
  }

  it('is where its package says, or where the environment says', async () => {
    expect(findRuntime({}, folder)).toBeNull();
    const program = await install('45.4.1');
    expect(findRuntime({}, folder)).toBe(program);
    expect(findRuntime({ ELECTRON_OVERRIDE_DIST_PATH: join(folder, 'other') }, folder)).toBeNull();
    await mkdir(join(folder, 'other'));
    await writeFile(join(folder, 'other', 'electron.exe'), '');
    expect(findRuntime({ ELECTRON_OVERRIDE_DIST_PATH: join(folder, 'other') }, folder)).toBe(
      join(folder, 'other', 'electron.exe'),
    );
  });

  it.each(['path.txt', 'dist/version', 'dist/electron.exe'])(
    'counts as not there when its download was interrupted before %s',
    async (missing) => {
      await install('v45.4.1');
      expect(findRuntime({}, folder)).not.toBeNull();
      await rm(join(folder, missing));
      // What an interrupted download leaves under the name that Linux has.
      await writeFile(join(folder, 'dist', 'electron'), '');
      expect(findRuntime({}, folder)).toBeNull();
    },
  );

  it('of another version counts as not there', async () => {
    await install('45.4.0');
    expect(findRuntime({}, folder)).toBeNull();
  });

  it('that can’t be downloaded names a proxy and a mirror, unless they are set', () => {
    expect(downloadHint({})).toMatch(/ELECTRON_GET_USE_PROXY=1 and HTTPS_PROXY.*ELECTRON_MIRROR/);
    expect(downloadHint({ ELECTRON_GET_USE_PROXY: '1' })).not.toContain('PROXY');
    expect(downloadHint({ ELECTRON_GET_USE_PROXY: '1', ELECTRON_MIRROR: 'm' })).toBe('');
  });

  it('that can’t be downloaded says why in a few words', async () => {
    await writeFile(
      join(folder, 'install.js'),
      'console.error(new TypeError("fetch failed").stack); process.exit(1)',
    );
    expect(await downloadRuntime(folder)).toBe('fetch failed');
    await writeFile(join(folder, 'install.js'), 'process.exit(3)');
    expect(await downloadRuntime(folder)).toBe('the download ended early');
    await writeFile(join(folder, 'install.js'), '');
    expect(await downloadRuntime(folder)).toBeNull();
  });
});
