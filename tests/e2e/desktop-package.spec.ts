/** The app as it is installed, packed by electron-builder with the Electron that the other specs run on. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VERSION } from '../../server/lib/version.ts';
import { packApp, type Packed } from '../package/pack.ts';
import { converse, start, type Running } from '../package/running.ts';
import { asar } from '../support/electron/builder.ts';
import { preparedRuntime } from '../support/electron/runtime.ts';
import { apiOf } from './support/desktop-api.ts';
import { expect, test as base } from './support/desktop.ts';

/** An installed app. */
interface Installed extends Packed {
  start(dataDir: string, args?: string[]): Promise<Running>;
  /** Runs it until it ends. */
  run(...args: string[]): { code: number | null; output: string };
  /** The same app without a display. */
  blind: Pick<Installed, 'start' | 'run'>;
  /** … and with one that is over, as in a terminal that was left open. */
  stranded: Pick<Installed, 'start' | 'run'>;
}

const test = base.extend<{ app: Installed }, { installed: Installed | null }>({
  installed: [
    async ({ desk }, use) => {
      const runtime = preparedRuntime();
      if ('missing' in runtime || desk === null) {
        await use(null);
        return;
      }
      const folder = await mkdtemp(join(tmpdir(), 'parley-installed-'));
      await chmod(folder, 0o755);
      const packed = await packApp(folder, runtime);
      const startIn = (env: NodeJS.ProcessEnv): Pick<Installed, 'start' | 'run'> => ({
        start: (dataDir, args = []) => start(packed.executable, args, dataDir, { ...runtime.user, env }),
        run: (...args) => {
          const { status, stdout, stderr } = spawnSync(packed.executable, args, {
            ...runtime.user,
            env,
            encoding: 'utf8',
            timeout: 60_000,
          });
          return { code: status, output: stdout + stderr };
        },
      });
      const blind = startIn({ ...desk.env, DISPLAY: '', WAYLAND_DISPLAY: '' });
      const stranded = startIn({ ...desk.env, DISPLAY: ':9987', WAYLAND_DISPLAY: 'wayland-9' });
      await use({ ...packed, ...startIn(desk.env), blind, stranded });
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  app: async ({ installed }, use, testInfo) => {
    const runtime = preparedRuntime();
    if (installed !== null) await use(installed);
    else testInfo.skip(true, 'missing' in runtime ? runtime.missing : '');
  },
});

// One worker packs for all.
test.describe.configure({ mode: 'default' });
test.skip(process.platform !== 'linux', 'Other systems’ packages are tried where they are made.');

test('every part works inside the package', ({ app }) => {
  const { code, output } = app.run('--self-check');
  expect(code, output).toBe(0);
  expect(output).toMatch(/^ok +store/m);
  expect(output).not.toMatch(/^failed/m);
});

test('commands run in the terminal without a display, after Chromium’s switches, and start no app', ({
  app,
  folder,
}) => {
  const { run } = app.blind;
  const nowhere = join(folder, 'nowhere');
  expect(run('--no-sandbox', 'help')).toMatchObject({
    code: 0,
    output: expect.stringContaining('Exit codes:'),
  });
  expect(run('--version')).toMatchObject({ code: 0, output: expect.stringContaining(VERSION) });
  expect(run('chats', '--data-dir', nowhere)).toMatchObject({
    code: 4,
    output: expect.stringContaining("Parley isn't running"),
  });
  expect(run('chat')).toMatchObject({ code: 2, output: expect.stringContaining('Did you mean chats?') });
  expect(run('--data-dir', nowhere)).toMatchObject({
    code: 1,
    output: expect.stringContaining('There is no display'),
  });
  expect(app.stranded.run('--data-dir', nowhere)).toMatchObject({
    code: 1,
    output: expect.stringContaining('The display :9987 can’t be reached'),
  });
  expect(existsSync(nowhere)).toBe(false);
});

test('it serves without a display, and ends in order', async ({ app, folder }) => {
  const dataDir = join(folder, 'data');
  const served = await app.stranded.start(dataDir, ['--no-sandbox', 'serve']);
  expect(await converse(served)).toContain('230');
  expect(await served.end(), served.output()).toBe(0);
  expect(existsSync(join(dataDir, 'window'))).toBe(false);
});

test('it answers, ends in order, and goes on after a restart', async ({ app, folder }) => {
  const dataDir = join(folder, 'data');
  const first = await app.start(dataDir);
  expect(await converse(first)).toContain('230');
  expect(await first.end(), first.output()).toBe(0);
  const second = await app.start(dataDir);
  expect(await apiOf({ dataDir }).call('GET', '/api/v1/chats')).toMatchObject({ total: 1 });
  expect(await converse(second)).toContain('230');
  expect(await second.end(), second.output()).toBe(0);
});

test('replaced while it runs, it goes on, and the new version starts on its data', async ({
  app,
  folder,
}) => {
  const dataDir = join(folder, 'data');
  const running = await app.start(dataDir);
  await apiOf({ dataDir }).set({ keepRunning: true });
  expect(await converse(running)).toContain('230');
  // Nothing in the new archive is where it was in the old one.
  const unpacked = join(folder, 'unpacked');
  asar.extractAll(app.archive, unpacked);
  await writeFile(join(unpacked, '0-news.txt'), 'News.\n'.repeat(10_000));
  const update = `${app.archive}.new`;
  await asar.createPackage(unpacked, update);
  await rename(update, app.archive);
  await apiOf({ dataDir }).set({ theme: 'dark' });
  expect(await converse(running)).toContain('230');
  expect(await running.end(), running.output()).toBe(0);
  const updated = await app.start(dataDir);
  expect(await apiOf({ dataDir }).call('GET', '/api/v1/chats')).toMatchObject({ total: 2 });
  expect(await converse(updated)).toContain('230');
  expect(await updated.end(), updated.output()).toBe(0);
});
