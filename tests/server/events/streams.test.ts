import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Message } from '../../../shared/api/message.ts';
import { createEventClient, type EventClient } from '../../support/event-client.ts';
import { eventually } from '../../support/eventually.ts';
import { createScriptedRuntime, type ScriptedRuntime } from '../../support/scripted-runtime.ts';
import { startTestService, type TestService } from '../../support/service.ts';

interface Setting extends TestService {
  runtime: ScriptedRuntime;
  chatId: string;
  client: EventClient;
}

async function start(): Promise<Setting> {
  const runtime = createScriptedRuntime();
  const service = await startTestService({ runtime });
  const { id: chatId } = await service.createChat();
  const client = createEventClient(service.service.port, service.service.apiKey, chatId);
  return { ...service, runtime, chatId, client };
}

const types = (client: EventClient): string[] => client.reported.map(({ event }) => event.type);
const reply = (client: EventClient): Message | undefined =>
  client.state.messages.findLast(({ role }) => role === 'assistant');

/** What the client knows is what the API says. */
async function expectSame(setting: Setting): Promise<void> {
  const { chatId, client } = setting;
  await eventually(async () => {
    expect(client.state.messages).toEqual(await setting.messages(chatId));
    expect(client.state.chat).toEqual(await setting.chat(chatId));
  });
}

describe('an event stream', () => {
  test('begins with all there is, and with headers that keep it from being stored or gathered', async () => {
    const setting = await start();
    const { client, chatId } = setting;
    await setting.send(chatId, 'one');
    (await setting.runtime.turnOf(chatId)).reply('first');
    await setting.settled(chatId);
    const stream = await client.open();
    expect(stream.response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    expect(stream.response.headers['x-request-id']).toMatch(/^req-/);
    await stream.until(() => client.reported.length > 0);
    expect(client.reported[0]?.event).toEqual({
      type: 'sync',
      chat: await setting.chat(chatId),
      messages: await setting.messages(chatId),
      whole: true,
    });
  });

  test('tells the course of a turn, and its text as it grows', async () => {
    const setting = await start();
    const { client, chatId, runtime } = setting;
    const stream = await client.open();
    await stream.until(() => client.reported.length > 0);
    await setting.send(chatId, 'hello');
    const turn = await runtime.turnOf(chatId);
    await stream.until(() => reply(client)?.status === 'pending');
    expect(client.state.messages[0]).toMatchObject({ role: 'user', status: 'complete' });
    expect(client.state.chat).toMatchObject({ status: 'processing' });
    for (const word of ['one', ' two', ' three', ' four']) {
      turn.stream(word);
      await stream.until(() => reply(client)?.content.endsWith(word) === true);
      expect(reply(client)?.status).toBe('streaming');
    }
    expect(reply(client)?.content).toBe('one two three four');
    turn.reply();
    await stream.until(() => client.state.chat?.status === 'idle');
    expect(reply(client)).toMatchObject({ status: 'complete', content: 'one two three four' });
    expect(types(client).filter((type) => type === 'sync')).toHaveLength(1);
    expect(types(client)).toContain('delta');
    await expectSame(setting);
  });

  test('tells text sooner than it is stored, in pieces that don’t repeat what was told', async () => {
    const setting = await start();
    const { client, chatId, runtime } = setting;
    const stream = await client.open();
    await setting.send(chatId, 'hello');
    const turn = await runtime.turnOf(chatId);
    let text = '';
    for (let index = 0; index < 600; index += 1) {
      text += `word${index} `;
      turn.stream(`word${index} `);
      if (index % 10 === 0) await delay(5);
    }
    await stream.until(() => reply(client)?.content === text);
    const deltas = client.reported.flatMap(({ event }) => (event.type === 'delta' ? [event] : []));
    // More often than the row is saved, and far from once a word.
    expect(deltas.length).toBeGreaterThan(3);
    expect(deltas.length).toBeLessThan(100);
    for (const { offset, text: piece } of deltas)
      expect(text.slice(offset, offset + piece.length)).toBe(piece);
    expect(deltas.reduce((sum, { text: piece }) => sum + piece.length, 0)).toBeLessThanOrEqual(text.length);
  });

  test('shows steps as they change, and a reply that begins anew', async () => {
    const setting = await start();
    const { client, chatId, runtime } = setting;
    const stream = await client.open();
    await setting.send(chatId, 'hello');
    const turn = await runtime.turnOf(chatId);
    const step = { id: 's', tool: 'clock', input: {} };
    turn.stream('', [{ ...step, status: 'running' }]);
    await stream.until(() => reply(client)?.steps?.[0]?.status === 'running');
    turn.stream('Hel', [{ ...step, status: 'done', output: 1 }]);
    await stream.until(() => reply(client)?.content === 'Hel');
    expect(reply(client)?.steps?.[0]?.status).toBe('done');
    turn.loseThread();
    const again = await runtime.turnOf(chatId);
    again.stream('Good day');
    await stream.until(() => reply(client)?.content === 'Good day');
    expect(reply(client)?.steps).toBeUndefined();
    again.stream('!');
    await stream.until(() => reply(client)?.content === 'Good day!');
    again.reply('Good day!');
    await stream.until(() => client.state.chat?.status === 'idle');
    await expectSame(setting);
  });

  test('opened in the midst of a reply, it tells all of it', async () => {
    const setting = await start();
    const { client, chatId, runtime } = setting;
    await setting.send(chatId, 'hello');
    const turn = await runtime.turnOf(chatId);
    turn.stream('so far');
    await setting.send(chatId, 'and more');
    const stream = await client.open();
    await stream.until(() => reply(client)?.content === 'so far');
    expect(client.state.messages.map(({ status }) => status)).toEqual(['complete', 'streaming', 'pending']);
    turn.stream(' and on');
    await stream.until(() => reply(client)?.content === 'so far and on');
    turn.reply();
    (await runtime.turnOf(chatId)).reply('second');
    await stream.until(() => client.state.chat?.status === 'idle');
    await expectSame(setting);
  });

  test('stop, failure, title and marks are told', async () => {
    const setting = await start();
    const { client, chatId, runtime } = setting;
    const stream = await client.open();
    await setting.send(chatId, 'hello');
    (await runtime.turnOf(chatId)).stream('half');
    await stream.until(() => reply(client)?.content === 'half');
    await setting.post(`/api/v1/chats/${chatId}/stop`);
    await stream.until(() => client.state.chat?.status === 'stopped');
    expect(reply(client)).toMatchObject({ status: 'complete', stopReason: 'stopped', content: 'half' });
    await setting.send(chatId, 'again');
    (await runtime.turnOf(chatId)).fail();
    await stream.until(() => client.state.chat?.status === 'failed');
    expect(reply(client)).toMatchObject({ status: 'error', error: { code: 'model_failed' } });
    await setting.request({ method: 'PATCH', path: `/api/v1/chats/${chatId}`, json: { title: 'Mine' } });
    await stream.until(() => client.state.chat?.title === 'Mine');
    await expectSame(setting);
  });
});

describe('what was edited or deleted', () => {
  test('is told by all messages anew', async () => {
    const setting = await start();
    const { client, chatId, runtime } = setting;
    const answer = async (text: string): Promise<void> => (await runtime.turnOf(chatId)).reply(text);
    await setting.send(chatId, 'one');
    await answer('first');
    await setting.settled(chatId);
    const stream = await client.open();
    await stream.until(() => client.reported.length > 0);
    const [question] = await setting.messages(chatId);
    await setting.post(`/api/v1/chats/${chatId}/messages/${question?.id ?? ''}/edit`, { content: 'other' });
    await answer('second');
    await stream.until(() => client.state.chat?.status === 'idle' && reply(client)?.content === 'second');
    expect(client.reported.filter(({ event }) => event.type === 'sync' && event.whole)).toHaveLength(2);
    await expectSame(setting);
    stream.cut();

    // A cursor from before says nothing of how things are ordered now.
    const [edited] = await setting.messages(chatId);
    await setting.request({
      method: 'DELETE',
      path: `/api/v1/chats/${chatId}/messages/${edited?.id ?? ''}`,
    });
    const before = client.reported.length;
    const next = await client.open();
    await next.until(() => client.reported.length > before);
    expect(client.reported[before]?.event).toMatchObject({ type: 'sync', whole: true });
    await expectSame(setting);
  });

  test('a chat that is deleted ends its streams', async () => {
    const setting = await start();
    const { client, chatId } = setting;
    const stream = await client.open();
    await stream.until(() => client.reported.length > 0);
    await setting.request({ method: 'DELETE', path: `/api/v1/chats/${chatId}` });
    await stream.ended;
    expect(types(client).at(-1)).toBe('gone');
    expect(client.state.isGone).toBe(true);
    await expect(client.open()).rejects.toThrow(/404.*chat_not_found/);
  });
});

describe('coming back', () => {
  test.each([false, true])(
    'tells what is after the cursor and no more (in the query: %s)',
    async (inQuery) => {
      const setting = await start();
      const { client, chatId, runtime } = setting;
      await setting.send(chatId, 'one');
      (await runtime.turnOf(chatId)).reply('first');
      await setting.settled(chatId);
      const stream = await client.open();
      await stream.until(() => client.reported.length > 0);
      stream.cut();
      await setting.send(chatId, 'two');
      (await runtime.turnOf(chatId)).reply('second');
      await setting.settled(chatId);
      const next = await client.open({ inQuery });
      await next.until(() => client.reported.length > 1);
      const { event } = client.reported[1] ?? {};
      expect(event).toMatchObject({
        type: 'sync',
        whole: false,
        messages: [{ content: 'two' }, { content: 'second' }],
      });
      await expectSame(setting);
    },
  );

  test('a cursor stands before the first message that isn’t final, also when a later one is', async () => {
    const setting = await start();
    const { client, chatId, runtime } = setting;
    const stream = await client.open();
    await setting.send(chatId, 'one');
    const first = await runtime.turnOf(chatId);
    await setting.send(chatId, 'two');
    await setting.send(chatId, 'three');
    first.reply('first');
    const second = await runtime.turnOf(chatId);
    await stream.until(() => client.state.messages.some(({ content }) => content === 'first'));
    await eventually(async () => {
      const listed = await setting.messages(chatId);
      const open = listed.findIndex(({ status }) => status !== 'complete');
      expect(client.cursor).toBe(`${listed[open - 1]?.id ?? ''}.0`);
    });
    stream.cut();
    second.reply('second');
    (await runtime.turnOf(chatId)).reply('third');
    await setting.settled(chatId);
    await client.open();
    await expectSame(setting);
    expect(client.cursor).toBe(`${(await setting.messages(chatId)).at(-1)?.id ?? ''}.0`);
  });

  test.each([
    ['empty', ''],
    ['a word', 'x'],
    ['of no message', '.0'],
    ['of an unknown message', 'nobody.0'],
    ['odd', '%00'],
    ['in too many parts', 'a.b.c'],
    ['long', '1'.repeat(9_000)],
    ['not ASCII', 'é'],
  ])('a cursor that says nothing (%s) gets everything', async (_what, cursor) => {
    const setting = await start();
    const { client, chatId, runtime } = setting;
    await setting.send(chatId, 'one');
    (await runtime.turnOf(chatId)).reply('first');
    await setting.settled(chatId);
    const stream = await client.open({ cursor, inQuery: true });
    await stream.until(() => client.reported.length > 0);
    expect(client.reported[0]?.event).toMatchObject({ type: 'sync', whole: true });
    await expectSame(setting);
  });

  test('a cursor that names a message with open ones before it gets everything', async () => {
    const setting = await start();
    const { client, chatId, runtime } = setting;
    await setting.send(chatId, 'one');
    const first = await runtime.turnOf(chatId);
    await setting.send(chatId, 'two');
    const ahead = `${(await setting.messages(chatId)).at(-1)?.id ?? ''}.0`;
    const stream = await client.open({ cursor: ahead });
    await stream.until(() => client.reported.length > 0);
    expect(client.reported[0]?.event).toMatchObject({ type: 'sync', whole: true });
    first.reply('first');
    (await runtime.turnOf(chatId)).reply('second');
    await setting.settled(chatId);
    await expectSame(setting);
  });

  test('a cursor of another chat, and one given twice, get everything', async () => {
    const setting = await start();
    const { client, chatId, runtime } = setting;
    const other = await setting.createChat();
    for (const id of [chatId, other.id]) {
      await setting.send(id, 'one');
      (await runtime.turnOf(id)).reply('first');
      await setting.settled(id);
    }
    const foreign = `${(await setting.messages(other.id)).at(-1)?.id ?? ''}.0`;
    const stream = await client.open({ cursor: foreign });
    await stream.until(() => client.reported.length > 0);
    expect(client.reported[0]?.event).toMatchObject({ type: 'sync', whole: true });
    const twice = await client.open({ cursor: `${foreign}&after=x`, inQuery: true });
    await twice.until(() => client.reported.length > 1);
    expect(client.reported[1]?.event).toMatchObject({ type: 'sync', whole: true });
  });
});

describe('who may', () => {
  test('is answered as for reading the chat', async () => {
    const setting = await start();
    const { chatId, service } = setting;
    const path = `/api/v1/chats/${chatId}/events`;
    expect((await setting.get(path, { key: null })).status).toBe(401);
    expect((await setting.get('/api/v1/chats/nobody/events')).error().code).toBe('chat_not_found');
    expect((await setting.get(`${path}?workspaceId=other`)).error().code).toBe('workspace_forbidden');
    const { text } = await service.keys.create({
      kind: 'person',
      name: 'unbound',
      scope: 'chat',
      workspaceId: null,
      expiresAt: null,
    });
    const own = await setting.createChat();
    const open = createEventClient(service.port, text, own.id);
    const stream = await open.open();
    await stream.until(() => open.reported.length > 0);
  });

  test('HEAD gives the headers and opens nothing', async () => {
    const setting = await start();
    const { chatId } = setting;
    const answer = await setting.request({ method: 'HEAD', path: `/api/v1/chats/${chatId}/events` });
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(answer.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    const post = await setting.request({ method: 'POST', path: `/api/v1/chats/${chatId}/events` });
    expect(post.error().code).toBe('method_not_allowed');
  });

  test('a key that is revoked or expires is told nothing more', async () => {
    const setting = await start();
    const { service, chatId, runtime } = setting;
    const newKey = async (expiresAt: string | null): Promise<{ text: string; stored: { id: string } }> =>
      service.keys.create({ kind: 'person', name: 'k', scope: 'chat', workspaceId: null, expiresAt });
    const revoked = await newKey(null);
    const expiring = await newKey(new Date(Date.now() + 4_000).toISOString());
    const clients = [revoked, expiring].map(({ text }) => createEventClient(service.port, text, chatId));
    const [first, second] = await Promise.all(clients.map((client) => client.open()));
    await first?.until(() => (clients[0]?.reported.length ?? 0) > 0);
    await service.keys.revoke(revoked.stored.id);
    await first?.ended;
    await second?.ended;
    const reported = clients.map((client) => client.reported.length);
    await setting.send(chatId, 'secret');
    (await runtime.turnOf(chatId)).reply('secret');
    await delay(100);
    expect(clients.map((client) => client.reported.length)).toEqual(reported);
  });
});
