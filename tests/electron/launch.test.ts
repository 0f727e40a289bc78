import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { downloadRuntime, findRuntime } from '../../electron/runtime.ts';
import { whyNoWindow } from '../../electron/why-no-window.ts';

describe('a window', () => {
  const screen = { DISPLAY: ':0' };
  const person = (): number => 1000;

  it('is opened where there is a display', () => {
    expect(whyNoWindow([], { platform: 'linux', env: screen, getuid: person })).toBeNull();
    expect(
      whyNoWindow(['--port', '0'], { platform: 'linux', env: { WAYLAND_DISPLAY: 'w' }, getuid: person }),
    ).toBeNull();
    expect(whyNoWindow([], { platform: 'win32', env: {} })).toBeNull();
    expect(whyNoWindow([], { platform: 'darwin', env: {}, getuid: () => 0 })).toBeNull();
  });

  it('is not tried without a display, nor as root, and the reason begins a sentence', () => {
    expect(whyNoWindow([], { platform: 'linux', env: { DISPLAY: '' }, getuid: person })).toMatch(
      /^There is no display/,
    );
    expect(whyNoWindow([], { platform: 'linux', env: screen, getuid: () => 0 })).toMatch(/as root$/);
  });

  it.each(['--json', '--help', '--version'])(
    'is not what %s asks for, and nothing is said about it',
    (argument) => {
      expect(whyNoWindow([argument], { platform: 'linux', env: screen, getuid: person })).toBe('');
    },
  );
});

describe('the runtime', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-test-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is where its package says, or where the environment says', async () => {
    expect(findRuntime({}, folder)).toBeNull();
    await mkdir(join(folder, 'dist'));
    await writeFile(join(folder, 'path.txt'), 'electron.exe');
    expect(findRuntime({}, folder)).toBeNull();
    await writeFile(join(folder, 'dist', 'electron.exe'), '');
    expect(findRuntime({}, folder)).toBe(join(folder, 'dist', 'electron.exe'));
    expect(findRuntime({ ELECTRON_OVERRIDE_DIST_PATH: join(folder, 'other') }, folder)).toBeNull();
    await mkdir(join(folder, 'other'));
    await writeFile(join(folder, 'other', 'electron.exe'), '');
    expect(findRuntime({ ELECTRON_OVERRIDE_DIST_PATH: join(folder, 'other') }, folder)).toBe(
      join(folder, 'other', 'electron.exe'),
    );
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
