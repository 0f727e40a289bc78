import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { App, LoginItemSettings } from 'electron';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLoginItem, desktopEntry } from '../../electron/login-item.ts';

/** Of the settings' folder on Linux, only an absolute path counts: none that starts with a drive. */
const HAS_POSIX_PATHS = process.platform !== 'win32';
/** Desktop entries are Linux's; macOS has the shell that reads them, too, and Windows has not. */
const SHELL = '/bin/sh';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-test-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

type SystemApp = Pick<App, 'isPackaged' | 'getLoginItemSettings' | 'setLoginItemSettings'>;

function system(
  isPackaged = true,
  executableWillLaunchAtLogin = true,
  status?: LoginItemSettings['status'],
): { app: SystemApp; asked: unknown[] } {
  let openAtLogin = false;
  const asked: unknown[] = [];
  return {
    asked,
    app: {
      isPackaged,
      getLoginItemSettings: (options) => {
        asked.push(options);
        return { openAtLogin, executableWillLaunchAtLogin, status } as LoginItemSettings;
      },
      setLoginItemSettings: (settings) => {
        asked.push(settings);
        openAtLogin = settings.openAtLogin === true;
      },
    },
  };
}

describe('opening at login', () => {
  it('is not set on a Mac as long as the person has to allow it, whatever was asked for', () => {
    const { app } = system(true, true, 'requires-approval');
    const item = createLoginItem({ app, platform: 'darwin', env: {}, execPath: '' });
    item.set(true);
    expect(item.isSet()).toBe(false);
    const allowed = createLoginItem({
      app: system(true, true, 'enabled').app,
      platform: 'darwin',
      env: {},
      execPath: '',
    });
    allowed.set(true);
    expect(allowed.isSet()).toBe(true);
  });

  let program: string;
  beforeEach(async () => {
    program = join(await realpath(folder), 'opt', 'parley');
    await mkdir(dirname(program));
    await writeFile(program, '');
  });
  const linux = (env: Record<string, string> = {}) =>
    createLoginItem({
      app: system().app,
      platform: 'linux',
      env: { XDG_CONFIG_HOME: folder, ...env },
      execPath: program,
    });
  const file = (): string => join(folder, 'autostart', 'parley.desktop');

  it.runIf(HAS_POSIX_PATHS)(
    'is a file in the autostart folder on Linux, and what the folder says counts',
    async () => {
      const item = linux();
      expect(item.isSet()).toBe(false);
      item.set(true);
      expect(item.isSet()).toBe(true);
      expect(await readFile(file(), 'utf8')).toContain(`Exec="${program}" --hidden\n`);
      await rm(file());
      expect(item.isSet()).toBe(false);
      item.set(false);
      expect(item.isSet()).toBe(false);
    },
  );

  it.runIf(HAS_POSIX_PATHS)(
    'starts the AppImage itself, not the place where it is unpacked while it runs',
    async () => {
      linux({ APPIMAGE: '/home/me/Parley.AppImage', APPDIR: dirname(program) }).set(true);
      expect(await readFile(file(), 'utf8')).toContain('Exec="/home/me/Parley.AppImage" --hidden');
    },
  );

  it.runIf(HAS_POSIX_PATHS)(
    'never starts another AppImage, whose terminal Parley was started from',
    async () => {
      const other = join(folder, 'other');
      await mkdir(other);
      for (const APPDIR of [other, join(folder, 'over')]) {
        linux({ APPIMAGE: '/home/me/Editor.AppImage', APPDIR }).set(true);
        expect(await readFile(file(), 'utf8')).toContain(`Exec="${program}" --hidden`);
      }
    },
  );

  it.runIf(HAS_POSIX_PATHS)('is off once the program it names was moved or removed', async () => {
    const item = linux();
    item.set(true);
    await rename(program, `${program} 2`);
    expect(item.isSet()).toBe(false);
    await rename(`${program} 2`, program);
    expect(item.isSet()).toBe(true);
  });

  it.runIf(HAS_POSIX_PATHS)('is not waited for where a pipe has its name', async () => {
    await mkdir(dirname(file()));
    execFileSync('mkfifo', [file()]);
    // A process that waits for a pipe can't be timed by its own timers.
    const module = new URL('../../electron/login-item.ts', import.meta.url).href;
    const script = `import { createLoginItem } from ${JSON.stringify(module)};
      const item = createLoginItem({ app: { isPackaged: true }, platform: 'linux', env: { XDG_CONFIG_HOME: ${JSON.stringify(folder)} }, execPath: ${JSON.stringify(program)} });
      const before = item.isSet();
      item.set(true);
      console.log(before, item.isSet());`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      timeout: 10_000,
    });
    expect(stdout.trim()).toBe('false true');
  });

  it.runIf(HAS_POSIX_PATHS)('tells when the system refuses', async () => {
    await writeFile(join(folder, 'autostart'), 'a file where the folder should be');
    expect(() => linux().set(true)).toThrow();
  });

  it.each(['win32', 'darwin'] as const)('is what the system keeps on %s', (platform) => {
    const { app, asked } = system();
    const item = createLoginItem({ app, platform, env: {}, execPath: '/x' });
    expect(item.isSet()).toBe(false);
    item.set(true);
    expect(item.isSet()).toBe(true);
    const args = platform === 'win32' ? { args: ['--hidden'] } : undefined;
    expect(asked).toEqual([args, { openAtLogin: true, ...args }, args]);
  });

  it.runIf(HAS_POSIX_PATHS).each(['Hidden=true', 'X-GNOME-Autostart-enabled=false'])(
    'is off where the desktop’s own list has it switched off: %s',
    async (line) => {
      const item = linux();
      item.set(true);
      await writeFile(
        file(),
        (await readFile(file(), 'utf8')).replace('X-GNOME-Autostart-enabled=true', line),
      );
      expect(item.isSet()).toBe(false);
      item.set(true);
      expect(item.isSet()).toBe(true);
    },
  );

  it('is off where Windows’ own list has it switched off', () => {
    const item = createLoginItem({
      app: system(true, false).app,
      platform: 'win32',
      env: {},
      execPath: '/x',
    });
    item.set(true);
    expect(item.isSet()).toBe(false);
  });

  it('can’t be had in a checkout', () => {
    const { app, asked } = system(false);
    const item = createLoginItem({ app, platform: 'win32', env: {}, execPath: '/x' });
    expect(item.isSet()).toBeNull();
    item.set(true);
    expect(asked).toEqual([]);
  });

  it.runIf(existsSync(SHELL))('finds the program whatever signs its path has, as a shell reads it', () => {
    const path = '/opt/a b/"$(id)`\\%f/parley';
    const exec = /^Exec=(.*)$/m.exec(desktopEntry(path))?.[1] ?? '';
    // As a desktop reads it: the value's own escapes first, then the quotes, which work as a shell's do, then the codes.
    const value = exec.replaceAll('\\\\', '\\');
    const read = execFileSync(SHELL, ['-c', `printf %s ${value.replace(' --hidden', '')}`], {
      encoding: 'utf8',
    });
    expect(read.replaceAll('%%', '%')).toBe(path);
  });

  it.runIf(HAS_POSIX_PATHS)('is over for desktops once the program is gone', () => {
    expect(desktopEntry('/opt/My Parley/parley').split('\n')).toContain('TryExec=/opt/My Parley/parley');
    expect(desktopEntry('/a\\b').split('\n')).toContain('TryExec=/a\\\\b');
    // One line a key, whatever the path.
    expect(desktopEntry('/a\nExec=b').split('\n')).toContain('TryExec=/a\\nExec=b');
  });
});
