/**
 * Model servers on this computer, found on the ports that they use. Parley waits 300 ms for them, which one on a busy
 * machine may miss: so each test looks until it has found them.
 */
import { expect, it } from 'vitest';
import type { FoundServer } from '../../shared/api/connection.ts';
import type { LocalServer } from '../../server/connections/found-servers.ts';
import { eventually } from '../support/eventually.ts';
import { byPath, openAiList, startListingServer, type ListingReply } from '../support/listing-server.ts';
import { startTestService, type TestService } from '../support/service.ts';

const found = async (api: TestService): Promise<FoundServer[]> => {
  const answer = await api.get('/api/v1/connections/found');
  expect(answer.status).toBe(200);
  return answer.json<{ servers: FoundServer[] }>().servers;
};
const tags: ListingReply = { json: { models: [{ name: 'llama3.2:latest', model: 'llama3.2:latest' }] } };

it('are those that answer as one, with their names and models', async () => {
  const ollama = await startListingServer(byPath({ '/api/tags': tags }));
  const studio = await startListingServer(byPath({ '/v1/models': openAiList('a', 'b') }));
  const owned = await startListingServer(
    byPath({
      '/v1/models': { json: { object: 'list', data: [{ id: 'm', object: 'model', owned_by: 'llamacpp' }] } },
    }),
  );
  const unnamed = await startListingServer(byPath({ '/v1/models': { json: { object: 'list', data: [] } } }));
  const strangers = await Promise.all(
    [
      { text: '<html>' } as const,
      { json: { data: [{ id: 5 }] } },
      { json: { data: [] } },
      { status: 401, json: {} },
      { status: 302, headers: { location: `${studio.origin}/v1/models` }, text: '' },
      'hang' as const,
      'cut' as const,
    ].map((reply) => startListingServer(() => reply)),
  );
  const local = (port: number, name: string | null = null): LocalServer => ({
    provider: 'openai_compatible',
    name,
    port,
  });
  const api = await startTestService({
    connections: {
      localServers: [
        { provider: 'ollama', name: 'Ollama', port: ollama.port },
        local(studio.port, 'LM Studio'),
        local(owned.port),
        local(unnamed.port),
        local(9),
        ...strangers.map(({ port }) => local(port, 'Stranger')),
      ],
    },
  });
  await eventually(async () =>
    expect(await found(api)).toEqual([
      { provider: 'ollama', name: 'Ollama', baseUrl: ollama.origin, models: ['llama3.2:latest'] },
      {
        provider: 'openai_compatible',
        name: 'LM Studio',
        baseUrl: `${studio.origin}/v1`,
        models: ['a', 'b'],
      },
      { provider: 'openai_compatible', name: 'llama.cpp', baseUrl: `${owned.origin}/v1`, models: ['m'] },
      {
        provider: 'openai_compatible',
        name: `Model server on port ${unnamed.port}`,
        baseUrl: `${unnamed.origin}/v1`,
        models: [],
      },
    ]),
  );
  expect(api.log).toEqual([]);
});

it('are not told again once they are connected, and nobody is asked who is', async () => {
  const server = await startListingServer(byPath({ '/v1/models': openAiList('a') }));
  const localServers: LocalServer[] = [{ provider: 'openai_compatible', name: 'Jan', port: server.port }];
  const api = await startTestService({ connections: { localServers } });
  const offered = await eventually(async () => {
    const [first] = await found(api);
    expect(first).toMatchObject({ name: 'Jan' });
    return first;
  });
  const made = await api.post('/api/v1/connections', {
    provider: offered?.provider,
    name: offered?.name,
    baseUrl: offered?.baseUrl.replace('127.0.0.1', 'localhost'),
  });
  expect(made.status).toBe(201);
  const asked = server.requests.length;
  expect(await found(api)).toEqual([]);
  expect(server.requests.length).toBe(asked);
});

it('are looked for only when somebody asks', async () => {
  const server = await startListingServer(byPath({ '/v1/models': openAiList('a') }));
  const api = await startTestService({
    connections: { localServers: [{ provider: 'openai_compatible', name: 'Jan', port: server.port }] },
  });
  await api.get('/api/v1/connections');
  await api.get('/api/v1/models');
  expect(server.requests).toEqual([]);
  await eventually(async () => {
    await found(api);
    expect(server.requests).not.toEqual([]);
  });
});
