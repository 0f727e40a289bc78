import type { Session } from '../../shared/api/session.ts';
import { readFile, writeFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createKey, type StoredKey } from '../../server/store/key-repository.ts';
import { digestOf } from '../../server/auth/keys.ts';
import { modeOf, PRIVATE_FILE } from '../support/platform.ts';
import {
  createTempDir,
  sendRaw,
  startSharedService,
  startTestService,
  type TestAnswer,
} from '../support/service.ts';

const api = await startSharedService();

function expectUnauthorized(answer: TestAnswer, hasBody = true): void {
  expect(answer.status).toBe(401);
  expect(answer.headers['www-authenticate']).toBe('Bearer');
  expect(answer.headers['x-request-id']).toBeTruthy();
  if (hasBody)
    expect(answer.error()).toMatchObject({ code: 'unauthorized', requestId: answer.headers['x-request-id'] });
}

describe('401 comes before any other answer under /api/v1/', () => {
  it.each([
    ['GET', '/api/v1/chats'],
    ['POST', '/api/v1/chats'],
    ['GET', '/api/v1/chats/unknown'],
    ['GET', '/api/v1/chats/unknown/messages'],
    ['POST', '/api/v1/chats/unknown/messages'],
    ['POST', '/api/v1/chats/unknown/stop'],
    ['POST', '/api/v1/session'],
    ['GET', '/api/v1/session'],
    ['POST', '/api/v1/page-link'],
    ['GET', '/api/v1/workspaces'],
    ['GET', '/api/v1'],
    ['GET', '/api/v1/'],
    ['GET', '/api/v1?x=1'],
    ['GET', '/api/v1/nowhere'],
    ['GET', '/api/v1/chats?page=0'],
    ['GET', '/api/v1/chats/%zz'],
    ['GET', '/api/v1/chats/%ff%fe'],
    ['GET', '/api/v1/%'],
    ['GET', '/%61pi/v1/chats'],
    ['GET', '/%61pi/v1/%zz'],
    ['GET', '/api/v1/../../health'],
    ['DELETE', '/api/v1/chats'],
    ['PUT', '/api/v1/chats/unknown'],
    ['PATCH', '/api/v1/nowhere'],
    ['OPTIONS', '/api/v1/chats'],
    ['TRACE', '/api/v1/chats'],
    ['PROPFIND', '/api/v1/chats'],
    ['QUERY', '/api/v1/chats'],
  ])('%s %s', async (method, path) => {
    expectUnauthorized(await api.request({ method, path, key: null }));
  });

  it('HEAD, without a body', async () => {
    expectUnauthorized(await api.request({ method: 'HEAD', path: '/api/v1/chats', key: null }), false);
  });

  it('a request target in absolute form', async () => {
    const { port } = api.service;
    const text = await sendRaw(
      port,
      `GET http://127.0.0.1:${port}/api/v1/chats HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`,
    );
    expect(text).toMatch(/^HTTP\/1\.1 401 /);
  });

  it.each([
    ['malformed JSON', { body: '{"content":', headers: { 'content-type': 'application/json' } }],
    [
      'another content type',
      { body: 'content=hi', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    ],
    ['a broken content type', { body: 'hi', headers: { 'content-type': '????' } }],
    ['a body over 1 MiB', { body: 'x'.repeat(1_100_000), headers: { 'content-type': 'application/json' } }],
    ['a foreign host', { headers: { host: 'evil.example' } }],
    ['a foreign origin', { headers: { origin: 'https://evil.example' } }],
    ['a bad Idempotency-Key', { headers: { 'idempotency-key': '' } }],
  ])('%s', async (_name, options) => {
    expectUnauthorized(
      await api.request({ method: 'POST', path: '/api/v1/chats/x/messages', key: null, ...options }),
    );
  });
});

describe('API keys', () => {
  it('are parley_ and 43 base64url characters; the local key is one', () => {
    expect(api.service.apiKey).toMatch(/^parley_[A-Za-z0-9_-]{43}$/);
  });

  it.each([
    ['none', null],
    ['an empty one', ''],
    ['another scheme', 'Basic cGFybGV5OnBhcmxleQ=='],
    ['no scheme', 'KEY'],
    ['the scheme alone', 'Bearer'],
    ['a key of the right shape that nobody has', `Bearer parley_${'A'.repeat(43)}`],
    ['a key cut short', 'Bearer CUT'],
    ['a key with a character more', 'Bearer KEYx'],
    ['two keys', 'Bearer KEY, Bearer KEY'],
    ['a key in quotes', 'Bearer "KEY"'],
    ['a very long key', `Bearer ${'x'.repeat(10_000)}`],
    ['what is not ASCII', 'Bearer parley_\u00e9'],
  ])('%s → 401', async (_name, header) => {
    const own = await startTestService();
    const { apiKey } = own.service;
    const authorization = header?.replaceAll('KEY', apiKey).replace('CUT', apiKey.slice(0, -1));
    expectUnauthorized(
      await own.get('/api/v1/chats', {
        key: null,
        headers: authorization === undefined ? {} : { authorization },
      }),
    );
  });

  it('are taken whatever the case of the scheme and however many spaces follow it', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      for (const space of [' ', '   ']) {
        const headers = { authorization: `${scheme}${space}${api.service.apiKey}` };
        expect((await api.get('/api/v1/chats', { key: null, headers })).status).toBe(200);
      }
    }
  });

  it('stop counting when they are revoked or expire', async () => {
    const own = await startTestService();
    const key = await own.service.keys.create({
      kind: 'person',
      name: 'x',
      scope: 'chat',
      workspaceId: null,
      expiresAt: null,
    });
    const path = `/api/v1/chats?workspaceId=${own.service.workspaceId}`;
    expect((await own.get(path, { key: key.text })).status).toBe(200);
    await own.service.keys.revoke(key.stored.id);
    expectUnauthorized(await own.get(path, { key: key.text }));

    for (const [expiresAt, status] of [
      ['2020-01-01T00:00:00.000Z', 401],
      ['2999-01-01T00:00:00.000Z', 200],
      ['garbage', 401],
    ] as const) {
      const timed = await own.service.keys.create({
        kind: 'person',
        name: 't',
        scope: 'chat',
        workspaceId: null,
        expiresAt,
      });
      expect((await own.get(path, { key: timed.text })).status).toBe(status);
    }
  });

  it('work after a restart, and are stored as a digest only', async () => {
    const dataDir = await createTempDir();
    const first = await startTestService({ dataDir });
    const { text, stored } = await first.service.keys.create({
      kind: 'person',
      name: 'My script',
      scope: 'chat',
      workspaceId: first.service.workspaceId,
      expiresAt: null,
    });
    expect(stored).toMatchObject({ digest: digestOf(text), prefix: text.slice(0, 13) });
    await first.get('/api/v1/chats', { key: text });
    await first.service.close();
    const second = await startTestService({ dataDir });
    expect((await second.get('/api/v1/chats', { key: text })).status).toBe(200);
    expect(JSON.stringify(second.service.keys.list())).not.toContain(text);
  });

  it('of the scope "chat" get 403 where "admin" is needed', async () => {
    const chatKey = await api.service.keys.create({
      kind: 'person',
      name: 'c',
      scope: 'chat',
      workspaceId: null,
      expiresAt: null,
    });
    const body = { name: 'Mine' };
    const answer = await api.post('/api/v1/workspaces', body, { key: chatKey.text });
    expect([answer.status, answer.error().code]).toEqual([403, 'forbidden']);
    expect((await api.get('/api/v1/workspaces', { key: chatKey.text })).json()).toEqual({
      workspaces: [
        {
          id: api.service.workspaceId,
          name: 'Personal',
          createdAt: expect.any(String) as string,
          defaultModel: null,
        },
      ],
    });
  });

  it('note when they were last used, to the minute, without anybody waiting', async () => {
    const own = await startTestService();
    await own.get('/api/v1/chats');
    await expect.poll(() => own.service.keys.list()[0]?.lastUsedAt).toMatch(/^\d{4}-/);
    const noted = own.service.keys.list()[0]?.lastUsedAt;
    await own.get('/api/v1/chats');
    await own.createChat();
    expect(own.service.keys.list()[0]?.lastUsedAt).toBe(noted);
  });
});

describe('bad keys', () => {
  it('get 429 with Retry-After after 20 within a minute, while good keys pass', async () => {
    const own = await startTestService();
    const bad = async (): Promise<TestAnswer> =>
      own.get('/api/v1/chats', { key: `parley_${'B'.repeat(43)}` });
    for (let index = 0; index < 20; index += 1) expect((await bad()).status).toBe(401);
    for (let index = 0; index < 3; index += 1) {
      const answer = await bad();
      expect([answer.status, answer.error().code]).toEqual([429, 'too_many_requests']);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(60);
    }
    expect((await own.get('/api/v1/chats')).status).toBe(200);
    expect((await own.get('/api/v1/chats', { key: null })).status).toBe(401);
  });
});

describe('the local key', () => {
  it('stays the same over restarts, readable by its owner only', async () => {
    const dataDir = await createTempDir();
    const first = await startTestService({ dataDir });
    await first.service.close();
    const second = await startTestService({ dataDir });
    expect(second.service.apiKey).toBe(first.service.apiKey);
    expect(await modeOf(join(dataDir, 'local-key'))).toBe(PRIVATE_FILE);
    const [stored, ...others] = second.service.keys.list();
    expect(others).toEqual([]);
    expect(stored).toMatchObject({ kind: 'local', scope: 'admin', workspaceId: second.service.workspaceId });
  });

  it.each([
    ['missing', (path: string) => rm(path)],
    ['damaged', (path: string) => writeFile(path, 'parley_short')],
    ['another key', (path: string) => writeFile(path, `parley_${'C'.repeat(43)}\n`)],
    ['empty', (path: string) => writeFile(path, '')],
  ])('is made anew, and the old one revoked, when its file is %s', async (_name, spoil) => {
    const dataDir = await createTempDir();
    const first = await startTestService({ dataDir });
    await first.service.close();
    await spoil(join(dataDir, 'local-key'));
    const second = await startTestService({ dataDir });
    expect(second.service.apiKey).not.toBe(first.service.apiKey);
    expect((await readFile(join(dataDir, 'local-key'), 'utf8')).trim()).toBe(second.service.apiKey);
    expect((await second.get('/api/v1/chats')).status).toBe(200);
    expectUnauthorized(await second.get('/api/v1/chats', { key: first.service.apiKey }));
  });
});

const tokenOf = (url: string): string => new URL(url).hash.replace('#token=', '');

describe('POST /api/v1/page-link', () => {
  const linkFrom = (answer: TestAnswer): string => {
    expect(answer.status).toBe(200);
    return answer.json<{ pageUrl: string }>().pageUrl;
  };
  const exchange = (url: string): Promise<TestAnswer> =>
    api.post('/api/v1/session', undefined, { key: tokenOf(url) });

  it('gives a link to the page that signs in once', async () => {
    const answer = await api.post('/api/v1/page-link');
    const url = linkFrom(answer);
    expect(url).toMatch(new RegExp(`^${api.service.url}/#token=page_[A-Za-z0-9_-]{43}$`));
    expect(answer.headers['cache-control']).toBe('no-store');
    const signedIn = await exchange(url);
    const { apiKey } = signedIn.json<Session>();
    expect((await api.get('/api/v1/workspaces', { key: apiKey })).status).toBe(200);
    expectUnauthorized(await exchange(url));
    expect(linkFrom(await api.post('/api/v1/page-link', {}))).not.toBe(url);
  });

  it('names the loopback address, whatever name was asked for', async () => {
    const headers = { host: `localhost:${api.service.port}` };
    const url = linkFrom(await api.post('/api/v1/page-link', undefined, { headers }));
    expect(new URL(url).origin).toBe(api.service.url);
  });

  it('is not for keys of scope chat, nor for page tokens', async () => {
    const { text } = await api.service.keys.create({
      kind: 'person',
      name: 'chat only',
      scope: 'chat',
      workspaceId: null,
      expiresAt: null,
    });
    expect((await api.post('/api/v1/page-link', {}, { key: text })).error().code).toBe('forbidden');
    const url = linkFrom(await api.post('/api/v1/page-link'));
    expectUnauthorized(await api.post('/api/v1/page-link', {}, { key: tokenOf(url) }));
  });

  it('gives no more than the key that asked has: link and session end with it', async () => {
    const { text, stored } = await api.service.keys.create({
      kind: 'person',
      name: 'for a while',
      scope: 'admin',
      workspaceId: null,
      expiresAt: null,
    });
    const [used, unused] = [
      linkFrom(await api.post('/api/v1/page-link', {}, { key: text })),
      linkFrom(await api.post('/api/v1/page-link', {}, { key: text })),
    ];
    const session = (await exchange(used)).json<Session>();
    const [usedToo, unusedToo] = [
      linkFrom(await api.post('/api/v1/page-link', {}, { key: session.apiKey })),
      linkFrom(await api.post('/api/v1/page-link', {}, { key: session.apiKey })),
    ];
    const next = (await exchange(usedToo)).json<Session>();
    await api.service.keys.revoke(stored.id);
    for (const url of [unused, unusedToo]) expectUnauthorized(await exchange(url));
    for (const { apiKey } of [session, next]) {
      expectUnauthorized(await api.get('/api/v1/workspaces', { key: apiKey }));
    }
  });
});

describe('POST /api/v1/session', () => {
  it('exchanges the token of a page link for a session key, once', async () => {
    const url = api.service.createPageUrl();
    expect(url.startsWith(`${api.service.url}/#token=`)).toBe(true);
    const token = tokenOf(url);
    const answer = await api.post('/api/v1/session', undefined, { key: token });
    expect(answer.status).toBe(200);
    const session = answer.json<{ apiKey: string; workspaceId: string }>();
    expect(session.workspaceId).toBe(api.service.workspaceId);
    expect(session.apiKey).toMatch(/^parley_[A-Za-z0-9_-]{43}$/);
    // It works in all workspaces, so it names one.
    const headers = { 'x-workspace-id': session.workspaceId };
    expect((await api.get('/api/v1/chats', { key: session.apiKey, headers })).status).toBe(200);
    expect((await api.get('/api/v1/chats', { key: session.apiKey })).error().code).toBe('workspace_required');
    expect((await api.get('/api/v1/workspaces', { key: session.apiKey })).status).toBe(200);
    expectUnauthorized(await api.post('/api/v1/session', undefined, { key: token }));
  });

  it('gives two pages that share a token only one session', async () => {
    const token = tokenOf(api.service.createPageUrl());
    const answers = await Promise.all([1, 2, 3].map(() => api.post('/api/v1/session', {}, { key: token })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  });

  it('takes a token nowhere else, and does not use it up there', async () => {
    const token = tokenOf(api.service.createPageUrl());
    expectUnauthorized(await api.get('/api/v1/chats', { key: token }));
    expectUnauthorized(await api.get('/api/v1/session', { key: token }));
    expect((await api.post('/api/v1/session', {}, { key: token })).status).toBe(200);
  });

  it('takes a key as often as it comes, and the session may do what the key may', async () => {
    const first = (await api.post('/api/v1/session', {})).json<Session>();
    expect(first.scope).toBe('admin');
    expect((await api.post('/api/v1/session', {})).status).toBe(200);
    const { workspaceId } = api.service;
    const create = {
      kind: 'person',
      name: 'chat only',
      scope: 'chat',
      workspaceId,
      expiresAt: null,
    } as const;
    const { text } = await api.service.keys.create(create);
    const session = (await api.post('/api/v1/session', {}, { key: text })).json<Session>();
    expect(session).toMatchObject({ scope: 'chat', workspaceId });
    const key = session.apiKey;
    expect((await api.get('/api/v1/chats', { key })).status).toBe(200);
    expect((await api.get('/api/v1/keys', { key })).error().code).toBe('forbidden');
    expect((await api.get('/api/v1/sessions', { key })).error().code).toBe('forbidden');
    const again = (await api.post('/api/v1/session', {}, { key })).json<Session>();
    expect(again.scope).toBe('chat');
  });

  it('makes sessions that end with the key they were opened with', async () => {
    const { text, stored } = await api.service.keys.create({
      kind: 'person',
      name: 'for a while',
      scope: 'admin',
      workspaceId: null,
      expiresAt: null,
    });
    const session = (await api.post('/api/v1/session', {}, { key: text })).json<Session>();
    const next = (await api.post('/api/v1/session', {}, { key: session.apiKey })).json<Session>();
    await api.service.keys.revoke(stored.id);
    for (const { apiKey } of [session, next]) {
      expectUnauthorized(await api.get('/api/v1/workspaces', { key: apiKey }));
      expectUnauthorized(await api.post('/api/v1/session', {}, { key: apiKey }));
    }
  });
});

describe('what a stored key is', () => {
  it('is read at the start, however it came there', async () => {
    const dataDir = await createTempDir();
    const first = await startTestService({ dataDir });
    const text = `parley_${'k'.repeat(43)}`;
    const key: StoredKey = {
      id: 'k',
      kind: 'person',
      name: 'k',
      prefix: 'parley_kkkkkk',
      digest: digestOf(text),
      scope: 'chat',
      reach: false,
      approve: false,
      workspaceId: null,
      createdAt: '2026-01-01T00:00:00.000Z',
      lastUsedAt: null,
      expiresAt: null,
      revokedAt: null,
      webhook: null,
    };
    await first.service.store.write((writer) => createKey(writer, key));
    await first.service.close();
    const second = await startTestService({ dataDir });
    const answer = await second.get('/api/v1/chats', { key: text });
    expect([answer.status, answer.error().code]).toEqual([400, 'workspace_required']);
  });
});
