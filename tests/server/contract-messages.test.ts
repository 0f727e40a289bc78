import { describe, expect, it } from 'vitest';
import type { Chat } from '../../shared/api/chat.ts';
import type { Message } from '../../shared/api/message.ts';
import { startSharedService, startTestService } from '../support/service.ts';
import { park } from '../support/stored.ts';

const ISO_MS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const api = await startSharedService();

const messagesPath = (chat: Chat): string => `/api/v1/chats/${chat.id}/messages`;

describe('POST /api/v1/chats/:chatId/messages', () => {
  it('answers 200 with the pending chat, and polling to idle then shows the reply', async () => {
    const chat = await api.createChat();
    const answer = await api.post(messagesPath(chat), { content: 'What is 17 * 23?' });
    expect(answer.status).toBe(200);
    const { chat: sent, ...rest } = answer.json<{ chat: Chat }>();
    expect(rest).toEqual({});
    expect(sent).toMatchObject({
      id: chat.id,
      status: 'pending',
      model: 'offline-assistant',
      title: 'What is 17 * 23?',
    });
    expect(sent.queuePosition).toBeGreaterThanOrEqual(0);

    const done = await api.settled(chat.id);
    expect(done.status).toBe('idle');
    expect(done).not.toHaveProperty('queuePosition');
    expect(done).not.toHaveProperty('lastProgressAt');
    expect(done.updatedAt >= sent.updatedAt).toBe(true);

    const messages = await api.messages(chat.id);
    expect(messages).toEqual([
      {
        id: expect.any(String) as string,
        role: 'user',
        content: 'What is 17 * 23?',
        status: 'complete',
        mode: 'agent',
        createdAt: expect.stringMatching(ISO_MS) as string,
      },
      expect.objectContaining({
        id: expect.any(String) as string,
        role: 'assistant',
        content: expect.stringContaining('391') as string,
        status: 'complete',
        model: 'offline-assistant',
        stopReason: 'end',
        createdAt: expect.stringMatching(ISO_MS) as string,
      }),
    ]);
    expect(messages[1]?.steps).toEqual([
      expect.objectContaining({ status: 'done', tool: expect.any(String) as string }),
    ]);
  });

  it('is agent mode unless told, and uses no tool in chat mode', async () => {
    const chat = await api.createChat();
    await api.send(chat.id, 'What is 6 * 7?', { mode: 'chat' });
    expect((await api.settled(chat.id)).status).toBe('idle');
    const [user, reply] = await api.messages(chat.id);
    expect(user?.mode).toBe('chat');
    expect(reply?.steps).toBeUndefined();
  });

  it('says that the chat is pending whatever it was doing when the message came', async () => {
    const chat = await api.createChat();
    for (let index = 0; index < 5; index += 1) {
      expect((await api.send(chat.id, `What is ${index} + 1?`)).status).toBe('pending');
    }
    expect((await api.settled(chat.id)).status).toBe('idle');
    const messages = await api.messages(chat.id);
    expect(messages.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual(
      [0, 1, 2, 3, 4].map((index) => `What is ${index} + 1?`),
    );
    expect(messages.filter(({ role }) => role === 'assistant')).toHaveLength(5);
  });

  it.each([
    [
      'a missing content',
      {},
      '"content" is missing: it must be text of 1 to 100,000 characters that is not only white space.',
    ],
    ['an empty content', { content: '' }, null],
    ['white space alone', { content: ' \n\t\u00a0\u2003' }, null],
    ['a number', { content: 7 }, null],
    ['null', { content: null }, null],
    ['a list', { content: ['hi'] }, null],
    ['an object', { content: { text: 'hi' } }, null],
    ['a boolean', { content: true }, null],
    ['100,001 characters', { content: 'x'.repeat(100_001) }, null],
    ['an unknown mode', { content: 'hi', mode: 'turbo' }, '"mode" must be "agent" or "chat".'],
    ['a workspace that is no text', { content: 'hi', workspaceId: 5 }, null],
  ])('refuses %s, says what would be right and stores nothing', async (_name, body, sentence) => {
    const chat = await api.createChat();
    const answer = await api.post(messagesPath(chat), body);
    expect(answer.status).toBe(400);
    const { code, message, details } = answer.error();
    expect(code).toBe('invalid_request');
    expect(details?.map((detail) => detail.message).join(' ')).toBe(message);
    if (sentence !== null) expect(message).toBe(sentence);
    expect(await api.messages(chat.id)).toEqual([]);
    expect((await api.chat(chat.id)).status).toBe('idle');
  });

  it.each([
    ['no body at all', undefined],
    ['null', 'null'],
    ['a list', '[{"content":"hi"}]'],
    ['a text', '"hi"'],
    ['a number', '1'],
  ])('refuses %s for a body', async (_name, body) => {
    const chat = await api.createChat();
    const answer = await api.request({
      method: 'POST',
      path: messagesPath(chat),
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body }),
    });
    expect([answer.status, answer.error().code]).toEqual([400, 'invalid_request']);
  });

  it('names everything that is wrong at once', async () => {
    const chat = await api.createChat();
    const answer = await api.post(messagesPath(chat), { mode: 'x', workspaceId: 1 });
    expect(
      answer
        .error()
        .details?.map(({ path }) => path)
        .sort(),
    ).toEqual(['/content', '/mode', '/workspaceId']);
  });

  it('counts characters, not code units: 100,000 emoji are a message', async () => {
    const chat = await api.createChat();
    const content = '😀'.repeat(100_000);
    await api.send(chat.id, content, { mode: 'chat' });
    await api.settled(chat.id);
    expect((await api.messages(chat.id))[0]?.content).toBe(content);
  });

  it.each([
    ['a NUL', 'a\0b'],
    ['half a surrogate pair', 'x\ud800y'],
    ['the other half', '\udc00'],
    ['line ends of all kinds', 'a\r\nb\rc\u2028d'],
    ['quotes, backslashes and controls', '"\\\u0001\u001f\u007f'],
    ['a byte order mark within', 'a\ufeffb'],
    ['emoji and right-to-left text', '👩‍👩‍👧‍👦 שלום ﷽'],
    ['white space at both ends', '  hi \n'],
    ['what looks like markup', '</script><b>&amp;'],
  ])('gives back %s exactly as it was sent', async (_name, content) => {
    const chat = await api.createChat();
    await api.send(chat.id, content, { mode: 'chat' });
    await api.settled(chat.id);
    expect((await api.messages(chat.id))[0]?.content).toBe(content);
  });

  it('answers 404 for a chat that is not there', async () => {
    const answer = await api.post('/api/v1/chats/nobody/messages', { content: 'hi' });
    expect([answer.status, answer.error().code]).toEqual([404, 'chat_not_found']);
  });

  it('ignores fields it does not know', async () => {
    const chat = await api.createChat();
    expect(
      (await api.post(messagesPath(chat), { content: 'hello', role: 'assistant', status: 'complete' }))
        .status,
    ).toBe(200);
    expect((await api.messages(chat.id))[0]?.role).toBe('user');
  });

  it('answers 429 queue_full when 1,000 messages wait in the workspace, and takes them again afterwards', async () => {
    const own = await startTestService();
    const chat = await own.createChat();
    const parked = await own.createChat();
    await park(own, parked, 0, 1_000);
    const refused = await own.post(messagesPath(chat), { content: 'one more' });
    expect([refused.status, refused.error().code]).toEqual([429, 'queue_full']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(await own.messages(chat.id)).toEqual([]);
    await own.service.store.write((writer) =>
      writer.run("UPDATE messages SET status = 'complete' WHERE chat_id = ?", [parked.id]),
    );
    expect((await own.send(chat.id, 'now it fits')).status).toBe('pending');
  });

  it('looks at who sends and where before it answers 429, not at the body, and gives a repeat its first answer', async () => {
    const own = await startTestService();
    const chat = await own.createChat();
    const parked = await own.createChat();
    await park(own, parked, 0, 999);
    const key = { headers: { 'idempotency-key': 'k' } };
    const first = await own.post(messagesPath(chat), { content: 'once' }, key);
    await own.settled(chat.id);
    await park(own, parked, 999, 1_000);
    const answers = [
      await own.post(messagesPath(chat), { content: 'one more' }),
      await own.post(messagesPath(chat), { content: 7 }),
      await own.post(messagesPath(chat), { content: 'x' }, { headers: { authorization: 'Bearer wrong' } }),
      await own.post('/api/v1/chats/nobody/messages', { content: 'x' }),
      await own.post(messagesPath(chat), { content: 'another' }, { headers: { 'idempotency-key': 'other' } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([429, 429, 401, 404, 429]);
    const repeat = await own.post(messagesPath(chat), { content: 'once' }, key);
    expect([repeat.status, repeat.text]).toEqual([200, first.text]);
    expect(await own.messages(chat.id)).toHaveLength(2);
  });
});

describe('a message that was sent', () => {
  it('is named by the answer, also by that to a repeat, and can be read by itself', async () => {
    const chat = await api.createChat();
    const headers = { 'idempotency-key': 'named' };
    const first = await api.post(messagesPath(chat), { content: 'What is 2 + 3?' }, { headers });
    const id = first.headers['x-message-id'];
    const path = `${messagesPath(chat)}/${String(id)}`;
    expect(first.headers['location']).toBe(path);
    expect(first.json<{ chat: object }>().chat).not.toHaveProperty('messageId');
    const repeat = await api.post(messagesPath(chat), { content: 'What is 2 + 3?' }, { headers });
    expect(repeat.headers['x-message-id']).toBe(id);
    expect(repeat.json()).toEqual(first.json());
    const other = await api.post(messagesPath(chat), { content: 'What is 4 + 5?' });
    expect(other.headers['x-message-id']).not.toBe(id);
    await api.settled(chat.id);

    const [question, reply] = await api.messages(chat.id);
    expect((await api.get(path)).json()).toEqual({ message: question });
    expect(question?.id).toBe(id);
    expect(reply?.replyTo).toBe(id);
    const missing = await api.get(`${messagesPath(chat)}/none`);
    expect([missing.status, missing.error().code]).toEqual([404, 'message_not_found']);
    const elsewhere = await api.get(`/api/v1/chats/none/messages/${String(id)}`);
    expect([elsewhere.status, elsewhere.error().code]).toEqual([404, 'chat_not_found']);
  });
});

describe('Idempotency-Key', () => {
  it('gives a repeat the first answer and adds no second message', async () => {
    const chat = await api.createChat();
    const send = async (): Promise<string> => {
      const answer = await api.post(
        messagesPath(chat),
        { content: 'once' },
        { headers: { 'idempotency-key': 'k1' } },
      );
      expect(answer.status).toBe(200);
      return answer.text;
    };
    const first = await send();
    await api.settled(chat.id);
    expect(await send()).toBe(first);
    expect((await api.messages(chat.id)).filter(({ role }) => role === 'user')).toHaveLength(1);
  });

  it('answers 409 when the same key comes with another body', async () => {
    const chat = await api.createChat();
    const headers = { 'idempotency-key': 'k2' };
    await api.post(messagesPath(chat), { content: 'one' }, { headers });
    const answer = await api.post(messagesPath(chat), { content: 'two' }, { headers });
    expect([answer.status, answer.error().code]).toEqual([409, 'idempotency_conflict']);
  });

  it('lets eight repeats at the same moment through as one message', async () => {
    const chat = await api.createChat();
    const headers = { 'idempotency-key': 'race' };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => api.post(messagesPath(chat), { content: 'race' }, { headers })),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect((await api.messages(chat.id)).filter(({ role }) => role === 'user')).toHaveLength(1);
  });

  it.each([
    ['', 'empty'],
    ['x'.repeat(256), 'too long'],
    ['caf\u00e9', 'not ASCII'],
    ['a\tb', 'with a tab'],
  ])('refuses the key %j (%s)', async (key) => {
    const chat = await api.createChat();
    const answer = await api.post(
      messagesPath(chat),
      { content: 'hi' },
      { headers: { 'idempotency-key': key } },
    );
    expect([answer.status, answer.error().code]).toEqual([400, 'invalid_request']);
  });

  it('takes a key of 255 characters', async () => {
    const chat = await api.createChat();
    const headers = { 'idempotency-key': '~'.repeat(255) };
    expect((await api.post(messagesPath(chat), { content: 'hi' }, { headers })).status).toBe(200);
  });
});

describe('GET /api/v1/chats/:chatId/messages', () => {
  it('is an empty list in a new chat', async () => {
    const chat = await api.createChat();
    const answer = await api.get(messagesPath(chat));
    expect([answer.status, answer.json()]).toEqual([200, { messages: [] }]);
  });

  it('lists all, oldest first, or what after and limit leave', async () => {
    const chat = await api.createChat();
    for (let index = 1; index <= 3; index += 1) {
      await api.send(chat.id, `What is ${index} * 2?`);
      await api.settled(chat.id);
    }
    const all = await api.messages(chat.id);
    expect(all.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
      'assistant',
    ]);
    expect(all.map(({ createdAt }) => createdAt)).toEqual(all.map(({ createdAt }) => createdAt).toSorted());
    expect(await api.messages(chat.id, `?after=${all[1]?.id ?? ''}`)).toEqual(all.slice(2));
    expect(await api.messages(chat.id, '?limit=2')).toEqual(all.slice(0, 2));
    expect(await api.messages(chat.id, `?after=${all[0]?.id ?? ''}&limit=1`)).toEqual(all.slice(1, 2));
    expect(await api.messages(chat.id, `?after=${all[5]?.id ?? ''}`)).toEqual([]);
    expect(await api.messages(chat.id, `?limit=${'9'.repeat(30)}`)).toEqual(all);
  });

  it.each([
    'limit=0',
    'limit=-1',
    'limit=1.5',
    'limit=1e2',
    'limit=%201',
    'limit=',
    'limit=2&limit=3',
    'after=a&after=b',
  ])('refuses ?%s', async (query) => {
    const chat = await api.createChat();
    const answer = await api.get(`${messagesPath(chat)}?${query}`);
    expect([answer.status, answer.error().code]).toEqual([400, 'invalid_request']);
  });

  it('answers 404 for an unknown chat, and for "after" a message of another chat', async () => {
    expect((await api.get('/api/v1/chats/nobody/messages')).error().code).toBe('chat_not_found');
    const chat = await api.createChat();
    const other = await api.createChat();
    await api.send(other.id, 'hello');
    const [message] = await api.messages(other.id);
    const answer = await api.get(`${messagesPath(chat)}?after=${message?.id ?? ''}`);
    expect([answer.status, answer.error().code]).toEqual([404, 'message_not_found']);
  });

  it('shows the answer to each message after it, also when several waited', async () => {
    const chat = await api.createChat();
    await Promise.all([api.send(chat.id, 'What is 2 * 1009?'), api.send(chat.id, 'What is 3 * 1009?')]);
    await api.settled(chat.id);
    const messages: Message[] = await api.messages(chat.id);
    expect(
      messages.filter(({ role }) => role === 'assistant').every(({ status }) => status === 'complete'),
    ).toBe(true);
  });
});

describe('POST /api/v1/chats/:chatId/stop', () => {
  it('answers with the chat, and leaves one at rest as it is', async () => {
    const chat = await api.createChat();
    const answer = await api.post(`/api/v1/chats/${chat.id}/stop`);
    expect([answer.status, answer.json()]).toEqual([200, { chat }]);
  });

  it('ends what runs and waits, keeps every message, and takes the next send', async () => {
    const chat = await api.createChat();
    for (let index = 0; index < 20; index += 1) await api.send(chat.id, `What is ${index} * 3?`);
    const answer = await api.post(`/api/v1/chats/${chat.id}/stop`);
    expect(answer.status).toBe(200);
    expect(['stopped', 'idle']).toContain(answer.json<{ chat: Chat }>().chat.status);
    const messages = await api.messages(chat.id);
    expect(messages.filter(({ role }) => role === 'user')).toHaveLength(20);
    expect(messages.filter(({ role }) => role === 'assistant')).toHaveLength(20);
    expect(messages.every(({ status }) => status === 'complete')).toBe(true);
    await api.send(chat.id, 'What is 5 * 5?');
    expect((await api.settled(chat.id)).status).toBe('idle');
    expect((await api.messages(chat.id)).at(-1)?.content).toContain('25');
  });

  it('answers 404 for a chat that is not there', async () => {
    expect((await api.post('/api/v1/chats/nobody/stop')).error().code).toBe('chat_not_found');
  });
});
