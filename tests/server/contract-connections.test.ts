import { describe, expect, it } from 'vitest';
import type { Connection } from '../../shared/api/connection.ts';
import { MAX_CONNECTIONS } from '../../shared/limits.ts';
import {
  createTestClient,
  outcome,
  startSharedService,
  startTestService,
  type TestAnswer,
  type TestClient,
} from '../support/service.ts';

/** Nobody listens there. */
const NOBODY = 'http://127.0.0.1:9/v1';
const KEY = 'sk-test-0123456789abcdef';

const api = await startSharedService();

const connectionOf = (answer: TestAnswer, status: number): Connection => {
  expect(answer.status, answer.text).toBe(status);
  return answer.json<{ connection: Connection }>().connection;
};
const make = async (body: unknown, client: TestClient = api): Promise<Connection> =>
  connectionOf(await client.post('/api/v1/connections', body), 201);
const change = (id: string, json: unknown, client: TestClient = api): Promise<TestAnswer> =>
  client.request({ method: 'PATCH', path: `/api/v1/connections/${id}`, json });
const remove = (id: string, client: TestClient = api): Promise<TestAnswer> =>
  client.request({ method: 'DELETE', path: `/api/v1/connections/${id}` });
const list = async (client: TestClient = api): Promise<Connection[]> =>
  (await client.get('/api/v1/connections')).json<{ connections: Connection[] }>().connections;

describe('a connection', () => {
  it('is there once it is made, and never tells its key', async () => {
    const made = await make({
      provider: 'openai_compatible',
      name: ' My\tLlama ',
      baseUrl: NOBODY,
      apiKey: KEY,
    });
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      provider: 'openai_compatible',
      name: 'My Llama',
      slug: 'my-llama',
      baseUrl: NOBODY,
      key: 'present',
      headerNames: [],
      headers: 'none',
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      models: [],
      modelsListedAt: null,
    });
    expect(await list()).toContainEqual(made);
    expect((await api.get('/api/v1/connections')).text).not.toContain(KEY);
  });

  it.each([
    [
      'its address',
      { provider: 'openai_compatible', baseUrl: 'http://localhost:9/v1' },
      'localhost:9',
      'localhost-9',
    ],
    ['its provider', { provider: 'ollama', baseUrl: 'http://127.0.0.1:9' }, 'Ollama', 'ollama'],
  ])('that has no name is called after %s', async (_what, body, name, slug) => {
    expect(await make(body)).toMatchObject({ name, slug, key: 'none' });
  });

  it('gets a slug of its own, which stays when it is renamed', async () => {
    const names = ['Größe & Co.', 'Grosse co', 'grösse  CO', '日本', '💥', 'x'.repeat(80), 'x'.repeat(79)];
    const slugs: string[] = [];
    for (const name of names) {
      slugs.push((await make({ provider: 'openai_compatible', baseUrl: NOBODY, name })).slug);
    }
    expect(slugs).toEqual([
      'gro-e-co',
      'grosse-co',
      'grosse-co-2',
      'models',
      'models-2',
      'x'.repeat(40),
      `${'x'.repeat(38)}-2`,
    ]);
    const made = await make({ provider: 'openai_compatible', baseUrl: NOBODY, name: 'Before' });
    expect(connectionOf(await change(made.id, { name: 'After' }), 200)).toEqual({ ...made, name: 'After' });
  });

  it.each([
    ['ollama', 'http://127.0.0.1:9/', 'http://127.0.0.1:9'],
    ['ollama', 'http://127.0.0.1:9/api', 'http://127.0.0.1:9'],
    ['ollama', 'http://127.0.0.1:9/v1/', 'http://127.0.0.1:9'],
    ['openai_compatible', 'http://127.0.0.1:9/v1//', 'http://127.0.0.1:9/v1'],
    ['openai_compatible', 'HTTP://LOCALHOST:9/V1/chat/completions', 'http://localhost:9/V1'],
  ])('of %s at %s is at %s', async (provider, baseUrl, kept) => {
    expect((await make({ provider, baseUrl })).baseUrl).toBe(kept);
  });

  it('gets, changes and loses its key', async () => {
    const { id } = await make({ provider: 'openai_compatible', baseUrl: NOBODY });
    const keyAfter = async (body: unknown): Promise<string> => connectionOf(await change(id, body), 200).key;
    expect(await keyAfter({ apiKey: KEY })).toBe('present');
    expect(await keyAfter({ name: 'x' })).toBe('present');
    expect(await keyAfter(undefined)).toBe('present');
    expect(await api.service.secrets.read(`connection:${id}`)).toEqual({ state: 'present', text: KEY });
    expect(await keyAfter({ apiKey: null })).toBe('none');
    expect(await api.service.secrets.read(`connection:${id}`)).toEqual({ state: 'absent' });
  });

  it('takes no key along to another server unless told so', async () => {
    const { id } = await make({ provider: 'openai_compatible', baseUrl: NOBODY, apiKey: KEY });
    for (const baseUrl of ['http://127.0.0.1:10/v1', 'https://127.0.0.1:9/v1', 'http://localhost:9/v1']) {
      const answer = await change(id, { baseUrl });
      expect(outcome(answer)).toEqual([400, 'invalid_request']);
      expect(answer.error().message).toContain('"apiKey" must be given');
    }
    const sameServer = connectionOf(await change(id, { baseUrl: 'http://127.0.0.1:9/other' }), 200);
    expect([sameServer.baseUrl, sameServer.key]).toEqual(['http://127.0.0.1:9/other', 'present']);
    const moved = connectionOf(await change(id, { baseUrl: 'http://127.0.0.1:10', apiKey: 'other' }), 200);
    expect([moved.baseUrl, moved.key]).toEqual(['http://127.0.0.1:10', 'present']);
    expect(await api.service.secrets.read(`connection:${id}`)).toEqual({ state: 'present', text: 'other' });
    const bare = connectionOf(await change(id, { baseUrl: NOBODY, apiKey: null }), 200);
    expect([bare.baseUrl, bare.key]).toEqual([NOBODY, 'none']);
  });

  it('is gone with its key when it is removed', async () => {
    const made = await make({ provider: 'openai_compatible', baseUrl: NOBODY, apiKey: KEY });
    expect(connectionOf(await remove(made.id), 200)).toEqual({ ...made, key: 'none' });
    expect(await list()).not.toContainEqual(expect.objectContaining({ id: made.id }));
    expect(await api.service.secrets.names()).not.toContain(`connection:${made.id}`);
    expect(outcome(await remove(made.id))).toEqual([404, 'connection_not_found']);
    expect(outcome(await change(made.id, { name: 'x' }))).toEqual([404, 'connection_not_found']);
  });

  it.each([
    [{}, 'provider'],
    [{ provider: 'somebody' }, 'provider'],
    [{ provider: 'openai_compatible' }, 'baseUrl'],
    [{ provider: 'openai_compatible', baseUrl: null }, 'baseUrl'],
    [{ provider: 'openai_compatible', baseUrl: 'ftp://127.0.0.1' }, 'baseUrl'],
    [{ provider: 'openai_compatible', baseUrl: 'http://' }, 'baseUrl'],
    [{ provider: 'openai_compatible', baseUrl: 'http://[::1' }, 'baseUrl'],
    [{ provider: 'openai_compatible', baseUrl: 'http://me:secret@127.0.0.1' }, 'baseUrl'],
    [{ provider: 'openai_compatible', baseUrl: `${NOBODY}?key=1` }, 'baseUrl'],
    [{ provider: 'ollama', name: ' ' }, 'name'],
    [{ provider: 'ollama', apiKey: '' }, 'apiKey'],
    [{ provider: 'ollama', apiKey: 'two words' }, 'apiKey'],
    [{ provider: 'ollama', apiKey: 'x\r\nHost: y' }, 'apiKey'],
  ])('is refused as %j', async (body, field) => {
    const answer = await api.post('/api/v1/connections', body);
    expect(outcome(answer)).toEqual([400, 'invalid_request']);
    expect(answer.error().details?.map(({ path }) => path)).toContain(`/${field}`);
  });

  it('is for keys of the scope "admin", whatever else is wrong', async () => {
    const { text } = await api.service.keys.create({
      kind: 'person',
      name: 'script',
      scope: 'chat',
      workspaceId: null,
      expiresAt: null,
    });
    const script = createTestClient(api.service.port, text);
    for (const answer of [
      await script.get('/api/v1/connections'),
      await script.post('/api/v1/connections', {}),
      await change('x', {}, script),
      await remove('x', script),
    ]) {
      expect(outcome(answer)).toEqual([403, 'forbidden']);
    }
  });

  it('one more than there can be is refused, in words', async () => {
    const own = await startTestService();
    for (let count = 0; count < MAX_CONNECTIONS; count += 1) {
      await make({ provider: 'openai_compatible', baseUrl: NOBODY }, own);
    }
    const answer = await own.post('/api/v1/connections', {
      provider: 'openai_compatible',
      baseUrl: NOBODY,
      apiKey: KEY,
    });
    expect(outcome(answer)).toEqual([409, 'conflict']);
    expect(answer.error().message).toContain(`${MAX_CONNECTIONS} connections`);
    expect(await own.service.secrets.names()).toEqual([]);
  });
});
