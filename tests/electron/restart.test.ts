import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { restart } from '../../electron/restart.ts';
import { eventually } from '../support/eventually.ts';

const execPath = '/opt/Parley/parley';
const argv = [execPath, '--data-dir=/data', '--hidden', 'serve', 'parley://chat/old'];

it('starts with what the app was started with, but not hidden, without a link that was followed, and no other program', () => {
  const relaunch = vi.fn();
  restart({ app: { relaunch }, argv, env: {}, execPath, pid: 1 }, null);
  // As in the terminal of an editor that is an AppImage.
  const env = { APPIMAGE: '/home/me/Editor.AppImage', APPDIR: tmpdir() };
  restart({ app: { relaunch }, argv, env, execPath, pid: 1 }, 'parley://chat/new');
  restart(
    { app: { relaunch }, argv: ['x', 'serve', '--data-dir', 'serve'], env: {}, execPath, pid: 1 },
    null,
  );
  expect(relaunch.mock.calls).toEqual([
    [{ args: ['--data-dir=/data'] }],
    [{ args: ['--data-dir=/data', 'parley://chat/new'] }],
    // A folder of that name stays.
    [{ args: ['--data-dir', 'serve'] }],
  ]);
});

it.skipIf(process.platform === 'win32')(
  'starts an AppImage from its file, once the process that ran from it has ended',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-restart-'));
    const old = spawn(process.execPath, ['-e', 'process.stdin.resume()'], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const file = join(folder, "Parley's own.AppImage");
    const said = join(folder, 'said');
    await writeFile(
      file,
      `#!/bin/sh\nif kill -0 ${old.pid} 2>/dev/null; then echo too early; else echo "$1"; fi >"${said}.new"\nmv "${said}.new" "${said}"\n`,
      { mode: 0o700 },
    );
    const relaunch = vi.fn();
    const env = { APPIMAGE: file, APPDIR: folder };
    const program = join(await realpath(folder), 'parley');
    restart({ app: { relaunch }, argv: ['x'], env, execPath: program, pid: old.pid ?? 0 }, 'parley://new');
    old.stdin.end();
    await once(old, 'exit');
    await eventually(() => expect(existsSync(said)).toBe(true));
    expect(await readFile(said, 'utf8')).toBe('parley://new\n');
    expect(relaunch).not.toHaveBeenCalled();
    await rm(folder, { recursive: true });
  },
);
