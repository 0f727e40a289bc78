import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AgentAnswer, ToolList } from '../../shared/api/agent.ts';
import type { Agent, AgentList } from '../../shared/api/catalog.ts';
import type { Chat } from '../../shared/api/chat.ts';
import { eventually } from '../support/eventually.ts';
import { createRehearsal, rehearse, script } from '../support/rehearse.ts';
import {
  outcome,
  startSharedService,
  startTestService,
  type TestAnswer,
  type TestService,
} from '../support/service.ts';

const shared = await startSharedService();
let api: TestService;
beforeEach(async () => {
  api = shared;
  for (const { agentType } of await made()) await remove(agentType);
});

const list = async (key?: string): Promise<Agent[]> =>
  (await api.get('/api/v1/agents', key === undefined ? {} : { key })).json<AgentList>().agents;
const made = async (): Promise<Agent[]> => (await list()).filter(({ builtIn }) => !builtIn);
const create = (body: unknown): Promise<TestAnswer> => api.post('/api/v1/agents', body);
const change = (agentType: string, json: unknown): Promise<TestAnswer> =>
  api.request({ method: 'PATCH', path: `/api/v1/agents/${agentType}`, json });
const remove = (agentType: string): Promise<TestAnswer> =>
  api.request({ method: 'DELETE', path: `/api/v1/agents/${agentType}` });
const agentOf = (answer: TestAnswer): Agent => answer.json<AgentAnswer>().agent;

async function chatKey(): Promise<string> {
  const { text } = await api.service.keys.create({
    kind: 'person',
    name: 'script',
    scope: 'chat',
    workspaceId: null,
    expiresAt: null,
  });
  return text;
}

/** The steps and the reason to stop of a reply by the rehearsal model, in a new chat of that agent. */
async function rehearseAs(agentType: string, ...lines: string[]): Promise<unknown> {
  const id = await createRehearsal(api, { agentType });
  await api.send(id, script(...lines));
  await api.settled(id);
  const reply = (await api.messages(id)).at(-1);
  return {
    steps: (reply?.steps ?? []).map(({ tool, status }) => [tool, status]),
    stopReason: reply?.stopReason,
  };
}

describe('agents', () => {
  it('that are built in come first, whole for an admin', async () => {
    const agents = await list();
    expect(agents.map(({ agentType, builtIn }) => [agentType, builtIn])).toEqual([
      ['orchestrator', true],
      ['writer', true],
      ['analyst', true],
    ]);
    for (const agent of agents) {
      expect(agent.instructions?.length).toBeGreaterThan(100);
      expect(agent.description).toMatch(/^[A-Z].+\.$/);
    }
  });

  it('are told to others without what they are told to do', async () => {
    await create({ name: 'Coach', instructions: 'A secret of the house.' });
    const answer = await api.get('/api/v1/agents', { key: await chatKey() });
    expect(answer.text).not.toContain('secret');
    expect(answer.json<AgentList>().agents.at(-1)).toEqual({
      agentType: 'coach',
      name: 'Coach',
      description: '',
      builtIn: false,
    });
  });

  it('can be made with a name alone, or with everything', async () => {
    expect(agentOf(await create({ name: '  Crème brûlée  ' }))).toEqual({
      agentType: 'creme-brulee',
      name: 'Crème brûlée',
      description: '',
      builtIn: false,
      instructions: '',
      model: null,
      tools: 'all',
      stepLimit: 12,
    });
    const whole = {
      agentType: 'Coach_1',
      name: 'Coach',
      description: 'Asks good questions.',
      instructions: 'Ask.\n\nThen ask again.',
      model: 'rehearsal',
      tools: ['calculate', 'find_notes'],
      stepLimit: 50,
    };
    const answer = await create({ ...whole, tools: [...whole.tools, 'calculate'] });
    expect(answer.status).toBe(201);
    expect(agentOf(answer)).toEqual({ ...whole, builtIn: false });
    expect((await made()).map(({ agentType }) => agentType)).toEqual(['creme-brulee', 'Coach_1']);
  });

  it('get types of their own from their names', async () => {
    const types = [];
    for (const name of ['Writer', 'Coach', 'Coach', 'Учитель', '!!!']) {
      types.push(agentOf(await create({ name })).agentType);
    }
    expect(types).toEqual(['writer-2', 'coach', 'coach-2', 'agent', 'agent-2']);
  });

  it('can be changed bit by bit, and removed', async () => {
    await create({ name: 'Coach', description: 'Asks.', tools: [] });
    const changed = { name: 'Trainer', tools: ['calculate'], model: 'rehearsal', stepLimit: 1 };
    expect(agentOf(await change('coach', changed))).toMatchObject({
      ...changed,
      agentType: 'coach',
      description: 'Asks.',
    });
    expect(agentOf(await change('coach', { model: null, tools: 'all' }))).toMatchObject({
      name: 'Trainer',
      model: null,
      tools: 'all',
    });
    expect(agentOf(await remove('coach'))).toMatchObject({ agentType: 'coach' });
    expect(await made()).toEqual([]);
    expect(outcome(await remove('coach'))).toEqual([404, 'agent_not_found']);
    expect(outcome(await change('coach', {}))).toEqual([404, 'agent_not_found']);
  });

  it('that are built in stay as they are', async () => {
    expect(outcome(await change('writer', { name: 'Scribe' }))).toEqual([409, 'conflict']);
    expect(outcome(await remove('orchestrator'))).toEqual([409, 'conflict']);
    expect(outcome(await create({ name: 'x', agentType: 'analyst' }))).toEqual([409, 'conflict']);
    expect((await remove('writer')).error().message).toContain('“Writer” is built in');
  });

  it('are refused, in words, where they won’t do', async () => {
    await create({ name: 'Coach' });
    const bodies = [
      {},
      { name: ' ' },
      { name: 'x', agentType: 'a b' },
      { name: 'x', stepLimit: 0 },
      { name: 'x', stepLimit: 51 },
      { name: 'x', tools: 'some' },
      { name: 'x', tools: ['fly'] },
      { name: 'x', model: 'nobody/knows' },
      { name: 'x', description: 'x'.repeat(201) },
      { name: 'x', instructions: 'x'.repeat(20_001) },
    ];
    for (const body of bodies) expect(outcome(await create(body))).toEqual([400, 'invalid_request']);
    expect((await create({ name: 'x', tools: ['fly'] })).error().message).toContain('“fly”');
    expect(outcome(await create({ name: 'x', agentType: 'coach' }))).toEqual([409, 'conflict']);
    expect(outcome(await change('coach', { tools: ['fly'] }))).toEqual([400, 'invalid_request']);
    expect(await made()).toHaveLength(1);
  });

  it('are at most a hundred', async () => {
    for (let count = 0; count < 100; count += 1) await create({ name: `Coach ${count}` });
    expect(outcome(await create({ name: 'One more' }))).toEqual([409, 'conflict']);
    expect(await made()).toHaveLength(100);
  });

  it('can be changed by admins alone', async () => {
    const key = await chatKey();
    const path = '/api/v1/agents/coach';
    for (const request of [
      { method: 'POST', path: '/api/v1/agents', json: { name: 'x' } },
      { method: 'PATCH', path, json: {} },
      { method: 'DELETE', path },
    ]) {
      expect(outcome(await api.request({ ...request, key }))).toEqual([403, 'forbidden']);
    }
  });

  it('outlive a restart', async () => {
    api = await startTestService();
    await create({ name: 'Coach', instructions: 'Ask.', tools: ['calculate'] });
    const before = await list();
    const { dataDir } = api.service;
    await api.service.close();
    api = await startTestService({ dataDir });
    expect(await list()).toEqual(before);
  });
});

it('any key is told which tools there are', async () => {
  const { tools } = (await api.get('/api/v1/tools', { key: await chatKey() })).json<ToolList>();
  expect(tools.find(({ name }) => name === 'calculate')).toEqual({
    name: 'calculate',
    title: 'Calculate',
    group: 'built_in',
    description: 'Calculates exactly.',
    tokens: expect.any(Number) as number,
    input: expect.objectContaining({ type: 'object', required: ['expression'] }) as Record<string, unknown>,
  });
  const groups = new Map(tools.map(({ name, group }) => [name, group]));
  expect([groups.get('date_add'), groups.get('write_file'), groups.get('fetch_page')]).toEqual([
    ...['built_in', 'files', 'web'],
  ]);
});

describe('a chat', () => {
  it('gets its agent’s model, while there is one', async () => {
    await create({ name: 'Player', model: 'rehearsal' });
    expect(await api.createChat({ agentType: 'player' })).toMatchObject({ model: 'rehearsal' });
    expect(await api.createChat()).toMatchObject({ model: 'offline-assistant' });
    await change('player', { model: null });
    expect(await api.createChat({ agentType: 'player' })).toMatchObject({ model: 'offline-assistant' });
  });

  it('goes by its agent’s tools and step limit, as they are when a turn starts', async () => {
    await create({ name: 'Narrow', tools: ['find_notes'], stepLimit: 2 });
    const script = [
      '::tool find_notes',
      'a',
      '::tool calculate {"expression":"1"}',
      'b',
      '::tool find_notes',
      'c',
    ];
    expect(await rehearseAs('narrow', ...script)).toEqual({
      steps: [
        ['find_notes', 'done'],
        ['calculate', 'failed'],
      ],
      stopReason: 'step_limit',
    });
    await change('narrow', { tools: 'all', stepLimit: 12 });
    expect(await rehearseAs('narrow', ...script)).toEqual({
      steps: [
        ['find_notes', 'done'],
        ['calculate', 'done'],
        ['find_notes', 'done'],
      ],
      stopReason: 'end',
    });
  });

  it('of a removed agent keeps its type, and is answered as by the default', async () => {
    await create({ name: 'Narrow', tools: [] });
    const { id } = await api.createChat({ agentType: 'narrow' });
    await remove('narrow');
    await api.send(id, 'What is 6 * 7?');
    expect(await api.settled(id)).toMatchObject({
      status: 'idle',
      agentType: 'narrow',
    } satisfies Partial<Chat>);
    expect((await api.messages(id)).at(-1)).toMatchObject({ steps: [{ tool: 'calculate', status: 'done' }] });
  });

  it.each([
    ['writer', 'Count the words in "one two three"', 'count_text'],
    ['analyst', 'What is 6 * 7?', 'calculate'],
  ])('with the %s works offline', async (agentType, content, tool) => {
    const { id } = await api.createChat({ agentType });
    await api.send(id, content);
    await api.settled(id);
    expect((await api.messages(id)).at(-1)).toMatchObject({
      status: 'complete',
      steps: [{ tool, status: 'done' }],
    });
  });
});

describe('the default agent', () => {
  const ask = (agentType: string, words: string): string =>
    `::tool ask_agent ${JSON.stringify({ agentType, task: words })}`;

  it('has another one do a part of its work, with that one’s tools', async () => {
    await create({ name: 'Counter', tools: ['calculate'] });
    const poem = script('A poem.', '::tool calculate {"expression":"2+2"}', 'Four lines.', '::usage 5 6');
    const id = await rehearse(api, ask('counter', poem), 'Here it is.', '::usage 10 20');
    expect(await api.settled(id)).toMatchObject({ status: 'idle' });
    expect((await api.messages(id)).at(-1)).toMatchObject({
      status: 'complete',
      content: 'Here it is.',
      steps: [
        {
          tool: 'ask_agent',
          status: 'done',
          output: { agentType: 'counter', text: 'A poem.\n\nFour lines.' },
        },
      ],
      usage: { inputTokens: 15, outputTokens: 26 },
    });
  });

  it('is stopped together with those it asked', async () => {
    const id = await rehearse(api, ask('writer', script('::stall')));
    await eventually(async () =>
      expect((await api.messages(id)).at(-1)).toMatchObject({ steps: [{ status: 'running' }] }),
    );
    await api.post(`/api/v1/chats/${id}/stop`);
    expect(await api.settled(id)).toMatchObject({ status: 'stopped' });
    expect((await api.messages(id)).at(-1)).toMatchObject({ steps: [{ status: 'failed' }] });
  });
});

it('an agent of a backup that can’t be right is left out, and told', async () => {
  await create({ name: 'Coach' });
  const { backup } = (await api.post('/api/v1/backups')).json<{ backup: { name: string } }>();
  const path = join(api.service.dataDir, 'backups', backup.name);
  const text = gunzipSync(await readFile(path)).toString();
  await remove('coach');
  for (const [from, to] of [
    ['"stepLimit":12', '"stepLimit":"12"'],
    ['"stepLimit":12', '"stepLimit":0'],
    ['"tools":"all"', '"tools":{}'],
    ['"agentType":"coach"', '"agentType":"../coach"'],
    ['"agents":[{', '"agents":[null,{'],
  ] as const) {
    expect(text).toContain(from);
    await writeFile(path, gzipSync(text.replace(from, to)));
    const restored = await api.post(`/api/v1/backups/${backup.name}/restore`);
    expect(restored.status).toBe(200);
    expect(restored.json()).toMatchObject({
      leftOut: 1,
      problems: [{ chat: null, message: null, what: expect.stringContaining('agent is left out') as string }],
    });
    expect((await made()).filter(({ agentType }) => agentType !== 'coach')).toEqual([]);
    if (from === '"agents":[{') await remove('coach');
    else expect(await made()).toEqual([]);
  }
  await writeFile(path, gzipSync(text.replace('"agents":[{', '"no":[{')));
  expect((await api.post(`/api/v1/backups/${backup.name}/restore`)).status).toBe(200);
  expect(await made()).toEqual([]);
});

it('a backup carries agents, and a restore replaces none', async () => {
  await create({ name: 'Coach', instructions: 'Ask.', tools: ['calculate'], stepLimit: 3 });
  await create({ name: 'Trainer', model: 'rehearsal' });
  const before = await made();
  const { backup } = (await api.post('/api/v1/backups')).json<{ backup: { name: string } }>();
  const from = join(api.service.dataDir, 'backups', backup.name);

  const there = await startTestService();
  const folder = join(there.service.dataDir, 'backups');
  await mkdir(folder, { recursive: true });
  await copyFile(from, join(folder, backup.name));
  api = there;
  await create({ name: 'Trainer', description: 'Mine.' });
  expect((await api.post(`/api/v1/backups/${backup.name}/restore`)).status).toBe(200);
  const after = await made();
  expect(after.find(({ agentType }) => agentType === 'coach')).toEqual(before[0]);
  expect(after.find(({ agentType }) => agentType === 'trainer')).toMatchObject({
    description: 'Mine.',
    model: null,
  });
});
