import { describe, expect, it } from 'vitest';
import { createWorkspace } from '../../server/store/workspace-repository.ts';
import type { Chat } from '../../shared/api/chat.ts';
import type { Workspace } from '../../shared/api/workspace.ts';
import { MAX_NAME_CHARACTERS, MAX_WORKSPACES } from '../../shared/limits.ts';
import {
  createTestClient,
  outcome,
  startSharedService,
  startTestService,
  type TestAnswer,
  type TestClient,
} from '../support/service.ts';

const OTHER = '11111111-1111-4111-8111-111111111111';

/** Clients with a key bound to the first workspace, to another, and to none. */

const api = await startSharedService();
const { service } = api;
const home: string = service.workspaceId;
await service.store.write((writer) =>
  createWorkspace(writer, { id: OTHER, name: 'Other', createdAt: '2026-01-01T00:00:00.000Z' }),
);
const client = async (workspaceId: string | null): Promise<TestClient> => {
  const { text } = await service.keys.create({
    kind: 'person',
    name: 'test',
    scope: 'chat',
    workspaceId,
    expiresAt: null,
  });
  return createTestClient(service.port, text);
};
const bound = await client(home);
const elsewhere = await client(OTHER);
const unbound = await client(null);

describe('a key bound to a workspace', () => {
  it('needs to name none', async () => {
    expect((await bound.createChat()).workspaceId).toBe(home);
    expect((await bound.get('/api/v1/chats')).status).toBe(200);
  });

  it('may name its own, in the body, the query and the header, and even in all three', async () => {
    const answer = await bound.post(
      `/api/v1/chats?workspaceId=${home}`,
      { workspaceId: home },
      {
        headers: { 'x-workspace-id': home },
      },
    );
    expect(answer.status).toBe(201);
    expect((await bound.post('/api/v1/chats', { workspaceId: '' })).status).toBe(201);
  });

  it.each([
    ['create, in the body', () => bound.post('/api/v1/chats', { workspaceId: OTHER })],
    ['create, in the query', () => bound.post(`/api/v1/chats?workspaceId=${OTHER}`)],
    [
      'create, in the header',
      () => bound.post('/api/v1/chats', {}, { headers: { 'x-workspace-id': OTHER } }),
    ],
    ['create, one that is not there', () => bound.post('/api/v1/chats', { workspaceId: 'nowhere' })],
    ['list', () => bound.get(`/api/v1/chats?workspaceId=${OTHER}`)],
    ['read', () => bound.get(`/api/v1/chats/x?workspaceId=${OTHER}`)],
    ['read messages', () => bound.get('/api/v1/chats/x/messages', { headers: { 'x-workspace-id': OTHER } })],
    ['send', () => bound.post('/api/v1/chats/x/messages', { content: 'hi', workspaceId: OTHER })],
    ['stop', () => bound.post(`/api/v1/chats/x/stop?workspaceId=${OTHER}`)],
  ])('gets 403 when it names another: %s', async (_name, call) => {
    expect(outcome(await call())).toEqual([403, 'workspace_forbidden']);
  });

  it('sees a chat of another workspace as one that is not there', async () => {
    const chat = await elsewhere.createChat();
    expect(outcome(await bound.get(`/api/v1/chats/${chat.id}`))).toEqual([404, 'chat_not_found']);
    expect(outcome(await bound.get(`/api/v1/chats/${chat.id}/messages`))).toEqual([404, 'chat_not_found']);
    expect(outcome(await bound.post(`/api/v1/chats/${chat.id}/messages`, { content: 'hi' }))).toEqual([
      404,
      'chat_not_found',
    ]);
    expect(outcome(await bound.post(`/api/v1/chats/${chat.id}/stop`))).toEqual([404, 'chat_not_found']);
    const { data } = (await bound.get('/api/v1/chats?pageSize=100')).json<{ data: Chat[] }>();
    expect(data.map(({ id }) => id)).not.toContain(chat.id);
    expect(await elsewhere.messages(chat.id)).toEqual([]);
  });
});

describe('a key bound to none', () => {
  it.each([
    ['body', (id: string) => unbound.post('/api/v1/chats', { workspaceId: id })],
    ['query', (id: string) => unbound.post(`/api/v1/chats?workspaceId=${id}`)],
    [
      'header',
      (id: string) => unbound.post('/api/v1/chats', undefined, { headers: { 'x-workspace-id': id } }),
    ],
  ])('names the workspace in the %s', async (_name, create) => {
    for (const id of [home, OTHER]) expect((await create(id)).json<Chat>().workspaceId).toBe(id);
  });

  it('gets 400 workspace_required on create, list and send when it names none', async () => {
    const chat = await bound.createChat();
    expect(outcome(await unbound.post('/api/v1/chats'))).toEqual([400, 'workspace_required']);
    expect(outcome(await unbound.post('/api/v1/chats', { workspaceId: '' }))).toEqual([
      400,
      'workspace_required',
    ]);
    expect(outcome(await unbound.get('/api/v1/chats'))).toEqual([400, 'workspace_required']);
    expect(outcome(await unbound.post(`/api/v1/chats/${chat.id}/messages`, { content: 'hi' }))).toEqual([
      400,
      'workspace_required',
    ]);
    expect(outcome(await unbound.post('/api/v1/chats/unknown/messages', { content: 'hi' }))).toEqual([
      400,
      'workspace_required',
    ]);
    expect(await bound.messages(chat.id)).toEqual([]);
  });

  it('gets 400 for a missing content before anything else', async () => {
    expect(outcome(await unbound.post('/api/v1/chats/unknown/messages', {}))).toEqual([
      400,
      'invalid_request',
    ]);
  });

  it('needs to name none to read a chat, its messages or to stop it', async () => {
    const chat = await bound.createChat();
    expect((await unbound.get(`/api/v1/chats/${chat.id}`)).json()).toEqual({ chat });
    expect(await unbound.messages(chat.id)).toEqual([]);
    expect((await unbound.post(`/api/v1/chats/${chat.id}/stop`)).status).toBe(200);
  });

  it('sees only the chats of the workspace that it names', async () => {
    const chat = await elsewhere.createChat();
    expect((await unbound.get(`/api/v1/chats/${chat.id}?workspaceId=${OTHER}`)).status).toBe(200);
    expect(outcome(await unbound.get(`/api/v1/chats/${chat.id}?workspaceId=${home}`))).toEqual([
      404,
      'chat_not_found',
    ]);
    expect(
      outcome(await unbound.post(`/api/v1/chats/${chat.id}/messages`, { content: 'hi', workspaceId: home })),
    ).toEqual([404, 'chat_not_found']);
    const listed = (await unbound.get(`/api/v1/chats?workspaceId=${OTHER}&pageSize=100`)).json<{
      data: Chat[];
    }>();
    expect(listed.data.every(({ workspaceId }) => workspaceId === OTHER)).toBe(true);
    expect(listed.data.map(({ id }) => id)).toContain(chat.id);
  });

  it('gets 404 for a workspace that is not there', async () => {
    for (const name of ['nowhere', "' OR 1=1 --", '\u0000', '💥']) {
      expect(outcome(await unbound.post('/api/v1/chats', { workspaceId: name }))).toEqual([
        404,
        'workspace_not_found',
      ]);
    }
    expect(outcome(await unbound.get('/api/v1/chats?workspaceId=nowhere'))).toEqual([
      404,
      'workspace_not_found',
    ]);
  });

  it('sends with the workspace in the body', async () => {
    const chat = await bound.createChat();
    const answer = await unbound.post(`/api/v1/chats/${chat.id}/messages`, {
      content: 'hello',
      workspaceId: home,
    });
    expect(answer.json<{ chat: Chat }>().chat.status).toBe('pending');
  });
});

describe('any key', () => {
  it.each([
    ['body and query', `?workspaceId=${OTHER}`, {}],
    ['body and header', '', { 'x-workspace-id': OTHER }],
  ])('gets 400 when %s name different workspaces', async (_name, query, headers) => {
    for (const client of [bound, unbound]) {
      const answer = await client.post(`/api/v1/chats${query}`, { workspaceId: home }, { headers });
      expect(outcome(answer)).toEqual([400, 'invalid_request']);
      expect(answer.error().message).toContain('several workspaces');
    }
  });

  it('gets 400 for a workspace named twice in the query', async () => {
    expect((await bound.get(`/api/v1/chats?workspaceId=${home}&workspaceId=${home}`)).status).toBe(400);
  });
});

describe('GET /api/v1/workspaces', () => {
  const ids = async (client: TestClient): Promise<string[]> =>
    (await client.get('/api/v1/workspaces'))
      .json<{ workspaces: Workspace[] }>()
      .workspaces.map(({ id }) => id);

  it('lists the workspaces that the key may use, oldest first', async () => {
    expect(await ids(bound)).toEqual([home]);
    expect(await ids(elsewhere)).toEqual([OTHER]);
    const own = await ids(unbound);
    expect(own).toContain(home);
    expect(own[0]).toBe(OTHER);
    expect(await ids(createTestClient(api.service.port, api.service.apiKey))).toEqual([home]);
  });
});

describe('making and renaming workspaces', () => {
  const rename = (id: string, json: unknown): Promise<TestAnswer> =>
    api.request({ method: 'PATCH', path: `/api/v1/workspaces/${id}`, json });
  const workspaceOf = (answer: TestAnswer, status: number): Workspace => {
    expect(answer.status, answer.text).toBe(status);
    return answer.json<{ workspace: Workspace }>().workspace;
  };

  it('gives a workspace that can be used at once', async () => {
    const made = workspaceOf(await api.post('/api/v1/workspaces', { name: '  Work\n& play ' }), 201);
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      name: 'Work & play',
      createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) as string,
      defaultModel: null,
    });
    const chat = await unbound.createChat({ workspaceId: made.id });
    expect(chat.workspaceId).toBe(made.id);
    expect(workspaceOf(await rename(made.id, { name: ' Play\t' }), 200)).toEqual({ ...made, name: 'Play' });
    const { workspaces } = (await unbound.get('/api/v1/workspaces')).json<{ workspaces: Workspace[] }>();
    expect(workspaces).toContainEqual({ ...made, name: 'Play' });
  });

  it('stays as it is when nothing is said of it', async () => {
    const made = workspaceOf(await api.post('/api/v1/workspaces', { name: 'Same' }), 201);
    expect(workspaceOf(await rename(made.id, {}), 200)).toEqual(made);
    expect(workspaceOf(await rename(made.id, { name: null }), 200)).toEqual(made);
    expect(workspaceOf(await rename(made.id, undefined), 200)).toEqual(made);
    expect(outcome(await api.post('/api/v1/workspaces', {}))).toEqual([400, 'invalid_request']);
    expect(outcome(await api.post('/api/v1/workspaces'))).toEqual([400, 'invalid_request']);
  });

  it.each([
    [{ name: '' }],
    [{ name: ' \n ' }],
    [{ name: '\u0000' }],
    [{ name: 5 }],
    [{ name: 'x'.repeat(MAX_NAME_CHARACTERS + 1) }],
  ])('refuses %j', async (body) => {
    expect(outcome(await api.post('/api/v1/workspaces', body))).toEqual([400, 'invalid_request']);
    expect(outcome(await rename(home, body))).toEqual([400, 'invalid_request']);
  });

  it('is for keys of the scope "admin", whatever else is wrong', async () => {
    expect(outcome(await unbound.post('/api/v1/workspaces', {}))).toEqual([403, 'forbidden']);
    for (const id of [home, 'nowhere']) {
      const answer = await unbound.request({ method: 'PATCH', path: `/api/v1/workspaces/${id}`, json: {} });
      expect(outcome(answer)).toEqual([403, 'forbidden']);
    }
  });

  it('answers 404 for a workspace that is not there', async () => {
    expect(outcome(await rename('nowhere', { name: 'x' }))).toEqual([404, 'workspace_not_found']);
  });

  it('refuses one more than there can be, in words', async () => {
    const own = await startTestService();
    for (let count = 1; count < MAX_WORKSPACES; count += 1) {
      expect((await own.post('/api/v1/workspaces', { name: `No. ${count}` })).status).toBe(201);
    }
    const answer = await own.post('/api/v1/workspaces', { name: 'One more' });
    expect(outcome(answer)).toEqual([409, 'conflict']);
    expect(answer.error().message).toContain(`${MAX_WORKSPACES} workspaces`);
  });
});
