import { describe, expect, it, onTestFinished } from 'vitest';
import type { Chat, ChatList } from '../../shared/api/chat.ts';
import type { Backup, ExportFile, ImportResult } from '../../shared/api/data.ts';
import type { DeletedProjectAnswer, Project, ProjectAnswer, ProjectList } from '../../shared/api/project.ts';
import { MAX_PROJECTS } from '../../shared/limits.ts';
import { REHEARSAL_MODEL_NAME } from '../../shared/models.ts';
import { emptyChat } from '../../server/chats/empty-chat.ts';
import { createChat } from '../../server/store/chat-repository.ts';
import { createProject } from '../../server/store/project-repository.ts';
import { createWorkspace } from '../../server/store/workspace-repository.ts';
import { startModelServer } from '../support/model-servers/model-server.ts';
import { outcome, startTestService, type TestAnswer, type TestClient } from '../support/service.ts';

const PROJECTS = '/api/v1/projects';
const OTHER = '11111111-1111-4111-8111-111111111111';

const patch = (api: TestClient, path: string, json: object): Promise<TestAnswer> =>
  api.request({ method: 'PATCH', path, json });
const remove = (api: TestClient, path: string): Promise<TestAnswer> =>
  api.request({ method: 'DELETE', path });
async function made(api: TestClient, body: object): Promise<Project> {
  const answer = await api.post(PROJECTS, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json<ProjectAnswer>().project;
}
const listed = async (api: TestClient): Promise<Project[]> =>
  (await api.get(PROJECTS)).json<ProjectList>().projects;
const chatsOf = async (api: TestClient, projectId: string): Promise<string[]> =>
  (await api.get(`/api/v1/chats?projectId=${projectId}`)).json<ChatList>().data.map(({ id }) => id);

describe('projects', () => {
  it('are made, read, changed, put in order and deleted', async () => {
    const api = await startTestService();
    const [one, two, three] = [
      await made(api, { name: ' One ' }),
      await made(api, { name: 'Two', instructions: ' Be brief. ', defaultModel: 'offline-assistant' }),
      await made(api, { name: 'Three' }),
    ];
    expect(one).toMatchObject({ name: 'One', instructions: '', defaultModel: null, position: 0 });
    expect(two).toMatchObject({ instructions: 'Be brief.', defaultModel: 'offline-assistant', position: 1 });
    const moved = await patch(api, `${PROJECTS}/${three.id}`, { position: 0, name: 'Third' });
    expect(moved.json<ProjectAnswer>().project).toMatchObject({ name: 'Third', position: 0 });
    expect((await listed(api)).map(({ name, position }) => `${position} ${name}`)).toEqual([
      '0 Third',
      '1 One',
      '2 Two',
    ]);
    await patch(api, `${PROJECTS}/${three.id}`, { position: 99 });
    expect((await listed(api)).map(({ name }) => name)).toEqual(['One', 'Two', 'Third']);
    expect((await remove(api, `${PROJECTS}/${one.id}`)).json<ProjectAnswer>().project).toEqual(one);
    expect(outcome(await api.get(`${PROJECTS}/${one.id}`))).toEqual([404, 'project_not_found']);
    expect(outcome(await patch(api, `${PROJECTS}/${one.id}`, { name: 'x' }))).toEqual([
      404,
      'project_not_found',
    ]);
    await made(api, { name: 'Four' });
    expect((await listed(api)).map(({ name, position }) => `${position} ${name}`)).toEqual([
      '0 Two',
      '1 Third',
      '2 Four',
    ]);
  });

  it('refuse what is no name, no model and no project, and more than there can be', async () => {
    const api = await startTestService();
    expect(outcome(await api.post(PROJECTS, { name: ' ' }))).toEqual([400, 'invalid_request']);
    expect(outcome(await api.post(PROJECTS, { name: 'x', defaultModel: 'nobody/none' }))).toEqual([
      400,
      'invalid_request',
    ]);
    const chat = await api.createChat();
    for (const projectId of ['nothing', '']) {
      expect(outcome(await patch(api, `/api/v1/chats/${chat.id}`, { projectId }))).toEqual([
        400,
        'invalid_request',
      ]);
      expect(outcome(await api.post('/api/v1/chats', { projectId }))).toEqual([400, 'invalid_request']);
    }
    const { store, workspaceId } = api.service;
    await store.write((writer) => {
      for (let position = 0; position < MAX_PROJECTS; position += 1)
        createProject(writer, { id: `p${position}`, workspaceId, name: 'P', position, createdAt: 'now' });
    });
    expect(outcome(await api.post(PROJECTS, { name: 'One more' }))).toEqual([409, 'conflict']);
  });

  it('hold chats, which are listed by them, and go back to none when their project is deleted, from the bin as well', async () => {
    const api = await startTestService();
    const { id } = await made(api, { name: 'Tax' });
    const [born, moved, binned, loose] = [
      await api.createChat({ projectId: id }),
      await api.createChat(),
      await api.createChat({ projectId: id }),
      await api.createChat(),
    ];
    expect(born.projectId).toBe(id);
    expect(loose.projectId).toBeUndefined();
    await patch(api, `/api/v1/chats/${moved.id}`, { projectId: id });
    await patch(api, `/api/v1/chats/${moved.id}`, { pinned: true });
    await remove(api, `/api/v1/chats/${binned.id}`);
    expect((await chatsOf(api, id)).toSorted()).toEqual([born.id, moved.id].toSorted());
    expect(await chatsOf(api, 'none')).toEqual([loose.id]);
    const pinned = (await api.get(`/api/v1/chats?projectId=${id}&pinned=false`)).json<ChatList>();
    expect([pinned.total, pinned.data.map((chat) => chat.id)]).toEqual([1, [born.id]]);
    await remove(api, `${PROJECTS}/${id}`);
    expect(await chatsOf(api, 'none')).toHaveLength(3);
    const back = await api.post(`/api/v1/chats/${binned.id}/restore`);
    expect(back.json<{ chat: Chat }>().chat.projectId).toBeUndefined();
  });

  it('take their chats along when that is asked for: pinned, archived, working and waiting ones, each to be restored', async () => {
    const api = await startTestService();
    const { id } = await made(api, { name: 'Tax' });
    const other = await made(api, { name: 'Other' });
    const path = `${PROJECTS}/${id}`;
    expect(outcome(await remove(api, `${path}?chats=yes`))).toEqual([400, 'invalid_request']);
    const [pinned, archived, binned, loose, working] = [
      await api.createChat({ projectId: id }),
      await api.createChat({ projectId: id }),
      await api.createChat({ projectId: id }),
      await api.createChat({ projectId: other.id }),
      await api.createChat({ projectId: id }),
    ];
    await patch(api, `/api/v1/chats/${pinned.id}`, { pinned: true });
    await patch(api, `/api/v1/chats/${archived.id}`, { archived: true });
    await remove(api, `/api/v1/chats/${binned.id}`);
    await patch(api, `/api/v1/chats/${working.id}`, { model: REHEARSAL_MODEL_NAME });
    await api.send(working.id, '```rehearsal\nbefore\n::pause 30s\nafter\n```');
    await api.send(working.id, 'Next');
    const answer = await remove(api, `${path}?chats=delete`);
    const gone = answer.json<DeletedProjectAnswer>();
    expect([answer.status, gone.project.id, gone.deletedChats]).toEqual([200, id, 3]);
    expect((await listed(api)).map((project) => project.id)).toEqual([other.id]);
    expect(
      (await api.get('/api/v1/chats?archived=true')).json<ChatList>().data.map((chat) => chat.id),
    ).toEqual([loose.id]);
    expect((await api.get('/api/v1/chats?deleted=true')).json<ChatList>().total).toBe(4);
    expect(outcome(await remove(api, `${path}?chats=delete`))).toEqual([404, 'project_not_found']);
    for (const chat of [pinned, archived, working]) {
      const back = (await api.post(`/api/v1/chats/${chat.id}/restore`)).json<{ chat: Chat }>().chat;
      expect(back.projectId).toBeUndefined();
    }
    expect(await api.chat(pinned.id)).toMatchObject({ pinned: true, archived: false });
    expect(await api.chat(archived.id)).toMatchObject({ archived: true });
    expect((await api.chat(working.id)).status).toBe('stopped');
    const replies = (await api.messages(working.id)).filter(({ role }) => role === 'assistant');
    expect(replies.map(({ stopReason }) => stopReason)).toEqual(['stopped', 'stopped']);
  });

  it('of 1,000 chats are deleted with them while others are answered', async () => {
    const api = await startTestService();
    const { id } = await made(api, { name: 'Many' });
    const { store, workspaceId } = api.service;
    await store.write((writer) => {
      for (let count = 0; count < 1_000; count += 1)
        createChat(
          writer,
          emptyChat(writer, {
            workspaceId,
            agentType: 'orchestrator',
            projectId: id,
            id: `chat-${count}`,
            now: '2026-01-01T00:00:00.000Z',
          }),
        );
    });
    const asked = { isOver: false };
    const deleting = remove(api, `${PROJECTS}/${id}?chats=delete`).finally(() => (asked.isOver = true));
    let between = 0;
    while (!asked.isOver) {
      expect((await api.get('/api/v1/projects')).status).toBe(200);
      between += 1;
    }
    expect((await deleting).json<DeletedProjectAnswer>().deletedChats).toBe(1_000);
    expect(between).toBeGreaterThan(3);
    expect((await api.get('/api/v1/chats?deleted=true')).json<ChatList>().total).toBe(1_000);
    expect((await api.get('/api/v1/chats')).json<ChatList>().total).toBe(0);
  });

  it('are those of their workspace alone', async () => {
    const api = await startTestService();
    await api.service.store.write((writer) =>
      createWorkspace(writer, { id: OTHER, name: 'Other', createdAt: '2026-01-01T00:00:00.000Z' }),
    );
    const { id } = await made(api, { name: 'Here' });
    const elsewhere = await api.service.keys.create({
      kind: 'person',
      name: 'test',
      scope: 'chat',
      workspaceId: OTHER,
      expiresAt: null,
    });
    const key = elsewhere.text;
    expect(outcome(await api.get(`${PROJECTS}/${id}`, { key }))).toEqual([404, 'project_not_found']);
    expect(outcome(await api.post('/api/v1/chats', { projectId: id }, { key }))).toEqual([
      400,
      'invalid_request',
    ]);
    expect((await api.get(PROJECTS, { key })).json<ProjectList>().projects).toEqual([]);
  });

  it('give their chats a model, and tell it the instructions of the agent, for every chat, of the project and of the chat', async () => {
    const server = await startModelServer('openai', { models: ['one', 'two', 'three'] });
    onTestFinished(() => server.close());
    const api = await startTestService();
    await patch(api, '/api/v1/settings', { nameChats: false, instructions: 'EVERY CHAT SAYS' });
    await api.post('/api/v1/connections', {
      provider: 'openai_compatible',
      name: 'Box',
      baseUrl: server.baseUrl,
    });
    await patch(api, `/api/v1/workspaces/${api.service.workspaceId}`, { defaultModel: 'box/one' });
    const agent = { name: 'Clerk', agentType: 'clerk', instructions: 'AGENT SAYS' };
    await api.post('/api/v1/agents', agent);
    await api.post('/api/v1/agents', { ...agent, agentType: 'own', model: 'box/three' });
    const { id } = await made(api, {
      name: 'Tax',
      instructions: 'PROJECT SAYS',
      defaultModel: 'box/two',
    });
    expect((await api.createChat()).model).toBe('box/one');
    expect((await api.createChat({ projectId: id, agentType: 'own' })).model).toBe('box/three');
    const chat = await api.createChat({ projectId: id, agentType: 'clerk' });
    expect(chat.model).toBe('box/two');

    const asked = async (): Promise<{ model: string; messages: { role: string; content: string }[] }> => {
      await api.send(chat.id, 'Hello', { mode: 'chat' });
      await api.settled(chat.id);
      return server.asked().at(-1)?.body as never;
    };
    await patch(api, `/api/v1/chats/${chat.id}`, { parameters: { instructions: 'CHAT SAYS' } });
    const first = await asked();
    expect(first.model).toBe('two');
    const system = first.messages[0]?.content ?? '';
    expect(system.indexOf('AGENT SAYS')).toBeGreaterThan(-1);
    expect(system).toContain('AGENT SAYS\n\nEVERY CHAT SAYS\n\nPROJECT SAYS\n\nCHAT SAYS');

    // What is changed counts from the next message on; the model of a chat that is there stays.
    await patch(api, `${PROJECTS}/${id}`, { instructions: 'PROJECT SAYS ELSE', defaultModel: 'box/one' });
    await patch(api, '/api/v1/settings', { instructions: 'EVERY CHAT SAYS MORE' });
    const second = await asked();
    expect([second.model, second.messages[0]?.content]).toEqual([
      'two',
      expect.stringContaining('AGENT SAYS\n\nEVERY CHAT SAYS MORE\n\nPROJECT SAYS ELSE\n\nCHAT SAYS'),
    ]);
    await remove(api, `${PROJECTS}/${id}`);
    await patch(api, '/api/v1/settings', { instructions: null });
    expect((await asked()).messages[0]?.content).toContain('AGENT SAYS\n\nCHAT SAYS');
  });

  it('come along in exports and backups, and with older files chats come in without', async () => {
    const api = await startTestService();
    const project = await made(api, { name: 'Tax', instructions: 'In euros.' });
    const empty = await made(api, { name: 'Empty' });
    const chat = await api.createChat({ projectId: project.id });
    await api.send(chat.id, 'Hello');
    await api.settled(chat.id);
    const file = (await api.get('/api/v1/export?format=json')).json<ExportFile>();
    expect(file.projects).toEqual([project, empty]);
    const single = (await api.get(`/api/v1/chats/${chat.id}/export?format=json`)).json<ExportFile>();
    expect(single.projects).toEqual([project]);

    const elsewhere = await startTestService();
    const own = await made(elsewhere, { name: 'Own' });
    const brought = async (body: unknown): Promise<ImportResult> => {
      const answer = await elsewhere.post('/api/v1/import', body);
      expect(answer.status, answer.text).toBe(200);
      return answer.json<ImportResult>();
    };
    for (let time = 0; time < 2; time += 1) {
      expect((await brought(file)).problems).toEqual([]);
      expect(await listed(elsewhere)).toEqual([own, { ...project, position: 1 }, { ...empty, position: 2 }]);
      expect(await chatsOf(elsewhere, project.id)).toEqual([chat.id]);
    }

    const { format, version, exportedAt, chats } = file;
    const older = { format, version, exportedAt, chats };
    const third = await startTestService();
    expect((await third.post('/api/v1/import', older)).json<ImportResult>()).toMatchObject({ imported: 1 });
    expect((await third.chat(chat.id)).projectId).toBeUndefined();
    const damaged = { ...file, projects: [{ id: 7 }, 'x', { ...project, instructions: null }] };
    const fourth = await startTestService();
    expect((await fourth.post('/api/v1/import', damaged)).json<ImportResult>()).toMatchObject({
      imported: 1,
      leftOut: 3,
    });
    expect(await listed(fourth)).toEqual([]);

    const { backup } = (await api.post('/api/v1/backups')).json<{ backup: Backup }>();
    await remove(api, `${PROJECTS}/${project.id}`);
    await api.request({ method: 'DELETE', path: `/api/v1/chats/${chat.id}?permanent=true` });
    const restored = await api.post(`/api/v1/backups/${backup.name}/restore`);
    expect(restored.status, restored.text).toBe(200);
    expect(await listed(api)).toEqual([
      { ...empty, position: 0 },
      { ...project, position: 1 },
    ]);
    expect(await chatsOf(api, project.id)).toEqual([chat.id]);
  });
});
