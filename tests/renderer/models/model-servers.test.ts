import { expect, test } from 'vitest';
import type { Connection } from '../../../shared/api/connection.ts';
import type { ApiClient } from '../../../renderer/api/client.ts';
import { ConnectionProblem } from '../../../renderer/api/problem.ts';
import { Catalog } from '../../../renderer/models/catalog.svelte.ts';
import { ModelServers } from '../../../renderer/models/model-servers.svelte.ts';
import { aConnection, aTest } from '../support/connections.ts';

/** What a service that has these connections answers. */
const anApi = (kept: Connection[], changes: Partial<ApiClient>): Partial<ApiClient> => ({
  listConnections: () => Promise.resolve(kept),
  createConnection: (body) =>
    Promise.resolve(aConnection({ id: 'new', provider: body.provider, models: [] })),
  updateConnection: (id, body) => Promise.resolve(aConnection({ id, name: body.name ?? 'as before' })),
  deleteConnection: (id) => Promise.resolve({ connection: aConnection({ id }) }),
  refreshConnection: (id) => Promise.resolve(aConnection({ id })),
  testConnection: () => Promise.resolve(aTest()),
  findServers: () => Promise.resolve([]),
  ...changes,
});

async function knowing(kept: Connection[], changes: Partial<ApiClient> = {}) {
  let changed = 0;
  const servers = new ModelServers(anApi(kept, changes) as ApiClient, () => (changed += 1));
  await servers.refresh();
  return { servers, changed: () => changed };
}

test('what a look at the service brought before its answer came stands there once', async () => {
  const kept: Connection[] = [];
  const { promise, resolve } = Promise.withResolvers<Connection>();
  const { servers } = await knowing(kept, { createConnection: () => promise });
  const creating = servers.create({ provider: 'ollama' });
  kept.push(aConnection({ id: 'new' }));
  await servers.refresh();
  resolve(aConnection({ id: 'new', name: 'Box' }));
  await creating;
  expect(servers.items.map(({ id, name }) => [id, name])).toEqual([['new', 'Box']]);
});

test('it tells where a model runs: in Parley, on this computer, or at a host', async () => {
  const { servers } = await knowing([
    aConnection(),
    aConnection({ id: '2', slug: 'lan', name: 'Box', baseUrl: 'http://192.168.1.5:8080' }),
    aConnection({ id: '3', slug: 'claude', provider: 'anthropic' }),
  ]);
  expect(servers.locationOf('offline-assistant')).toEqual({ kind: 'built_in' });
  expect(servers.locationOf('ollama/llama3.2')).toEqual({ kind: 'here', connection: 'Ollama' });
  expect(servers.locationOf('lan/qwen')).toEqual({ kind: 'away', host: '192.168.1.5:8080' });
  expect(servers.locationOf('claude/opus')).toEqual({ kind: 'away', host: 'api.anthropic.com' });
  expect(servers.locationOf('gone/opus')).toBeNull();
});

test('a change is shown, and told to whoever lists the models', async () => {
  const { servers, changed } = await knowing([aConnection()]);
  await servers.update('connection', { name: 'Kitchen' });
  expect(servers.items.map(({ name }) => name)).toEqual(['Kitchen']);
  await servers.create({ provider: 'openai' });
  expect(servers.items.map(({ id }) => id)).toEqual(['connection', 'new']);
  await servers.remove('connection');
  expect(servers.items.map(({ id }) => id)).toEqual(['new']);
  expect(changed()).toBe(3);
});

test('a server that was found is not offered any more once it is connected', async () => {
  const found = [
    { provider: 'ollama' as const, name: 'Ollama', baseUrl: 'http://127.0.0.1:11434', models: [] },
    {
      provider: 'openai_compatible' as const,
      name: 'LM Studio',
      baseUrl: 'http://127.0.0.1:1234/v1',
      models: [],
    },
  ];
  const { servers } = await knowing([], { findServers: () => Promise.resolve(found) });
  expect(servers.found).toBeNull();
  await servers.search();
  await servers.create({ provider: 'ollama' });
  expect(servers.found?.map(({ name }) => name)).toEqual(['LM Studio']);
});

test('models of a new connection are listed, and it stays when that fails', async () => {
  const never = aConnection({ modelsListedAt: null, models: [] });
  const { servers } = await knowing([never]);
  expect((await servers.listIfNew(never)).models).toHaveLength(2);
  const { servers: failing } = await knowing([never], {
    refreshConnection: () => Promise.reject(new ConnectionProblem('Nobody there.')),
  });
  expect(await failing.listIfNew(never)).toBe(never);
});

test('a model is gone when it isn’t offered any more; a server that lists none may offer any', async () => {
  const models = ['offline-assistant', 'ollama/llama3.2'].map((name) => ({
    name,
    offline: name === 'offline-assistant',
    connection: null,
    contextTokens: null,
    parameters: [],
  }));
  const catalog = new Catalog({
    listAgents: () => Promise.resolve([]),
    listModels: () => Promise.resolve(models),
  });
  const { servers } = await knowing([aConnection(), aConnection({ id: '2', slug: 'bare', models: [] })]);
  expect(servers.isGone(catalog, 'nobody/knows')).toBe(false);
  await catalog.refresh();
  expect(servers.isGone(catalog, 'ollama/llama3.2')).toBe(false);
  expect(servers.isGone(catalog, 'ollama/removed')).toBe(true);
  expect(servers.isGone(catalog, 'nobody/knows')).toBe(true);
  expect(servers.isGone(catalog, 'bare/anything')).toBe(false);
});
