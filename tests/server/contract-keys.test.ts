import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CreatedKey, Key } from '../../shared/api/key.ts';
import type { Session } from '../../shared/api/session.ts';
import { modeOf, PRIVATE_FILE } from '../support/platform.ts';
import {
  createTempDir,
  createTestClient,
  outcome,
  startSharedService,
  startTestService,
  type TestAnswer,
  type TestClient,
} from '../support/service.ts';

const api = await startSharedService();

const created = (answer: TestAnswer): CreatedKey => {
  expect(answer.status).toBe(201);
  return answer.json<CreatedKey>();
};
const create = async (body: object, client: TestClient = api): Promise<CreatedKey> =>
  created(await client.post('/api/v1/keys', body));
const { apiKey } = await create({ name: 'reader' });
const chatOnly = createTestClient(api.service.port, apiKey);
const list = async (client: TestClient = api): Promise<Key[]> =>
  (await client.get('/api/v1/keys')).json<{ keys: Key[] }>().keys;
const revoke = (id: string, client: TestClient = api): Promise<TestAnswer> =>
  client.request({ method: 'DELETE', path: `/api/v1/keys/${id}` });
const rotate = async (client: TestClient): Promise<string> =>
  (await client.post('/api/v1/keys/local/rotate')).json<{ apiKey: string }>().apiKey;
const works = async (key: string, client: TestClient = api): Promise<boolean> =>
  (await client.get('/api/v1/chats', { key })).status === 200;

describe('making a key', () => {
  it('tells the key once, forbids keeping the answer, and lists it without the key ever after', async () => {
    const answer = await api.post('/api/v1/keys', { name: '  My  script\n' });
    const { key, apiKey } = created(answer);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(apiKey).toMatch(/^parley_[\w-]{43}$/);
    expect(key).toEqual({
      id: expect.any(String) as string,
      kind: 'person',
      name: 'My script',
      prefix: apiKey.slice(0, 13),
      scope: 'chat',
      reach: false,
      approve: false,
      workspaceId: null,
      createdAt: expect.stringMatching(/Z$/) as string,
      lastUsedAt: null,
      expiresAt: null,
      revokedAt: null,
    });
    const answered = await api.get('/api/v1/keys');
    expect(answered.json<{ keys: Key[] }>().keys.at(-1)).toEqual(key);
    expect(answered.text).not.toContain(apiKey);
    expect(answered.text).not.toContain('digest');
  });

  it('binds it to the workspace of the body, whatever workspace the request names elsewhere', async () => {
    const { workspaceId } = api.service;
    const { key, apiKey } = await create({ name: 'bound', workspaceId });
    expect(key.workspaceId).toBe(workspaceId);
    expect((await api.get('/api/v1/chats', { key: apiKey })).status).toBe(200);
    const { key: unbound, apiKey: unboundKey } = created(
      await api.post(
        '/api/v1/keys',
        { name: 'x', workspaceId: null },
        { headers: { 'x-workspace-id': workspaceId } },
      ),
    );
    expect(unbound.workspaceId).toBeNull();
    expect((await api.get('/api/v1/chats', { key: unboundKey })).error().code).toBe('workspace_required');
  });

  it('takes any ISO time in the future as its end, and tells it in UTC', async () => {
    const { key } = await create({ name: 'x', expiresAt: '2999-06-01T12:00:00+02:00' });
    expect(key.expiresAt).toBe('2999-06-01T10:00:00.000Z');
  });

  it('makes a key that stops working when its time has come', async () => {
    const expiresAt = new Date(Date.now() + 2_000).toISOString();
    const { apiKey } = await create({ name: 'short', expiresAt, workspaceId: api.service.workspaceId });
    expect(await works(apiKey)).toBe(true);
    while (Date.now() <= Date.parse(expiresAt)) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await works(apiKey)).toBe(false);
  });

  it.each([
    ['no body', undefined, '"name" is missing'],
    ['an empty name', { name: '' }, '"name" must be text'],
    ['a blank name', { name: ' \n ' }, '"name" must be text'],
    ['a name of control characters', { name: '\u0001\u0002' }, '"name" must not be only'],
    ['a long name', { name: 'x'.repeat(81) }, '"name" must be text of 1 to 80'],
    ['a scope that is not there', { name: 'x', scope: 'root' }, '"scope" must be "chat" or "admin"'],
    ['a workspace that is no id', { name: 'x', workspaceId: 7 }, 'the id of a workspace, or null'],
    ['a number for a time', { name: 'x', expiresAt: 5 }, 'an ISO 8601 time, or null'],
    ['no time at all', { name: 'x', expiresAt: 'tomorrow' }, 'ISO 8601'],
    ['a day alone', { name: 'x', expiresAt: '2999-01-01' }, 'ISO 8601'],
    ['a day that is not there', { name: 'x', expiresAt: '2999-02-30T00:00:00Z' }, 'ISO 8601'],
    ['a month that is not there', { name: 'x', expiresAt: '2999-13-01T00:00:00Z' }, 'ISO 8601'],
    ['a time that is over', { name: 'x', expiresAt: '2020-01-01T00:00:00Z' }, 'in the future'],
  ])('is refused with %s', async (_name, body, words) => {
    const before = await list();
    const answer = await api.post('/api/v1/keys', body);
    expect(outcome(answer)).toEqual([400, 'invalid_request']);
    expect(answer.error().message).toContain(words);
    expect(answer.error().details?.length).toBe(1);
    expect(await list()).toEqual(before);
  });

  it('is refused for a workspace that is not there', async () => {
    expect(outcome(await api.post('/api/v1/keys', { name: 'x', workspaceId: 'nowhere' }))).toEqual([
      404,
      'workspace_not_found',
    ]);
  });
});

describe('revoking a key', () => {
  it('ends it at once, keeps it on record, and says the same when it is done again', async () => {
    const { key, apiKey } = await create({ name: 'gone', workspaceId: api.service.workspaceId });
    expect(await works(apiKey)).toBe(true);
    const first = await revoke(key.id);
    expect(first.status).toBe(200);
    expect(first.json<{ key: Key }>().key.revokedAt).not.toBeNull();
    expect(await works(apiKey)).toBe(false);
    expect((await revoke(key.id)).text).toBe(first.text);
    expect((await list()).find(({ id }) => id === key.id)?.revokedAt).not.toBeNull();
  });

  it('is still in effect after a restart', async () => {
    const dataDir = await createTempDir();
    const first = await startTestService({ dataDir });
    const { workspaceId } = first.service;
    const kept = await create({ name: 'kept', workspaceId }, first);
    const gone = await create({ name: 'gone', workspaceId }, first);
    await revoke(gone.key.id, first);
    await first.service.close();
    const second = await startTestService({ dataDir });
    expect(await works(kept.apiKey, second)).toBe(true);
    expect(await works(gone.apiKey, second)).toBe(false);
  });

  it('is refused for the local key, with the way out', async () => {
    const local = (await list()).find(({ kind }) => kind === 'local');
    const answer = await revoke(local?.id ?? '');
    expect(outcome(answer)).toEqual([409, 'conflict']);
    expect(answer.error().message).toContain('rotate');
    expect((await api.get('/api/v1/chats')).status).toBe(200);
  });

  it('says so when there is no such key', async () => {
    expect(outcome(await revoke('nothing'))).toEqual([404, 'key_not_found']);
  });
});

describe('the local key', () => {
  it('is told to admins, and the answer is not to be kept', async () => {
    const answer = await api.get('/api/v1/keys/local');
    expect(answer.json()).toEqual({ apiKey: api.service.apiKey });
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('is replaced: the new one works and stands in both files, the old one is worthless, as is what it opened; others go on', async () => {
    const own = await startTestService();
    const { service } = own;
    const { dataDir } = service;
    const other = await create({ name: 'other', workspaceId: service.workspaceId }, own);
    const token = new URL(service.createPageUrl()).hash.replace('#token=', '');
    const session = (await own.post('/api/v1/session', undefined, { key: token })).json<Session>();
    const old = service.apiKey;

    const answer = await own.post('/api/v1/keys/local/rotate');
    const { apiKey } = answer.json<{ apiKey: string }>();
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(apiKey).toMatch(/^parley_[\w-]{43}$/);
    expect(apiKey).not.toBe(old);
    expect(service.apiKey).toBe(apiKey);
    expect(await works(old, own)).toBe(false);
    expect(await works(apiKey, own)).toBe(true);
    expect(await works(other.apiKey, own)).toBe(true);
    expect(await works(session.apiKey, own)).toBe(false);
    expect((await readFile(join(dataDir, 'local-key'), 'utf8')).trim()).toBe(apiKey);
    expect(JSON.parse(await readFile(join(dataDir, 'connection.json'), 'utf8'))).toEqual({
      baseUrl: service.url,
      apiKey,
      publicKey: session.serverKey,
      pid: process.pid,
      version: expect.any(String) as string,
      startedAt: service.startedAt,
    });
    for (const file of ['local-key', 'connection.json']) {
      expect(await modeOf(join(dataDir, file))).toBe(PRIVATE_FILE);
    }
    const local = (await list(createTestClient(service.port, apiKey))).filter(({ kind }) => kind === 'local');
    expect(local.map(({ revokedAt }) => revokedAt === null)).toEqual([false, true]);
    expect(local[1]).toMatchObject({ scope: 'admin', workspaceId: service.workspaceId });
  });

  it('is the last one after several rotations at once, and after a restart', async () => {
    const dataDir = await createTempDir();
    const first = await startTestService({ dataDir });
    const { workspaceId, apiKey: original } = first.service;
    const admin = await create({ name: 'admin', scope: 'admin', workspaceId }, first);
    const client = createTestClient(first.service.port, admin.apiKey);
    const keys = await Promise.all([rotate(client), rotate(client), rotate(client)]);
    const working = [];
    for (const key of [original, ...keys]) if (await works(key, first)) working.push(key);
    expect(working).toEqual([first.service.apiKey]);
    await first.service.close();
    const second = await startTestService({ dataDir });
    expect(second.service.apiKey).toBe(first.service.apiKey);
  });

  it('leaves a session tied to the key it was bought with, unless that was the local one', async () => {
    const own = await startTestService();
    const other = await create({ name: 'other', scope: 'admin', workspaceId: null }, own);
    const sessionFor = async (key: string): Promise<string> =>
      (await own.post('/api/v1/session', undefined, { key })).json<Session>().apiKey;
    const ofOther = await sessionFor(other.apiKey);
    const ofLocal = await sessionFor(own.service.apiKey);
    await rotate(createTestClient(own.service.port, ofOther));
    expect(await isIn(ofLocal)).toBe(false);
    const again = await sessionFor(own.service.apiKey);
    await rotate(createTestClient(own.service.port, again));
    expect([await isIn(again), await isIn(ofOther)]).toEqual([true, true]);
    await revoke(other.key.id, createTestClient(own.service.port, again));
    expect([await isIn(again), await isIn(ofOther)]).toEqual([true, false]);

    async function isIn(key: string): Promise<boolean> {
      return (await own.get('/api/v1/settings', { key })).status === 200;
    }
  });

  it('goes on working when its file can not be written, and nothing else begins to', async () => {
    const own = await startTestService();
    const { dataDir, apiKey } = own.service;
    // A folder in the place of the file: nothing can be renamed over it.
    await rm(join(dataDir, 'local-key'));
    await mkdir(join(dataDir, 'local-key', 'full'), { recursive: true });
    const answer = await own.post('/api/v1/keys/local/rotate');
    expect(outcome(answer)).toEqual([500, 'storage_unavailable']);
    expect(await works(apiKey, own)).toBe(true);
    expect(own.service.apiKey).toBe(apiKey);
    await rm(join(dataDir, 'local-key'), { recursive: true });
    await writeFile(join(dataDir, 'local-key'), `${apiKey}\n`);
    expect(await rotate(own)).toBe(own.service.apiKey);
  });

  it('is the one in the file when a crash left two in force, and the other goes', async () => {
    const dataDir = await createTempDir();
    const first = await startTestService({ dataDir });
    const { workspaceId, apiKey } = first.service;
    // What a crash leaves between making the new key and writing the file.
    const { text } = await first.service.keys.create({
      kind: 'local',
      name: 'Local key',
      scope: 'admin',
      workspaceId,
      expiresAt: null,
    });
    await first.service.close();
    const second = await startTestService({ dataDir });
    expect(second.service.apiKey).toBe(apiKey);
    expect(await works(text, second)).toBe(false);
  });
});

describe('who may manage keys', () => {
  it.each([
    ['list', () => chatOnly.get('/api/v1/keys')],
    ['make', () => chatOnly.post('/api/v1/keys', { name: 'x' })],
    ['make, with a body that makes no sense', () => chatOnly.post('/api/v1/keys', { scope: 'root' })],
    ['revoke', () => chatOnly.request({ method: 'DELETE', path: '/api/v1/keys/x' })],
    ['read the local key', () => chatOnly.get('/api/v1/keys/local')],
    ['rotate it', () => chatOnly.post('/api/v1/keys/local/rotate')],
  ])('not a key of scope chat: %s', async (_name, call) => {
    expect(outcome(await call())).toEqual([403, 'forbidden']);
  });

  it('nobody without a key', async () => {
    expect((await api.get('/api/v1/keys/local', { key: null })).status).toBe(401);
  });
});
