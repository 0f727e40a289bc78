/** A llama.cpp-like server whose model reads 4,096 tokens, over the API alone. */
import { expect, it, onTestFinished } from 'vitest';
import type { ToolList } from '../../shared/api/agent.ts';
import type { ChatContextAnswer } from '../../shared/api/context.ts';
import { startModelServer, type ModelServerOptions } from '../support/model-servers/model-server.ts';
import { startTestService, type TestService } from '../support/service.ts';

async function startChat(options: ModelServerOptions): Promise<{ api: TestService; id: string }> {
  const server = await startModelServer('openai', options);
  onTestFinished(() => server.close());
  const api = await startTestService();
  await api.request({ method: 'PATCH', path: '/api/v1/settings', json: { nameChats: false } });
  await api.post('/api/v1/connections', {
    provider: 'openai_compatible',
    name: 'Box',
    baseUrl: server.baseUrl,
  });
  const { id } = await api.createChat();
  await api.request({ method: 'PATCH', path: `/api/v1/chats/${id}`, json: { model: 'box/fake-model' } });
  return { api, id };
}

it('a greeting is answered, and the context says what stands before it', async () => {
  const { api, id } = await startChat({ contextTokens: 4_096, isStrict: true });
  await api.send(id, 'Hi');
  await api.settled(id);
  const reply = (await api.messages(id)).at(-1);
  expect(reply).toMatchObject({ status: 'complete' });
  expect(reply?.usage?.inputTokens).toBeLessThan(600);
  const { context } = (await api.get(`/api/v1/chats/${id}/context`)).json<ChatContextAnswer>();
  expect(context).toMatchObject({ limit: 4_096, isEstimate: false });
  expect(context.setup?.tokens).toBeLessThanOrEqual(512);
  expect(context.setup?.leftOut).toContain('date_add');
});

it('what a model was sent without telling counts with its instructions and tools', async () => {
  const { api, id } = await startChat({ contextTokens: 4_096, scenario: 'key-refused' });
  await api.send(id, 'Hi');
  await api.settled(id);
  const { context } = (await api.get(`/api/v1/chats/${id}/context`)).json<ChatContextAnswer>();
  expect(context.isEstimate).toBe(true);
  expect(context.tokens).toBeGreaterThan(context.setup?.tokens ?? Infinity);
});

it('each tool is listed with its weight', async () => {
  const api = await startTestService();
  const { tools } = (await api.get('/api/v1/tools')).json<ToolList>();
  expect(tools.every(({ tokens }) => tokens > 50 && tokens < 550)).toBe(true);
});
