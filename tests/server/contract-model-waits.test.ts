/** What a chat shows while its model is waited for, and reasoning that turns out to be some after it was shown as text. */
import { expect, it } from 'vitest';
import type { ConnectionAnswer } from '../../shared/api/connection.ts';
import { createEventClient } from '../support/event-client.ts';
import { startRawServer, type RawAnswer, type RawServer } from '../support/model-servers/raw-server.ts';
import { startTestService, type TestService } from '../support/service.ts';

const LOADING: RawAnswer = {
  status: 503,
  headers: { 'content-type': 'application/json' },
  body: '{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}',
};
const event = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

async function chatWith(
  answer: (request: number) => RawAnswer,
): Promise<{ api: TestService; chatId: string; server: RawServer }> {
  const server = await startRawServer(answer);
  const api = await startTestService();
  const connection = { provider: 'openai_compatible', name: 'Box', baseUrl: `${server.origin}/v1` };
  await api.post('/api/v1/connections', connection);
  await api.request({ method: 'PATCH', path: '/api/v1/settings', json: { nameChats: false } });
  const { id } = await api.createChat();
  await api.request({ method: 'PATCH', path: `/api/v1/chats/${id}`, json: { model: 'box/fake-model' } });
  return { api, chatId: id, server };
}

it('says that the model is being loaded, until it answers', async () => {
  const fine = { body: `${event({ content: 'Hello.' })}${event({}, 'stop')}data: [DONE]\n\n` };
  const { api, chatId } = await chatWith((request) => (request < 2 ? LOADING : fine));
  const client = createEventClient(api.service.port, api.service.apiKey, chatId);
  const stream = await client.open();
  const reply = () => client.state.messages[1];
  await api.send(chatId, 'hello');
  await stream.until(() => reply()?.waiting !== undefined);
  expect(reply()?.waiting).toMatch(/^Waiting for 127\.0\.0\.1:\d+ to load the model/);
  await stream.until(() => reply()?.status === 'complete');
  expect(reply()).toMatchObject({ content: 'Hello.' });
  expect(reply()?.waiting).toBeUndefined();
  stream.cut();
});

it('can be stopped meanwhile', async () => {
  const { api, chatId } = await chatWith(() => LOADING);
  const client = createEventClient(api.service.port, api.service.apiKey, chatId);
  const stream = await client.open();
  await api.send(chatId, 'hello');
  await stream.until(() => client.state.messages[1]?.waiting !== undefined);
  await api.post(`/api/v1/chats/${chatId}/stop`);
  await stream.until(() => client.state.messages[1]?.status === 'complete');
  expect(client.state.messages[1]).toMatchObject({ content: '', stopReason: 'stopped' });
  stream.cut();
});

it('moves text that turns out to be reasoning, in an open window and in the row', async () => {
  const start = event({ content: 'They greet me, ' }) + event({ content: 'so I greet them.' });
  const rest = `${event({ content: '\n</think>\n\nHello.' })}${event({}, 'stop')}data: [DONE]\n\n`;
  const alive = { first: start, text: ': \n\n', everyMs: 100, times: 8 };
  const { api, chatId } = await chatWith(() => ({ body: rest, alive }));
  const client = createEventClient(api.service.port, api.service.apiKey, chatId);
  const stream = await client.open();
  const reply = () => client.state.messages[1];
  await api.send(chatId, 'hello');
  await stream.until(() => reply()?.content === 'They greet me, so I greet them.');
  await stream.until(() => reply()?.status === 'complete');
  const moved = { content: 'Hello.', reasoning: 'They greet me, so I greet them.' };
  expect(reply()).toMatchObject(moved);
  expect((await api.messages(chatId))[1]).toMatchObject(moved);
  stream.cut();
});

it('keeps how long the first word may take, within bounds', async () => {
  const api = await startTestService();
  const body = { provider: 'openai_compatible', name: 'Box', baseUrl: 'http://127.0.0.1:9/v1' };
  const made = await api.post('/api/v1/connections', { ...body, firstWordSeconds: 900 });
  const { connection } = made.json<ConnectionAnswer>();
  expect(connection.firstWordSeconds).toBe(900);
  const path = `/api/v1/connections/${connection.id}`;
  const change = async (json: unknown): Promise<unknown> => {
    const answer = await api.request({ method: 'PATCH', path, json });
    return answer.status === 200
      ? answer.json<ConnectionAnswer>().connection.firstWordSeconds
      : answer.status;
  };
  expect(await change({ name: 'Other' })).toBe(900);
  expect(await change({ firstWordSeconds: null })).toBeUndefined();
  expect(await change({ firstWordSeconds: 10 })).toBe(10);
  for (const firstWordSeconds of [0, 9, 3_601, 60.5, '60'])
    expect(await change({ firstWordSeconds })).toBe(400);
});

it('gives programs the answer, though its beginning was streamed as text', async () => {
  const body = `${event({ content: 'They greet me.' })}${event({ content: '</think>Hello.' })}${event({}, 'stop')}`;
  const { api } = await chatWith(() => ({ body }));
  const ask = (stream: boolean) => {
    const json = { model: 'box/fake-model', stream, messages: [{ role: 'user', content: 'hi' }] };
    return api.request({ method: 'POST', path: '/v1/chat/completions', json });
  };
  expect((await ask(false)).json()).toMatchObject({
    choices: [{ message: { content: 'Hello.', reasoning_content: 'They greet me.' } }],
  });
  const deltas = [...(await ask(true)).text.matchAll(/"content":"([^"]*)"/g)].map(([, text]) => text);
  expect(deltas.join('')).toMatch(/Hello\.$/);
});
