/** What the Debian package does once it is installed or removed, run in a folder, with stand-ins for the system's programs. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { desktopEntry } from '../../electron/login-item.ts';
import { packLinux, ROOT } from './pack.ts';

const PROGRAM = '/opt/Parley/parley';

describe.runIf(process.platform === 'linux')('the Debian package', () => {
  let folder: string;
  let root: string;
  let packed: Awaited<ReturnType<typeof packLinux>>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-deb-'));
    packed = await packLinux(join(folder, 'packed'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  beforeEach(() => {
    root = join(folder, crypto.randomUUID());
    put('/opt/Parley/chrome-sandbox', '');
    put('/opt/Parley/resources/apparmor-profile', 'a profile');
    put('/etc/apparmor.d/other', '');
    chmodSync(at('/opt/Parley/chrome-sandbox'), 0o755);
    for (const program of ['update-alternatives', 'update-desktop-database', 'apparmor_parser'])
      command(program, '');
    command('apparmor_status', 'exit 1');
    // Who tries whether people may have user namespaces, or removes a person's file, is not root.
    command('setpriv', 'while [ "$1" != unshare ] && [ "$1" != rm ]; do shift; done; asPerson=yes exec "$@"');
    command('unshare', 'exit 0');
    command('getent', `printf 'root:x:0:0:r:/root:/bin/sh\\nme:x:1000:1000:m:${at('/home/me')}:/bin/sh\\n'`);
    command('id', 'echo 1000');
  });

  const at = (path: string): string => join(root, path);
  function put(path: string, text: string): void {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  }
  function command(name: string, script: string): void {
    put(`/stand-ins/${name}`, `#!/bin/sh\n${script}\n`);
    chmodSync(at(`/stand-ins/${name}`), 0o755);
  }
  function run(script: string, ...args: string[]): void {
    const inFolder = script.replaceAll(/(["' ])\/(opt|etc)\//g, `$1${root}/$2/`);
    writeFileSync(at('/script.sh'), inFolder);
    execFileSync('/bin/sh', [at('/script.sh'), ...args], {
      env: { PATH: `${at('/stand-ins')}:/usr/bin:/bin` },
    });
  }
  const sandboxMode = (): string => (statSync(at('/opt/Parley/chrome-sandbox')).mode & 0o7777).toString(8);

  it('gives the sandbox’s helper its bit where people may not have user namespaces, though root may', () => {
    command('unshare', '[ "$asPerson" != yes ]');
    run(packed.afterInstall, 'configure');
    expect(sandboxMode()).toBe('4755');
  });

  it('gives it where AppArmor allows a namespace but nothing in it', () => {
    command('unshare', 'case "$*" in *--map-root-user*) exit 1;; esac');
    run(packed.afterInstall, 'configure');
    expect(sandboxMode()).toBe('4755');
  });

  it('takes it away where the helper isn’t needed', () => {
    chmodSync(at('/opt/Parley/chrome-sandbox'), 0o4755);
    run(packed.afterInstall, 'configure');
    expect(sandboxMode()).toBe('755');
  });

  it('installs its AppArmor profile where that is in use, and removes it', () => {
    run(packed.afterInstall, 'configure');
    expect(existsSync(at('/etc/apparmor.d/parley'))).toBe(false);
    command('apparmor_status', '');
    run(packed.afterInstall, 'configure');
    expect(readFileSync(at('/etc/apparmor.d/parley'), 'utf8')).toBe('a profile');
    run(packed.afterRemove, 'remove');
    expect(existsSync(at('/etc/apparmor.d/parley'))).toBe(false);
  });

  it('takes the autostart entries with it, but not at an update, nor those of an AppImage', () => {
    const entry = '/home/me/.config/autostart/parley.desktop';
    // The script names the program where it is in this folder.
    put(entry, desktopEntry(at(PROGRAM)));
    run(packed.afterRemove, 'upgrade');
    expect(existsSync(at(entry))).toBe(true);
    run(packed.afterRemove, 'remove');
    expect(existsSync(at(entry))).toBe(false);
    put(entry, desktopEntry('/home/me/Parley.AppImage'));
    run(packed.afterRemove, 'remove');
    expect(existsSync(at(entry))).toBe(true);
  });

  it('brings the libraries that Electron needs', () => {
    const config = readFileSync(join(ROOT, 'electron-builder.yml'), 'utf8');
    for (const library of ['libgtk-3-0', 'libnss3', 'libdrm2', 'libgbm1', 'libasound2t64 | libasound2'])
      expect(config).toContain(`    - ${library}\n`);
  });
});
