/** What turns may do that a key of scope `chat` starts, and what it may be given when it is made. */
import { describe, expect, it } from 'vitest';
import type { CreatedKey } from '../../shared/api/key.ts';
import { UNASKED_WORDS } from '../../shared/choices.ts';
import type { Message } from '../../shared/api/message.ts';
import { startModelServer } from '../support/model-servers/model-server.ts';
import { createRecordingSource } from '../support/recording-source.ts';
import { createRehearsal, rehearse, script, stepsOf } from '../support/rehearse.ts';
import {
  createTempDir,
  createTestClient,
  startTestService,
  type TestClient,
  type TestService,
} from '../support/service.ts';

const LOOK = '::tool look {"text":""}';
const ADD = '::tool add_line {"text":"one"}';

async function start(dataDir?: string) {
  const source = createRecordingSource();
  const service = await startTestService({
    ...(dataDir !== undefined && { dataDir }),
    hostTools: { sources: [source] },
  });
  return { ...service, source };
}

async function keyOf(service: TestService, rights: object = {}): Promise<CreatedKey> {
  const { workspaceId } = service.service;
  const answer = await service.post('/api/v1/keys', { name: 'program', workspaceId, ...rights });
  expect(answer.status).toBe(201);
  return answer.json<CreatedKey>();
}
const clientOf = async (service: TestService, rights: object = {}): Promise<TestClient> =>
  createTestClient(service.service.port, (await keyOf(service, rights)).apiKey);

const repliesOf = async (client: TestClient, chatId: string): Promise<Message[]> =>
  (await client.messages(chatId)).filter(({ role }) => role === 'assistant');
const outcomes = async (client: TestClient, chatId: string): Promise<string[]> => {
  await client.settled(chatId);
  return (await stepsOf(client, chatId)).map(({ status }) => status);
};

describe('the rights of a key', () => {
  it('are neither unless they are asked for, and both with the scope admin', async () => {
    const service = await start();
    expect((await keyOf(service)).key).toMatchObject({ scope: 'chat', reach: false, approve: false });
    const given = await keyOf(service, { reach: true, approve: true });
    expect(given.key).toMatchObject({ scope: 'chat', reach: true, approve: true });
    const admin = await keyOf(service, { scope: 'admin', reach: false });
    expect(admin.key).toMatchObject({ reach: true, approve: true });
    const refused = await service.post('/api/v1/keys', { name: 'x', reach: 'yes' });
    expect(refused.error().code).toBe('invalid_request');
  });

  it('survive a restart', async () => {
    const dataDir = await createTempDir();
    const first = await start(dataDir);
    const plain = await keyOf(first);
    const reaching = await keyOf(first, { reach: true });
    await first.service.close();
    const service = await start(dataDir);
    const withKey = (apiKey: string): TestClient => createTestClient(service.service.port, apiKey);
    expect(await outcomes(service, await rehearse(withKey(plain.apiKey), LOOK))).toEqual(['failed']);
    expect(await outcomes(service, await rehearse(withKey(reaching.apiKey), LOOK))).toEqual(['done']);
  });
});

describe('a key without “reach”', () => {
  it('starts turns that have no tool which reaches out or asks, and meets no question', async () => {
    const service = await start();
    const client = await clientOf(service);
    const chatId = await rehearse(client, LOOK, ADD, '::approve Paint the fence?', 'Done.');
    expect(await outcomes(client, chatId)).toEqual(['failed', 'failed', 'failed']);
    expect((await stepsOf(client, chatId)).map(({ approval }) => approval)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect([service.source.looks, service.source.lines]).toEqual([0, []]);
    expect((await repliesOf(client, chatId))[0]?.content).toBe('Done.');
  });

  it('keeps its tools of the turn’s own thread that ask nobody', async () => {
    const service = await start();
    const client = await clientOf(service);
    const chatId = await rehearse(client, '::tool calculate {"expression":"2+2"}');
    expect(await outcomes(client, chatId)).toEqual(['done']);
  });

  it('has a connected model do without tools that would ask', async () => {
    const server = await startModelServer('openai', { scenario: 'remember-note' });
    const service = await start();
    await service.post('/api/v1/connections', {
      provider: 'openai_compatible',
      name: 'Box',
      baseUrl: server.baseUrl,
    });
    const client = await clientOf(service);
    const { id } = await client.createChat();
    const path = `/api/v1/chats/${id}`;
    await client.request({ method: 'PATCH', path, json: { model: 'box/fake-model' } });
    await client.send(id, 'Go on.');
    await client.settled(id);
    const steps = await stepsOf(client, id);
    expect(steps.map(({ tool, status }) => [tool, status])).toEqual([['remember_note', 'failed']]);
    await server.close();
  });

  it('gains nothing by another agent, by handing a task on, or by a file that it imports', async () => {
    const service = await start();
    const client = await clientOf(service);
    await service.post('/api/v1/agents', { name: 'Reacher', agentType: 'reacher', tools: ['look'] });
    const task = JSON.stringify({ agentType: 'reacher', task: script(LOOK) });
    const handed = await rehearse(client, `::tool ask_agent ${task}`);
    await client.settled(handed);
    const id = await createRehearsal(client, { agentType: 'reacher' });
    await client.send(id, script(LOOK));
    await client.settled(id);

    const file = (await client.get(`/api/v1/chats/${id}/export?format=json`)).json<object>();
    await client.request({ method: 'DELETE', path: `/api/v1/chats/${id}` });
    const imported = await client.post('/api/v1/import', file);
    const [copy = ''] = imported.json<{ chatIds: string[] }>().chatIds;
    await client.post(`/api/v1/chats/${copy}/retry`);
    await client.settled(copy);
    // The person goes on in it: the script is still somebody else's.
    await service.send(copy, 'Go on.');
    await service.settled(copy);
    expect(await repliesOf(service, copy)).toHaveLength(2);
    expect(service.source.looks).toBe(0);
  });

  it('counts for the messages that it sends, edits or tries again, and for no others', async () => {
    const service = await start();
    const client = await clientOf(service);
    const chatId = await rehearse(service, LOOK);
    expect(await outcomes(service, chatId)).toEqual(['done']);
    await client.post(`/api/v1/chats/${chatId}/retry`);
    expect(await outcomes(client, chatId)).toEqual(['failed']);
    await service.post(`/api/v1/chats/${chatId}/retry`);
    expect(await outcomes(service, chatId)).toEqual(['done']);
    const [question] = await service.messages(chatId);
    await client.post(`/api/v1/chats/${chatId}/messages/${question?.id ?? ''}/edit`, {
      content: script(LOOK, 'Edited.'),
    });
    expect(await outcomes(client, chatId)).toEqual(['failed']);
    expect(service.source.looks).toBe(2);
  });

  it('does not have a person’s message play more of its own script than it may itself', async () => {
    const service = await start();
    const client = await clientOf(service);
    const chatId = await rehearse(client, 'Hello.', '---', LOOK);
    await client.settled(chatId);
    await service.send(chatId, 'Thank you.');
    expect(await outcomes(service, chatId)).toEqual(['failed']);
    expect(service.source.looks).toBe(0);
  });

  it('still counts when the service starts again in the middle of the turn', async () => {
    const dataDir = await createTempDir();
    const first = await start(dataDir);
    const chatId = await rehearse(await clientOf(first), '::pause 1s', LOOK);
    await first.service.close();
    const service = await start(dataDir);
    expect(await outcomes(service, chatId)).toEqual(['failed']);
    expect(service.source.looks + first.source.looks).toBe(0);
  });
});

describe('answering tools’ questions', () => {
  it('takes “approve”, and the same workspace', async () => {
    const service = await start();
    const chatId = await rehearse(service, ADD);
    const asked = async (): Promise<string | undefined> => (await stepsOf(service, chatId))[0]?.approval?.id;
    await expect.poll(asked, { timeout: 30_000 }).toBeDefined();
    const path = `/api/v1/chats/${chatId}/approvals/${(await asked()) ?? ''}`;
    const yes = { decision: 'approve' };
    const reaching = await clientOf(service, { reach: true });
    expect((await reaching.post(path, yes)).error().code).toBe('approve_required');
    const other = (await service.post('/api/v1/workspaces', { name: 'Other' })).json<{
      workspace: { id: string };
    }>();
    const elsewhere = await clientOf(service, { approve: true, workspaceId: other.workspace.id });
    expect((await elsewhere.post(path, yes)).error().code).toBe('chat_not_found');
    expect(service.source.lines).toEqual([]);
    const approver = await clientOf(service, { approve: true });
    expect((await approver.post(path, yes)).status).toBe(200);
    expect(await outcomes(service, chatId)).toEqual(['done']);
    // It may answer, and still starts nothing that reaches out itself.
    expect(await outcomes(approver, await rehearse(approver, LOOK))).toEqual(['failed']);
  });
});

describe('"onApproval": "deny"', () => {
  it('refuses at once what would ask, in words, and the turn goes on', async () => {
    const service = await start();
    const client = await clientOf(service, { reach: true });
    const id = await createRehearsal(client);
    await client.send(id, script(LOOK, ADD, 'After.'), { onApproval: 'deny' });
    expect(await outcomes(client, id)).toEqual(['done', 'failed']);
    expect((await stepsOf(client, id))[1]?.error).toBe(UNASKED_WORDS);
    expect((await repliesOf(client, id))[0]?.content).toBe('After.');
    expect(service.source.lines).toEqual([]);
    await client.post(`/api/v1/chats/${id}/retry`, { onApproval: 'deny' });
    expect(await outcomes(client, id)).toEqual(['done', 'failed']);
  });

  it('is another request to an Idempotency-Key, and nothing else can be said', async () => {
    const service = await start();
    const { id } = await service.createChat();
    const path = `/api/v1/chats/${id}/messages`;
    const headers = { 'idempotency-key': 'k' };
    const content = 'Hello.';
    expect((await service.post(path, { content, onApproval: 'ask' }, { headers })).status).toBe(200);
    expect((await service.post(path, { content }, { headers })).status).toBe(200);
    const other = await service.post(path, { content, onApproval: 'deny' }, { headers });
    expect(other.error().code).toBe('idempotency_conflict');
    expect((await service.post(path, { content, onApproval: 'maybe' })).error().message).toContain(
      '"ask" or "deny"',
    );
  });
});
