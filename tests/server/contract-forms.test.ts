/** Messages that are forms for tools, over the API: whatever model a chat has, that tool is run and its result told. */
import { readFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startModelServer } from '../support/model-servers/model-server.ts';
import { createRecordingSource } from '../support/recording-source.ts';
import { asked, replyOf, stepsOf } from '../support/rehearse.ts';
import { createTempDir, startTestService, type TestService } from '../support/service.ts';

const patch = (api: TestService, chatId: string, json: object) =>
  api.request({ method: 'PATCH', path: `/api/v1/chats/${chatId}`, json });

async function connected(api: TestService) {
  const server = await startModelServer('openai', { models: ['fake-model'] });
  onTestFinished(() => server.close());
  const place = { provider: 'openai_compatible', name: 'Box', baseUrl: server.baseUrl };
  expect((await api.post('/api/v1/connections', place)).status).toBe(201);
  const chat = await api.createChat();
  expect((await patch(api, chat.id, { model: 'box/fake-model' })).status).toBe(200);
  return { server, chatId: chat.id };
}

it('is answered without the chat’s model, which answers the next message as before', async () => {
  const api = await startTestService();
  const { server, chatId } = await connected(api);
  await api.send(chatId, '/tool sort_list\nitems: pear, apple');
  expect(await api.settled(chatId)).toMatchObject({
    status: 'idle',
    model: 'box/fake-model',
    title: 'Sort a list: pear, apple',
  });
  expect(await replyOf(api, chatId)).toMatchObject({
    status: 'complete',
    model: 'offline-assistant',
    content: expect.stringContaining('apple\npear') as string,
    steps: [{ tool: 'sort_list', status: 'done', input: { items: ['pear', 'apple'] } }],
  });
  expect(server.asked()).toEqual([]);
  await api.send(chatId, 'And now?');
  await api.settled(chatId);
  expect((await replyOf(api, chatId))?.model).toBe('box/fake-model');
  expect(JSON.stringify(server.asked().at(0))).toContain('sort_list');
});

it('is answered in a chat whose model is gone', async () => {
  const api = await startTestService();
  const { chatId } = await connected(api);
  const { connections } = (await api.get('/api/v1/connections')).json<{ connections: { id: string }[] }>();
  await api.request({ method: 'DELETE', path: `/api/v1/connections/${connections[0]?.id ?? ''}` });
  await api.send(chatId, '/tool calculate 6 * 7');
  expect((await api.settled(chatId)).status).toBe('idle');
  expect((await replyOf(api, chatId))?.content).toContain('**42**');
});

it('uses no tool in mode chat, and says so', async () => {
  const api = await startTestService();
  const chat = await api.createChat();
  await api.send(chat.id, '/tool calculate 6 * 7', { mode: 'chat' });
  await api.settled(chat.id);
  expect(await replyOf(api, chat.id)).toMatchObject({
    content: expect.stringContaining('mode “agent”') as string,
  });
  expect(await stepsOf(api, chat.id)).toEqual([]);
});

it('keeps to the tools that the chat’s agent may use', async () => {
  const api = await startTestService();
  await api.post('/api/v1/agents', { name: 'Narrow', tools: ['count_text'] });
  const chat = await api.createChat({ agentType: 'narrow' });
  await api.send(chat.id, '/tool calculate 6 * 7');
  await api.settled(chat.id);
  expect((await replyOf(api, chat.id))?.content).toBe(
    '`calculate` is a tool that this chat’s agent may not use.',
  );
  await api.send(chat.id, '/tool count_text one two');
  await api.settled(chat.id);
  expect((await replyOf(api, chat.id))?.content).toContain('**2** words');
});

it('asks first where the tool does, and does nothing after a no', async () => {
  const api = await startTestService();
  const root = await createTempDir();
  await mkdir(join(root, 'Notes'));
  await api.post('/api/v1/folders', { path: join(root, 'Notes') });
  const chat = await api.createChat();
  const form = '/tool write_file\npath: Notes/a.md\ntext:\n```\nOne\nTwo\n```';
  for (const decision of ['deny', 'approve']) {
    await api.send(chat.id, form);
    const { id, summary } = await asked(api, chat.id);
    expect(summary).toContain('a.md');
    await api.post(`/api/v1/chats/${chat.id}/approvals/${id}`, { decision });
    await api.settled(chat.id);
    const written = await readFile(join(root, 'Notes', 'a.md'), 'utf8').catch(() => null);
    expect(written).toBe(decision === 'deny' ? null : 'One\nTwo');
  }
  await api.send(chat.id, '/tool read_file Notes/a.md');
  await api.settled(chat.id);
  expect((await replyOf(api, chat.id))?.content).toContain('One\nTwo');
});

it('reaches the tools of tool servers by their schema', async () => {
  const source = createRecordingSource();
  const api = await startTestService({ hostTools: { sources: [source] } });
  const chat = await api.createChat();
  await api.send(chat.id, '/tool add_line text: one');
  const { id } = await asked(api, chat.id);
  await api.post(`/api/v1/chats/${chat.id}/approvals/${id}`, { decision: 'approve' });
  await api.settled(chat.id);
  expect(source.lines).toEqual(['one']);
});
