/** Keys of model servers are told to those servers alone, and stand in one file alone. */
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import type { Connection, ConnectionTest } from '../../../shared/api/connection.ts';
import type { SecretBox } from '../../../server/secrets/secrets.ts';
import { openAiList, startListingServer } from '../../support/listing-server.ts';
import { createScriptedRuntime, echo } from '../../support/scripted-runtime.ts';
import { createTempDir, startTestService, type TestService } from '../../support/service.ts';

const KEY = 'sk-test-keep-this-to-yourself';
const OTHER_KEY = 'sk-test-and-this-one-as-well';
const PASSWORD = 'only for the gateway 12345';

const SECRETS = [KEY, OTHER_KEY, PASSWORD];

/** Files under a folder that hold one of the keys, packed ones too. */
async function filesWithKeys(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const found = await Promise.all(
    files.map(async (path) => {
      const bytes = await readFile(path);
      const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
      const text = (isPacked ? gunzipSync(bytes) : bytes).toString('latin1');
      return SECRETS.some((secret) => text.includes(secret)) ? [path] : [];
    }),
  );
  return found.flat();
}

async function connect(api: TestService, baseUrl: string): Promise<Connection> {
  const answer = await api.post('/api/v1/connections', {
    provider: 'openai_compatible',
    name: 'Box',
    baseUrl,
    apiKey: KEY,
  });
  expect(answer.status, answer.text).toBe(201);
  return answer.json<{ connection: Connection }>().connection;
}

async function ask(api: TestService): Promise<string | undefined> {
  const chat = await api.createChat();
  const path = `/api/v1/chats/${chat.id}`;
  expect((await api.request({ method: 'PATCH', path, json: { model: 'box/m' } })).status).toBe(200);
  await api.send(chat.id, 'hello');
  await api.settled(chat.id);
  const [, reply] = await api.messages(chat.id);
  return reply?.error === undefined ? undefined : `${reply.error.code}: ${reply.error.message}`;
}

it('stand in no answer, log, export, backup or file of the store, and go with their connection', async () => {
  const server = await startListingServer(({ headers, method }) =>
    method === 'GET'
      ? openAiList('m')
      : {
          status: 500,
          json: {
            error: {
              message: `Why do you send ${String(headers['authorization'])} ${String(headers['x-gate'])}?`,
            },
          },
        },
  );
  const api = await startTestService({ runtime: createScriptedRuntime(echo) });
  const { dataDir, store } = api.service;
  const connection = await connect(api, `${server.origin}/v1`);
  const path = `/api/v1/connections/${connection.id}`;
  expect(await ask(api)).toBeUndefined();
  const answers = [
    await api.get('/api/v1/connections'),
    await api.get('/api/v1/models'),
    await api.post(`${path}/refresh`),
    await api.post('/api/v1/connections/test', { connectionId: connection.id, model: 'm' }),
    await api.post('/api/v1/connections/test', {
      provider: 'openai_compatible',
      baseUrl: server.origin,
      apiKey: KEY,
    }),
    await api.post('/api/v1/connections', { provider: 'nobody', apiKey: KEY }),
    await api.post('/api/v1/connections', { provider: 'ollama', apiKey: `${KEY} and a space` }),
    await api.request({ method: 'PATCH', path, json: { apiKey: OTHER_KEY } }),
    await api.request({ method: 'PATCH', path, json: { headers: { 'X-Gate': PASSWORD } } }),
    await api.post('/api/v1/connections/test', { connectionId: connection.id, model: 'm' }),
    await api.request({ method: 'PATCH', path, json: { headers: { 'X-Gate': `${PASSWORD}\n` } } }),
    await api.request({ method: 'PATCH', path, json: { headers: { [PASSWORD]: 'swapped' } } }),
    await api.request({ method: 'PATCH', path, json: { baseUrl: 'http://127.0.0.1:9' } }),
    await api.get('/api/v1/export?format=json'),
    await api.get('/api/v1/export?format=markdown'),
    await api.get('/api/v1/requests'),
    await api.get('/api/v1/settings'),
  ];
  expect((await api.post('/api/v1/backups')).status).toBe(201);
  for (const { text } of answers) expect(SECRETS.filter((secret) => text.includes(secret))).toEqual([]);
  expect(server.requests.map(({ headers }) => headers['authorization'])).toContain(`Bearer ${OTHER_KEY}`);
  await store.compact();
  expect(await filesWithKeys(dataDir)).toEqual([join(dataDir, 'secrets.json')]);
  await api.request({ method: 'DELETE', path });
  expect(await filesWithKeys(dataDir)).toEqual([]);
  await api.service.close();
  expect(api.log.filter((line) => /sk-test|12345/.test(line))).toEqual([]);
});

it('that the key store locked are told as such, and nothing is sent without them', async () => {
  const server = await startListingServer(() => openAiList('m'));
  const dataDir = await createTempDir();
  let isLocked = false;
  const unlocked = <T>(value: T): Promise<T> =>
    isLocked ? Promise.reject(new Error('locked')) : Promise.resolve(value);
  const box: SecretBox = {
    seal: (text) => unlocked(Buffer.from(`sealed ${text}`).toString('base64')),
    open: (sealed) =>
      unlocked({ text: Buffer.from(sealed, 'base64').toString().replace('sealed ', ''), isStale: false }),
  };
  const api = await startTestService({
    dataDir,
    runtime: createScriptedRuntime(echo),
    openSecretBox: () => Promise.resolve(box),
  });
  const connection = await connect(api, `${server.origin}/v1`);
  expect(connection.key).toBe('present');
  expect(await ask(api)).toBeUndefined();
  isLocked = true;
  const asked = server.requests.length;
  const { connections } = (await api.get('/api/v1/connections')).json<{ connections: Connection[] }>();
  expect(connections).toEqual([{ ...connection, key: 'locked' }]);
  expect(await ask(api)).toMatch(/^model_key_refused: The key of Box can’t be used\. .*key store.*\.$/);
  const test = await api.post('/api/v1/connections/test', { connectionId: connection.id });
  expect(test.json<ConnectionTest>()).toMatchObject({ finding: 'key_needed' });
  expect((await api.post(`/api/v1/connections/${connection.id}/refresh`)).error().message).toContain(
    'key store',
  );
  const another = await api.post('/api/v1/connections', { provider: 'ollama', apiKey: KEY });
  expect([another.status, another.error().message]).toEqual([409, expect.stringContaining('key store')]);
  expect(server.requests.length).toBe(asked);
  isLocked = false;
  expect(await ask(api)).toBeUndefined();
});

it('that are lost are asked for again, in words', async () => {
  const server = await startListingServer(() => openAiList('m'));
  const dataDir = await createTempDir();
  const first = await startTestService({ dataDir });
  await connect(first, `${server.origin}/v1`);
  await first.service.close();
  await rm(join(dataDir, 'secrets.json'));
  const api = await startTestService({ dataDir, runtime: createScriptedRuntime(echo) });
  const { connections } = (await api.get('/api/v1/connections')).json<{ connections: Connection[] }>();
  expect(connections.map(({ key }) => key)).toEqual(['none']);
  expect(await ask(api)).toMatch(/^model_key_refused: The key of Box is no longer there; enter it again/);
  // There is nothing that could go to another server by mistake.
  const path = `/api/v1/connections/${connections[0]?.id ?? ''}`;
  const moved = await api.request({ method: 'PATCH', path, json: { baseUrl: 'http://127.0.0.1:9' } });
  expect(moved.json<{ connection: Connection }>().connection).toMatchObject({
    baseUrl: 'http://127.0.0.1:9',
    key: 'none',
  });
  expect(await ask(api)).toBeUndefined();
});
