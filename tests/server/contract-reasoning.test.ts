/** What a model thinks: streamed, listed, exported and imported with its reply. */
import { expect, it, onTestFinished } from 'vitest';
import type { ExportFile, ImportResult } from '../../shared/api/data.ts';
import { createEventClient } from '../support/event-client.ts';
import { startModelServer, type ModelServer } from '../support/model-servers/model-server.ts';
import { STRICT_RULES, THINKING_RULES } from '../support/model-servers/strict-rules.ts';
import { PARTIAL_TEXT, PLAIN_TEXT, type ScenarioName } from '../support/model-servers/scenarios.ts';
import { startTestService, type TestService } from '../support/service.ts';

const THOUGHT = 'They greet me, so I greet them.';

async function chatWith(
  scenario: ScenarioName,
): Promise<{ api: TestService; chatId: string; server: ModelServer }> {
  const server = await startModelServer('openai', { scenario });
  onTestFinished(() => server.close());
  const api = await startTestService();
  const connection = { provider: 'openai_compatible', name: 'Box', baseUrl: server.baseUrl };
  await api.post('/api/v1/connections', connection);
  const { id } = await api.createChat();
  await api.request({ method: 'PATCH', path: `/api/v1/chats/${id}`, json: { model: 'box/fake-model' } });
  return { api, chatId: id, server };
}

it('is listed with the reply, and goes into another workspace with an export', async () => {
  const { api, chatId } = await chatWith('reasoning');
  await api.send(chatId, 'hello');
  await api.settled(chatId);
  expect((await api.messages(chatId))[1]).toMatchObject({ content: PLAIN_TEXT, reasoning: THOUGHT });
  const file = (await api.get(`/api/v1/chats/${chatId}/export?format=json`)).json<ExportFile>();
  const there = await startTestService();
  const { chatIds } = (await there.post('/api/v1/import', file)).json<ImportResult>();
  expect((await there.messages(chatIds[0] ?? ''))[1]).toMatchObject({
    content: PLAIN_TEXT,
    reasoning: THOUGHT,
  });
});

it.each([
  ['openai_compatible', 'openai', THINKING_RULES, '"reasoning_content":"Thought after 0 results."'],
  ['anthropic', 'anthropic', STRICT_RULES.anthropic, '"signature":"signed-Thought after 1 results."'],
] as const)('comes back to its model after an import: %s', async (provider, wire, refuses, sent) => {
  const server = await startModelServer(wire, { scenario: 'thinks-with-tools', refuses });
  onTestFinished(() => server.close());
  const connect = async (): Promise<TestService> => {
    const api = await startTestService();
    await api.post('/api/v1/connections', {
      provider,
      name: 'Box',
      baseUrl: server.baseUrl,
      apiKey: 'sk-test-0123456789abcdef',
    });
    await api.request({ method: 'PATCH', path: '/api/v1/settings', json: { nameChats: false } });
    return api;
  };
  const ask = async (api: TestService, chatId: string): Promise<void> => {
    await api.send(chatId, 'add up', { parameters: { reasoning: 'medium' } });
    await api.settled(chatId);
    const reply = (await api.messages(chatId)).at(-1);
    expect(reply).toMatchObject({ status: 'complete', content: 'First a sum.\n\nAll done.' });
    expect(reply).not.toHaveProperty('rounds');
  };
  const [here, there] = [await connect(), await connect()];
  const { id } = await here.createChat();
  await here.request({ method: 'PATCH', path: `/api/v1/chats/${id}`, json: { model: 'box/fake-model' } });
  await ask(here, id);
  const file = (await here.get(`/api/v1/chats/${id}/export?format=json`)).json<ExportFile>();
  const { chatIds } = (await there.post('/api/v1/import', file)).json<ImportResult>();
  const asked = server.asked().length;
  await ask(there, chatIds[0] ?? '');
  expect(server.refusals).toEqual([]);
  expect(server.asked()[asked]?.text).toContain(sent);
});

it('grows in an open window before the text does', async () => {
  const { api, chatId } = await chatWith('slow-reasoning');
  const client = createEventClient(api.service.port, api.service.apiKey, chatId);
  const stream = await client.open();
  await api.send(chatId, 'hello');
  await stream.until(() => client.reported.some(({ event }) => event.type === 'reasoning'));
  const reply = () => client.state.messages[1];
  expect(THOUGHT.startsWith(reply()?.reasoning ?? '-')).toBe(true);
  expect(reply()?.content).toBe('');
  await stream.until(() => reply()?.status === 'complete');
  expect(reply()).toMatchObject({ content: PLAIN_TEXT, reasoning: THOUGHT });
  stream.cut();
});

it('is kept, as the text is, when the turn is stopped; the request ends on the wire', async () => {
  const { api, chatId, server } = await chatWith('slow-reasoning');
  await api.send(chatId, 'hello');
  await expect.poll(async () => (await api.messages(chatId))[1]?.reasoning, { timeout: 10_000 }).toBeTruthy();
  const stoppedAt = performance.now();
  await api.post(`/api/v1/chats/${chatId}/stop`);
  const closedAt = (await server.asked()[0]?.clientClosed) ?? Infinity;
  expect(closedAt - stoppedAt).toBeLessThan(1_000);
  const [, reply] = await api.messages(chatId);
  expect(reply).toMatchObject({ status: 'complete', stopReason: 'stopped' });
  expect(THOUGHT.startsWith(reply?.reasoning ?? '-')).toBe(true);
});

it('a stream that breaks leaves what had come, with the reason and what can be done', async () => {
  const { api, chatId, server } = await chatWith('malformed');
  await api.send(chatId, 'hello');
  expect((await api.settled(chatId)).status).toBe('failed');
  expect((await api.messages(chatId))[1]).toMatchObject({
    status: 'error',
    content: PARTIAL_TEXT,
    error: { code: 'model_failed' },
    usage: { inputTokens: 11, outputTokens: 7 },
  });
  server.play('plain');
  await api.post(`/api/v1/chats/${chatId}/retry`);
  expect((await api.settled(chatId)).status).toBe('idle');
});
