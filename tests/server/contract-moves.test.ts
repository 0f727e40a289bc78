import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Chat, ChatList } from '../../shared/api/chat.ts';
import type { SearchResults } from '../../shared/api/search.ts';
import type { Workspace } from '../../shared/api/workspace.ts';
import { createWorkspaceClient } from '../support/event-client.ts';
import { startServiceProcess } from '../support/service-process.ts';
import {
  createTempDir,
  createTestClient,
  outcome,
  startTestService,
  type TestClient,
} from '../support/service.ts';

const move = (api: TestClient, chatId: string, toWorkspaceId: string, more: object = {}) =>
  api.post(`/api/v1/chats/${chatId}/move`, { toWorkspaceId, ...more });

interface TwoWorkspaces {
  api: Awaited<ReturnType<typeof startTestService>>;
  /** Clients of keys that are bound to a workspace each, and to none. */
  home: TestClient;
  away: TestClient;
  free: TestClient;
  homeId: string;
  awayId: string;
  awayKey: string;
}

async function start(): Promise<TwoWorkspaces> {
  const api = await startTestService();
  const { workspace } = (await api.post('/api/v1/workspaces', { name: 'Away' })).json<{
    workspace: Workspace;
  }>();
  const keyFor = async (workspaceId: string | null): Promise<string> => {
    const key = { kind: 'person', name: 'test', scope: 'chat', workspaceId, expiresAt: null } as const;
    return (await api.service.keys.create(key)).text;
  };
  const { port, workspaceId: homeId } = api.service;
  const awayKey = await keyFor(workspace.id);
  const clientOf = (key: string): TestClient => createTestClient(port, key);
  const [home, free] = [clientOf(await keyFor(homeId)), clientOf(await keyFor(null))];
  return { api, home, away: clientOf(awayKey), free, homeId, awayId: workspace.id, awayKey };
}

async function said(client: TestClient, words: string): Promise<Chat> {
  const chat = await client.createChat();
  await client.send(chat.id, words);
  return client.settled(chat.id);
}

describe('moving a chat to another workspace', () => {
  it('takes its messages, files, draft and place in the search along, and leaves its project', async () => {
    const { home, away, free, homeId, awayId } = await start();
    const project = (await home.post('/api/v1/projects', { name: 'Tax' })).json<{ project: { id: string } }>()
      .project;
    const chat = await said(home, 'Where is the zebra?');
    await home.request({
      method: 'PATCH',
      path: `/api/v1/chats/${chat.id}`,
      json: { projectId: project.id, pinned: true },
    });
    const attachments = [{ name: 'a.txt', data: Buffer.from('one two').toString('base64') }];
    await home.send(chat.id, 'Count the words', { attachments });
    await home.settled(chat.id);
    await home.request({
      method: 'PUT',
      path: `/api/v1/drafts/${chat.id}`,
      json: { text: '"half"', updatedAt: new Date().toISOString() },
    });
    const before = await home.messages(chat.id);
    const answer = await move(free, chat.id, awayId);
    expect(answer.status, answer.text).toBe(200);
    const moved = answer.json<{ chat: Chat }>().chat;
    expect(moved).toMatchObject({ id: chat.id, workspaceId: awayId, pinned: true });
    expect(moved.projectId).toBeUndefined();

    expect(outcome(await home.get(`/api/v1/chats/${chat.id}`))).toEqual([404, 'chat_not_found']);
    expect((await home.get('/api/v1/chats')).json<ChatList>().total).toBe(0);
    expect(await away.messages(chat.id)).toEqual(before);
    const found = async (client: TestClient): Promise<number> =>
      (await client.get('/api/v1/search?q=zebra')).json<SearchResults>().messages.length;
    expect([await found(home), (await found(away)) > 0]).toEqual([0, true]);
    const fileId = before.find((message) => message.attachments !== undefined)?.attachments?.[0]?.id ?? '';
    expect((await away.get(`/api/v1/files/${fileId}`)).status).toBe(200);
    expect((await home.get(`/api/v1/files/${fileId}`)).status).toBe(404);
    const drafts = async (client: TestClient): Promise<unknown[]> =>
      (await client.get('/api/v1/drafts')).json<{ drafts: unknown[] }>().drafts;
    expect([await drafts(home), (await drafts(away)).length]).toEqual([[], 1]);
    // It goes on there.
    await away.send(chat.id, 'What is 2 + 2?');
    expect((await away.settled(chat.id)).status).toBe('idle');
    // A repeat changes nothing, and a move back is the same request, into the project again.
    expect((await move(free, chat.id, awayId)).status).toBe(200);
    const back = await move(free, chat.id, homeId, { projectId: project.id });
    expect(back.json<{ chat: Chat }>().chat).toMatchObject({ workspaceId: homeId, projectId: project.id });
    expect(outcome(await away.get(`/api/v1/chats/${chat.id}`))).toEqual([404, 'chat_not_found']);
  });

  it('is refused to a key bound to one workspace, to nowhere, into another workspace’s project, and while work is under way', async () => {
    const { home, away, free, homeId, awayId, api } = await start();
    const chat = await home.createChat();
    expect(outcome(await move(home, chat.id, awayId))).toEqual([403, 'workspace_forbidden']);
    expect(outcome(await move(away, chat.id, awayId))).toEqual([404, 'chat_not_found']);
    expect(outcome(await move(free, chat.id, 'nowhere'))).toEqual([404, 'workspace_not_found']);
    expect(outcome(await move(free, 'nothing', awayId))).toEqual([404, 'chat_not_found']);
    expect((await move(home, chat.id, homeId)).status).toBe(200);
    const { project } = (await home.post('/api/v1/projects', { name: 'Here' })).json<{
      project: { id: string };
    }>();
    expect(outcome(await move(free, chat.id, awayId, { projectId: project.id }))).toEqual([
      400,
      'invalid_request',
    ]);
    await home.request({
      method: 'PATCH',
      path: `/api/v1/chats/${chat.id}`,
      json: { model: 'rehearsal' },
    });
    await home.send(chat.id, '/wait 60000');
    expect(outcome(await move(free, chat.id, awayId))).toEqual([409, 'chat_busy']);
    await home.post(`/api/v1/chats/${chat.id}/stop`);
    await home.settled(chat.id);
    expect((await move(free, chat.id, awayId)).status).toBe(200);
    expect(api.log).toEqual([]);
  });

  it('is told in the streams of both workspaces', async () => {
    const { api, home, free, awayId, awayKey } = await start();
    const chat = await said(home, 'Hello');
    const { port, apiKey } = api.service;
    const here = createWorkspaceClient(port, apiKey, chat.id);
    const there = createWorkspaceClient(port, awayKey);
    for (const client of [here, there]) {
      const stream = await client.open();
      onTestFinished(() => stream.cut());
      await stream.until(() => client.reported.length > 0);
      await client.relist(async () => (client === here ? [chat] : []));
    }
    const streams = [await here.open(), await there.open()] as const;
    onTestFinished(() => streams.forEach((stream) => stream.cut()));
    await move(free, chat.id, awayId);
    await Promise.all([
      streams[0].until(
        () => !here.chats.has(chat.id) && here.reported.some(({ event }) => event.type === 'gone'),
      ),
      streams[1].until(() => there.chats.get(chat.id)?.workspaceId === awayId),
    ]);
    expect(here.isStale).toBe(false);
  });

  it('is told to a stream that went on after two moves', async () => {
    const { api, home, free, awayId } = await start();
    const chat = await said(home, 'Hello');
    const { workspace } = (await api.post('/api/v1/workspaces', { name: 'Further' })).json<{
      workspace: Workspace;
    }>();
    const here = createWorkspaceClient(api.service.port, api.service.apiKey);
    const before = await here.open();
    await before.until(() => here.reported.length > 0);
    await here.relist(async () => [chat]);
    before.cut();
    await before.ended;
    await move(free, chat.id, awayId);
    await move(free, chat.id, workspace.id);
    const after = await here.open();
    onTestFinished(() => after.cut());
    await after.until(() => !here.chats.has(chat.id));
    expect(here.isStale).toBe(false);
  });
});

it('is whole or not at all when the process is killed in the midst of moves', async () => {
  const dataDir = await createTempDir();
  let service = await startServiceProcess(dataDir);
  const connect = (): TestClient => createTestClient(Number(new URL(service.baseUrl).port), service.apiKey);
  let api = connect();
  const key = (await api.post('/api/v1/keys', { name: 'free', scope: 'admin', workspaceId: null })).json<{
    apiKey: string;
  }>().apiKey;
  const { workspace } = (await api.post('/api/v1/workspaces', { name: 'Away' })).json<{
    workspace: Workspace;
  }>();
  const chats: Chat[] = [];
  for (let count = 0; count < 12; count += 1) chats.push(await said(api, `Hello ${count}`));
  const acknowledged = new Map<string, string>();
  const homeId = chats[0]?.workspaceId ?? '';
  for (let kill = 0; kill < 3; kill += 1) {
    const free = createTestClient(Number(new URL(service.baseUrl).port), key);
    const moving = Promise.all(
      chats.map(async ({ id }) => {
        for (let to = kill % 2; ; to = 1 - to) {
          const toId = to === 0 ? workspace.id : homeId;
          const answer = await move(free, id, toId).catch(() => null);
          if (answer === null) return;
          if (answer.status === 200) acknowledged.set(id, toId);
        }
      }),
    );
    await sleep(120 + kill * 60);
    await service.end('SIGKILL');
    await moving;
    service = await startServiceProcess(dataDir);
    api = createTestClient(Number(new URL(service.baseUrl).port), key);
    for (const { id, title } of chats) {
      const { workspaceId } = await api.chat(id);
      const [in1, in2] = [homeId, workspace.id].map((each) => ({ 'x-workspace-id': each }));
      const [headers, other] = workspaceId === homeId ? [in1, in2] : [in2, in1];
      const query = encodeURIComponent(`"${title}"`);
      const search = async (sent: typeof in1): Promise<number> =>
        (await api.get(`/api/v1/search?q=${query}`, { headers: sent ?? {} }))

          .json<SearchResults>()
          .messages.filter(({ chatId }) => chatId === id).length;
      expect([(await search(headers)) > 0, await search(other)]).toEqual([true, 0]);
      expect(await api.messages(id)).toHaveLength(2);
    }
  }
  expect(acknowledged.size).toBe(chats.length);
  await service.end('SIGKILL');
}, 120_000);
