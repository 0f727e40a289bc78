import { expect, it } from 'vitest';
import type { Model } from '../../shared/api/catalog.ts';
import { byPath, startListingServer } from '../support/listing-server.ts';
import { startTestService } from '../support/service.ts';

it('any key is told which agents and models there are, the default first', async () => {
  const api = await startTestService();
  const { text: key } = await api.service.keys.create({
    kind: 'person',
    name: 'script',
    scope: 'chat',
    workspaceId: null,
    expiresAt: null,
  });
  const { agents } = (await api.get('/api/v1/agents', { key })).json<{ agents: unknown[] }>();
  expect(agents[0]).toEqual({
    agentType: 'orchestrator',
    name: 'Assistant',
    description: expect.stringMatching(/^[A-Z].+\.$/) as string,
    builtIn: true,
  });
  const { models } = (await api.get('/api/v1/models', { key })).json<{ models: unknown[] }>();
  expect(models[0]).toEqual({
    name: 'offline-assistant',
    offline: true,
    connection: null,
    contextTokens: null,
    pictures: false,
    parameters: [],
  });
  const chat = await api.createChat();
  expect(chat).toMatchObject({ agentType: 'orchestrator', model: 'offline-assistant' });
  expect((await api.get('/api/v1/agents', { key: null })).status).toBe(401);
});

it('models tell whether they look at pictures, where their server says so, or their name', async () => {
  const abilities: Record<string, string[]> = {
    llava: ['completion', 'vision'],
    'gemma3:4b': ['completion'],
    'llama3.2': ['completion', 'tools'],
  };
  const ollama = await startListingServer(({ path, json }) => {
    if (path === '/api/tags') return { json: { models: Object.keys(abilities).map((model) => ({ model })) } };
    return { json: { capabilities: abilities[(json as { model: string }).model] } };
  });
  const llama = await startListingServer(
    byPath({
      '/v1/models': { json: { data: [{ id: 'qwen', owned_by: 'llamacpp' }] } },
      '/props': { json: { default_generation_settings: { n_ctx: 8_192 }, modalities: { vision: true } } },
    }),
  );
  const others = await startListingServer(
    byPath({ '/v1/models': { json: { data: [{ id: 'pixtral-12b' }, { id: 'something' }] } } }),
  );
  const api = await startTestService();
  for (const [name, provider, baseUrl] of [
    ['Ollama', 'ollama', ollama.origin],
    ['Llama', 'openai_compatible', `${llama.origin}/v1`],
    ['Box', 'openai_compatible', `${others.origin}/v1`],
  ])
    expect((await api.post('/api/v1/connections', { name, provider, baseUrl })).status).toBe(201);
  const { models } = (await api.get('/api/v1/models')).json<{ models: Model[] }>();
  expect(Object.fromEntries(models.map(({ name, pictures }) => [name, pictures]))).toEqual({
    'offline-assistant': false,
    rehearsal: false,
    'ollama/llava': true,
    'ollama/gemma3:4b': false,
    'ollama/llama3.2': false,
    'llama/qwen': true,
    'box/pixtral-12b': true,
    'box/something': undefined,
  });
});
