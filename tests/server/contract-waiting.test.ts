import { Agent, request } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { Chat } from '../../shared/api/chat.ts';
import type { CreatedKey } from '../../shared/api/key.ts';
import { isUnsettled } from '../../shared/choices.ts';
import { asked, rehearse } from '../support/rehearse.ts';
import { createScriptedRuntime, type ScriptedRuntime } from '../support/scripted-runtime.ts';
import { startSharedService, startTestService, type TestAnswer } from '../support/service.ts';

const runtime = createScriptedRuntime();
const api = await startSharedService({ runtime });

const chatPath = (id: string): string => `/api/v1/chats/${id}`;
const chatOf = (answer: TestAnswer): Chat => {
  expect(answer.status).toBe(200);
  return answer.json<{ chat: Chat }>().chat;
};
const wait = (id: string, query = 'wait=60', headers = {}): Promise<TestAnswer> =>
  api.get(`${chatPath(id)}?${query}`, { headers });
const patch = (id: string, json: object): Promise<TestAnswer> =>
  api.request({ method: 'PATCH', path: chatPath(id), json });
const etagOf = async (id: string): Promise<string> => String((await api.get(chatPath(id))).headers.etag);

/** A chat with a reply under way. */
async function begin(): Promise<{ id: string; turn: Awaited<ReturnType<ScriptedRuntime['turnOf']>> }> {
  const { id } = await api.createChat();
  await api.send(id, 'hello');
  return { id, turn: await runtime.turnOf(id) };
}

/** Whether it is still to be answered, once the service has had its time to do so. */
async function isOpen(answer: Promise<unknown>): Promise<boolean> {
  for (let index = 0; index < 5; index += 1) await api.get('/api/v1/chats');
  return (await Promise.race([answer, Promise.resolve('open')])) === 'open';
}

describe('waiting until a chat rests', () => {
  it.each([
    ['idle', 'reply'],
    ['failed', 'fail'],
  ] as const)('is answered when it is %s', async (status, end) => {
    const { id, turn } = await begin();
    const answer = wait(id);
    expect(await isOpen(answer)).toBe(true);
    turn[end]();
    expect(chatOf(await answer).status).toBe(status);
  });

  it('is answered when it is stopped', async () => {
    const { id } = await begin();
    const answer = wait(id);
    await api.post(`${chatPath(id)}/stop`);
    expect(chatOf(await answer).status).toBe('stopped');
  });

  it('goes on while more messages wait', async () => {
    const { id, turn } = await begin();
    await api.send(id, 'and this');
    const answer = wait(id);
    turn.reply('one');
    (await runtime.turnOf(id)).reply('two');
    expect(chatOf(await answer).status).toBe('idle');
    expect((await api.messages(id)).map(({ content }) => content)).toEqual([
      'hello',
      'one',
      'and this',
      'two',
    ]);
  });

  it('is answered at once in a chat at rest, and a 304 if the client knows it', async () => {
    const { id } = await api.createChat();
    expect(chatOf(await wait(id)).status).toBe('idle');
    const etag = await etagOf(id);
    expect((await wait(id, 'wait=60', { 'if-none-match': etag })).status).toBe(304);
  });

  it('is answered with the chat as it is when time is up', async () => {
    const { id, turn } = await begin();
    for (const seconds of ['0', '0.05', '00.05'.slice(1)]) {
      expect(chatOf(await wait(id, `wait=${seconds}`)).status).toBe('processing');
    }
    const etag = await etagOf(id);
    expect((await wait(id, 'wait=0.05', { 'if-none-match': etag })).status).toBe(304);
    turn.reply();
  });

  it.each(['-1', '61', '60.5', '1e1', 'soon', '', '%205', '05', '1.', '.5', 'NaN', '1&wait=2'])(
    'refuses to wait "%s" seconds, and says what it takes',
    async (seconds) => {
      const { id } = await api.createChat();
      for (const answer of [
        await wait(id, `wait=${seconds}`),
        await api.post(`${chatPath(id)}/messages?wait=${seconds}`, { content: 'hi' }),
      ]) {
        expect([answer.status, answer.error().message]).toEqual([
          400,
          '"wait" must be seconds to wait, 0 to 60, such as "30" or "0.5".',
        ]);
      }
      expect(await api.messages(id)).toEqual([]);
    },
  );

  it('refuses to wait for anything else', async () => {
    const { id } = await api.createChat();
    const answer = await wait(id, 'wait=1&for=ever');
    expect([answer.status, answer.error().message]).toEqual([
      400,
      '"for" must be "rest" or "change": what to wait for.',
    ]);
  });

  it('is a 404 for a chat that is not there, and once it is deleted, for good too', async () => {
    expect((await wait('nobody')).error().code).toBe('chat_not_found');
    for (const [what, query] of [
      ['rest', ''],
      ['change', '?permanent=true'],
    ] as const) {
      const { id } = await begin();
      const answer = wait(id, `wait=60&for=${what}`);
      expect(await isOpen(answer)).toBe(true);
      await api.request({ method: 'DELETE', path: `${chatPath(id)}${query}` });
      expect([(await answer).status, (await answer).error().code]).toEqual([404, 'chat_not_found']);
    }
  });

  it('tells nothing to a key that has ended meanwhile', async () => {
    const { id, turn } = await begin();
    const { key, apiKey } = (await api.post('/api/v1/keys', { name: 'short' })).json<CreatedKey>();
    const answer = api.get(`${chatPath(id)}?wait=60`, { key: apiKey });
    expect(await isOpen(answer)).toBe(true);
    await api.request({ method: 'DELETE', path: `/api/v1/keys/${key.id}` });
    turn.reply();
    expect((await answer).status).toBe(401);
  });

  it('goes on while a tool waits for an answer, and a wait for changes tells of it', async () => {
    const own = await startTestService();
    const id = await rehearse(own, '::approve Paint the fence?');
    await asked(own, id);
    await expect.poll(async () => (await own.chat(id)).awaitingApproval).toBe(true);
    const resting = own.get(`${chatPath(id)}?wait=60`);
    const { id: approval } = await asked(own, id);
    const changing = own.get(`${chatPath(id)}?wait=60&for=change`);
    await own.post(`${chatPath(id)}/approvals/${approval}`, { decision: 'deny' });
    expect(chatOf(await changing).awaitingApproval).toBeUndefined();
    expect(isUnsettled(chatOf(await resting).status)).toBe(false);
  });

  it('is answered at once when the service stops', async () => {
    const own = createScriptedRuntime();
    const stopping = await startTestService({ runtime: own });
    const { id } = await stopping.createChat();
    await stopping.send(id, 'hello');
    await own.turnOf(id);
    const answers = ['rest', 'change'].map((what) => stopping.get(`${chatPath(id)}?wait=60&for=${what}`));
    const send = stopping.post(`${chatPath(id)}/messages?wait=60`, { content: 'more' });
    while ((await stopping.messages(id)).length < 3) await new Promise(setImmediate);
    await stopping.service.close();
    for (const answer of await Promise.all([...answers, send])) {
      expect(['processing', 'pending']).toContain(chatOf(answer).status);
    }
  });
});

describe('waiting for a change', () => {
  it.each<[string, (id: string) => Promise<unknown>]>([
    ['title', (id) => patch(id, { title: 'Another' })],
    ['pin', (id) => patch(id, { pinned: true })],
    ['archive mark', (id) => patch(id, { archived: true })],
    ['agent', (id) => patch(id, { agentType: 'other' })],
    ['messages', (id) => api.send(id, 'hello')],
  ])('is answered when the %s changes', async (_what, change) => {
    const { id } = await api.createChat();
    const before = await etagOf(id);
    const answer = wait(id, 'wait=60&for=change');
    expect(await isOpen(answer)).toBe(true);
    await change(id);
    expect((await answer).headers.etag).not.toBe(before);
    expect(chatOf(await answer).id).toBe(id);
  });

  it('is answered when more of the reply can be read, until it is there', async () => {
    const { id, turn } = await begin();
    let etag = await etagOf(id);
    const texts = new Set<string>();
    for (let chat = await api.chat(id); chat.status !== 'idle';) {
      const answer = wait(id, 'wait=60&for=change', { 'if-none-match': etag });
      if (texts.size < 3) turn.stream(`part ${texts.size} `);
      else if (!turn.isOver) turn.reply();
      chat = chatOf(await answer);
      etag = String((await answer).headers.etag);
      texts.add((await api.messages(id)).at(-1)?.content ?? '');
    }
    expect([...texts].at(-1)).toContain('part 0 part 1');
    expect(texts.size).toBeGreaterThan(1);
  });

  it('is answered when the place in the queue changes', async () => {
    const own = createScriptedRuntime();
    const { service: queued, ...client } = await startTestService({ runtime: own });
    expect(queued.port).toBeGreaterThan(0);
    const chats = await Promise.all(Array.from({ length: 34 }, () => client.createChat()));
    for (const { id } of chats) await client.send(id, 'hello');
    const last = chats.at(-1)?.id ?? '';
    await expect.poll(async () => (await client.chat(last)).queuePosition).toBe(2);
    const answer = client.get(`${chatPath(last)}?wait=60&for=change`);
    own.running()[0]?.reply();
    expect(chatOf(await answer).queuePosition).toBe(1);
  });

  it('is answered at once for a tag that is old, and not for one that is not', async () => {
    const { id } = await api.createChat();
    const old = await etagOf(id);
    await patch(id, { pinned: true });
    for (const known of [old, '', '"other"']) {
      const answer = wait(id, 'wait=60&for=change', { 'if-none-match': known });
      expect(chatOf(await answer).pinned).toBe(true);
    }
    for (const known of [await etagOf(id), `W/${await etagOf(id)}`, `"x", ${await etagOf(id)}`, '*']) {
      const answer = wait(id, 'wait=0.05&for=change', { 'if-none-match': known });
      expect([known, (await answer).status]).toEqual([known, 304]);
    }
  });

  it('loses no change between one request and the next', async () => {
    const { id } = await api.createChat();
    let etag = await etagOf(id);
    const titles = new Set<string>();
    const changing = (async () => {
      for (let index = 0; index < 50; index += 1) await patch(id, { title: `Title ${index}` });
    })();
    while (!titles.has('Title 49')) {
      const answer = await wait(id, 'wait=60&for=change', { 'if-none-match': etag });
      etag = String(answer.headers.etag);
      titles.add(chatOf(answer).title);
    }
    await changing;
    expect(titles.size).toBeGreaterThan(1);
  });

  it('is not answered for changes of other chats', async () => {
    const [one, other] = [await api.createChat(), await api.createChat()];
    const answer = wait(one.id, 'wait=60&for=change');
    await patch(other.id, { pinned: true });
    expect(await isOpen(answer)).toBe(true);
    await patch(one.id, { pinned: true });
    expect(chatOf(await answer).pinned).toBe(true);
  });
});

describe('a send that waits', () => {
  const send = (id: string, query = '?wait=60', headers = {}, content = 'hello'): Promise<TestAnswer> =>
    api.post(`${chatPath(id)}/messages${query}`, { content }, { headers });

  it('is answered when its chat rests, and a repeat of it waits as well', async () => {
    const { id } = await api.createChat();
    const once = { 'idempotency-key': 'one' };
    const answers = [send(id, '?wait=60', once), send(id, '?wait=60', once)];
    const turn = await runtime.turnOf(id);
    expect(await isOpen(Promise.race(answers))).toBe(true);
    turn.reply('done');
    answers.push(send(id, '?wait=60', once));
    for (const answer of await Promise.all(answers)) expect(chatOf(answer).status).toBe('idle');
    expect((await api.messages(id)).map(({ content }) => content)).toEqual(['hello', 'done']);
  });

  it('is answered with the chat as it is when time is up, and its reply comes all the same', async () => {
    const { id } = await api.createChat();
    expect(['pending', 'processing']).toContain(chatOf(await send(id, '?wait=0.05')).status);
    (await runtime.turnOf(id)).reply('later');
    await api.settled(id);
    expect((await api.messages(id)).at(-1)?.content).toBe('later');
  });

  it('says that the message was stored when the chat is deleted meanwhile', async () => {
    const { id } = await api.createChat();
    const answer = send(id);
    await runtime.turnOf(id);
    await api.request({ method: 'DELETE', path: chatPath(id) });
    expect((await answer).error()).toMatchObject({
      code: 'chat_not_found',
      message: 'The message was stored, but its chat was deleted before the reply was ready.',
    });
  });

  it('is done, though its client has gone', async () => {
    const { id } = await api.createChat();
    const outgoing = request({
      agent: new Agent(),
      port: api.service.port,
      method: 'POST',
      path: `${chatPath(id)}/messages?wait=60`,
      headers: { authorization: `Bearer ${api.service.apiKey}`, 'content-type': 'application/json' },
    });
    outgoing.on('error', () => undefined);
    outgoing.end(JSON.stringify({ content: 'hello' }));
    const turn = await runtime.turnOf(id);
    outgoing.destroy();
    turn.reply('for later');
    await api.settled(id);
    expect((await api.messages(id)).at(-1)?.content).toBe('for later');
  });
});

it('answers 1,000 clients that wait, for one chat and for many', async () => {
  const agent = new Agent({ maxSockets: 1_000 });
  const get = (path: string, etag: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${api.service.apiKey}`, 'if-none-match': etag };
      const { port } = api.service;
      const outgoing = request({ agent, host: '127.0.0.1', port, path, headers }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0));
      });
      outgoing.on('error', reject).on('finish', () => (sent += 1));
      outgoing.end();
    });
  let sent = 0;
  const chats = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const chat = await begin();
      return { ...chat, etag: await etagOf(chat.id) };
    }),
  );
  const answers = Array.from({ length: 1_000 }, (_, index) => {
    const { id, etag } = chats[index < 500 ? 0 : index % chats.length] ?? { id: '', etag: '' };
    return get(`${chatPath(id)}?wait=60&for=${index % 2 === 0 ? 'rest' : 'change'}`, etag);
  });
  while (sent < answers.length) await api.get('/api/v1/chats');
  for (const { turn } of chats) turn.reply();
  expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
  agent.destroy();
});
