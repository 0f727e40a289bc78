/** Names that connected models give to chats. */
import { expect, it } from 'vitest';
import { startContextChat, type ContextChat } from '../support/context-chats.ts';
import { FAKE_TITLE } from '../support/model-servers/scenarios.ts';
import { startTestService } from '../support/service.ts';

const titleOf = async ({ api, chatId }: ContextChat): Promise<string> => (await api.chat(chatId)).title;
const rename = ({ api, chatId }: ContextChat, title: string) =>
  api.request({ method: 'PATCH', path: `/api/v1/chats/${chatId}`, json: { title } });

it('the model names a chat after its first reply, once, without what it thought and without marks', async () => {
  const chat = await startContextChat({ nameChats: true });
  await chat.ask('My cat is called Mio.');
  expect(await titleOf(chat)).toBe(FAKE_TITLE);
  expect(chat.server.asked()).toHaveLength(2);
  const [aside] = chat.asides('title');
  expect(aside?.asked?.tools).toEqual([]);
  expect(aside?.asked?.messages.at(-1)?.text).toContain('My cat is called Mio.');
  await chat.ask('And my dog Rex.');
  expect(chat.server.asked()).toHaveLength(3);
  // It is no turn: nothing of it stands in the chat.
  expect(await chat.messages()).toHaveLength(4);
});

it('a title that a person gave stays, also when it was given meanwhile', async () => {
  const before = await startContextChat({ nameChats: true });
  await rename(before, 'Mine');
  await before.ask('hello');
  expect(await titleOf(before)).toBe('Mine');
  expect(before.asides('title')).toEqual([]);

  const meanwhile = await startContextChat({ nameChats: true, scenario: 'slow-title' });
  await meanwhile.api.send(meanwhile.chatId, 'hello');
  await expect.poll(() => meanwhile.asides('title').length, { timeout: 10_000 }).toBe(1);
  await rename(meanwhile, 'Mine');
  await meanwhile.api.settled(meanwhile.chatId);
  expect(await titleOf(meanwhile)).toBe('Mine');
});

it('a name that can’t be had leaves the title as it is, without a word and without another try', async () => {
  const chat = await startContextChat({ nameChats: true, scenario: 'context-no-asides' });
  await chat.ask('hello there');
  expect(await titleOf(chat)).toBe('hello there');
  expect((await chat.api.chat(chat.chatId)).status).toBe('idle');
  await chat.ask('hello again');
  expect(chat.asides('title')).toHaveLength(1);
  expect(chat.api.log).toEqual([]);
});

/** Shorter than a name may take, so that waiting for one fails. */
const AT_ONCE = { timeout: 12_000 };

it('a message ends it at once', AT_ONCE, async () => {
  const chat = await startContextChat({ nameChats: true, scenario: 'context-silent-asides' });
  await chat.api.send(chat.chatId, 'hello there');
  await expect.poll(() => chat.asides('title').length, { timeout: 10_000 }).toBe(1);
  expect((await chat.messages())[1]?.status).toBe('complete');
  await chat.ask('and on');
  await chat.asides('title')[0]?.clientClosed;
  expect(await titleOf(chat)).toBe('hello there');
  expect((await chat.messages()).map(({ status }) => status)).toEqual(Array(4).fill('complete'));
});

it('an edit needs no waiting for it', AT_ONCE, async () => {
  const chat = await startContextChat({ nameChats: true, scenario: 'context-silent-asides' });
  await chat.api.send(chat.chatId, 'hello there');
  await expect.poll(() => chat.asides('title').length, { timeout: 10_000 }).toBe(1);
  const [question] = await chat.messages();
  const path = `/api/v1/chats/${chat.chatId}/messages/${question?.id}/edit`;
  expect((await chat.api.post(path, { content: 'hello you' })).status).toBe(200);
  expect((await chat.api.settled(chat.chatId)).status).toBe('idle');
  expect(await titleOf(chat)).toBe('hello you');
});

it('nobody is asked when it is switched off, nor for a failed reply', async () => {
  const off = await startContextChat({ nameChats: false });
  await off.ask('hello');
  expect(off.server.asked()).toHaveLength(1);
  const failing = await startContextChat({ nameChats: true, scenario: 'key-refused' });
  await failing.ask('hello');
  expect(failing.server.asked()).toHaveLength(1);
});

it('the offline assistant names nothing', async () => {
  const api = await startTestService();
  const { id } = await api.createChat();
  await api.send(id, 'what is 6 * 7?');
  await api.settled(id);
  expect((await api.chat(id)).title).toBe('what is 6 * 7?');
});
