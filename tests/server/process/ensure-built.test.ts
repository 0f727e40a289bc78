/** The first start in a checkout. */
import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');

/** Starts, in a checkout with that bundler. */
async function startWith(
  bundler: string,
): Promise<(...args: string[]) => { status: number | null; out: string; err: string }> {
  const root = await mkdtemp(join(tmpdir(), 'parley-test-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const bin = join(root, 'node_modules/electron-vite/bin');
  await mkdir(bin, { recursive: true });
  await mkdir(join(root, 'out'));
  await writeFile(join(bin, '../package.json'), '{"name":"electron-vite"}');
  await writeFile(join(bin, 'electron-vite.js'), bundler);
  await writeFile(join(root, 'package.json'), '{"type":"module"}');
  const file = join(root, 'server/process/ensure-built.ts');
  await cp(join(ROOT, 'server/process/ensure-built.ts'), file);
  return (...args) => {
    const script = `const { ensureBuilt } = await import(${JSON.stringify(pathToFileURL(file).href)}); ensureBuilt(${JSON.stringify(args)});`;
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', script],
      { encoding: 'utf8' },
    );
    return { status, out: stdout, err: stderr };
  };
}

it('says in one line that it builds, and nothing when it has built', async () => {
  const start = await startWith('console.log("chatter"); console.error("warnings");');
  const { status, out, err } = start();
  expect({ status, out }).toEqual({ status: 0, out: '' });
  expect(err).toMatch(/^Building Parley, .*minute.*\n$/);
  expect(start()).toEqual({ status: 0, out: '', err: '' });
});

it('builds nothing for an option that only prints, once there is a build', async () => {
  // With sources that are always newer.
  const start = await startWith('require("node:fs").utimesSync("server/process/ensure-built.ts", 4e9, 4e9);');
  expect(start('--help').err).toContain('Building');
  expect(start('--help').err).toBe('');
  expect(start('--json').err).toContain('Building');
});

it('shows what the bundler says when that fails', async () => {
  const start = await startWith('console.error("no such module"); process.exit(1);');
  const { status, err } = start();
  expect(status).toBe(1);
  expect(err).toMatch(/no such module\n.*could not be built/);
});

it('has npm print no warnings about the Node that it runs on', () => {
  const env = { ...process.env };
  // Set where npm runs the tests.
  delete env['npm_config_loglevel'];
  const npm = spawnSync('npm config get loglevel', { cwd: ROOT, env, encoding: 'utf8', shell: true });
  expect(npm.stdout.trim()).toBe('error');
});
