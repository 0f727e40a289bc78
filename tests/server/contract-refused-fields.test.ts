/** What a model’s server refuses is found out once, left out from then on, and said in the chat. */
import { expect, it, onTestFinished } from 'vitest';
import { connectModel } from '../support/connected-service.ts';
import { startModelServer, type ModelServer } from '../support/model-servers/model-server.ts';
import { THINKING_RULES } from '../support/model-servers/strict-rules.ts';
import { recordsIn, type Json } from '../support/model-servers/wire.ts';
import { startTestService, type TestService } from '../support/service.ts';

it('a refused field fails no turn, and is not sent again', async () => {
  const server = await startModelServer('openai', {
    refuses: (body) => ('temperature' in body ? "Unsupported parameter: 'temperature'" : null),
  });
  onTestFinished(() => server.close());
  const api = await startTestService();
  await connectModel(api, server);
  await api.request({ method: 'PATCH', path: '/api/v1/settings', json: { nameChats: false } });
  const chat = await api.createChat();
  await api.request({ method: 'PATCH', path: `/api/v1/chats/${chat.id}`, json: { model: 'box/fake-model' } });
  for (const content of ['one', 'two']) {
    await api.send(chat.id, content, { parameters: { temperature: 0.5 } });
    expect((await api.settled(chat.id)).status).toBe('idle');
  }
  await api.send(chat.id, 'three');
  expect((await api.settled(chat.id)).status).toBe('idle');
  const replies = (await api.messages(chat.id)).filter(({ role }) => role === 'assistant');
  expect(replies.map(({ usage }) => usage?.leftOut)).toEqual([['temperature'], ['temperature'], undefined]);
  expect(server.refusals).toHaveLength(1);
});

it.each<[string, unknown, unknown, string]>([
  ['temperature', 1.5, 0.1, 'temperature must be between 0 and 1'],
  ['max_tokens', 100_000, 50, 'max_tokens is too large: 100000. This model supports at most 16384 tokens'],
  ['stop', ['a', 'b'], ['a'], 'stop: at most 1 sequence is supported'],
])('a refused value of %s is asked for once, and another one is sent', async (field, bad, good, says) => {
  const { api, server } = await connect((body) =>
    JSON.stringify(body[field]) === JSON.stringify(bad) ? says : null,
  );
  for (const value of [bad, good, bad]) {
    const body = { model: 'box/fake-model', messages: [{ role: 'user', content: 'Hi' }], [field]: value };
    expect((await api.post('/v1/chat/completions', body)).status).toBe(200);
    expect((server.asked().at(-1)?.body as Json)[field]).toEqual(value === bad ? undefined : good);
  }
  expect(server.refusals).toHaveLength(1);
});

it('JSON is refused where the server wants its name in the messages, until it is there', async () => {
  const { api, server } = await connect((body) =>
    'response_format' in body && !JSON.stringify(body['messages']).includes('json')
      ? "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'."
      : null,
  );
  const ask = (content: string): ReturnType<typeof api.post> =>
    api.post('/v1/chat/completions', {
      model: 'box/fake-model',
      messages: [{ role: 'user', content }],
      response_format: { type: 'json_object' },
    });
  const refused = await ask('Hi');
  expect([refused.status < 500, refused.text]).toEqual([false, expect.stringContaining('must contain')]);
  expect((await ask('Hi in json')).status).toBe(200);
  expect(server.asked().at(-1)?.body).toHaveProperty('response_format');
});

async function connect(
  refuses: (body: Json) => string | null,
): Promise<{ api: TestService; server: ModelServer }> {
  const server = await startModelServer('openai', { refuses });
  onTestFinished(() => server.close());
  const api = await startTestService();
  await connectModel(api, server);
  return { api, server };
}

it('a model gets back what it thought, also after a restart and in a copy of the chat', async () => {
  const server = await startModelServer('openai', { scenario: 'thinks-with-tools', refuses: THINKING_RULES });
  onTestFinished(() => server.close());
  const first = await startTestService();
  await connectModel(first, server);
  const chat = await first.createChat();
  await first.request({
    method: 'PATCH',
    path: `/api/v1/chats/${chat.id}`,
    json: { model: 'box/fake-model' },
  });
  await first.send(chat.id, 'add up');
  expect((await first.settled(chat.id)).status).toBe('idle');
  const [, reply] = await first.messages(chat.id);
  expect(reply).not.toHaveProperty('rounds');
  const { dataDir } = first.service;
  await first.service.close();
  const api = await startTestService({ dataDir });
  server.play('plain');
  const copied = await api.post(`/api/v1/chats/${chat.id}/messages/${reply?.id}/branch`);
  expect(copied.status).toBe(201);
  for (const id of [chat.id, copied.json<{ chat: { id: string } }>().chat.id]) {
    await api.send(id, 'and now?');
    expect((await api.settled(id)).status).toBe('idle');
    const sent = recordsIn((server.asked().at(-1)?.body as Json)['messages']);
    expect(sent.map((message) => message['reasoning_content'] ?? null)).toEqual([
      null,
      null,
      'Thought after 0 results.',
      null,
      'Thought after 1 results.',
      null,
      null,
      'Thought after 3 results.',
      null,
    ]);
  }
  expect(server.refusals).toEqual([]);
});
