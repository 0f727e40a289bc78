/** Model servers that are still loading, want a key, or tell their context beside their list; over the API. */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ConnectionAnswer, ConnectionTest, FoundServers } from '../../shared/api/connection.ts';
import type { Workspace } from '../../shared/api/workspace.ts';
import { eventually } from '../support/eventually.ts';
import { byPath, startListingServer, type ListingServer } from '../support/listing-server.ts';
import { startModelServer } from '../support/model-servers/model-server.ts';
import { startTestService } from '../support/service.ts';

const llama = (meta: Record<string, number> = {}): unknown => ({
  object: 'list',
  data: [{ id: 'm.gguf', object: 'model', owned_by: 'llamacpp', meta }],
});
const refusal = { error: { code: 401, message: 'Invalid API Key', type: 'authentication_error' } };

async function testOf(server: ListingServer, model?: string): Promise<ConnectionTest> {
  const api = await startTestService();
  const baseUrl = `${server.origin}/v1`;
  const body = { provider: 'openai_compatible', baseUrl, ...(model !== undefined && { model }) };
  return (await api.post('/api/v1/connections/test', body)).json<ConnectionTest>();
}

describe('a test', () => {
  it.each([undefined, 'm.gguf'])('says that a model is loading (%s)', async (model) => {
    const error = { code: 503, message: 'Loading model', type: 'unavailable_error' };
    const server = await startListingServer(() => ({ status: 503, json: { error } }));
    const result = await testOf(server, model);
    expect(result.finding).toBe('too_slow');
    expect(result.message).toMatch(/is still loading its model; try again/);
  });
});

describe('a server that was found', () => {
  it('is told also when it wants a key, and a stranger that wants one is not', async () => {
    const closed = await startListingServer(() => ({ status: 401, json: { error: 'Unauthorized' } }));
    const half = await startListingServer((request) =>
      request.path === '/v1/models' ? { json: llama() } : { status: 401, json: refusal },
    );
    const open = await startListingServer(
      byPath({ '/v1/models': { json: llama() }, '/props': { json: {} } }),
    );
    const stranger = await startListingServer(() => ({ status: 401, json: { detail: 'Log in first' } }));
    const api = await startTestService({
      connections: {
        localServers: [closed, half, open, stranger].map(({ port }) => ({
          provider: 'openai_compatible' as const,
          name: null,
          port,
        })),
      },
    });
    // On a busy machine one may miss the 300 ms that Parley waits.
    await eventually(async () => {
      const { servers } = (await api.get('/api/v1/connections/found')).json<FoundServers>();
      expect(servers.map(({ baseUrl, needsKey, models }) => [baseUrl, needsKey, models])).toEqual([
        [`${closed.origin}/v1`, true, []],
        [`${half.origin}/v1`, true, ['m.gguf']],
        [`${open.origin}/v1`, undefined, ['m.gguf']],
      ]);
    });
  });
});

it('a llama.cpp server reads what it was started with, not what its model could', async () => {
  const server = await startListingServer(
    byPath({
      '/v1/models': { json: llama({ n_ctx_train: 131_072 }) },
      '/props': { json: { default_generation_settings: { n_ctx: 4_096 } } },
    }),
  );
  const api = await startTestService();
  const body = { provider: 'openai_compatible', name: 'Box', baseUrl: `${server.origin}/v1` };
  const { connection } = (await api.post('/api/v1/connections', body)).json<ConnectionAnswer>();
  expect(connection.models.map(({ contextTokens }) => contextTokens)).toEqual([4_096]);
});

it('a workspace keeps no default model whose connection is gone', async () => {
  const server = await startModelServer('openai');
  onTestFinished(() => server.close());
  const api = await startTestService();
  const body = { provider: 'openai_compatible', name: 'Box', baseUrl: server.baseUrl };
  const { connection } = (await api.post('/api/v1/connections', body)).json<ConnectionAnswer>();
  const workspaces = async (): Promise<Workspace[]> =>
    (await api.get('/api/v1/workspaces')).json<{ workspaces: Workspace[] }>().workspaces;
  const [{ id } = { id: '' }] = await workspaces();
  const path = `/api/v1/workspaces/${id}`;
  await api.request({ method: 'PATCH', path, json: { defaultModel: 'box/fake-model' } });
  expect((await workspaces())[0]?.defaultModel).toBe('box/fake-model');
  await api.request({ method: 'DELETE', path: `/api/v1/connections/${connection.id}` });
  expect((await workspaces())[0]?.defaultModel).toBeNull();
  // A connection that comes to the same name is another one.
  await api.post('/api/v1/connections', body);
  expect((await api.createChat()).model).toBe('offline-assistant');
});
