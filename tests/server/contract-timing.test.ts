/** How long replies took: measured while they are made, and the same wherever they are read afterwards. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { Connection } from '../../shared/api/connection.ts';
import type { Backup, ExportFile, ImportResult } from '../../shared/api/data.ts';
import type { Message, Timing } from '../../shared/api/message.ts';
import { eventually } from '../support/eventually.ts';
import { createEventClient } from '../support/event-client.ts';
import { exportedChat, exportFileOf, replied, said } from '../support/exported.ts';
import { startModelServer } from '../support/model-servers/model-server.ts';
import type { ScenarioName } from '../support/model-servers/scenarios.ts';
import { asked, rehearse, replyOf } from '../support/rehearse.ts';
import { createTempDir, startTestService, type TestClient, type TestService } from '../support/service.ts';

async function chatWith(
  scenario: ScenarioName,
  dataDir?: string,
): Promise<{ api: TestService; chatId: string; connectionId: string }> {
  const server = await startModelServer('openai', { scenario });
  onTestFinished(() => server.close());
  const api = await startTestService(dataDir === undefined ? {} : { dataDir });
  const connection = { provider: 'openai_compatible', name: 'Box', baseUrl: server.baseUrl };
  const { id: connectionId } = (await api.post('/api/v1/connections', connection)).json<{
    connection: Connection;
  }>().connection;
  const { id } = await api.createChat();
  await api.request({ method: 'PATCH', path: `/api/v1/chats/${id}`, json: { model: 'box/fake-model' } });
  return { api, chatId: id, connectionId };
}

const timingOf = async (client: TestClient, chatId: string): Promise<Timing> =>
  (await replyOf(client, chatId))?.timing ?? {};

it('tells how long the model thought and wrote, the same after a restart, in a branch, an export and a backup', async () => {
  const dataDir = await createTempDir();
  const { api, chatId } = await chatWith('slow-reasoning', dataDir);
  const startedAt = performance.now();
  await api.send(chatId, 'hello');
  await api.settled(chatId);
  const tookMs = performance.now() - startedAt;
  const timing = await timingOf(api, chatId);
  const { firstWordMs = 0, thoughtMs = 0, totalMs = 0, tokensPerSecond = 0 } = timing;
  // Seven pieces of thought and eight of text, each after 120 ms; timers may be a little early.
  expect(thoughtMs).toBeGreaterThan(600);
  expect(firstWordMs).toBeGreaterThan(thoughtMs);
  expect(totalMs).toBeGreaterThan(firstWordMs + 600);
  expect(totalMs).toBeLessThanOrEqual(Math.ceil(tookMs));
  // Seven tokens by its own account, over fourteen pauses.
  expect(tokensPerSecond).toBeGreaterThan(0);
  expect(tokensPerSecond).toBeLessThan(7);

  const reply = await replyOf(api, chatId);
  const branched = await api.post(`/api/v1/chats/${chatId}/messages/${reply?.id}/branch`);
  const branch = branched.json<{ chat: { id: string } }>().chat.id;
  expect(await timingOf(api, branch)).toEqual(timing);

  const there = await startTestService();
  const file = (await api.get(`/api/v1/chats/${chatId}/export?format=json`)).json<ExportFile>();
  const { chatIds } = (await there.post('/api/v1/import', file)).json<ImportResult>();
  expect(await timingOf(there, chatIds[0] ?? '')).toEqual(timing);

  const { name } = (await api.post('/api/v1/backups')).json<{ backup: Backup }>().backup;
  await api.request({ method: 'DELETE', path: `/api/v1/chats/${chatId}?permanent=true` });
  const restored = (await api.post(`/api/v1/backups/${name}/restore`)).json<ImportResult>();
  const [restoredId = ''] = restored.chatIds;
  expect(await timingOf(api, restoredId)).toEqual(timing);

  await api.service.close();
  expect(await timingOf(await startTestService({ dataDir }), restoredId)).toEqual(timing);
});

it('tells an open window how long the model thought as soon as it writes, and a reply that is stopped keeps that', async () => {
  const { api, chatId } = await chatWith('slow-reasoning');
  const client = createEventClient(api.service.port, api.service.apiKey, chatId);
  const stream = await client.open();
  await api.send(chatId, 'hello');
  const reply = (): Message | undefined => client.state.messages[1];
  await stream.until(() => (reply()?.content ?? '') !== '');
  const { status, timing } = reply() ?? {};
  expect(status).toBe('streaming');
  expect(Object.keys(timing ?? {}).sort()).toEqual(['firstWordMs', 'thoughtMs']);
  await api.post(`/api/v1/chats/${chatId}/stop`);
  await stream.until(() => reply()?.stopReason === 'stopped');
  expect(reply()?.timing).toEqual(timing);
  expect(await timingOf(api, chatId)).toEqual(timing);
  stream.cut();
});

it('leaves out what can’t be told: thoughts that nothing followed, and a pace from too little', async () => {
  const { api, chatId } = await chatWith('plain');
  await api.send(chatId, 'hello');
  await api.settled(chatId);
  expect(Object.keys(await timingOf(api, chatId)).sort()).toEqual(['firstWordMs', 'totalMs']);
  await api.send(chatId, 'scenario: slow-reasoning');
  await eventually(async () => expect((await replyOf(api, chatId))?.reasoning).toBeTruthy());
  await api.post(`/api/v1/chats/${chatId}/stop`);
  expect(await replyOf(api, chatId)).toMatchObject({ stopReason: 'stopped' });
  expect(await replyOf(api, chatId)).not.toHaveProperty('timing');
});

it('counts a failure’s time, and none where no model could be asked', async () => {
  const { api, chatId, connectionId } = await chatWith('slow-fault');
  await api.send(chatId, 'hello');
  expect((await api.settled(chatId)).status).toBe('failed');
  const { firstWordMs = 0, totalMs = 0 } = await timingOf(api, chatId);
  expect(totalMs).toBeGreaterThan(firstWordMs);
  await api.request({ method: 'DELETE', path: `/api/v1/connections/${connectionId}` });
  await api.send(chatId, 'hello');
  await api.settled(chatId);
  const reply = await replyOf(api, chatId);
  expect(reply?.status).toBe('error');
  expect(reply).not.toHaveProperty('timing');
});

it('leaves out the time in which a person is asked', async () => {
  const api = await startTestService();
  const startedAt = performance.now();
  const chatId = await rehearse(api, '::approve Paint the fence?', 'Painted.');
  const { id } = await asked(api, chatId);
  const askedAt = performance.now();
  await sleep(700);
  const waitedMs = performance.now() - askedAt;
  await api.post(`/api/v1/chats/${chatId}/approvals/${id}`, { decision: 'approve' });
  await api.settled(chatId);
  const tookMs = performance.now() - startedAt;
  const { firstWordMs = Infinity, totalMs = Infinity } = await timingOf(api, chatId);
  expect(totalMs).toBeLessThanOrEqual(Math.ceil(tookMs - waitedMs));
  expect(firstWordMs).toBeLessThanOrEqual(totalMs);
});

it('takes what a file tells, as far as it can be times', async () => {
  const api = await startTestService();
  const odd = { totalMs: 10, thoughtMs: 4, tokensPerSecond: 2.5, mood: 'fine' };
  const question = said('How long?');
  const file = exportFileOf(
    exportedChat([question, replied('So long.', question.id, { timing: odd })]),
    exportedChat([
      { ...question, id: 'q2' },
      { ...replied('Never.', 'q2'), timing: { totalMs: -4 } },
    ]),
  );
  const { chatIds } = (await api.post('/api/v1/import', file)).json<ImportResult>();
  const timings = await Promise.all(chatIds.map(async (id) => (await replyOf(api, id))?.timing));
  expect(timings).toEqual([{ totalMs: 10, thoughtMs: 4, tokensPerSecond: 2.5 }, undefined]);
});
