import { describe, expect, it, onTestFinished } from 'vitest';
import type { ToolPermissionList } from '../../shared/api/approval.ts';
import type { ToolSource } from '../../server/tools/tool.ts';
import { startModelServer } from '../support/model-servers/model-server.ts';
import { createRecordingSource, type RecordingSource } from '../support/recording-source.ts';
import { asked, createRehearsal, rehearse, replyOf, script, stepsOf } from '../support/rehearse.ts';
import { createTempDir, createTestClient, startTestService, type TestService } from '../support/service.ts';

const ADD = '::tool add_line {"text":"one"}';

async function start(options: { approvalMs?: number; dataDir?: string; source?: RecordingSource } = {}) {
  const { source = createRecordingSource(), approvalMs, dataDir } = options;
  const service = await startTestService({
    ...(dataDir !== undefined && { dataDir }),
    hostTools: { sources: [source], ...(approvalMs !== undefined && { approvalMs }) },
  });
  return { ...service, source };
}

const decide = (service: TestService, chatId: string, id: string, body: object, options = {}) =>
  service.post(`/api/v1/chats/${chatId}/approvals/${id}`, body, options);

describe('POST /api/v1/chats/:chatId/approvals/:approvalId', () => {
  it('nothing is done before a yes, and then it is done once', async () => {
    const service = await start();
    const chatId = await rehearse(service, 'Before.', ADD, 'After.');
    const approval = await asked(service, chatId);
    expect(approval).toMatchObject({ canRemember: true });
    expect(Date.parse(approval.expiresAt)).toBeGreaterThan(Date.now() + 50 * 60_000);
    expect((await service.chat(chatId)).status).toBe('processing');
    expect(service.source.lines).toEqual([]);
    const answer = await decide(service, chatId, approval.id, { decision: 'approve' });
    expect([answer.status, answer.json<{ chat: { id: string } }>().chat.id]).toEqual([200, chatId]);
    expect((await service.settled(chatId)).status).toBe('idle');
    expect(service.source.lines).toEqual(['one']);
    const reply = await replyOf(service, chatId);
    expect(reply?.content).toBe('Before.\n\nAfter.');
    expect(reply?.steps).toEqual([
      {
        id: 'rehearsal-1',
        tool: 'add_line',
        status: 'done',
        input: { text: 'one' },
        output: { count: 1 },
        textBefore: 7,
      },
    ]);
  });

  it('a no is told to the model in words, and nothing is done', async () => {
    const service = await start();
    const chatId = await rehearse(service, ADD, 'Then not.');
    const { id } = await asked(service, chatId);
    expect((await decide(service, chatId, id, { decision: 'deny' })).status).toBe(200);
    await service.settled(chatId);
    expect(service.source.lines).toEqual([]);
    expect(await stepsOf(service, chatId)).toMatchObject([
      { status: 'failed', error: 'The answer was no, so this was not done.' },
    ]);
    expect((await replyOf(service, chatId))?.content).toBe('Then not.');
  });

  it('nobody’s answer in time is a no', async () => {
    const service = await start({ approvalMs: 80 });
    const chatId = await rehearse(service, ADD, 'Too late.');
    expect((await service.settled(chatId)).status).toBe('idle');
    expect(service.source.lines).toEqual([]);
    expect(await stepsOf(service, chatId)).toMatchObject([
      { status: 'failed', error: 'Nobody answered in time, so this was not done.' },
    ]);
  });

  it('stopping works while a question is open, and the next message is answered', async () => {
    const service = await start();
    const chatId = await rehearse(service, ADD, 'After.', '---', 'The next one.');
    const { id } = await asked(service, chatId);
    expect((await service.post(`/api/v1/chats/${chatId}/stop`)).status).toBe(200);
    expect((await service.chat(chatId)).status).toBe('stopped');
    expect(await stepsOf(service, chatId)).toMatchObject([{ status: 'failed', error: 'This was stopped.' }]);
    expect((await stepsOf(service, chatId))[0]).not.toHaveProperty('approval');
    expect((await decide(service, chatId, id, { decision: 'approve' })).error().code).toBe(
      'approval_not_found',
    );
    await service.send(chatId, 'go on');
    await service.settled(chatId);
    expect((await replyOf(service, chatId))?.content).toBe('The next one.');
    expect(service.source.lines).toEqual([]);
  });

  it('stopping ends a tool that is at work and pays no heed', async () => {
    const service = await start();
    const chatId = await rehearse(service, '::tool hang {"text":""}');
    const { id } = await asked(service, chatId);
    await decide(service, chatId, id, { decision: 'approve' });
    await expect.poll(async () => (await stepsOf(service, chatId))[0]?.status).toBe('running');
    await service.post(`/api/v1/chats/${chatId}/stop`);
    expect((await service.chat(chatId)).status).toBe('stopped');
    await expect.poll(() => service.source.stopped).toBe(1);
  });

  it('a yes for always is remembered for that tool, answers what waits of it, and can be taken back', async () => {
    const service = await start();
    const chatId = await rehearse(
      service,
      ADD,
      '::tool add_line {"text":"two"}',
      '::tool refuse {"text":""}',
    );
    const { id } = await asked(service, chatId, 'refuse');
    const first = await asked(service, chatId, 'add_line');
    await decide(service, chatId, first.id, { decision: 'approve', remember: true });
    await expect.poll(() => service.source.lines.toSorted()).toEqual(['one', 'two']);
    await decide(service, chatId, id, { decision: 'approve' });
    await service.settled(chatId);
    expect((await stepsOf(service, chatId)).map(({ error }) => error)).toEqual([
      undefined,
      undefined,
      'There is no room for that.',
    ]);
    const again = await rehearse(service, ADD);
    await service.settled(again);
    expect(service.source.lines).toHaveLength(3);
    const { permissions } = (await service.get('/api/v1/tool-permissions')).json<ToolPermissionList>();
    expect(permissions.map(({ tool }) => tool)).toEqual(['add_line']);
    const path = '/api/v1/tool-permissions/add_line';
    expect((await service.request({ method: 'DELETE', path })).status).toBe(200);
    expect((await service.request({ method: 'DELETE', path })).error().code).toBe('permission_not_found');
    await asked(service, await rehearse(service, ADD));
  });

  it('what can’t be answered is refused in words', async () => {
    const service = await start();
    const chatId = await rehearse(service, '::approve Paint the fence?');
    const approval = await asked(service, chatId);
    expect(approval).toMatchObject({ summary: 'Paint the fence?', canRemember: false });
    const refusal = async (body: object, id = approval.id, chat = chatId, options = {}) => {
      const { code } = (await decide(service, chat, id, body, options)).error();
      return code;
    };
    expect(await refusal({ decision: 'perhaps' })).toBe('invalid_request');
    expect(await refusal({})).toBe('invalid_request');
    expect(await refusal({ decision: 'approve' }, 'another')).toBe('approval_not_found');
    expect(await refusal({ decision: 'approve' }, approval.id, 'another')).toBe('chat_not_found');
    expect(await refusal({ decision: 'approve', remember: true })).toBe('conflict');
    const { text: key } = await service.service.keys.create({
      kind: 'person',
      name: 'script',
      scope: 'chat',
      workspaceId: service.service.workspaceId,
      expiresAt: null,
    });
    expect(await refusal({ decision: 'approve' }, approval.id, chatId, { key })).toBe('approve_required');
    expect(await refusal({ decision: 'approve' }, 'another', 'another', { key })).toBe('approve_required');
    const { text: approver } = await service.service.keys.create({
      kind: 'person',
      name: 'script',
      scope: 'chat',
      approve: true,
      workspaceId: service.service.workspaceId,
      expiresAt: null,
    });
    const asApprover = { key: approver };
    expect(await refusal({ decision: 'approve', remember: true }, approval.id, chatId, asApprover)).toBe(
      'forbidden',
    );
    expect((await decide(service, chatId, approval.id, { decision: 'approve' }, asApprover)).status).toBe(
      200,
    );
    await service.settled(chatId);
    expect(await stepsOf(service, chatId)).toMatchObject([{ status: 'done', output: { approved: true } }]);
  });
});

describe('“always”', () => {
  const permissionsOf = async (service: TestService) =>
    (await service.get('/api/v1/tool-permissions')).json<ToolPermissionList>().permissions;

  /** A tool that works at the place that its input names, and is described as it is said to be. */
  async function startPlaced() {
    const made: string[] = [];
    const state = { described: 'one' };
    const source: ToolSource = {
      isForOffline: true,
      list: () =>
        Promise.resolve([
          {
            name: 'paint',
            description: 'Paints.',
            input: { type: 'object' },
            runs: 'service',
            asks: 'always',
            changes: true,
            described: state.described,
            describe: ({ text }) =>
              Promise.resolve({
                summary: 'Paints it.',
                place: text === 'nowhere' ? 'unknown' : { id: `folder:${String(text)}`, name: String(text) },
              }),
            run: ({ text }, { place }) => {
              made.push(`${String(text)} at ${place ?? 'the place that was asked about'}`);
              return Promise.resolve({});
            },
          },
        ]),
    };
    const service = await startTestService({ hostTools: { sources: [source] } });
    return { ...service, made, state };
  }
  const paint = (text: string): string => `::tool paint {"text":"${text}"}`;
  async function sayAlways(service: TestService, chatId: string): Promise<void> {
    const { id } = await asked(service, chatId);
    const answer = await decide(service, chatId, id, { decision: 'approve', remember: true });
    expect(answer.status).toBe(200);
    await service.settled(chatId);
  }

  it('holds for the place that was asked about, and for no other', async () => {
    const service = await startPlaced();
    await sayAlways(service, await rehearse(service, paint('Notes')));
    await service.settled(await rehearse(service, paint('Notes')));
    expect(service.made).toEqual(['Notes at the place that was asked about', 'Notes at folder:Notes']);
    await asked(service, await rehearse(service, paint('Work')));
    const nowhere = await asked(service, await rehearse(service, paint('nowhere')));
    expect(nowhere.canRemember).toBe(false);
    const [permission] = await permissionsOf(service);
    expect(permission).toMatchObject({
      tool: 'paint',
      place: { kind: 'folder', name: 'Notes' },
      workspaceId: service.service.workspaceId,
    });
    const path = `/api/v1/tool-permissions/${permission?.id ?? ''}`;
    expect((await service.request({ method: 'DELETE', path })).status).toBe(200);
    await asked(service, await rehearse(service, paint('Notes')));
  });

  it('answers with it what waits of the same place, and nothing else', async () => {
    const service = await startPlaced();
    const chatId = await rehearse(service, paint('Notes'), paint('Notes'), paint('Work'));
    await expect
      .poll(async () => (await stepsOf(service, chatId)).filter((s) => s.approval).length, {
        timeout: 30_000,
      })
      .toBe(3);
    const { id } = await asked(service, chatId);
    await decide(service, chatId, id, { decision: 'approve', remember: true });
    await expect.poll(() => service.made.length, { timeout: 30_000 }).toBe(2);
    await expect
      .poll(async () => (await stepsOf(service, chatId)).filter((s) => s.approval).length, {
        timeout: 30_000,
      })
      .toBe(1);
  });

  it('holds in one workspace', async () => {
    const service = await startPlaced();
    await sayAlways(service, await rehearse(service, paint('Notes')));
    const made = await service.post('/api/v1/workspaces', { name: 'Other' });
    const { id: workspaceId } = made.json<{ workspace: { id: string } }>().workspace;
    const key = (await service.post('/api/v1/keys', { name: 'k', scope: 'admin', workspaceId })).json<{
      apiKey: string;
    }>().apiKey;
    const elsewhere = createTestClient(service.service.port, key);
    await asked({ ...service, ...elsewhere }, await rehearse({ ...service, ...elsewhere }, paint('Notes')));
  });

  it('ends when the tool is described differently, which is said', async () => {
    const service = await startPlaced();
    await sayAlways(service, await rehearse(service, paint('Notes')));
    service.state.described = 'two';
    const again = await rehearse(service, paint('Notes'));
    expect((await asked(service, again)).summary).toBe(
      'This was always allowed, but its server describes the tool differently now, so it is asked about again. Paints it.',
    );
    await sayAlways(service, again);
    expect(await permissionsOf(service)).toHaveLength(1);
    await service.settled(await rehearse(service, paint('Notes')));
    expect(service.made).toHaveLength(3);
  });

  it('that was said before it had bounds is asked again', async () => {
    const service = await startPlaced();
    await service.service.store.write((writer) =>
      writer.run('INSERT INTO tool_permissions (tool, created_at) VALUES (?, ?)', [
        'paint',
        '2026-01-01T00:00:00.000Z',
      ]),
    );
    await asked(service, await rehearse(service, paint('Notes')));
    expect(await permissionsOf(service)).toEqual([]);
  });
});

describe('a turn that waits for a person', () => {
  it('keeps nobody from being answered, however many there are', async () => {
    const service = await start();
    const waiting = await Promise.all(Array.from({ length: 40 }, () => rehearse(service, ADD)));
    for (const chatId of waiting) await asked(service, chatId);
    const other = await rehearse(service, 'Here I am.');
    expect((await service.settled(other)).status).toBe('idle');
  });

  it('asks the same after a restart, and goes on from the answer', async () => {
    const dataDir = await createTempDir();
    const before = await start({ dataDir });
    const chatId = await rehearse(before, ADD, 'After.');
    const { id } = await asked(before, chatId);
    await before.service.close();
    const service = await start({ dataDir });
    expect((await asked(service, chatId)).id).toBe(id);
    await decide(service, chatId, id, { decision: 'approve' });
    expect((await service.settled(chatId)).status).toBe('idle');
    expect(service.source.lines).toEqual(['one']);
  });
});

describe('a tool that reaches out', () => {
  it('runs at once when it asks nobody; faults and floods are kept in bounds', async () => {
    const service = await start();
    const chatId = await rehearse(
      service,
      '::tool look {"text":""}',
      '::tool break {"text":""}',
      '::tool flood {"text":""}',
    );
    await service.settled(chatId);
    const steps = await stepsOf(service, chatId);
    expect(steps.map(({ status }) => status)).toEqual(['done', 'failed', 'done']);
    expect(steps[1]?.error).toBe('The tool “break” failed because of a bug in it.');
    expect(JSON.stringify(steps[2]?.output).length).toBeLessThan(300_000);
    expect(service.log.join('\n')).toContain('secret detail');
  });

  it('is not run with input that does not fit, nor in the mode “chat”', async () => {
    const service = await start();
    const chatId = await rehearse(service, '::tool look {"text":7}');
    await service.settled(chatId);
    expect((await stepsOf(service, chatId))[0]?.error).toBe(
      'The input for “look” does not fit: text must be string.',
    );
    const id = await createRehearsal(service);
    await service.send(id, script('::tool look {"text":""}', 'No tools.'), { mode: 'chat' });
    await service.settled(id);
    expect((await replyOf(service, id))?.steps).toBeUndefined();
    expect(service.source.looks).toBe(0);
  });

  it('that gives no answer in its time is given up', async () => {
    const service = await start({ source: createRecordingSource({ timeoutMs: 100, asks: 'never' }) });
    const chatId = await rehearse(service, '::tool hang {"text":""}', 'On.');
    expect((await service.settled(chatId)).status).toBe('idle');
    expect((await stepsOf(service, chatId))[0]?.error).toBe(
      'The tool “hang” gave no answer within 1 second, so it was given up. Whether it took effect is not known.',
    );
    expect(service.source.stopped).toBe(1);
  });
});

describe('tools that change the workspace', () => {
  it('ask when a connected model uses them, and not when the person’s own words do', async () => {
    const server = await startModelServer('openai', { scenario: 'remember-note' });
    onTestFinished(() => server.close());
    const service = await start();
    await service.post('/api/v1/connections', {
      provider: 'openai_compatible',
      name: 'Box',
      baseUrl: server.baseUrl,
    });
    const { id: chatId } = await service.createChat();
    const path = `/api/v1/chats/${chatId}`;
    await service.request({ method: 'PATCH', path, json: { model: 'box/fake-model' } });
    await service.send(chatId, 'Go on.');
    const { id } = await asked(service, chatId, 'remember_note');
    await decide(service, chatId, id, { decision: 'approve' });
    expect((await service.settled(chatId)).status).toBe('idle');
    expect((await replyOf(service, chatId))?.content).toContain('Milk');
    expect(await stepsOf(service, chatId)).toMatchObject([{ tool: 'remember_note', status: 'done' }]);
    const offline = await service.createChat();
    await service.send(offline.id, 'Remember that the bread is in the box.');
    await service.settled(offline.id);
    expect(await stepsOf(service, offline.id)).toMatchObject([{ tool: 'remember_note', status: 'done' }]);
  });
});
