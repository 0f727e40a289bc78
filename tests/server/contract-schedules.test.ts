import { expect, describe, it } from 'vitest';
import type { BackupAnswer } from '../../shared/api/data.ts';
import type { CreatedKey } from '../../shared/api/key.ts';
import type {
  Schedule,
  ScheduleAnswer,
  ScheduleList,
  ScheduleRun,
  ScheduleWithRuns,
  TimesAnswer,
} from '../../shared/api/schedule.ts';
import { UNATTENDED_WORDS } from '../../shared/choices.ts';
import { eventually } from '../support/eventually.ts';
import { createRecordingSource } from '../support/recording-source.ts';
import { createRehearsal, script, stepsOf } from '../support/rehearse.ts';
import {
  createTempDir,
  createTestClient,
  keyElsewhere,
  outcome,
  startTestService,
  type TestAnswer,
  type TestClient,
  type TestService,
} from '../support/service.ts';

const PATH = '/api/v1/schedules';
const DAILY = { content: 'What is 6 * 7?', when: 'every day at 8' };

async function start(dataDir?: string) {
  const source = createRecordingSource({ described: 'as first' });
  const service = await startTestService({
    ...(dataDir !== undefined && { dataDir }),
    hostTools: { sources: [source] },
  });
  return { ...service, source };
}

const create = (client: Pick<TestClient, 'post'>, body: object): Promise<TestAnswer> =>
  client.post(PATH, body);
async function created(client: Pick<TestClient, 'post'>, body: object): Promise<Schedule> {
  const answer = await create(client, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json<ScheduleAnswer>().schedule;
}
const change = (client: TestClient, id: string, json: object): Promise<TestAnswer> =>
  client.request({ method: 'PATCH', path: `${PATH}/${id}`, json });
const remove = (client: TestClient, id: string): Promise<TestAnswer> =>
  client.request({ method: 'DELETE', path: `${PATH}/${id}` });
const list = async (client: TestClient): Promise<Schedule[]> =>
  (await client.get(PATH)).json<ScheduleList>().schedules;
const read = async (client: TestClient, id: string): Promise<ScheduleWithRuns> =>
  (await client.get(`${PATH}/${id}`)).json<ScheduleWithRuns>();
const run = (client: TestClient, id: string): Promise<TestAnswer> => client.post(`${PATH}/${id}/run`);
/** Its latest run, once that has one of those ends. */
const ended = (client: TestClient, id: string): Promise<ScheduleRun> =>
  eventually(async () => {
    const { lastRun } = (await read(client, id)).schedule;
    if (lastRun === null || lastRun.status === 'waiting') throw new Error('It has not ended.');
    return lastRun;
  });

async function keyOf(service: TestService, rights: object = {}): Promise<{ id: string; client: TestClient }> {
  const { workspaceId, port } = service.service;
  const answer = await service.post('/api/v1/keys', { name: 'program', workspaceId, ...rights });
  const { key, apiKey } = answer.json<CreatedKey>();
  return { id: key.id, client: createTestClient(port, apiKey) };
}
/** Makes it due, as if that time had come while Parley was off. */
const makeDue = ({ service }: TestService, id: string, msAgo: number): Promise<unknown> =>
  service.store.write((writer) =>
    writer.run('UPDATE schedules SET next_at = ? WHERE id = ?', [
      new Date(Date.now() - msAgo).toISOString(),
      id,
    ]),
  );

describe('schedules', () => {
  it('can be made, listed, changed, paused, resumed and deleted', async () => {
    const service = await start();
    const schedule = await created(service, { ...DAILY, timeZone: 'Europe/Berlin' });
    expect(schedule).toMatchObject({
      ...DAILY,
      rule: '0 8 * * *',
      timeZone: 'Europe/Berlin',
      chatId: null,
      paused: false,
      problem: null,
      lastRun: null,
      allowedTools: [],
    });
    expect(Date.parse(schedule.nextAt ?? '')).toBeGreaterThan(Date.now());
    const later = await created(service, { ...DAILY, when: '2199-01-01T08:00:00Z' });
    expect(await list(service)).toEqual([schedule, later]);
    const changed = (await change(service, schedule.id, { when: 'every hour' })).json<ScheduleAnswer>();
    expect(changed.schedule).toMatchObject({ rule: '0 */1 * * *', content: DAILY.content });
    const paused = (await change(service, schedule.id, { paused: true })).json<ScheduleAnswer>().schedule;
    expect(paused).toMatchObject({ paused: true, nextAt: null });
    const resumed = (await change(service, schedule.id, { paused: false })).json<ScheduleAnswer>().schedule;
    expect(resumed).toMatchObject({ paused: false, nextAt: changed.schedule.nextAt });
    expect((await remove(service, schedule.id)).status).toBe(200);
    expect(await list(service)).toEqual([later]);
    for (const answer of [
      await remove(service, schedule.id),
      await change(service, schedule.id, { paused: true }),
      await run(service, schedule.id),
      await service.get(`${PATH}/${schedule.id}`),
    ])
      expect(outcome(answer)).toEqual([404, 'schedule_not_found']);
  });

  it.each([
    [{ content: ' ', when: 'every hour' }, '/content'],
    [{ ...DAILY, when: 'now and then' }, '/when'],
    [{ ...DAILY, when: '2020-01-01T08:00:00Z' }, '/when'],
    [{ ...DAILY, timeZone: 'Mars/Base' }, '/timeZone'],
    [{ ...DAILY, chatId: 'nothing' }, '/chatId'],
    [{ ...DAILY, projectId: 'nothing' }, '/projectId'],
    [{ ...DAILY, model: 'nothing' }, '/model'],
    [{ ...DAILY, agentType: 'nothing' }, '/agentType'],
    [{ ...DAILY, allowedTools: ['look'] }, '/allowedTools'],
  ])('refuses %j', async (body, path) => {
    const service = await start();
    const answer = await create(service, body);
    expect(outcome(answer)).toEqual([400, 'invalid_request']);
    expect(answer.error().details?.map((detail) => detail.path)).toEqual([path]);
    expect(await list(service)).toEqual([]);
  });

  it('show how a time is read', async () => {
    const service = await start();
    const query = new URLSearchParams({ when: 'every Monday at 9', timeZone: 'UTC' });
    const answer = (await service.get(`${PATH}/times?${query.toString()}`)).json<TimesAnswer>();
    expect(answer).toMatchObject({ rule: '0 9 * * mon', timeZone: 'UTC', problem: null });
    expect(answer.times).toHaveLength(3);
    for (const time of answer.times) expect(time).toMatch(/T09:00:00\.000Z$/);
    const unread = (await service.get(`${PATH}/times?when=never`)).json<TimesAnswer>();
    expect(unread).toMatchObject({ rule: null, times: [] });
    expect(unread.problem).toMatch(/can’t be read/);
  });

  it('send to a new chat each time, in a project, with a model and an agent', async () => {
    const service = await start();
    const { project } = (await service.post('/api/v1/projects', { name: 'Feeds' })).json<{
      project: { id: string };
    }>();
    const target = { projectId: project.id, agentType: 'analyst', model: 'rehearsal' };
    const { id } = await created(service, { ...DAILY, ...target, content: script('Good morning.') });
    await run(service, id);
    const first = await ended(service, id);
    expect(first).toMatchObject({ status: 'replied', dueAt: null, error: null });
    expect(await service.chat(first.chatId ?? '')).toMatchObject(target);
    await run(service, id);
    const second = await ended(service, id);
    expect(second.chatId).not.toBe(first.chatId);
    expect((await read(service, id)).runs).toEqual([second, first]);
  });

  it('send what was missed at the next start, once, and report when it was due', async () => {
    const dataDir = await createTempDir();
    const first = await start(dataDir);
    const { id: chatId } = await first.createChat();
    const { id } = await created(first, { ...DAILY, chatId });
    await makeDue(first, id, 2 * 60 * 60_000);
    await first.service.close();
    const second = await start(dataDir);
    const missed = await ended(second, id);
    expect(missed).toMatchObject({ status: 'replied', chatId });
    expect(Date.parse(missed.ranAt) - Date.parse(missed.dueAt ?? '')).toBeGreaterThan(60_000);
    await second.service.close();
    const third = await start(dataDir);
    expect((await third.messages(chatId)).map(({ role }) => role)).toEqual(['user', 'assistant']);
  });

  it('report a reply that failed', async () => {
    const service = await start();
    const body = { ...DAILY, model: 'rehearsal', content: script('::fail The feeds are away.') };
    const { id } = await created(service, body);
    await run(service, id);
    const { status, error } = await ended(service, id);
    expect([status, typeof error]).toEqual(['failed', 'string']);
  });
});

describe('what a schedule needs', () => {
  it('and is gone, is reported, and the time passes without a message', async () => {
    const dataDir = await createTempDir();
    const service = await start(dataDir);
    const { id: chatId } = await service.createChat();
    const { project } = (await service.post('/api/v1/projects', { name: 'Feeds' })).json<{
      project: { id: string };
    }>();
    await service.post('/api/v1/agents', { name: 'Reader', agentType: 'reader' });
    const schedules = [
      await created(service, { ...DAILY, chatId }),
      await created(service, { ...DAILY, projectId: project.id }),
      await created(service, { ...DAILY, agentType: 'reader' }),
    ];
    for (const path of [`chats/${chatId}`, `projects/${project.id}`, 'agents/reader'])
      await service.request({ method: 'DELETE', path: `/api/v1/${path}` });
    const words = [/chat was deleted/, /project was deleted/, /“reader” was deleted/];
    for (const [index, { id }] of schedules.entries()) {
      expect((await read(service, id)).schedule.problem).toMatch(words[index] ?? '');
      expect(outcome(await run(service, id))).toEqual([409, 'conflict']);
      await makeDue(service, id, 60_000);
    }
    await service.service.close();
    const again = await start(dataDir);
    for (const [index, { id, nextAt }] of schedules.entries()) {
      const last = await ended(again, id);
      expect(last).toMatchObject({ status: 'not_sent', messageId: null });
      expect(last.error).toMatch(words[index] ?? '');
      expect((await read(again, id)).schedule.nextAt).toBe(nextAt);
    }
    expect((await again.get('/api/v1/chats')).json<{ total: number }>().total).toBe(0);
    // A chat that comes back is sent to again.
    await again.post(`/api/v1/chats/${chatId}/restore`);
    expect((await read(again, schedules[0]?.id ?? '')).schedule.problem).toBe(null);
    expect(again.log).toEqual([]);
  });
});

describe('rights', () => {
  const ADD = script('::tool add_line {"text":"one"}', 'After.');
  const body = { ...DAILY, model: 'rehearsal', content: ADD };

  it('nobody is asked: a tool that asks is denied, unless it was allowed as it is described', async () => {
    const service = await start();
    const plain = await created(service, body);
    await run(service, plain.id);
    const { chatId } = await ended(service, plain.id);
    expect((await stepsOf(service, chatId ?? ''))[0]).toMatchObject({
      status: 'failed',
      error: UNATTENDED_WORDS,
    });
    expect(service.source.lines).toEqual([]);

    const { id } = await created(service, { ...body, allowedTools: ['add_line'] });
    await run(service, id);
    expect((await ended(service, id)).status).toBe('replied');
    expect(service.source.lines).toEqual(['one']);
    // The server describes its tool in another way since then.
    await service.service.store.write((writer) =>
      writer.run(`UPDATE schedules SET allowed = replace(allowed, 'as first', 'as before')`),
    );
    await run(service, id);
    await ended(service, id);
    expect(service.source.lines).toEqual(['one']);
    await change(service, id, { allowedTools: ['add_line'] });
    await run(service, id);
    await ended(service, id);
    expect(service.source.lines).toEqual(['one', 'one']);
    const tools = (await service.get(`${PATH}/tools`)).json<{ tools: { name: string }[] }>().tools;
    expect(tools.map(({ name }) => name)).toContain('add_line');
    expect(tools.map(({ name }) => name)).not.toContain('look');
  });

  it('what is allowed for a schedule is allowed nowhere else', async () => {
    const service = await start();
    const { id } = await created(service, { ...body, allowedTools: ['add_line'] });
    await run(service, id);
    await ended(service, id);
    const chatId = await createRehearsal(service);
    await service.send(chatId, ADD);
    await eventually(async () => {
      expect((await service.chat(chatId)).awaitingApproval).toBe(true);
    });
    expect(service.source.lines).toEqual(['one']);
  });

  it('are those of the key that made it or changed it last', async () => {
    const service = await start();
    const { client: plain } = await keyOf(service);
    const { client: reaching } = await keyOf(service, { reach: true });
    expect(outcome(await create(plain, { ...body, allowedTools: ['add_line'] }))).toEqual([
      403,
      'reach_required',
    ]);
    expect(outcome(await create(reaching, { ...body, allowedTools: ['add_line'] }))).toEqual([
      403,
      'approve_required',
    ]);
    const { id } = await created(service, { ...body, allowedTools: ['add_line'] });
    expect(outcome(await run(plain, id))).toEqual([403, 'approve_required']);
    // Words of another key don't get the rights of the one before.
    const taken = (await change(plain, id, { content: ADD + ' ' })).json<ScheduleAnswer>().schedule;
    expect(taken.allowedTools).toEqual([]);
    await run(service, id);
    await ended(service, id);
    expect(service.source.lines).toEqual([]);
    const elsewhere = createTestClient(service.service.port, await keyElsewhere(service));
    expect(outcome(await run(elsewhere, id))).toEqual([404, 'schedule_not_found']);
    expect(await list(elsewhere)).toEqual([]);
  });

  it('end with the key, until somebody else saves it', async () => {
    const service = await start();
    const { id: keyId, client } = await keyOf(service);
    const { id } = await created(client, DAILY);
    await service.request({ method: 'DELETE', path: `/api/v1/keys/${keyId}` });
    expect((await read(service, id)).schedule.problem).toMatch(/API key/);
    expect(outcome(await run(service, id))).toEqual([409, 'conflict']);
    await change(service, id, { content: 'Hello' });
    expect((await read(service, id)).schedule.problem).toBe(null);
    expect((await run(service, id)).status).toBe(200);
  });
});

describe('backups and exports', () => {
  it('keep schedules, which come back paused and without rights', async () => {
    const from = await start();
    const kept = await created(from, { ...DAILY, allowedTools: ['add_line'], timeZone: 'Europe/Berlin' });
    const exported = (await from.get('/api/v1/export?format=json')).text;
    const into = await start();
    const headers = { 'content-type': 'application/json' };
    const imported = await into.request({ method: 'POST', path: '/api/v1/import', body: exported, headers });
    expect(imported.status, imported.text).toBe(200);
    const [schedule] = await list(into);
    expect(schedule).toMatchObject({ ...kept, allowedTools: [], paused: true, nextAt: null });
    const resumed = (await change(into, kept.id, { paused: false })).json<ScheduleAnswer>().schedule;
    expect(resumed.nextAt).toBe(kept.nextAt);

    const { backup } = (await from.post('/api/v1/backups')).json<BackupAnswer>();
    await remove(from, kept.id);
    const restored = await from.post(`/api/v1/backups/${encodeURIComponent(backup.name)}/restore`);
    expect(restored.status, restored.text).toBe(200);
    expect(await list(from)).toMatchObject([
      { id: kept.id, paused: true, when: kept.when, allowedTools: [] },
    ]);
  });
});
