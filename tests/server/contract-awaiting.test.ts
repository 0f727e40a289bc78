import { describe, expect, it } from 'vitest';
import type { ChatList } from '../../shared/api/chat.ts';
import type { StepApproval } from '../../shared/api/message.ts';
import { createEventClient } from '../support/event-client.ts';
import { createTempDir, startTestService, type TestService } from '../support/service.ts';

const ASK = '::approve Paint the fence?';

/** A new chat in which such a script is played. */
async function play(service: TestService, ...lines: string[]): Promise<string> {
  const { id } = await service.createChat();
  await service.request({ method: 'PATCH', path: `/api/v1/chats/${id}`, json: { model: 'rehearsal' } });
  await service.send(id, ['```rehearsal', '::speed max', ...lines, '```'].join('\n'));
  return id;
}

const stepsOf = async (service: TestService, chatId: string) =>
  (await service.messages(chatId)).findLast(({ role }) => role === 'assistant')?.steps ?? [];

/** The first thing that the chat's reply asks for, once it does. */
async function asked(service: TestService, chatId: string): Promise<StepApproval> {
  const find = async (): Promise<StepApproval | undefined> =>
    (await stepsOf(service, chatId)).find(({ status }) => status === 'awaiting_approval')?.approval;
  await expect.poll(find, { timeout: 10_000 }).toBeDefined();
  const approval = await find();
  if (approval === undefined) throw new Error('Nothing is asked any more.');
  return approval;
}

const decide = (service: TestService, chatId: string, id: string, body: object) =>
  service.post(`/api/v1/chats/${chatId}/approvals/${id}`, body);

describe('a chat in which a tool waits for an answer', () => {
  it('says so in lists and by itself, until the answer', async () => {
    const service = await startTestService();
    const other = await play(service, 'Nothing is asked.');
    const chatId = await play(service, ASK, ASK);
    const { id } = await asked(service, chatId);
    await expect.poll(async () => (await service.chat(chatId)).awaitingApproval).toBe(true);
    const list = async () => (await service.get('/api/v1/chats')).json<ChatList>().data;
    const marked = async () =>
      (await list()).flatMap((chat) => (chat.awaitingApproval === true ? chat.id : []));
    expect(await marked()).toEqual([chatId]);
    expect(await service.chat(other)).not.toHaveProperty('awaitingApproval');
    await decide(service, chatId, id, { decision: 'deny' });
    await expect.poll(async () => (await stepsOf(service, chatId))[0]?.status).toBe('failed');
    expect(await marked()).toEqual([chatId]);
    await decide(service, chatId, (await asked(service, chatId)).id, { decision: 'deny' });
    await service.settled(chatId);
    expect(await marked()).toEqual([]);
  });

  it('says so no more once it was stopped, and again after a restart', async () => {
    const dataDir = await createTempDir();
    const before = await startTestService({ dataDir });
    const [stopped, open] = [await play(before, ASK), await play(before, ASK)];
    await asked(before, stopped);
    await asked(before, open);
    await before.post(`/api/v1/chats/${stopped}/stop`);
    expect(await before.chat(stopped)).not.toHaveProperty('awaitingApproval');
    await before.service.close();
    const service = await startTestService({ dataDir });
    await asked(service, open);
    await expect.poll(async () => (await service.chat(open)).awaitingApproval).toBe(true);
  });

  it('says so never before the question can be read, in the chat, in lists and in its event stream', async () => {
    const service = await startTestService();
    const readable = async (chatId: string) =>
      (await stepsOf(service, chatId)).some(({ approval }) => approval !== undefined);
    for (const how of ['chat', 'list', 'stream']) {
      const chatId = await play(service, ASK);
      if (how === 'stream') {
        const client = createEventClient(service.service.port, service.service.apiKey, chatId);
        const stream = await client.open();
        await stream.until(() => client.state.chat?.awaitingApproval === true);
        const told = client.state.messages.flatMap(({ steps = [] }) => steps);
        expect(told.map(({ status }) => status)).toEqual(['awaiting_approval']);
        stream.cut();
      } else {
        const isSaid = async () =>
          how === 'chat'
            ? (await service.chat(chatId)).awaitingApproval
            : (await service.get('/api/v1/chats')).json<ChatList>().data.find(({ id }) => id === chatId)
                ?.awaitingApproval;
        while ((await isSaid()) !== true) await new Promise((resolve) => setTimeout(resolve, 1));
      }
      expect([how, await readable(chatId)]).toEqual([how, true]);
    }
  });

  it('is told of by its event stream', async () => {
    const service = await startTestService();
    const chatId = await play(service, ASK);
    const { id } = await asked(service, chatId);
    const client = createEventClient(service.service.port, service.service.apiKey, chatId);
    const stream = await client.open();
    await stream.until(() => client.state.chat?.awaitingApproval === true);
    await decide(service, chatId, id, { decision: 'approve' });
    await stream.until(() => client.state.chat?.awaitingApproval === undefined);
    stream.cut();
  });
});
