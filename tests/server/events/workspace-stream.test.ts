import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Chat } from '../../../shared/api/chat.ts';
import { createWorkspaceClient, type WorkspaceClient } from '../../support/event-client.ts';
import { eventually } from '../../support/eventually.ts';
import { exportedChat, exportFileOf } from '../../support/exported.ts';
import { createScriptedRuntime, type ScriptedRuntime } from '../../support/scripted-runtime.ts';
import { startTestService, type TestService } from '../../support/service.ts';

interface Setting extends TestService {
  runtime: ScriptedRuntime;
  newClient: (chatId?: string, key?: string) => WorkspaceClient;
  /** All chats, archived ones too, as the list tells them. */
  list: () => Promise<Chat[]>;
}

async function start(): Promise<Setting> {
  const runtime = createScriptedRuntime();
  const api = await startTestService({ runtime });
  const { port, apiKey } = api.service;
  return {
    ...api,
    runtime,
    newClient: (chatId, key = apiKey) => createWorkspaceClient(port, key, chatId),
    async list() {
      const chats: Chat[] = [];
      for (let page = 1; ; page += 1) {
        const answer = await api.get(`/api/v1/chats?archived=true&pageSize=100&page=${page}`);
        const { data, total } = answer.json<{ data: Chat[]; total: number }>();
        chats.push(...data);
        if (page * 100 >= total) return chats;
      }
    },
  };
}

const types = (client: WorkspaceClient): string[] => client.reported.map(({ event }) => event.type);

/** In the order of lists. */
const inOrder = (chats: Iterable<Chat>): Chat[] =>
  [...chats].sort((a, b) =>
    a.updatedAt === b.updatedAt ? (a.id < b.id ? -1 : 1) : a.updatedAt < b.updatedAt ? 1 : -1,
  );

/** What the client knows is what the list says, without its being asked for again. */
async function expectSame(setting: Setting, client: WorkspaceClient): Promise<void> {
  await eventually(async () => {
    const listed = await setting.list();
    expect(inOrder(client.chats.values())).toEqual(listed);
  });
}

/** An open stream of a client that knows the list. */
async function follow(setting: Setting, client: WorkspaceClient) {
  const stream = await client.open();
  await stream.until(() => client.reported.length > 0);
  await client.relist(setting.list);
  return stream;
}

describe('the stream of a workspace', () => {
  test('begins with the word to ask for the list, and tells every change of it from then on', async () => {
    const setting = await start();
    const client = setting.newClient();
    const stream = await follow(setting, client);
    expect(stream.response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    expect(types(client)).toEqual(['relist']);

    const { id } = await setting.createChat();
    const other = await setting.createChat();
    await expectSame(setting, client);
    await setting.send(id, 'hello');
    await stream.until(() => client.chats.get(id)?.status === 'processing');
    expect(client.chats.get(id)?.title).toBe('hello');
    (await setting.runtime.turnOf(id)).reply('hi');
    await stream.until(() => client.chats.get(id)?.status === 'idle');
    expect(client.chats.get(id)?.unread).toBe(true);
    await expectSame(setting, client);

    const patch = (json: object) => setting.request({ method: 'PATCH', path: `/api/v1/chats/${id}`, json });
    for (const change of [{ title: 'Mine' }, { pinned: true }, { unread: false }, { archived: true }]) {
      expect((await patch(change)).status).toBe(200);
      await expectSame(setting, client);
    }
    await setting.request({ method: 'DELETE', path: `/api/v1/chats/${other.id}` });
    await stream.until(() => !client.chats.has(other.id));
    expect(client.reported.at(-1)?.event).toEqual({ type: 'chats', chats: [], gone: [other.id] });
    await setting.post(`/api/v1/chats/${other.id}/restore`);
    await stream.until(() => client.chats.has(other.id));
    await expectSame(setting, client);
    expect(types(client).filter((type) => type === 'relist')).toHaveLength(1);

    const hasHeardOf = async (name: string, answer: Promise<{ status: number }>): Promise<void> => {
      const before = client.reported.length;
      expect((await answer).status).toBeLessThan(300);
      const isIt = ({ event }: (typeof client.reported)[number]): boolean =>
        event.type === 'lists' && event.changed.join() === name;
      await stream.until(() => client.reported.slice(before).some(isIt));
    };
    const made = setting.post('/api/v1/projects', { name: 'Garden' });
    await hasHeardOf('projects', made);
    const { project } = (await made).json<{ project: { id: string } }>();
    const path = `/api/v1/projects/${project.id}`;
    await setting.request({ method: 'PATCH', path: `/api/v1/chats/${id}`, json: { projectId: project.id } });
    await hasHeardOf('projects', setting.request({ method: 'PATCH', path, json: { name: 'Roof' } }));
    await hasHeardOf('projects', setting.request({ method: 'DELETE', path }));
    await stream.until(() => client.chats.get(id)?.projectId === undefined);
    await expectSame(setting, client);
    const [poet, prompts] = ['/api/v1/agents/poet', '/api/v1/prompts'];
    await hasHeardOf('agents', setting.post('/api/v1/agents', { agentType: 'poet', name: 'Poet' }));
    await hasHeardOf('agents', setting.request({ method: 'DELETE', path: poet }));
    await hasHeardOf('prompts', setting.post(prompts, { name: 'Short', text: 'Be brief.' }));
    await hasHeardOf('workspaces', setting.post('/api/v1/workspaces', { name: 'Other' }));
    expect(types(client).filter((type) => type === 'relist')).toHaveLength(1);
  });

  test('tells a chat in full as a stream of its own does, and nothing of what others say', async () => {
    const setting = await start();
    const { id } = await setting.createChat();
    const other = await setting.createChat();
    const client = setting.newClient(id);
    const stream = await follow(setting, client);
    for (const chatId of [id, other.id]) await setting.send(chatId, `to ${chatId}`);
    const turn = await setting.runtime.turnOf(id);
    (await setting.runtime.turnOf(other.id)).stream('of the other');
    for (const word of ['one', ' two', ' three']) {
      turn.stream(word);
      await stream.until(() => client.state.messages[1]?.content.endsWith(word) === true);
    }
    turn.reply();
    (await setting.runtime.turnOf(other.id)).reply();
    await setting.settled(other.id);
    await stream.until(() => client.state.chat?.status === 'idle');
    expect(client.state.messages).toEqual(await setting.messages(id));
    expect(types(client)).toContain('delta');
    expect(JSON.stringify(client.reported)).not.toContain('of the other');
    await expectSame(setting, client);
  });

  test('a chat that is deleted, or isn’t there, is told as gone, and the stream goes on', async () => {
    const setting = await start();
    const { id } = await setting.createChat();
    const client = setting.newClient(id);
    const stream = await follow(setting, client);
    await stream.until(() => client.state.chat !== null);
    await setting.request({ method: 'DELETE', path: `/api/v1/chats/${id}` });
    await stream.until(() => client.state.isGone);
    const nobody = setting.newClient('nobody');
    await (await nobody.open()).until(() => nobody.state.isGone);
    await setting.createChat();
    await expectSame(setting, client);
    expect(types(client).filter((type) => type === 'gone')).toHaveLength(1);
  });

  test('a chat that is restored is sent again', async () => {
    const setting = await start();
    const { id } = await setting.createChat();
    const client = setting.newClient(id);
    const stream = await follow(setting, client);
    await stream.until(() => client.state.chat !== null);
    for (let time = 0; time < 2; time += 1) {
      await setting.request({ method: 'DELETE', path: `/api/v1/chats/${id}` });
      await stream.until(() => client.state.isGone);
      await setting.request({ method: 'POST', path: `/api/v1/chats/${id}/restore` });
      await stream.until(() => !client.state.isGone);
      await expectSame(setting, client);
    }
  });

  test('tells where chats stand in the queue', async () => {
    const setting = await start();
    const client = setting.newClient();
    await follow(setting, client);
    const ids = await Promise.all(Array.from({ length: 36 }, async () => (await setting.createChat()).id));
    for (const id of ids) await setting.send(id, 'hello');
    await eventually(() => expect(setting.runtime.running()).toHaveLength(32));
    await expectSame(setting, client);
    setting.runtime.onTurn = (turn) => turn.reply('yes');
    setting.runtime.running()[0]?.reply('yes');
    await expectSame(setting, client);
    for (const turn of setting.runtime.running()) turn.reply('yes');
    await expectSame(setting, client);
  });

  test('a chat removed for good, and many changes at once, have the list asked for again', async () => {
    const setting = await start();
    const client = setting.newClient();
    const { id } = await setting.createChat();
    const stream = await follow(setting, client);
    await setting.request({ method: 'DELETE', path: `/api/v1/chats/${id}?permanent=true` });
    await stream.until(() => client.isStale);
    await client.relist(setting.list);
    expect(client.chats.has(id)).toBe(false);

    stream.cut();
    const before = client.received();
    const chats = Array.from({ length: 1_000 }, () => exportedChat([]));
    const answer = await setting.post('/api/v1/import', exportFileOf(...chats));
    expect([answer.status, answer.json<{ imported: number }>().imported]).toEqual([200, 1_000]);
    const next = await client.open();
    await next.until(() => client.isStale);
    expect(client.received() - before).toBeLessThan(1_000);
    await client.relist(setting.list);
    await expectSame(setting, client);
  });

  test('with once=true it tells how things stand and ends', async () => {
    const setting = await start();
    const { id } = await setting.createChat();
    const answer = await setting.get(`/api/v1/events?once=true&chat=${id}`);
    expect(answer.status).toBe(200);
    const reported = [...answer.text.matchAll(/^event: (.*)$/gm)].map(([, type]) => type);
    expect(reported).toEqual(['relist', 'sync']);
    const cursor = /^id: (.*)$/m.exec(answer.text)?.[1] ?? '';
    const again = await setting.get(`/api/v1/events?once=true&after=${encodeURIComponent(cursor)}`);
    expect(again.text).toContain('event: chats\ndata: {"chats":[],"gone":[]}\n');
    await setting.createChat();
    const changed = await setting.get(`/api/v1/events?once=true&after=${encodeURIComponent(cursor)}`);
    expect(changed.text).toContain('"title":"New chat"');
  });
});

describe('coming back', () => {
  test('tells what changed since the cursor, of the list and of the chat, and no more', async () => {
    const setting = await start();
    const { id } = await setting.createChat();
    await setting.send(id, 'one');
    (await setting.runtime.turnOf(id)).reply('first');
    await setting.settled(id);
    const untouched = await setting.createChat();
    const client = setting.newClient(id);
    const stream = await follow(setting, client);
    await stream.until(() => client.state.chat !== null);
    stream.cut();
    await setting.send(id, 'two');
    (await setting.runtime.turnOf(id)).reply('second');
    await setting.settled(id);
    const created = await setting.createChat();
    const before = client.reported.length;
    const next = await client.open();
    await next.until(() => client.reported.length >= before + 2);
    const [chats, sync] = client.reported.slice(before).map(({ event }) => event);
    expect(chats).toMatchObject({ type: 'chats', gone: [] });
    expect(JSON.stringify(chats)).toContain(created.id);
    expect(JSON.stringify(chats)).not.toContain(untouched.id);
    expect(sync).toMatchObject({
      type: 'sync',
      whole: false,
      messages: [{ content: 'two' }, { content: 'second' }],
    });
    await expectSame(setting, client);
  });

  test('the part before the slash goes on with the list and begins another chat', async () => {
    const setting = await start();
    const chats = [await setting.createChat(), await setting.createChat()];
    const first = setting.newClient(chats[0]?.id);
    const stream = await follow(setting, first);
    await stream.until(() => first.state.chat !== null);
    const [listCursor = ''] = first.cursor.split('/');
    const second = setting.newClient(chats[1]?.id);
    const next = await second.open({ cursor: listCursor });
    await next.until(() => second.state.chat !== null);
    expect(second.reported.map(({ event }) => event)).toMatchObject([
      { type: 'chats', chats: [], gone: [] },
      { type: 'sync', whole: true },
    ]);
  });

  test.each(['', 'x', '.', 'x.1', `x.${'9'.repeat(15)}/a.0`, '/', 'a.b.c/d', '%00', '1'.repeat(9_000)])(
    'a cursor that says nothing of this start is none (%#)',
    async (cursor) => {
      const setting = await start();
      const client = setting.newClient();
      const stream = await client.open({ cursor, inQuery: true });
      await stream.until(() => client.reported.length > 0);
      expect(types(client)).toEqual(['relist']);
    },
  );
});

describe('who may', () => {
  test('is answered as for the list, and told only of the own workspace', async () => {
    const setting = await start();
    const { service } = setting;
    expect((await setting.get('/api/v1/events', { key: null })).status).toBe(401);
    expect((await setting.get('/api/v1/events?workspaceId=other')).error().code).toBe('workspace_forbidden');
    const { workspace } = (await setting.post('/api/v1/workspaces', { name: 'Other' })).json<{
      workspace: { id: string };
    }>();
    const newKey = async (workspaceId: string | null): Promise<string> =>
      (await service.keys.create({ kind: 'person', name: 'k', scope: 'chat', workspaceId, expiresAt: null }))
        .text;
    const unbound = await newKey(null);
    expect((await setting.get('/api/v1/events', { key: unbound })).error().code).toBe('workspace_required');

    const { id } = await setting.createChat();
    const stranger = setting.newClient(id, await newKey(workspace.id));
    const stream = await stranger.open();
    await stream.until(() => stranger.state.isGone);
    const before = stranger.reported.length;
    await setting.send(id, 'secret');
    (await setting.runtime.turnOf(id)).reply('secret');
    await setting.settled(id);
    await delay(1_300);
    expect(stranger.reported).toHaveLength(before);
  });

  test('HEAD gives the headers and opens nothing', async () => {
    const setting = await start();
    const answer = await setting.request({ method: 'HEAD', path: '/api/v1/events' });
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(answer.headers['content-type']).toBe('text/event-stream; charset=utf-8');
  });

  test('a key that is revoked is told nothing more', async () => {
    const setting = await start();
    const { service } = setting;
    const key = await service.keys.create({
      kind: 'person',
      name: 'k',
      scope: 'chat',
      workspaceId: (await setting.createChat()).workspaceId,
      expiresAt: null,
    });
    const client = setting.newClient(undefined, key.text);
    const stream = await client.open();
    await stream.until(() => client.reported.length > 0);
    await service.keys.revoke(key.stored.id);
    await stream.ended;
    const before = client.reported.length;
    await setting.createChat();
    await delay(100);
    expect(client.reported).toHaveLength(before);
  });
});
