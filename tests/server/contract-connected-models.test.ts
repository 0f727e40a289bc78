import { expect, it } from 'vitest';
import type { Model } from '../../shared/api/catalog.ts';
import type { Connection } from '../../shared/api/connection.ts';
import type { Workspace } from '../../shared/api/workspace.ts';
import { updateListedModels } from '../../server/store/connection-repository.ts';
import { createScriptedRuntime, echo } from '../support/scripted-runtime.ts';
import { startTestService, type TestAnswer, type TestService } from '../support/service.ts';

const SERVER = 'http://127.0.0.1:9/v1';
const KEY = 'sk-test-0123456789abcdef';

async function connect(api: TestService, ids: string[], apiKey: string | null = null): Promise<Connection> {
  const answer = await api.post('/api/v1/connections', {
    provider: 'openai_compatible',
    name: 'Box',
    baseUrl: SERVER,
    apiKey,
  });
  const { connection } = answer.json<{ connection: Connection }>();
  const models = ids.map((id) => ({ id, contextTokens: 8_192 }));
  await api.service.store.write((writer) => {
    updateListedModels(writer, connection, models, '2026-01-01T00:00:00.000Z');
  });
  return connection;
}
const patch = (api: TestService, path: string, json: unknown): Promise<TestAnswer> =>
  api.request({ method: 'PATCH', path: `/api/v1/${path}`, json });
const remove = (api: TestService, { id }: Connection): Promise<TestAnswer> =>
  api.request({ method: 'DELETE', path: `/api/v1/connections/${id}` });

it('models of connections are listed after the built-in ones, and can be chosen for a chat', async () => {
  const api = await startTestService();
  await connect(api, ['llama', 'org/deep/model:7b']);
  const { models } = (await api.get('/api/v1/models')).json<{ models: Model[] }>();
  expect(models[0]).toEqual({
    name: 'offline-assistant',
    offline: true,
    pictures: false,
    connection: null,
    contextTokens: null,
    parameters: [],
  });
  const connected = {
    offline: false,
    connection: 'Box',
    contextTokens: 8_192,
    parameters: [
      'temperature',
      'topP',
      'maxOutputTokens',
      'stopSequences',
      'reasoning',
      'seed',
      'presencePenalty',
      'frequencyPenalty',
    ],
  };
  expect(models.slice(-2)).toEqual([
    { name: 'box/llama', ...connected },
    { name: 'box/org/deep/model:7b', ...connected },
  ]);
  const chat = await api.createChat();
  for (const model of ['box/org/deep/model:7b', 'offline-assistant', 'box/llama']) {
    expect((await patch(api, `chats/${chat.id}`, { model })).status).toBe(200);
    expect((await api.chat(chat.id)).model).toBe(model);
  }
  for (const model of ['box', 'box/', '/llama', 'box/other', 'other/llama', 'Box/llama']) {
    expect((await patch(api, `chats/${chat.id}`, { model })).status).toBe(400);
  }
  expect((await api.chat(chat.id)).model).toBe('box/llama');
});

it('any model can be named of a server that lists none', async () => {
  const api = await startTestService();
  await connect(api, []);
  const chat = await api.createChat();
  expect((await patch(api, `chats/${chat.id}`, { model: 'box/by-hand' })).status).toBe(200);
});

it('a workspace’s default model is that of its new chats, until it is gone', async () => {
  const api = await startTestService();
  const connection = await connect(api, ['llama']);
  const path = `workspaces/${api.service.workspaceId}`;
  const answer = await patch(api, path, { defaultModel: 'box/llama' });
  expect(answer.json<{ workspace: Workspace }>().workspace).toMatchObject({
    name: 'Personal',
    defaultModel: 'box/llama',
  });
  expect((await patch(api, path, { defaultModel: 'box/other' })).status).toBe(400);
  expect((await api.createChat()).model).toBe('box/llama');
  await remove(api, connection);
  expect((await api.createChat()).model).toBe('offline-assistant');
  expect((await patch(api, path, { defaultModel: null })).status).toBe(200);
  expect((await api.createChat()).model).toBe('offline-assistant');
});

it('a turn is handed how to reach its model, and nothing of that is stored', async () => {
  const runtime = createScriptedRuntime(echo);
  const api = await startTestService({ runtime });
  await connect(api, ['org/llama'], KEY);
  const chat = await api.createChat();
  await patch(api, `chats/${chat.id}`, { model: 'box/org/llama' });
  await api.send(chat.id, 'hello');
  expect((await api.settled(chat.id)).status).toBe('idle');
  const access = {
    provider: 'openai_compatible',
    baseUrl: SERVER,
    apiKey: KEY,
    modelId: 'org/llama',
    contextTokens: 8_192,
    route: { proxy: null, certificateFile: null },
  };
  // The turn, and naming the chat after it.
  expect(runtime.turns.map(({ request }) => request.access)).toEqual([access, access]);
  expect(JSON.stringify(await api.messages(chat.id))).not.toContain(KEY);
});

it('a chat whose model’s connection was removed fails in words, until another model is chosen', async () => {
  const api = await startTestService({ runtime: createScriptedRuntime(echo) });
  const connection = await connect(api, ['llama']);
  const chat = await api.createChat();
  await patch(api, `chats/${chat.id}`, { model: 'box/llama' });
  await remove(api, connection);
  await api.send(chat.id, 'hello');
  expect((await api.settled(chat.id)).status).toBe('failed');
  const [, reply] = await api.messages(chat.id);
  expect(reply?.error?.code).toBe('model_not_found');
  expect(reply?.error?.message).toContain('box/llama');
  expect((await api.chat(chat.id)).model).toBe('box/llama');
  await patch(api, `chats/${chat.id}`, { model: 'offline-assistant' });
  await api.send(chat.id, 'hello');
  expect((await api.settled(chat.id)).status).toBe('idle');
});
