import { describe, expect, it } from 'vitest';
import type { Chat } from '../../shared/api/chat.ts';
import { startSharedService, startTestService } from '../support/service.ts';

const ISO_MS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const api = await startSharedService();

describe('POST /api/v1/chats', () => {
  it('answers 201 with the bare chat: idle, titled "New chat", type orchestrator', async () => {
    const answer = await api.post('/api/v1/chats', {});
    expect(answer.status).toBe(201);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    const chat = answer.json<Chat>();
    expect(chat).toEqual({
      id: expect.stringMatching(UUID) as string,
      title: 'New chat',
      status: 'idle',
      model: 'offline-assistant',
      createdAt: expect.stringMatching(ISO_MS) as string,
      updatedAt: expect.stringMatching(ISO_MS) as string,
      workspaceId: api.service.workspaceId,
      agentType: 'orchestrator',
      pinned: false,
      archived: false,
    });
  });

  it.each([
    ['no body and no content type', {}],
    ['no body with a JSON content type', { headers: { 'content-type': 'application/json' } }],
    ['an empty body of length 0', { headers: { 'content-length': '0' } }],
    ['an empty body of another type', { headers: { 'content-type': 'text/plain', 'content-length': '0' } }],
    [
      'an empty chunked body',
      { headers: { 'transfer-encoding': 'chunked', 'content-type': 'application/json' } },
    ],
    ['{}', { json: {} }],
    ['{} after a byte order mark', { body: '\ufeff{}', headers: { 'content-type': 'application/json' } }],
  ])('takes %s for no fields at all', async (_name, options) => {
    const answer = await api.request({ method: 'POST', path: '/api/v1/chats', ...options });
    expect(answer.status).toBe(201);
    expect(answer.json<Chat>().agentType).toBe('orchestrator');
  });

  it.each(['researcher', 'a', 'A_b-9', 'x'.repeat(64)])(
    'keeps the agent type %s, known or not',
    async (agentType) => {
      const chat = await api.createChat({ agentType });
      expect(chat.agentType).toBe(agentType);
      expect((await api.chat(chat.id)).agentType).toBe(agentType);
    },
  );

  it('answers in a chat of a type it has no definition for as orchestrator would', async () => {
    const chat = await api.createChat({ agentType: 'somebody-elses-agent' });
    await api.send(chat.id, 'What is 12 * 12?');
    expect((await api.settled(chat.id)).status).toBe('idle');
    const [, reply] = await api.messages(chat.id);
    expect(reply?.content).toContain('144');
  });

  it.each([
    ['', 'empty'],
    ['x'.repeat(65), 'too long'],
    ['a b', 'spaced'],
    ['é', 'not ASCII'],
    ['a\n', 'with a line end'],
  ])('refuses the agent type %j (%s)', async (agentType) => {
    const answer = await api.post('/api/v1/chats', { agentType });
    expect(answer.status).toBe(400);
    expect(answer.error()).toMatchObject({
      code: 'invalid_request',
      details: [{ path: '/agentType', message: '"agentType" must be 1 to 64 letters, digits, "_" or "-".' }],
    });
  });

  it.each([[1], [['orchestrator']], [{}], [true]])('refuses an agent type that is %j', async (agentType) => {
    expect((await api.post('/api/v1/chats', { agentType })).status).toBe(400);
  });

  it('ignores body fields and query parameters it does not know', async () => {
    const answer = await api.post('/api/v1/chats?colour=red', {
      id: 'mine',
      titleSource: 'message',
      status: 'failed',
      x: {},
    });
    expect(answer.status).toBe(201);
    expect(answer.json<Chat>()).toMatchObject({ title: 'New chat', status: 'idle' });
    expect(answer.json<Chat>().id).not.toBe('mine');
  });

  it('takes a title, which stays, and a model', async () => {
    const chat = await api.createChat({ title: '  My\n title ', model: 'rehearsal' });
    expect(chat).toMatchObject({ title: 'My title', model: 'rehearsal' });
    await api.send(chat.id, 'Hello');
    expect(await api.settled(chat.id)).toMatchObject({ title: 'My title', model: 'rehearsal' });
    expect(await api.createChat({ title: ' ' })).toMatchObject({ title: 'New chat' });
  });

  it.each([
    ['title', { title: 'x'.repeat(201) }],
    ['title', { title: '\u200b' }],
    ['model', { model: 'gpt-9' }],
    ['model', { model: '' }],
  ])('refuses a %s that it can’t take', async (field, body) => {
    const answer = await api.post('/api/v1/chats', body);
    expect([answer.status, answer.error().details?.[0]?.path]).toEqual([400, `/${field}`]);
  });
});

describe('GET /api/v1/chats/:chatId', () => {
  it('answers with the chat in an envelope', async () => {
    const chat = await api.createChat();
    const answer = await api.get(`/api/v1/chats/${chat.id}`);
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual({ chat });
  });

  it('answers 404 for a chat that is not there', async () => {
    const answer = await api.get('/api/v1/chats/7a1f6f3e-0000-4000-8000-000000000000');
    expect(answer.status).toBe(404);
    expect(answer.error().code).toBe('chat_not_found');
  });

  it('answers HEAD like GET, without the body', async () => {
    const chat = await api.createChat();
    const answer = await api.request({ method: 'HEAD', path: `/api/v1/chats/${chat.id}` });
    expect([answer.status, answer.text]).toEqual([200, '']);
  });
});

describe('GET /api/v1/chats', () => {
  it('lists the latest change first, pages it and counts it all', async () => {
    const own = await startTestService();
    const made: Chat[] = [];
    for (let index = 0; index < 5; index += 1) made.push(await own.createChat({ agentType: 'paged' }));
    const expected = made.toSorted(
      (a, b) => b.updatedAt.localeCompare(a.updatedAt) || a.id.localeCompare(b.id),
    );
    const page = async (query: string): Promise<{ data: Chat[]; total: number }> =>
      (await own.get(`/api/v1/chats?${query}`)).json();
    expect(await page('')).toEqual({ data: expected, total: 5 });
    expect(await page('page=1&pageSize=2')).toEqual({ data: expected.slice(0, 2), total: 5 });
    expect(await page('page=3&pageSize=2')).toEqual({ data: expected.slice(4), total: 5 });
    expect(await page('page=4&pageSize=2')).toEqual({ data: [], total: 5 });
    expect(await page('page=99999999999999999999')).toEqual({ data: [], total: 5 });
    expect(await page('agentType=paged&pageSize=100')).toMatchObject({ total: 5 });
    expect(await page('agentType=other')).toEqual({ data: [], total: 0 });
    expect(await page('archived=true')).toMatchObject({ total: 5 });
    expect(await page('archived=false&unknown=1')).toMatchObject({ total: 5 });
  });

  it('moves a chat to the front when a message is sent to it', async () => {
    const own = await startTestService();
    const first = await own.createChat();
    await own.createChat();
    await own.send(first.id, 'hello');
    await own.settled(first.id);
    const { data } = (await own.get('/api/v1/chats')).json<{ data: Chat[] }>();
    expect(data[0]?.id).toBe(first.id);
  });

  it('shows 20 chats unless asked otherwise', async () => {
    const own = await startTestService();
    for (let index = 0; index < 21; index += 1) await own.createChat();
    const { data, total } = (await own.get('/api/v1/chats')).json<{ data: Chat[]; total: number }>();
    expect([data.length, total]).toEqual([20, 21]);
  });

  it.each([
    'page=0',
    'page=-1',
    'page=1.5',
    'page=1e3',
    'page=%201',
    'page=',
    'page=abc',
    'page=+1',
    'page=01',
    'page=0x1',
    'page=1&page=2',
    'page=NaN',
    'page=%00',
    'page=١',
    'page[]=1x&page=',
    'pageSize=0',
    'pageSize=101',
    'pageSize=-5',
    'pageSize=1e1',
    'pageSize=10.0',
    'pageSize=',
    'pageSize=100000',
    'archived=yes',
    'archived=',
    'archived=1',
    'agentType=',
    'agentType=a%20b',
    `agentType=${'x'.repeat(65)}`,
    'agentType=a&agentType=b',
  ])('refuses ?%s', async (query) => {
    const answer = await api.get(`/api/v1/chats?${encodeURI(decodeURI(query))}`);
    expect(answer.status).toBe(400);
    const { code, message, details } = answer.error();
    expect(code).toBe('invalid_request');
    expect(message).toMatch(/must be .+\.$/);
    expect(details?.length).toBeGreaterThan(0);
  });
});

describe('titles', () => {
  it('derives the title from the first message in the very answer to sending it, and keeps it', async () => {
    const chat = await api.createChat();
    const sent = await api.send(
      chat.id,
      '# Plan a trip to Lisbon for the four of us next spring, with trains and not planes\nmore',
    );
    expect(sent.title).toMatch(/^Plan a trip to Lisbon/);
    expect(sent.title.length).toBeLessThanOrEqual(60);
    await api.settled(chat.id);
    const second = await api.send(chat.id, 'Something else');
    expect(second.title).toBe(sent.title);
  });

  it('never changes a title that a person set', async () => {
    const chat = await api.createChat();
    await api.request({ method: 'PATCH', path: `/api/v1/chats/${chat.id}`, json: { title: 'My own' } });
    expect((await api.send(chat.id, 'hello there')).title).toBe('My own');
    expect((await api.settled(chat.id)).title).toBe('My own');
  });
});
