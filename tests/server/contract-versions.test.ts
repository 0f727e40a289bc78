/** Editing, trying again, choosing versions, deleting and restoring messages, over HTTP. */
import { describe, expect, it } from 'vitest';
import type { Chat } from '../../shared/api/chat.ts';
import type { Message } from '../../shared/api/message.ts';
import { createDirectedRuntime } from '../support/directed-runtime.ts';
import { startSharedService, startTestService, type TestAnswer } from '../support/service.ts';

const api = await startSharedService();

const messagePath = (chatId: string, messageId: string, act = ''): string =>
  `/api/v1/chats/${chatId}/messages/${messageId}${act === '' ? '' : `/${act}`}`;

/** A chat at rest in which these were asked. */
async function chatWith(...contents: string[]): Promise<string> {
  const { id } = await api.createChat();
  for (const content of contents) {
    await api.send(id, content, { mode: 'chat' });
    await api.settled(id);
  }
  return id;
}

/** A key of scope `chat` that is bound to a workspace. */
async function keyOf(workspaceId: string): Promise<string> {
  const key = { kind: 'person', name: 'script', scope: 'chat', workspaceId, expiresAt: null } as const;
  return (await api.service.keys.create(key)).text;
}

const asked = (messages: Message[]): Message[] => messages.filter(({ role }) => role === 'user');
const askedIn = async (chatId: string): Promise<Message[]> => asked(await api.messages(chatId));
const textsIn = async (chatId: string): Promise<string[]> =>
  (await askedIn(chatId)).map(({ content }) => content);

const act = (
  chatId: string,
  messageId: string,
  what: 'edit' | 'show' | 'restore',
  json?: unknown,
): Promise<TestAnswer> => api.post(messagePath(chatId, messageId, what), json);
const remove = (chatId: string, messageId: string): Promise<TestAnswer> =>
  api.request({ method: 'DELETE', path: messagePath(chatId, messageId) });
const retry = (chatId: string, json?: unknown): Promise<TestAnswer> =>
  api.post(`/api/v1/chats/${chatId}/retry`, json);

async function idsOf(chatId: string): Promise<string[]> {
  return (await api.messages(chatId)).map(({ id }) => id);
}

describe('POST …/messages/:messageId/edit', () => {
  it('answers with the pending chat; then the new version is answered and the earlier one is named', async () => {
    const chatId = await chatWith('What is 2 + 2?', 'And 3 + 3?');
    const [first, firstReply] = await api.messages(chatId);
    const answer = await act(chatId, first?.id ?? '', 'edit', { content: 'What is 17 * 23?', mode: 'agent' });
    expect(answer.status).toBe(200);
    const { chat, ...rest } = answer.json<{ chat: Chat }>();
    expect(rest).toEqual({});
    expect(chat).toMatchObject({ id: chatId, status: 'pending', title: 'What is 17 * 23?' });
    expect(chat.queuePosition).toBeGreaterThanOrEqual(0);
    expect((await api.settled(chatId)).status).toBe('idle');
    const [question, reply, ...more] = await api.messages(chatId);
    expect(more).toEqual([]);
    expect(question).toMatchObject({ content: 'What is 17 * 23?', status: 'complete', mode: 'agent' });
    expect(question?.versions).toEqual([first?.id, question?.id]);
    expect(reply).toMatchObject({ replyTo: question?.id, content: expect.stringContaining('391') as string });
    expect(firstReply?.versions).toBeUndefined();
  });

  it('keeps the mode of the message unless told', async () => {
    const chatId = await chatWith('What is 2 + 2?');
    const [first] = await idsOf(chatId);
    await act(chatId, first ?? '', 'edit', { content: 'What is 3 + 3?' });
    await api.settled(chatId);
    expect((await api.messages(chatId))[0]?.mode).toBe('chat');
  });

  it('shows a message of another version first', async () => {
    const chatId = await chatWith('one', 'two');
    const [one, , two] = await idsOf(chatId);
    await act(chatId, one ?? '', 'edit', { content: 'one again' });
    await api.settled(chatId);
    expect((await act(chatId, two ?? '', 'edit', { content: 'two again' })).status).toBe(200);
    await api.settled(chatId);
    expect(await textsIn(chatId)).toEqual(['one', 'two again']);
  });

  it('refuses a reply', async () => {
    const chatId = await chatWith('one');
    const [, reply] = await idsOf(chatId);
    const answer = await act(chatId, reply ?? '', 'edit', { content: 'x' });
    expect([answer.status, answer.error().code]).toEqual([400, 'invalid_request']);
  });

  it.each([
    ['no content', {}],
    ['white space', { content: ' \n' }],
    ['100,001 characters', { content: 'x'.repeat(100_001) }],
    ['an unknown mode', { content: 'x', mode: 'turbo' }],
  ])('refuses %s as a send does', async (_name, body) => {
    const chatId = await chatWith('one');
    const [one] = await idsOf(chatId);
    expect((await act(chatId, one ?? '', 'edit', body)).status).toBe(400);
    expect(await textsIn(chatId)).toEqual(['one']);
  });
});

describe('an Idempotency-Key', () => {
  const withKey = (key: string) => ({ headers: { 'idempotency-key': key } });

  it('makes a repeat of an edit or a retry return the first answer and do nothing more', async () => {
    const chatId = await chatWith('one');
    const [one] = await idsOf(chatId);
    const edit = () => api.post(messagePath(chatId, one ?? '', 'edit'), { content: 'two' }, withKey('first'));
    const first = await edit();
    const second = await edit();
    await api.settled(chatId);
    const third = await edit();
    expect([second.text, third.text]).toEqual([first.text, first.text]);
    const again = () => api.post(`/api/v1/chats/${chatId}/retry`, {}, withKey('second'));
    const retried = await again();
    expect((await again()).text).toBe(retried.text);
    await api.settled(chatId);
    const [question] = await api.messages(chatId);
    expect(question).toMatchObject({ content: 'two' });
    expect(question?.versions).toHaveLength(3);
  });

  it('is refused when it was used for something else', async () => {
    const chatId = await chatWith('one');
    const [one] = await idsOf(chatId);
    await api.post(messagePath(chatId, one ?? '', 'edit'), { content: 'two' }, withKey('k'));
    await api.settled(chatId);
    for (const [path, body] of [
      [messagePath(chatId, one ?? '', 'edit'), { content: 'three' }],
      [`/api/v1/chats/${chatId}/retry`, {}],
      [`/api/v1/chats/${chatId}/messages`, { content: 'two' }],
    ] as const) {
      const answer = await api.post(path, body, withKey('k'));
      expect([answer.status, answer.error().code]).toEqual([409, 'idempotency_conflict']);
    }
  });

  it('is refused when it is none', async () => {
    const chatId = await chatWith('one');
    const answer = await api.post(`/api/v1/chats/${chatId}/retry`, {}, withKey('x'.repeat(256)));
    expect([answer.status, answer.error().code]).toEqual([400, 'invalid_request']);
  });
});

describe('POST …/retry', () => {
  it.each([
    ['a reply', 1],
    ['its user message', 0],
  ])('makes a reply anew, given %s', async (_name, index) => {
    const chatId = await chatWith('one', 'two');
    const before = await idsOf(chatId);
    const answer = await retry(chatId, { messageId: before[index] });
    expect(answer.json<{ chat: Chat }>().chat.status).toBe('pending');
    await api.settled(chatId);
    const messages = await api.messages(chatId);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(messages[0]).toMatchObject({ content: 'one', mode: 'chat' });
    expect(messages[0]?.versions?.[0]).toBe(before[0]);
    expect(before).not.toContain(messages[1]?.id);
  });

  it('is about the last message, without a body', async () => {
    const chatId = await chatWith('one', 'two');
    expect((await retry(chatId)).status).toBe(200);
    await api.settled(chatId);
    const [one, two] = await askedIn(chatId);
    expect([one?.versions, two?.versions?.length]).toEqual([undefined, 2]);
  });

  it('tells its versions from edits, of which one may change nothing', async () => {
    const chatId = await chatWith('one');
    const versions = (await askedIn(chatId)).map(({ id }) => id);
    const next = async (answer: Promise<TestAnswer>): Promise<Message | undefined> => {
      expect((await answer).status).toBe(200);
      await api.settled(chatId);
      const [question] = await askedIn(chatId);
      versions.push(question?.id ?? '');
      expect(question?.versions).toEqual(versions);
      return question;
    };
    const [one] = versions;
    const edited = await next(act(chatId, one ?? '', 'edit', { content: 'one' }));
    expect(edited?.retries).toBeUndefined();
    await next(retry(chatId));
    await next(retry(chatId));
    const last = await next(retry(chatId, { messageId: one }));
    expect(last?.retries).toEqual([
      { id: versions[2], retryOf: versions[1] },
      { id: versions[3], retryOf: versions[1] },
      { id: versions[4], retryOf: one },
    ]);
    await remove(chatId, last?.id ?? '');
    await act(chatId, versions[1] ?? '', 'show');
    expect((await askedIn(chatId))[0]?.retries?.map(({ id }) => id)).toEqual(versions.slice(2, 4));
  });

  it('needs a message', async () => {
    const { id } = await api.createChat();
    expect((await retry(id)).error().code).toBe('message_not_found');
    expect((await retry(id, { messageId: 'none' })).error().code).toBe('message_not_found');
  });
});

describe('POST …/messages/:messageId/show', () => {
  it('lists another version with all that came after it, and can be repeated', async () => {
    const chatId = await chatWith('one', 'two');
    const before = await api.messages(chatId);
    const [one, , two] = before.map(({ id }) => id);
    await act(chatId, one ?? '', 'edit', { content: 'other' });
    await api.settled(chatId);
    const other = (await idsOf(chatId))[0] ?? '';
    for (let time = 0; time < 2; time += 1) {
      const answer = await act(chatId, two ?? '', 'show');
      expect(answer.json<{ chat: Chat }>().chat).toMatchObject({ id: chatId, status: 'idle' });
      const shown = await api.messages(chatId);
      expect(shown).toEqual(
        before.map((message) => (message.id === one ? { ...message, versions: [one, other] } : message)),
      );
    }
  });

  it('is what a message of another version needs to be listed or read from', async () => {
    const chatId = await chatWith('one');
    const [one] = await idsOf(chatId);
    await act(chatId, one ?? '', 'edit', { content: 'other' });
    await api.settled(chatId);
    const list = () => api.get(`/api/v1/chats/${chatId}/messages?after=${one}`);
    expect((await list()).error().code).toBe('message_not_found');
    await act(chatId, one ?? '', 'show');
    expect((await list()).status).toBe(200);
  });
});

describe('DELETE …/messages/:messageId', () => {
  it('takes a user message out with its reply, and restoring brings both back', async () => {
    const chatId = await chatWith('one', 'two');
    const before = await api.messages(chatId);
    const one = before[0]?.id ?? '';
    const answer = await remove(chatId, one);
    expect(answer.status).toBe(200);
    expect(answer.json<{ chat: Chat }>().chat).toMatchObject({ id: chatId, status: 'idle' });
    expect(await api.messages(chatId)).toEqual(before.slice(2));
    expect((await api.get(`/api/v1/chats/${chatId}/messages?after=${one}`)).status).toBe(404);
    expect((await remove(chatId, one)).status).toBe(200);
    expect((await act(chatId, one, 'restore')).status).toBe(200);
    expect(await api.messages(chatId)).toEqual(before);
    expect((await act(chatId, one, 'restore')).status).toBe(200);
  });

  it('takes a reply out alone, and a retry answers its user message all the same', async () => {
    const chatId = await chatWith('one');
    const [one, reply] = await idsOf(chatId);
    await remove(chatId, reply ?? '');
    expect(await idsOf(chatId)).toEqual([one]);
    await retry(chatId);
    await api.settled(chatId);
    expect((await api.messages(chatId)).map(({ role }) => role)).toEqual(['user', 'assistant']);
  });

  it('leaves a deleted message out of the versions, and nothing else can be done with it', async () => {
    const chatId = await chatWith('one');
    const [one] = await idsOf(chatId);
    await act(chatId, one ?? '', 'edit', { content: 'two' });
    await api.settled(chatId);
    const two = (await idsOf(chatId))[0];
    await remove(chatId, one ?? '');
    expect((await api.messages(chatId))[0]?.versions).toEqual([two]);
    for (const answer of [
      await act(chatId, one ?? '', 'edit', { content: 'x' }),
      await act(chatId, one ?? '', 'show'),
      await retry(chatId, { messageId: one }),
    ]) {
      expect([answer.status, answer.error().code]).toEqual([404, 'message_not_found']);
    }
  });
});

describe('all of it', () => {
  it('knows only messages of the chat, and chats of the workspace', async () => {
    const [mine, other] = [await chatWith('one'), await chatWith('two')];
    const [foreign] = await idsOf(other);
    const key = await keyOf('other');
    const calls = (chatId: string, messageId: string, using?: string) => {
      const options = using === undefined ? {} : { key: using };
      return [
        api.post(messagePath(chatId, messageId, 'edit'), { content: 'x' }, options),
        api.post(`/api/v1/chats/${chatId}/retry`, { messageId }, options),
        api.post(messagePath(chatId, messageId, 'show'), undefined, options),
        api.post(messagePath(chatId, messageId, 'restore'), undefined, options),
        api.request({ method: 'DELETE', path: messagePath(chatId, messageId), ...options }),
      ];
    };
    const codes = async (answers: Promise<TestAnswer>[]): Promise<string[]> =>
      (await Promise.all(answers)).map((answer) => answer.error().code);
    expect(new Set(await codes(calls(mine, foreign ?? '')))).toEqual(new Set(['message_not_found']));
    expect(new Set(await codes(calls('none', foreign ?? '')))).toEqual(new Set(['chat_not_found']));
    expect(new Set(await codes(calls(other, foreign ?? '', key)))).toEqual(new Set(['chat_not_found']));
    expect(await textsIn(other)).toEqual(['two']);
  });

  it('may be done with a key of scope chat', async () => {
    const chatId = await chatWith('one');
    const [one] = await idsOf(chatId);
    const key = await keyOf(api.service.workspaceId);
    const answer = await api.request({ method: 'DELETE', path: messagePath(chatId, one ?? ''), key });
    expect(answer.status).toBe(200);
  });

  it('is refused with 409 while a reply is under way, and done when it was stopped', async () => {
    const busy = await startTestService({ runtime: createDirectedRuntime() });
    const { id: chatId } = await busy.createChat();
    await busy.send(chatId, 'hang');
    const [question] = await busy.messages(chatId);
    const path = messagePath(chatId, question?.id ?? '');
    for (const answer of [
      await busy.post(`${path}/edit`, { content: 'two' }),
      await busy.post(`/api/v1/chats/${chatId}/retry`),
      await busy.request({ method: 'DELETE', path }),
    ]) {
      expect(answer.status).toBe(409);
      expect(answer.error().code).toMatch(/^(chat_busy|message_taken)$/);
    }
    await busy.post(`/api/v1/chats/${chatId}/stop`);
    expect((await busy.post(`${path}/edit`, { content: 'two' })).status).toBe(200);
    expect((await busy.settled(chatId)).status).toBe('idle');
    expect((await busy.messages(chatId)).map(({ content }) => content)).toEqual(['two', 'Re: two']);
  });

  it('brings a failed chat back to work', async () => {
    const failing = await startTestService({ runtime: createDirectedRuntime() });
    const { id: chatId } = await failing.createChat();
    await failing.send(chatId, 'say half, then fail once');
    expect((await failing.settled(chatId)).status).toBe('failed');
    const [question, reply] = await failing.messages(chatId);
    await failing.post(`/api/v1/chats/${chatId}/retry`, { messageId: reply?.id });
    expect((await failing.settled(chatId)).status).toBe('idle');
    const [again, better] = await failing.messages(chatId);
    expect(again?.versions).toEqual([question?.id, again?.id]);
    expect(better).toMatchObject({ status: 'complete', content: 'half' });
  });
});
