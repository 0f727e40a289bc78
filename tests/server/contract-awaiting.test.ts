import { describe, expect, it } from 'vitest';
import type { ChatList } from '../../shared/api/chat.ts';
import { createEventClient } from '../support/event-client.ts';
import { asked, rehearse, stepsOf } from '../support/rehearse.ts';
import { createTempDir, startTestService, type TestService } from '../support/service.ts';

const ASK = '::approve Paint the fence?';

const decide = (service: TestService, chatId: string, id: string, body: object) =>
  service.post(`/api/v1/chats/${chatId}/approvals/${id}`, body);

describe('a chat in which a tool waits for an answer', () => {
  it('says so in lists and by itself, until the answer', async () => {
    const service = await startTestService();
    const other = await rehearse(service, 'Nothing is asked.');
    const chatId = await rehearse(service, ASK, ASK);
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
    const [stopped, open] = [await rehearse(before, ASK), await rehearse(before, ASK)];
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
      const chatId = await rehearse(service, ASK);
      if (how === 'stream') {
        const client = createEventClient(service.service.port, service.service.apiKey, chatId);
        const stream = await client.open();
        await stream.until(() => client.state.chat?.awaitingApproval === true);
        const reported = client.state.messages.flatMap(({ steps = [] }) => steps);
        expect(reported.map(({ status }) => status)).toEqual(['awaiting_approval']);
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
    const chatId = await rehearse(service, ASK);
    const { id } = await asked(service, chatId);
    const client = createEventClient(service.service.port, service.service.apiKey, chatId);
    const stream = await client.open();
    await stream.until(() => client.state.chat?.awaitingApproval === true);
    await decide(service, chatId, id, { decision: 'approve' });
    await stream.until(() => client.state.chat?.awaitingApproval === undefined);
    stream.cut();
  });
});
