import { describe, expect, it } from 'vitest';
import type { ChatCounts, ReplyEnd } from '../../../server/events/activity.ts';
import type { PendingApproval } from '../../../server/events/activity.ts';
import { createDirectedRuntime } from '../../support/directed-runtime.ts';
import { eventually } from '../../support/eventually.ts';
import { createScriptedRuntime } from '../../support/scripted-runtime.ts';
import { rehearse } from '../../support/rehearse.ts';
import { createTempDir, startTestService, type TestService } from '../../support/service.ts';

const listen = ({ service }: TestService): { reported: ReplyEnd[]; stop: () => void } => {
  const reported: ReplyEnd[] = [];
  return { reported, stop: service.activity.onReply((reply) => reported.push(reply)) };
};
const NONE: ChatCounts = { unread: 0, working: 0, awaiting: 0, wanting: 0 };
const change = (api: TestService, chatId: string, json: object): Promise<unknown> =>
  api.request({ method: 'PATCH', path: `/api/v1/chats/${chatId}`, json });

describe('replies', () => {
  it('are told once each, with the chat and the first words in plain text', async () => {
    const api = await startTestService({ runtime: createDirectedRuntime() });
    const { reported } = listen(api);
    const chat = await api.createChat();
    await api.send(
      chat.id,
      'say ## Plan\n\n- **one** [link](https://x.example)\n- `two`\n\n| a | b |\n|--|--|\n\nthree \\*',
    );
    await api.settled(chat.id);
    const { title } = await api.chat(chat.id);
    const { workspaceId } = api.service;
    await eventually(() => expect(reported).toHaveLength(1));
    expect(reported).toEqual([
      { chatId: chat.id, workspaceId, title, outcome: 'completed', text: 'Plan one link two a b three *' },
    ]);
    await api.send(chat.id, 'say again');
    await eventually(() => expect(reported.map(({ text }) => text).slice(1)).toEqual(['again']));
  });

  it('are on disk when they are told', async () => {
    const api = await startTestService({ runtime: createDirectedRuntime() });
    const chat = await api.createChat();
    const read = Promise.withResolvers<string | undefined>();
    api.service.activity.onReply(() => {
      void api.messages(chat.id).then((messages) => read.resolve(messages.at(-1)?.status), read.reject);
    });
    await api.send(chat.id, 'say it');
    expect(await read.promise).toBe('complete');
  });

  it('are cut to 160 characters between words', async () => {
    const api = await startTestService({ runtime: createDirectedRuntime() });
    const { reported } = listen(api);
    const chat = await api.createChat();
    await api.send(chat.id, 'stream 400 words at 100000/s');
    await eventually(() => expect(reported).toHaveLength(1));
    expect(reported[0]?.text).toMatch(/^word1 word2 .* word\d+…$/);
    expect(reported[0]?.text.length).toBeLessThanOrEqual(160);
  });

  it('that fail are told with the reason', async () => {
    const api = await startTestService({ runtime: createDirectedRuntime() });
    const { reported } = listen(api);
    const chat = await api.createChat();
    await api.send(chat.id, 'say half of it, then fail');
    await eventually(() => expect(reported).toHaveLength(1));
    expect(reported[0]).toMatchObject({ outcome: 'failed', text: 'The model is not there.' });
  });

  it('that were stopped, or whose chat was deleted, are not told', async () => {
    const api = await startTestService({ runtime: createDirectedRuntime() });
    const { reported } = listen(api);
    const [stopped, deleted, last] = [await api.createChat(), await api.createChat(), await api.createChat()];
    for (const { id } of [stopped, deleted]) await api.send(id, 'say a, then hang');
    await api.post(`/api/v1/chats/${stopped.id}/stop`);
    await api.request({ method: 'DELETE', path: `/api/v1/chats/${deleted.id}` });
    await api.send(last.id, 'say b');
    await eventually(() => expect(reported.map(({ chatId }) => chatId)).toEqual([last.id]));
    await api.settled(stopped.id);
    expect(reported).toHaveLength(1);
  });

  it('given back at shutdown are told when the next process has made them, and old ones never', async () => {
    const dataDir = await createTempDir();
    const runtime = createScriptedRuntime();
    const first = await startTestService({ dataDir, runtime });
    const before = listen(first);
    const [done, open] = [await first.createChat(), await first.createChat()];
    await first.send(done.id, 'a');
    (await runtime.turnOf(done.id)).reply('old');
    await eventually(() => expect(before.reported).toHaveLength(1));
    await first.send(open.id, 'b');
    await runtime.turnOf(open.id);
    await first.service.close();
    expect(before.reported).toHaveLength(1);
    const next = createScriptedRuntime();
    const second = await startTestService({ dataDir, runtime: next });
    const { reported } = listen(second);
    (await next.turnOf(open.id)).reply('new');
    await eventually(() => expect(reported.map(({ text }) => text)).toEqual(['new']));
  });

  it('go on being made when a listener throws, and are not told to one that has gone', async () => {
    const api = await startTestService({ runtime: createDirectedRuntime() });
    const gone = listen(api);
    gone.stop();
    api.service.activity.onReply(() => {
      throw new Error('a listener');
    });
    const { reported } = listen(api);
    const chat = await api.createChat();
    await api.send(chat.id, 'say a');
    await eventually(() => expect(reported).toHaveLength(1));
    expect((await api.settled(chat.id)).status).toBe('idle');
    expect(gone.reported).toEqual([]);
    expect(api.log.join()).toContain('a listener failed');
  });
});

describe('unread chats', () => {
  it('are counted over all workspaces, without archived and deleted ones', async () => {
    const api = await startTestService({ runtime: createDirectedRuntime() });
    const session = api.service.openSession().apiKey;
    const { workspace } = (await api.post('/api/v1/workspaces', { name: 'Other' }, { key: session })).json<{
      workspace: { id: string };
    }>();
    const other = (await api.post('/api/v1/chats', { workspaceId: workspace.id }, { key: session })).json<{
      id: string;
    }>();
    const [one, archived, deleted] = [await api.createChat(), await api.createChat(), await api.createChat()];
    for (const { id } of [one, archived, deleted]) await api.send(id, 'say a');
    await api.post(
      `/api/v1/chats/${other.id}/messages`,
      { content: 'say a', workspaceId: workspace.id },
      { key: session },
    );
    await eventually(() => expect(api.service.activity.counts().unread).toBe(4));
    await change(api, archived.id, { archived: true });
    expect(api.service.activity.counts().unread).toBe(3);
    await eventually(async () => {
      const answer = await api.request({ method: 'DELETE', path: `/api/v1/chats/${deleted.id}` });
      expect(answer.status).toBeLessThan(300);
    });
    expect(api.service.activity.counts().unread).toBe(2);
    await change(api, one.id, { unread: false });
    expect(api.service.activity.counts().unread).toBe(1);
  });

  it('are found by an index, however many chats there are', async () => {
    const { service } = await startTestService();
    const plan = service.store.read((reader) =>
      reader.all<{ detail: string }>(
        'EXPLAIN QUERY PLAN SELECT count(*) AS total FROM chats WHERE unread = 1 AND archived = 0 AND deleted_at IS NULL',
      ),
    );
    expect(plan.map(({ detail }) => detail).join()).toContain('chats_unread');
  });

  it('are told when their number has changed, and only then', async () => {
    const api = await startTestService({ runtime: createDirectedRuntime() });
    const reported: ChatCounts[] = [];
    const stop = api.service.activity.onCountsChange((counts) => reported.push(counts));
    const chat = await api.createChat();
    await api.send(chat.id, 'say a');
    await eventually(() => expect(reported.at(-1)).toEqual({ ...NONE, unread: 1, wanting: 1 }));
    await api.send(chat.id, 'say b');
    await api.settled(chat.id);
    await change(api, chat.id, { unread: false });
    await eventually(() => expect(reported.at(-1)).toEqual(NONE));
    for (const [index, counts] of reported.entries()) expect(counts).not.toEqual(reported[index - 1]);
    stop();
    const before = reported.length;
    await change(api, chat.id, { unread: true });
    const later: ChatCounts[] = [];
    api.service.activity.onCountsChange((counts) => later.push(counts));
    await change(api, chat.id, { unread: false });
    await eventually(() => expect(later).toEqual([NONE]));
    expect(reported).toHaveLength(before);
  });
});

describe('working chats', () => {
  it('count from the send until nothing waits any more', async () => {
    const api = await startTestService({ runtime: createDirectedRuntime() });
    const chat = await api.createChat();
    await api.send(chat.id, 'hang');
    expect(api.service.activity.counts().working).toBe(1);
    await api.post(`/api/v1/chats/${chat.id}/stop`);
    await eventually(() => expect(api.service.activity.counts().working).toBe(0));
  });
});

describe('questions', () => {
  const ask = (api: TestService): Promise<string> => rehearse(api, '::approve Paint the **fence**?');

  function listenTo(api: TestService): { asked: PendingApproval[]; over: string[]; stop: () => void } {
    const [asked, over]: [PendingApproval[], string[]] = [[], []];
    const stop = api.service.activity.onApproval({
      asked: (question) => asked.push(question),
      over: (id) => over.push(id),
    });
    return { asked, over, stop };
  }

  it('are told with tool, chat and what is asked, and when they are answered', async () => {
    const api = await startTestService();
    const { asked, over } = listenTo(api);
    const chatId = await ask(api);
    await eventually(() => expect(asked).toHaveLength(1));
    const { workspaceId } = api.service;
    const [question] = asked;
    expect(question).toMatchObject({ chatId, workspaceId, tool: 'ask_approval', text: 'Paint the fence?' });
    expect(question?.title).toBe((await api.chat(chatId)).title);
    expect(over).toEqual([]);
    await api.post(`/api/v1/chats/${chatId}/approvals/${question?.id}`, { decision: 'deny' });
    await eventually(() => expect(over).toEqual([question?.id]));
    await api.settled(chatId);
    expect([asked.length, over.length]).toEqual([1, 1]);
  });

  it('are over when the chat is stopped, and not told to one who has gone', async () => {
    const api = await startTestService();
    const gone = listenTo(api);
    gone.stop();
    const { asked, over } = listenTo(api);
    const chatId = await ask(api);
    await eventually(() => expect(asked).toHaveLength(1));
    await api.post(`/api/v1/chats/${chatId}/stop`);
    await eventually(() => expect(over).toHaveLength(1));
    expect(gone.asked).toEqual([]);
  });

  it('count their chats, which are counted once when they are unread, too', async () => {
    const api = await startTestService();
    const reported: ChatCounts[] = [];
    api.service.activity.onCountsChange((counts) => reported.push(counts));
    const chatId = await ask(api);
    await eventually(() => expect(reported.at(-1)).toEqual({ ...NONE, working: 1, awaiting: 1, wanting: 1 }));
    await change(api, chatId, { unread: true });
    await eventually(() =>
      expect(reported.at(-1)).toEqual({ unread: 1, working: 1, awaiting: 1, wanting: 1 }),
    );
    await change(api, chatId, { archived: true });
    await eventually(() => expect(reported.at(-1)).toEqual({ ...NONE, working: 1, awaiting: 1, wanting: 1 }));
    await api.post(`/api/v1/chats/${chatId}/stop`);
    await eventually(() => expect(reported.at(-1)).toEqual(NONE));
  });
});
