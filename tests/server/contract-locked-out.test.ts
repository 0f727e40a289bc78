/** What one key, or nobody's, may do to others: nothing that ends what they began, or keeps them out. */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CreatedKey } from '../../shared/api/key.ts';
import type { Session } from '../../shared/api/session.ts';
import { createBrowser } from '../support/browser-client.ts';
import {
  createTempDir,
  sendRaw,
  startSharedService,
  startTestService,
  type TestService,
} from '../support/service.ts';

/** For requests that change nothing. */
const shared = await startSharedService();

const createKey = async (api: TestService, scope = 'chat'): Promise<string> =>
  (
    await api.post('/api/v1/keys', { name: 'Script', scope, workspaceId: api.service.workspaceId })
  ).json<CreatedKey>().apiKey;
const signIn = async (api: TestService, key: string): Promise<Session> =>
  (await api.post('/api/v1/session', {}, { key })).json<Session>();
const works = async (api: TestService, key: string): Promise<boolean> =>
  (await api.get('/api/v1/settings', { key })).status === 200;

/** A request whose body never ends. */
function begin(api: TestService, path: string, key: string, length = 900): ClientRequest {
  const begun = request({
    port: api.service.port,
    host: '127.0.0.1',
    method: 'POST',
    path,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-length': length },
  });
  begun.on('error', () => undefined);
  begun.write('{');
  onTestFinished(() => void begun.destroy());
  return begun;
}

describe('a request', () => {
  it.each([
    ['POST', '/nothing', 404],
    ['POST', '/api/v1/nothing', 404],
    ['PUT', '/health', 405],
    ['PUT', '/api/v1/chats', 405],
    ['PROPFIND', '/api/v1/chats', 405],
  ])('%s %s is answered before its body has come', async (method, path, status) => {
    const { port, apiKey } = shared.service;
    const text = await sendRaw(
      port,
      `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{`,
      '"requestId"',
    );
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  it('with two Host headers is refused, whichever comes first', async () => {
    const { service } = await startTestService();
    const own = `127.0.0.1:${service.port}`;
    for (const [one, other] of [
      [own, 'evil.example'],
      ['evil.example', own],
      [own, own],
    ]) {
      const text = await sendRaw(
        service.port,
        `GET /health HTTP/1.1\r\nHost: ${one ?? ''}\r\nHost: ${other ?? ''}\r\nConnection: close\r\n\r\n`,
      );
      expect(text).toMatch(/^HTTP\/1\.1 4\d\d /);
    }
  });
});

it('3,000 requests without a key that never end keep nobody out', { timeout: 120_000 }, async () => {
  const api = await startTestService();
  const { port } = api.service;
  const head = `POST /nothing HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 900\r\n\r\n{`;
  for (let at = 0; at < 3_000; at += 1) {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    socket.write(head);
    socket.resume();
  }
  for (let at = 0; at < 5; at += 1) {
    expect((await api.get('/health', { key: null })).status).toBe(200);
    expect((await api.get('/api/v1/chats')).status).toBe(200);
  }
});

it('300 readers of a page’s file that never read cost the memory of one', { timeout: 120_000 }, async () => {
  const pageDir = await createTempDir();
  await writeFile(join(pageDir, 'large.js'), Buffer.alloc(3_000_000, 'a'));
  const { service } = await startTestService({ pageDir });
  const before = process.memoryUsage().rss;
  const answered: Promise<unknown>[] = [];
  for (let at = 0; at < 300; at += 1) {
    const socket = connect({ port: service.port, host: '127.0.0.1' });
    socket.on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    socket.write(`GET /large.js HTTP/1.1\r\nHost: 127.0.0.1:${service.port}\r\n\r\n`);
    answered.push(once(socket, 'readable'));
  }
  await Promise.all(answered);
  expect((process.memoryUsage().rss - before) / 1e6).toBeLessThan(150);
});

describe('a key that only chats', () => {
  it('ends no session but its own, however many it begins', { timeout: 120_000 }, async () => {
    const api = await startTestService();
    const [person, key] = [await signIn(api, api.service.apiKey), await createKey(api)];
    const first = await signIn(api, key);
    for (let at = 0; at < 1_000; at += 1) await signIn(api, key);
    expect(await works(api, person.apiKey)).toBe(true);
    expect((await api.get('/api/v1/chats', { key: first.apiKey })).status).toBe(401);
  });

  it('signs no browser of another key out, and neither lowers nor shares its rights', async () => {
    const api = await startTestService();
    const key = await createKey(api);
    const [browser, other] = [createBrowser(), createBrowser()];
    const session = await browser.signIn(api, api.service.apiKey);
    for (const { publicKey } of [browser, other])
      expect((await api.post('/api/v1/session', { publicKey }, { key })).status).toBe(200);
    expect(await works(api, session.apiKey)).toBe(true);
    const back = (await browser.comeBack(api, api.service.url)).json<Session>();
    expect(back.scope).toBe('admin');
    // Begun first, it gains nothing from the person's sign-in with the same public key.
    const before = (
      await api.post('/api/v1/session', { publicKey: other.publicKey }, { key })
    ).json<Session>();
    await other.signIn(api, api.service.apiKey);
    expect(await works(api, before.apiKey)).toBe(false);
    for (let at = 0; at < 205; at += 1) await createBrowser().signIn(api, key);
    expect((await browser.comeBack(api, api.service.url)).status).toBe(200);
  });

  it('blocks no backup and no import while its own file arrives', async () => {
    const api = await startTestService();
    const key = await createKey(api);
    for (let at = 0; at < 4; at += 1) begin(api, '/api/v1/import', key, 500_000);
    const more = begin(api, '/api/v1/import', key, 500_000);
    const [refused] = (await once(more, 'response')) as [IncomingMessage];
    expect(refused.statusCode).toBe(429);
    expect((await api.post('/api/v1/backups')).status).toBe(201);
    const exported = (await api.get('/api/v1/export?format=json')).text;
    const body = { method: 'POST', path: '/api/v1/import', body: exported };
    expect((await api.request({ ...body, headers: { 'content-type': 'application/json' } })).status).toBe(
      200,
    );
  });

  it.each(['window', ' Window ', 'Local key', 'win\u200bdow', '\u202elocal key', 'ＷＩＮＤＯＷ'])(
    'may not be called %j, as Parley calls its own',
    async (name) => {
      expect((await shared.post('/api/v1/keys', { name })).error().code).toBe('invalid_request');
    },
  );
});

it.each(['\u3164', '\u200b', '\u2800', '\u00ad\u2060', '\u202e', '\ufeff \u200d'])(
  'nothing has a name of %j, which does not show',
  async (name) => {
    for (const [path, more] of [
      ['/api/v1/keys', {}],
      ['/api/v1/workspaces', {}],
      ['/api/v1/projects', {}],
      ['/api/v1/agents', { instructions: 'Be brief.' }],
      ['/api/v1/mcp-servers', { transport: 'stdio', command: 'true' }],
      ['/api/v1/connections', { provider: 'ollama' }],
    ] as const)
      expect([path, (await shared.post(path, { name, ...more })).status]).toEqual([path, 400]);
  },
);

it('marks that do not show are taken out of names; joiners of emoji and letters stay', async () => {
  const api = await startTestService();
  const nameOf = async (name: string): Promise<string> =>
    (await api.post('/api/v1/workspaces', { name })).json<{ workspace: { name: string } }>().workspace.name;
  expect(await nameOf('Per\u200bson\u202eal')).toBe('Personal');
  for (const name of ['👩‍💻 Work ❤️', 'نمی‌خواهم']) expect(await nameOf(name)).toBe(name);
});
