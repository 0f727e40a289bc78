/** What a model’s server refuses is found out once, left out from then on, and said in the chat. */
import { expect, it, onTestFinished } from 'vitest';
import { connectModel } from '../support/connected-service.ts';
import { startModelServer } from '../support/model-servers/model-server.ts';
import { THINKING_RULES } from '../support/model-servers/strict-rules.ts';
import { recordsIn, type Json } from '../support/model-servers/wire.ts';
import { startTestService } from '../support/service.ts';

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
