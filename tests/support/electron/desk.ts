/** A display of the tests' own on Linux, with a window manager and a message bus; elsewhere the one that is there. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { giveTo, type TestRuntime } from './runtime.ts';

/** Where windows open. */
export interface Desk {
  /** The environment of programs that open them. */
  env: NodeJS.ProcessEnv;
  close(): Promise<void>;
}

const SCREEN = '1600x1200x24';
/** Nothing of these may lead to the desktop of the person running the tests. */
const PERSONAL = /^(?:XDG_|WAYLAND_DISPLAY$|XAUTHORITY$|DBUS_|DESKTOP_SESSION$|GNOME_|KDE_)/;

/** Opens one for a user. */
export async function openDesk(user: TestRuntime['user']): Promise<Desk> {
  if (process.platform !== 'linux') return { env: process.env, close: async () => undefined };
  const home = await mkdtemp(join(tmpdir(), 'parley-desk-'));
  const runtimeDir = join(home, 'run');
  await mkdir(runtimeDir, { mode: 0o700 });
  await giveTo(user, home);
  const inherited = Object.entries(process.env).filter(([name]) => !PERSONAL.test(name));
  const env: NodeJS.ProcessEnv = {
    ...Object.fromEntries(inherited),
    HOME: home,
    XDG_RUNTIME_DIR: runtimeDir,
  };
  const started: ChildProcess[] = [];
  /** Starts a program that writes a line to its descriptor 3 when it can be used. */
  const start = (program: string, args: string[]): Promise<string> => {
    const child = spawn(program, args, {
      env,
      cwd: home,
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      ...user,
    });
    started.push(child);
    return firstLine(program, child);
  };
  env['DISPLAY'] = `:${await start('Xvfb', ['-displayfd', '3', '-screen', '0', SCREEN, '-nolisten', 'tcp'])}`;
  env['DBUS_SESSION_BUS_ADDRESS'] = await start('dbus-daemon', [
    '--session',
    '--nofork',
    '--print-address=3',
  ]);
  void start('openbox', ['--sm-disable']).catch(() => undefined);
  return {
    env,
    close: async () => {
      for (const child of started) child.kill();
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function firstLine(program: string, child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    (child.stdio[3] as Readable).setEncoding('utf8').on('data', (more: string) => {
      text += more;
      if (text.includes('\n')) resolve(text.trim());
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${program} ended with ${String(code)}.`)));
  });
}
