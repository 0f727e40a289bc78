/** From connecting a server to its reply in a chat, over the API alone, in each provider's format. */
import { expect, it, onTestFinished } from 'vitest';
import type { Connection, ConnectionTest } from '../../shared/api/connection.ts';
import { eventually } from '../support/eventually.ts';
import { startModelServer, type ModelServer, type WireName } from '../support/model-servers/model-server.ts';
import { PROVIDER_WIRES } from '../support/model-servers/provider-wires.ts';
import { startRawServer } from '../support/model-servers/raw-server.ts';
import { startTestService, type TestAnswer, type TestService } from '../support/service.ts';

const KEY = 'sk-test-0123456789abcdef';

async function startServer(wire: WireName): Promise<ModelServer> {
  const server = await startModelServer(wire, { apiKey: KEY, models: ['fake-model', 'other'] });
  onTestFinished(() => server.close());
  return server;
}

const patchChat = (api: TestService, chatId: string, model: string): Promise<TestAnswer> =>
  api.request({ method: 'PATCH', path: `/api/v1/chats/${chatId}`, json: { model } });

it.each(PROVIDER_WIRES)('%s: is connected, tested, chosen and answers', async (provider, wire) => {
  const server = await startServer(wire);
  const api = await startTestService();
  const test = async (body: object): Promise<string> =>
    (await api.post('/api/v1/connections/test', body)).json<ConnectionTest>().finding;
  const place = { provider, baseUrl: server.baseUrl };
  expect(await test({ ...place, apiKey: KEY })).toBe('ok');
  expect(await test({ ...place, apiKey: KEY, model: 'fake-model' })).toBe('ok');
  expect(await test({ ...place, apiKey: KEY, model: 'nobody' })).toBe('no_such_model');
  expect(await test({ ...place, apiKey: 'wrong' })).toBe('wrong_key');
  expect(await test(place)).toBe('key_needed');

  const made = await api.post('/api/v1/connections', { ...place, name: 'Box', apiKey: KEY });
  const { connection } = made.json<{ connection: Connection }>();
  expect(connection.models.map(({ name }) => name)).toEqual(
    // A resource of Azure's doesn't tell what is deployed on it.
    provider === 'azure_openai' ? [] : ['box/fake-model', 'box/other'],
  );
  const chat = await api.createChat();
  expect((await patchChat(api, chat.id, 'box/fake-model')).status).toBe(200);
  await api.send(chat.id, 'Hello there');
  expect((await api.settled(chat.id)).status).toBe('idle');
  const [, reply] = await api.messages(chat.id);
  expect(reply).toMatchObject({ status: 'complete', model: 'box/fake-model', stopReason: 'end' });
  expect(reply?.content).not.toBe('');
  expect(server.asked().length).toBeGreaterThan(0);
});

it('a wrong key fails a chat with that reason, and the right one mends it', async () => {
  const server = await startServer('openai');
  const api = await startTestService();
  const made = await api.post('/api/v1/connections', {
    provider: 'openai_compatible',
    name: 'Box',
    baseUrl: server.baseUrl,
    apiKey: 'wrong',
  });
  const { connection } = made.json<{ connection: Connection }>();
  const chat = await api.createChat();
  // Its server didn't list its models, so any can be named.
  expect((await patchChat(api, chat.id, 'box/fake-model')).status).toBe(200);
  await api.send(chat.id, 'Hello there');
  expect((await api.settled(chat.id)).status).toBe('failed');
  expect((await api.messages(chat.id))[1]?.error?.code).toBe('model_key_refused');
  const path = `/api/v1/connections/${connection.id}`;
  await api.request({ method: 'PATCH', path, json: { apiKey: KEY } });
  await api.post(`/api/v1/chats/${chat.id}/retry`);
  expect((await api.settled(chat.id)).status).toBe('idle');
});

it('a reply ends, with what was written, when its connection is removed', async () => {
  const half = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'Half a' } }] })}\n\n`;
  const server = await startRawServer(() => ({ body: half, then: 'open' }));
  const api = await startTestService();
  const place = { provider: 'openai_compatible', name: 'Box', baseUrl: `${server.origin}/v1` };
  const made = await api.post('/api/v1/connections', place);
  const chat = await api.createChat({ model: 'box/fake-model' });
  await api.send(chat.id, 'Hello there');
  await eventually(async () => expect((await api.messages(chat.id))[1]?.content).toBe('Half a'));
  const messages = [{ role: 'user', content: 'Hello there' }];
  const stateless = api.post('/v1/chat/completions', { model: 'box/fake-model', messages });
  await eventually(() => expect(server.bodies).toHaveLength(2));
  const { id } = made.json<{ connection: Connection }>().connection;
  expect((await api.request({ method: 'DELETE', path: `/api/v1/connections/${id}` })).status).toBe(200);
  expect((await api.settled(chat.id)).status).toBe('failed');
  const [, reply] = await api.messages(chat.id);
  expect(reply).toMatchObject({ status: 'error', content: 'Half a', error: { code: 'model_not_found' } });
  expect(reply?.error?.message).toContain('was removed');
  const { status, text } = await stateless;
  expect({ status, text }).toEqual({ status: 404, text: expect.stringContaining('was removed') as string });
});

it('a reply that waits for its server asks at the new address once the connection has it', async () => {
  const busy = await startRawServer(() => ({ status: 503, headers: { 'retry-after': '300' }, body: '{}' }));
  const server = await startServer('openai');
  const api = await startTestService();
  const place = { provider: 'openai_compatible', name: 'Box', baseUrl: `${busy.origin}/v1` };
  const made = await api.post('/api/v1/connections', place);
  const { id } = made.json<{ connection: Connection }>().connection;
  const chat = await api.createChat({ model: 'box/fake-model' });
  await api.send(chat.id, 'Hello there');
  await eventually(() => expect(busy.bodies).toHaveLength(1));
  const json = { baseUrl: server.baseUrl, apiKey: KEY };
  await api.request({ method: 'PATCH', path: `/api/v1/connections/${id}`, json });
  expect((await api.settled(chat.id)).status).toBe('idle');
  expect((await api.messages(chat.id))[1]).toMatchObject({ status: 'complete', model: 'box/fake-model' });
});
