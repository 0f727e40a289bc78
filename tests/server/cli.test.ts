import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ConnectionInfo } from '../../server/process/owner/connection-file.ts';
import { ASKED_TO_END, HAS_SIGNALS, modeOf, PRIVATE_FILE, PRIVATE_FOLDER } from '../support/platform.ts';
import { hostedParley } from '../support/parley.ts';
import { startScriptedServer } from '../support/mcp-server/scripted.ts';
import { createTempDir, sendRaw } from '../support/service.ts';
import { CLI, clientOf, runService } from '../support/service-process.ts';

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

function run(args: string[]): { child: ChildProcess; output: Ended; ended: Promise<Ended> } {
  const child = spawn(process.execPath, [CLI, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output: Ended = { code: null, stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  return {
    child,
    output,
    ended: once(child, 'close').then(([code]) => ({ ...output, code: code as number | null })),
  };
}

const readConnection = async (dataDir: string): Promise<ConnectionInfo> =>
  JSON.parse(await readFile(join(dataDir, 'connection.json'), 'utf8')) as ConnectionInfo;

async function takePort(): Promise<{ server: Server; port: number }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return { server, port: typeof address === 'object' && address !== null ? address.port : 0 };
}

describe('without --port', () => {
  it('is where the settings say; when that is taken, it says where it is instead', async () => {
    const dataDir = await createTempDir();
    const taken = await takePort();
    const first = await runService(dataDir);
    await first.api.request({ method: 'PATCH', path: '/api/v1/settings', json: { port: taken.port } });
    first.child.kill('SIGTERM');
    await once(first.child, 'exit');
    const { child, output, ended } = run(['--data-dir', dataDir]);
    await expect.poll(() => output.stdout, { timeout: 20_000 }).toContain('Open it');
    child.kill('SIGTERM');
    const { stdout } = await ended;
    const { port } = new URL(/http:\S+/.exec(stdout)?.[0] ?? '');
    expect(port).not.toBe(String(taken.port));
    expect(stdout).toContain(
      `Port ${taken.port} from the settings can't be used. Parley is on port ${port} instead.`,
    );
  });
});

describe('--json', () => {
  it('prints exactly one line on stdout, in the order promised, and nothing on stderr', async () => {
    const dataDir = join(await createTempDir(), 'made', 'by parley');
    const { child, output, ended } = run(['--port', '0', '--data-dir', dataDir, '--json']);
    await expect.poll(() => output.stdout, { timeout: 20_000 }).not.toBe('');
    child.kill('SIGTERM');
    const { code, stdout, stderr } = await ended;
    expect(code).toBe(ASKED_TO_END);
    expect(stderr).toBe('');
    expect(stdout.endsWith('\n')).toBe(true);
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
    const line = JSON.parse(stdout) as Record<string, unknown>;
    expect(Object.keys(line)).toEqual(['baseUrl', 'apiKey', 'pageUrl', 'dataDir', 'pid']);
    expect(line).toMatchObject({
      baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) as string,
      apiKey: expect.stringMatching(/^parley_[\w-]{43}$/) as string,
      pageUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]+$/) as string,
      dataDir,
      pid: child.pid,
    });
    expect(await modeOf(dataDir)).toBe(PRIVATE_FOLDER);
  });
});

describe('a person at a terminal', () => {
  it('is shown the address, the local key, a link and the data folder', async () => {
    const dataDir = await createTempDir();
    const { child, ended } = run(['--port', '0', '--data-dir', dataDir]);
    await expect.poll(() => existsSync(join(dataDir, 'connection.json')), { timeout: 20_000 }).toBe(true);
    const { baseUrl, apiKey } = await readConnection(dataDir);
    expect((await clientOf({ baseUrl, apiKey }).get('/api/v1/chats')).status).toBe(200);
    child.kill('SIGINT');
    const { code, stdout } = await ended;
    expect(code).toBe(ASKED_TO_END);
    for (const text of [baseUrl, apiKey, `${baseUrl}/#token=`, dataDir]) expect(stdout).toContain(text);
  });

  it('may say "serve", and options before it', async () => {
    const dataDir = await createTempDir();
    const { child, output, ended } = run(['--data-dir', dataDir, 'serve', '--port', '0', '--json']);
    await expect.poll(() => output.stdout, { timeout: 20_000 }).not.toBe('');
    child.kill('SIGTERM');
    expect(JSON.parse((await ended).stdout)).toMatchObject({ dataDir, pid: child.pid });
  });

  it('prints one line on stdout with --json, whatever libraries print', async () => {
    const { url } = await startScriptedServer({
      // The library prints a line about a server without tools.
      initialize: ({ params }, _response, say) => {
        const serverInfo = { name: 'bare', version: '1' };
        say({ protocolVersion: params?.['protocolVersion'], capabilities: {}, serverInfo });
      },
    });
    const { child, output, ended } = run([
      'serve',
      '--port',
      '0',
      '--json',
      '--data-dir',
      await createTempDir(),
    ]);
    await expect.poll(() => output.stdout, { timeout: 20_000 }).not.toBe('');
    const { baseUrl, apiKey } = JSON.parse(output.stdout) as { baseUrl: string; apiKey: string };
    const answer = await fetch(`${baseUrl}/api/v1/mcp-servers`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Bare', transport: 'http', url }),
    });
    expect(await answer.json()).toMatchObject({ server: { state: 'connected' } });
    child.kill('SIGTERM');
    const { stdout, stderr } = await ended;
    expect(stdout.trim().split('\n')).toHaveLength(1);
    expect(stderr).toContain('does not advertise tools');
  });

  it.each([['--help'], ['-h']])('is helped by %s', async (flag) => {
    const { code, stdout } = await hostedParley([flag]);
    expect(code).toBe(0);
    for (const option of ['--port', '--data-dir', '--json', '--version']) expect(stdout).toContain(option);
  });

  it('is told the version by --version', async () => {
    expect(await hostedParley(['--version'])).toEqual({ code: 0, stdout: '0.1.0\n', stderr: '' });
  });

  it.each([
    [['--port', 'abc']],
    [['--port', '65536']],
    [['--port', '-1']],
    [['--port', '1e3']],
    [['--port', '']],
    [['--port']],
    [['--wrong']],
    [['extra']],
    [['--data-dir', '']],
    [['--json=yes']],
  ])('is told what is wrong with %j, with exit code 2', async (args) => {
    const { code, stdout, stderr } = await hostedParley(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('Usage:');
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

describe('what can not be had', () => {
  it('is said for a chosen port that is taken, with exit code 1', async () => {
    const { port } = await takePort();
    const dataDir = await createTempDir();
    const { code, stdout, stderr } = await run(['--port', String(port), '--data-dir', dataDir, '--json'])
      .ended;
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`Port ${port} is in use`);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(existsSync(join(dataDir, 'connection.json'))).toBe(false);
  });

  it('is said for a data folder that is a file, with exit code 1', async () => {
    const path = join(await createTempDir(), 'file');
    await writeFile(path, '');
    const { code, stderr } = await run(['--port', '0', '--data-dir', path]).ended;
    expect(code).toBe(1);
    expect(stderr).toContain(path);
  });
});

describe('one owner', () => {
  it('is named, with pid and address, to a second process, which exits with code 3', async () => {
    const dataDir = await createTempDir();
    const first = await runService(dataDir);
    const { code, stdout, stderr } = await run(['--port', '0', '--data-dir', dataDir, '--json']).ended;
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toContain(String(first.pid));
    expect(stderr).toContain(first.baseUrl);
    const [, key = ''] = /Open it +http:\S+#token=(\S+)/.exec(stderr) ?? [];
    expect((await first.api.post('/api/v1/session', undefined, { key })).status).toBe(200);
    expect((await readConnection(dataDir)).pid).toBe(first.pid);
    expect((await first.api.get('/health')).status).toBe(200);
  });

  it('is found by another path to the same folder too', async () => {
    const parent = await createTempDir();
    const dataDir = join(parent, 'data');
    await mkdir(dataDir);
    await runService(dataDir);
    const { code } = await run(['--port', '0', '--data-dir', join(parent, '.', 'data', '..', 'data')]).ended;
    expect(code).toBe(3);
  });

  it('is one of several that start at the same moment', async () => {
    const dataDir = await createTempDir();
    const processes = Array.from({ length: 4 }, () => run(['--port', '0', '--data-dir', dataDir, '--json']));
    const codes: (number | null)[] = [];
    for (const { ended } of processes) void ended.then(({ code }) => codes.push(code));
    await expect.poll(() => codes.length, { timeout: 30_000 }).toBe(3);
    expect(codes).toEqual([3, 3, 3]);
    await expect.poll(() => existsSync(join(dataDir, 'connection.json')), { timeout: 20_000 }).toBe(true);
    const { pid, baseUrl, apiKey } = await readConnection(dataDir);
    expect(processes.map(({ child }) => child.pid)).toContain(pid);
    expect((await clientOf({ baseUrl, apiKey }).get('/api/v1/chats')).status).toBe(200);
  });

  it.runIf(HAS_SIGNALS)('keeps its claim while it is too busy to answer, held by a signal', async () => {
    const dataDir = await createTempDir();
    const first = await runService(dataDir);
    first.child.kill('SIGSTOP');
    const { code, stderr } = await run(['--port', '0', '--data-dir', dataDir]).ended;
    first.child.kill('SIGCONT');
    expect(code).toBe(3);
    expect(stderr).toContain(dataDir);
    expect(stderr).not.toContain('Open it');
    expect((await first.api.get('/health')).status).toBe(200);
  });

  it('leaves no claim behind when it is killed', async () => {
    const dataDir = await createTempDir();
    const first = await runService(dataDir);
    await first.end('SIGKILL');
    expect(existsSync(join(dataDir, 'connection.json'))).toBe(true);
    const second = await runService(dataDir);
    expect(second.pid).not.toBe(first.pid);
    expect((await readConnection(dataDir)).pid).toBe(second.pid);
  });
});

describe('connection.json', () => {
  it('says how to reach the service while it runs, to its owner only, and is gone afterwards', async () => {
    const dataDir = await createTempDir();
    const service = await runService(dataDir);
    const path = join(dataDir, 'connection.json');
    expect(await readConnection(dataDir)).toEqual({
      baseUrl: service.baseUrl,
      apiKey: service.apiKey,
      publicKey: expect.stringMatching(/^[\w-]{122}$/) as string,
      pid: service.pid,
      version: '0.1.0',
      startedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
    });
    expect(await modeOf(path)).toBe(PRIVATE_FILE);
    await service.end('SIGTERM');
    // Where it can't be asked to end, it is killed.
    expect(existsSync(path)).toBe(!HAS_SIGNALS);
  });

  it('is left alone at stop when somebody else has written it', async () => {
    const dataDir = await createTempDir();
    const service = await runService(dataDir);
    await writeFile(join(dataDir, 'connection.json'), '{"pid":1,"startedAt":"x"}');
    expect(await service.end('SIGTERM')).toBe(ASKED_TO_END);
    expect(await readConnection(dataDir)).toEqual({ pid: 1, startedAt: 'x' });
  });
});

describe.runIf(HAS_SIGNALS)('stopping, asked by a signal', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    '%s ends it with code 0 within 5 s, with clients at work',
    async (signal) => {
      const dataDir = await createTempDir();
      const service = await runService(dataDir);
      const client = service.api;
      const chats = await Promise.all([1, 2, 3].map(() => client.createChat()));
      const answered: number[] = [];
      let stopping = false;
      const load = chats.map(async ({ id }) => {
        for (let sent = 0; !stopping; sent += 1) {
          const answer = await client
            .post(`/api/v1/chats/${id}/messages`, { content: `What is ${sent} * 2?` })
            .catch(() => null);
          if (answer !== null) answered.push(answer.status);
        }
      });
      await expect.poll(() => answered.length).toBeGreaterThan(20);
      const began = performance.now();
      const code = await service.end(signal);
      const took = performance.now() - began;
      stopping = true;
      await Promise.all(load);
      expect(code).toBe(0);
      expect(took).toBeLessThan(5_000);
      expect(answered.every((status) => status === 200 || status === 503 || status === 429)).toBe(true);
      expect(service.stderr()).toBe('');
    },
  );

  it('does not wait for a client that never finishes its request', async () => {
    const dataDir = await createTempDir();
    const service = await runService(dataDir);
    const port = Number(new URL(service.baseUrl).port);
    const half = `POST /api/v1/chats HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${service.apiKey}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`;
    const hanging = sendRaw(port, half).catch(() => '');
    const began = performance.now();
    await service.api.get('/health');
    expect(await service.end('SIGTERM')).toBe(0);
    expect(performance.now() - began).toBeLessThan(5_000);
    // Had it waited for the deadline, it would have said so.
    expect(service.stderr()).toBe('');
    await hanging;
  });

  it('during start-up is clean too', async () => {
    const dataDir = await createTempDir();
    const { child, ended } = run(['--port', '0', '--data-dir', dataDir, '--json']);
    await expect.poll(() => existsSync(join(dataDir, 'store')), { timeout: 20_000, interval: 1 }).toBe(true);
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
    expect(existsSync(join(dataDir, 'connection.json'))).toBe(false);
  });

  it('keeps the local key, the chats and the messages for the next start', async () => {
    const dataDir = await createTempDir();
    const first = await runService(dataDir);
    const chat = await first.api.createChat();
    await first.api.send(chat.id, 'remember me');
    await first.api.settled(chat.id);
    const before = await first.api.messages(chat.id);
    await first.end('SIGTERM');
    const second = await runService(dataDir);
    expect(second.apiKey).toBe(first.apiKey);
    expect(await second.api.messages(chat.id)).toEqual(before);
  });

  it('answers, after the next start, what was accepted just before', async () => {
    const dataDir = await createTempDir();
    const first = await runService(dataDir);
    const chat = await first.api.createChat();
    for (let index = 0; index < 10; index += 1) await first.api.send(chat.id, `What is ${index} + 5?`);
    await first.end('SIGTERM');
    const second = await runService(dataDir);
    expect((await second.api.settled(chat.id)).status).toBe('idle');
    const messages = await second.api.messages(chat.id);
    expect(messages.filter(({ role }) => role === 'user')).toHaveLength(10);
    expect(messages.filter(({ role }) => role === 'assistant')).toHaveLength(10);
  });
});

describe.runIf(HAS_SIGNALS)('a second signal', () => {
  it('ends at once, with code 1, what is still stopping', async () => {
    const dataDir = await createTempDir();
    const service = await runService(dataDir);
    const port = Number(new URL(service.baseUrl).port);
    const half = `POST /api/v1/chats HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${service.apiKey}\r\nContent-Length: 9\r\n\r\n{`;
    const hanging = sendRaw(port, half).catch(() => '');
    await service.api.get('/health');
    service.child.kill('SIGTERM');
    await expect
      .poll(
        () =>
          service.api.get('/health').then(
            ({ status }) => status,
            () => 0,
          ),
        { interval: 1 },
      )
      .not.toBe(200);
    expect(await service.end('SIGTERM')).toBe(1);
    await hanging;
  });
});

describe('output that nobody reads', () => {
  it('does not end the service', async () => {
    const dataDir = await createTempDir();
    const { child, ended } = run(['--port', '0', '--data-dir', dataDir, '--json']);
    child.stdout?.destroy();
    child.stderr?.destroy();
    await expect.poll(() => existsSync(join(dataDir, 'connection.json')), { timeout: 20_000 }).toBe(true);
    const client = clientOf(await readConnection(dataDir));
    expect((await client.createChat()).status).toBe('idle');
    child.kill('SIGTERM');
    expect((await ended).code).toBe(ASKED_TO_END);
  });
});
