/** Making a chat of the messages up to one of another, over HTTP. */
import { expect, it } from 'vitest';
import type { Chat } from '../../shared/api/chat.ts';
import type { ImportResult } from '../../shared/api/data.ts';
import type { Message } from '../../shared/api/message.ts';
import { createDirectedRuntime } from '../support/directed-runtime.ts';
import { exportedChat, exportFileOf, replied, said } from '../support/exported.ts';
import {
  startSharedService,
  startTestService,
  type TestAnswer,
  type TestRequest,
} from '../support/service.ts';

const api = await startSharedService();

async function chatWith(...contents: string[]): Promise<string> {
  const { id } = await api.createChat();
  for (const content of contents) {
    await api.send(id, content);
    await api.settled(id);
  }
  return id;
}

const branch = (
  chatId: string,
  messageId = '',
  options?: Partial<TestRequest>,
  from: Pick<typeof api, 'post'> = api,
): Promise<TestAnswer> =>
  from.post(`/api/v1/chats/${chatId}/messages/${messageId}/branch`, undefined, options);
const once = (key: string): Partial<TestRequest> => ({ headers: { 'idempotency-key': key } });
const chatOf = (answer: TestAnswer): Chat => {
  expect(answer.status).toBe(201);
  return answer.json<{ chat: Chat }>().chat;
};
const refusal = (answer: TestAnswer) => [answer.status, answer.error().code];
const reported = (messages: Message[]) =>
  messages.map(({ role, content, status }) => [role, content, status]);

it('is a chat of its own: the messages up to that one, with their steps, and what is said next follows from them', async () => {
  const chatId = await chatWith('What is 2 + 2?', 'What is 12 feet in metres?', 'What is 5 + 5?');
  await api.request({
    method: 'PATCH',
    path: `/api/v1/chats/${chatId}`,
    json: { title: 'Rome', pinned: true },
  });
  const before = await api.messages(chatId);
  const chat = chatOf(await branch(chatId, before[3]?.id));
  expect(chat).toMatchObject({
    title: 'Rome (branch)',
    status: 'idle',
    pinned: false,
    model: 'offline-assistant',
  });
  expect(chat.id).not.toBe(chatId);

  const copies = await api.messages(chat.id);
  expect(reported(copies)).toEqual(reported(before.slice(0, 4)));
  expect(copies.map(({ steps }) => steps)).toEqual(before.slice(0, 4).map(({ steps }) => steps));
  expect(copies[1]?.steps?.[0]?.tool).toBe('calculate');
  expect(copies[3]?.replyTo).toBe(copies[2]?.id);
  const ids = new Set(before.map(({ id }) => id));
  expect(copies.filter(({ id }) => ids.has(id))).toEqual([]);

  await api.send(chat.id, 'And in inches?');
  await api.settled(chat.id);
  expect((await api.messages(chat.id)).at(-1)?.content).toContain('144');
  expect(await api.messages(chatId)).toEqual(before);
  expect((await api.chat(chat.id)).title).toBe('Rome (branch)');
  const again = chatOf(await branch(chat.id, copies[0]?.id));
  expect(again.title).toBe('Rome (branch 2)');
  expect(reported(await api.messages(again.id))).toEqual(reported(before.slice(0, 1)));
});

it('holds what is listed: of versions the chosen ones, and nothing that was deleted', async () => {
  const chatId = await chatWith('What is 2 + 2?', 'What is 3 + 3?', 'What is 4 + 4?');
  const [first, , second, secondReply, , last] = await api.messages(chatId);
  const messages = `/api/v1/chats/${chatId}/messages`;
  await api.request({ method: 'DELETE', path: `${messages}/${first?.id}` });
  expect(refusal(await branch(chatId, first?.id))).toEqual([404, 'message_not_found']);
  const chat = chatOf(await branch(chatId, last?.id));
  expect((await api.messages(chat.id)).map(({ content }) => content)).toEqual([
    ...['What is 3 + 3?', secondReply?.content, 'What is 4 + 4?', last?.content],
  ]);
  await api.post(`${messages}/${second?.id}/edit`, { content: 'What is 7 + 7?' });
  await api.settled(chatId);
  expect(refusal(await branch(chatId, last?.id))).toEqual([404, 'message_not_found']);
  const [edited] = await api.messages(chatId);
  const copies = await api.messages(chatOf(await branch(chatId, edited?.id)).id);
  expect(copies).toMatchObject([{ content: 'What is 7 + 7?' }]);
  expect(copies[0]?.versions).toBeUndefined();
});

it('is made once for a key', async () => {
  const chatId = await chatWith('What is 2 + 2?');
  const [question, reply] = await api.messages(chatId);
  const first = chatOf(await branch(chatId, reply?.id, once('k1')));
  expect(chatOf(await branch(chatId, reply?.id, once('k1')))).toEqual(first);
  expect(refusal(await branch(chatId, question?.id, once('k1')))).toEqual([409, 'idempotency_conflict']);
  expect(chatOf(await branch(chatId, reply?.id, once('k2'))).id).not.toBe(first.id);
});

it('can be made while a later reply is written, not of what is being written or waits', async () => {
  const busy = await startTestService({ runtime: createDirectedRuntime() });
  const { id } = await busy.createChat();
  await busy.send(id, 'one');
  await busy.settled(id);
  await busy.send(id, 'say something, then hang');
  await busy.send(id, 'two');
  await expect
    .poll(async () => (await busy.messages(id)).find(({ status }) => status === 'streaming'))
    .toBeTruthy();
  const [, done, asked, ...rest] = await busy.messages(id);
  for (const { id: messageId } of rest)
    expect(refusal(await branch(id, messageId, undefined, busy))).toEqual([409, 'chat_busy']);
  expect(rest).toHaveLength(2);
  for (const [message, length] of [
    [done, 2],
    [asked, 3],
  ] as const) {
    const chat = chatOf(await branch(id, message?.id, undefined, busy));
    expect(chat.status).toBe('idle');
    expect(await busy.messages(chat.id)).toHaveLength(length);
  }
  expect((await busy.messages(id)).map(({ status }) => status)).toContain('streaming');
});

it('of messages that were sent in a row has those that the message was an answer to', async () => {
  const service = await startTestService({ runtime: createDirectedRuntime() });
  const { id } = await service.createChat();
  await service.send(id, 'wait 300 ms');
  await service.send(id, 'two');
  await service.settled(id);
  const messages = await service.messages(id);
  const reply = messages.find(({ role }) => role === 'assistant');
  const copies = await service.messages(chatOf(await branch(id, reply?.id, undefined, service)).id);
  expect(copies.map(({ role, content }) => [role, content.slice(0, 4)])).toEqual([
    ['user', 'wait'],
    ['assistant', reply?.content.slice(0, 4)],
  ]);
  const all = await service.messages(chatOf(await branch(id, messages.at(-1)?.id, undefined, service)).id);
  expect(all).toHaveLength(4);
});

it('keeps the files of its steps when the other chat is gone for good', async () => {
  const question = said('Show me.');
  const files = [{ id: 'f', name: 'lamp.png', mediaType: 'image/png', bytes: 3 }];
  const steps = [{ id: 's', tool: 'lamp__picture', status: 'done' as const, input: {}, output: {}, files }];
  const reply = replied('There.', question.id, { steps, fileData: { f: 'QUJD' } });
  const file = exportFileOf(exportedChat([question, reply]));
  const [chatId = ''] = (await api.post('/api/v1/import', file)).json<ImportResult>().chatIds;
  const [, shown] = await api.messages(chatId);
  const chat = chatOf(await branch(chatId, shown?.id));
  await api.request({ method: 'DELETE', path: `/api/v1/chats/${chatId}?permanent=true` });
  const [, copy] = await api.messages(chat.id);
  const [kept] = copy?.steps?.[0]?.files ?? [];
  expect(kept).toMatchObject({ name: 'lamp.png', bytes: 3 });
  expect((await api.get(`/api/v1/chats/${chat.id}/files/${kept?.id}`)).text).toBe('ABC');
});

it('is for keys of its workspace, whatever their scope, and for nobody without one', async () => {
  const chatId = await chatWith('What is 2 + 2?');
  const [, reply] = await api.messages(chatId);
  const keyIn = async (workspaceId: string): Promise<string> => {
    const key = { kind: 'person', name: 'script', scope: 'chat', workspaceId, expiresAt: null } as const;
    return (await api.service.keys.create(key)).text;
  };
  expect((await branch(chatId, reply?.id, { key: await keyIn(api.service.workspaceId) })).status).toBe(201);
  const { workspace } = (await api.post('/api/v1/workspaces', { name: 'Other' })).json<{
    workspace: { id: string };
  }>();
  const other = await keyIn(workspace.id);
  expect(refusal(await branch(chatId, reply?.id, { key: other }))).toEqual([404, 'chat_not_found']);
  expect((await branch(chatId, reply?.id, { key: null })).status).toBe(401);
  expect(refusal(await branch(chatId, 'none'))).toEqual([404, 'message_not_found']);
  expect(refusal(await branch('none', reply?.id))).toEqual([404, 'chat_not_found']);
});
