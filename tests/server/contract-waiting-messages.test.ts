/** Messages that wait, each by itself: removing, changing, moving and sending them now, over HTTP. */
import { describe, expect, it } from 'vitest';
import type { Chat } from '../../shared/api/chat.ts';
import type { Message } from '../../shared/api/message.ts';
import type { SearchResults } from '../../shared/api/search.ts';
import { createEventClient } from '../support/event-client.ts';
import { base64, namesOnDisk, sha256Of, textFile } from '../support/files.ts';
import { parley } from '../support/parley.ts';
import { createScriptedRuntime, type ScriptedRuntime } from '../support/scripted-runtime.ts';
import {
  createTempDir,
  keyElsewhere,
  startTestService,
  type TestAnswer,
  type TestService,
} from '../support/service.ts';

interface Waiting {
  api: TestService;
  runtime: ScriptedRuntime;
  chatId: string;
  /** Ids of the messages by what they said when they were sent. */
  ids: Record<string, string>;
}

/** A chat in which "first" is being answered, and these wait. */
async function chatWith(...contents: string[]): Promise<Waiting> {
  const runtime = createScriptedRuntime();
  const api = await startTestService({ runtime });
  const { id: chatId } = await api.createChat();
  const ids: Record<string, string> = {};
  for (const content of ['first', ...contents]) {
    const answer = await api.post(`/api/v1/chats/${chatId}/messages`, { content });
    ids[content] = String(answer.headers['x-message-id']);
    await runtime.turnOf(chatId);
  }
  return { api, runtime, chatId, ids };
}

const pathOf = ({ chatId, ids }: Waiting, content: string, act = ''): string =>
  `/api/v1/chats/${chatId}/messages/${ids[content] ?? content}${act}`;
const change = (at: Waiting, content: string, json: unknown, options: object = {}): Promise<TestAnswer> =>
  at.api.request({ method: 'PATCH', path: pathOf(at, content), json, ...options });
const remove = (at: Waiting, content: string, query = ''): Promise<TestAnswer> =>
  at.api.request({ method: 'DELETE', path: pathOf(at, content, query) });
const move = (at: Waiting, content: string, before: string | null): Promise<TestAnswer> =>
  at.api.post(pathOf(at, content, '/move'), { before: before === null ? null : (at.ids[before] ?? before) });
const sendNow = (at: Waiting, content: string): Promise<TestAnswer> =>
  at.api.post(pathOf(at, content, '/send-now'));

const asked = (messages: readonly Message[]): Message[] => messages.filter(({ role }) => role === 'user');
const textsOf = async ({ api, chatId }: Waiting): Promise<string[]> =>
  asked(await api.messages(chatId)).map(({ content }) => content);
const waitingOf = async ({ api, chatId }: Waiting): Promise<string[]> =>
  asked(await api.messages(chatId)).flatMap(({ content, status }) => (status === 'pending' ? [content] : []));
const problem = (answer: TestAnswer): [number, string] => [answer.status, answer.error().code];
const chatOf = (answer: TestAnswer): Chat => answer.json<{ chat: Chat }>().chat;

/** Has everything answered from now on; what was said, in the order it was answered. */
async function answerAll({ api, runtime, chatId }: Waiting): Promise<string[]> {
  runtime.onTurn = (turn) => turn.reply(`Re: ${turn.request.messages.at(-1)?.content ?? ''}`);
  for (const turn of runtime.running()) turn.reply(`Re: ${turn.request.messages.at(-1)?.content ?? ''}`);
  await api.settled(chatId);
  const replies = (await api.messages(chatId)).filter(({ role }) => role === 'assistant');
  return replies.map(({ content }) => content);
}

describe('DELETE of a message that waits', () => {
  it('takes it out while a reply is being made; nobody answers it, and the others are', async () => {
    const at = await chatWith('second', 'third');
    expect(chatOf(await remove(at, 'second', '?ifWaiting=true')).status).toBe('pending');
    expect(await waitingOf(at)).toEqual(['third']);
    expect(problem(await at.api.get(pathOf(at, 'second')))).toEqual([404, 'message_not_found']);
    expect(await answerAll(at)).toEqual(['Re: first', 'Re: third']);
  });

  it('leaves the chat as busy as it then is', async () => {
    const at = await chatWith('second');
    expect(chatOf(await remove(at, 'second'))).toMatchObject({ status: 'processing', queuePosition: 0 });
    expect(await at.api.chat(at.chatId)).toHaveProperty('lastProgressAt');
    expect(await answerAll(at)).toEqual(['Re: first']);
    expect((await at.api.chat(at.chatId)).status).toBe('idle');
  });

  it('removes its files with it for good when the chat is', async () => {
    const at = await chatWith();
    const attachments = [{ name: 'two.txt', data: base64(textFile(500)) }];
    const answer = await at.api.post(`/api/v1/chats/${at.chatId}/messages`, { content: 'with', attachments });
    at.ids['with'] = String(answer.headers['x-message-id']);
    const [file] = asked(await at.api.messages(at.chatId)).at(-1)?.attachments ?? [];
    expect((await remove(at, 'with')).status).toBe(200);
    expect(problem(await at.api.get(`/api/v1/files/${file?.id ?? ''}`))).toEqual([404, 'file_not_found']);
  });

  it('that was taken meanwhile is refused, and leaves it with its reply', async () => {
    const at = await chatWith('second');
    for (const query of ['', '?ifWaiting=true'])
      expect(problem(await remove(at, 'first', query))).toEqual([409, 'message_taken']);
    await answerAll(at);
    expect(problem(await remove(at, 'second', '?ifWaiting=true'))).toEqual([409, 'message_taken']);
    expect((await at.api.messages(at.chatId)).length).toBe(4);
    expect((await remove(at, 'second')).status).toBe(200);
  });

  it('can be undone: it waits again at its place, or is listed unanswered once the chat rests', async () => {
    const at = await chatWith('second', 'third');
    await remove(at, 'second');
    expect(chatOf(await at.api.post(pathOf(at, 'second', '/restore'))).status).toBe('pending');
    expect(await waitingOf(at)).toEqual(['second', 'third']);
    await remove(at, 'third');
    expect(await answerAll(at)).toEqual(['Re: first', 'Re: second']);
    expect(chatOf(await at.api.post(pathOf(at, 'third', '/restore'))).status).toBe('idle');
    expect(await textsOf(at)).toEqual(['first', 'second', 'third']);
    await at.api.post(`/api/v1/chats/${at.chatId}/retry`, { messageId: at.ids['third'] });
    await at.api.settled(at.chatId);
    expect((await at.api.messages(at.chatId)).at(-1)?.content).toBe('Re: third');
  });

  it('is not undone into the queue once the chat has gone past it', async () => {
    const at = await chatWith('second', 'third');
    await remove(at, 'second');
    (await at.runtime.turnOf(at.chatId)).reply('done');
    await expect.poll(() => waitingOf(at)).toEqual([]);
    expect(problem(await at.api.post(pathOf(at, 'second', '/restore')))).toEqual([409, 'chat_busy']);
  });
});

describe('PATCH of a message that waits', () => {
  it('changes what it says, how it is answered and its files, and keeps its id and place', async () => {
    const dataDir = await createTempDir();
    const runtime = createScriptedRuntime();
    const api = await startTestService({ runtime, dataDir });
    const { id: chatId } = await api.createChat();
    await api.send(chatId, 'first');
    await runtime.turnOf(chatId);
    const [old, kept, added] = [textFile(300, 'old'), textFile(300, 'kept'), textFile(300, 'added')];
    const attachments = [
      { name: 'old.txt', data: base64(old) },
      { name: 'kept.txt', data: base64(kept) },
    ];
    const sent = await api.post(`/api/v1/chats/${chatId}/messages`, { content: 'secnod', attachments });
    const at = { api, runtime, chatId, ids: { second: String(sent.headers['x-message-id']) } };
    await api.send(chatId, 'third');
    const [, before] = asked(await api.messages(chatId));
    const keptId = before?.attachments?.[1]?.id ?? '';
    const answer = await change(at, 'second', {
      content: 'second',
      mode: 'chat',
      parameters: { temperature: 0.5 },
      attachments: [{ fileId: keptId }, { name: 'added.txt', data: base64(added) }],
    });
    expect(answer.status).toBe(200);
    const [, message] = asked(await api.messages(chatId));
    expect(message).toMatchObject({
      id: at.ids.second,
      content: 'second',
      mode: 'chat',
      parameters: { temperature: 0.5 },
      status: 'pending',
      attachments: [{ id: keptId, name: 'kept.txt' }, { name: 'added.txt' }],
    });
    expect(message).not.toHaveProperty('versions');
    expect(await namesOnDisk(dataDir)).toEqual([sha256Of(kept), sha256Of(added)].sort());
    await change(at, 'second', { mode: 'agent', parameters: null, attachments: [] });
    expect(asked(await api.messages(chatId))[1]).toMatchObject({ content: 'second', mode: 'agent' });
    expect(await namesOnDisk(dataDir)).toEqual([]);
    expect(await answerAll(at)).toEqual(['Re: first', 'Re: second', 'Re: third']);
  });

  it('is found by its new words, and no more by the old ones', async () => {
    const at = await chatWith('elephants');
    const find = async (word: string): Promise<number> =>
      (await at.api.get(`/api/v1/search?q=${word}`)).json<SearchResults>().messages.length;
    await expect.poll(() => find('elephants')).toBe(1);
    await change(at, 'elephants', { content: 'giraffes' });
    expect([await find('elephants'), await find('giraffes')]).toEqual([0, 1]);
  });

  it('refuses what a send refuses, and changes nothing then', async () => {
    const at = await chatWith('second');
    for (const body of [{ content: ' \n' }, { model: 'no such model' }, { mode: 'sing' }, { content: 7 }])
      expect(problem(await change(at, 'second', body))).toEqual([400, 'invalid_request']);
    expect(problem(await change(at, 'second', { attachments: [{ fileId: 'gone' }] }))).toEqual([
      404,
      'file_not_found',
    ]);
    expect(problem(await change(at, 'nobody', { content: 'x' }))).toEqual([404, 'message_not_found']);
    expect(await waitingOf(at)).toEqual(['second']);
  });

  it('that was taken meanwhile is refused, unless it repeats a change that was made', async () => {
    const at = await chatWith('second');
    const once = { headers: { 'idempotency-key': 'k' } };
    expect((await change(at, 'second', { content: 'better' }, once)).status).toBe(200);
    expect(problem(await change(at, 'first', { content: 'late' }))).toEqual([409, 'message_taken']);
    expect(await answerAll(at)).toEqual(['Re: first', 'Re: better']);
    expect((await change(at, 'second', { content: 'better' }, once)).status).toBe(200);
    expect(problem(await change(at, 'second', { content: 'other' }, once))).toEqual([
      409,
      'idempotency_conflict',
    ]);
    expect(problem(await change(at, 'second', { content: 'late' }))).toEqual([409, 'message_taken']);
  });
});

describe('POST …/move', () => {
  it('changes what is answered first, for lists, streams and searches alike', async () => {
    const at = await chatWith('second', 'third', 'fourth');
    const client = createEventClient(at.api.service.port, at.api.service.apiKey, at.chatId);
    const stream = await client.open();
    const reported = (): string[] => asked(client.state.messages).map(({ content }) => content);
    await stream.until(() => reported().length === 4);
    await move(at, 'fourth', 'second');
    await move(at, 'second', null);
    const order = ['first', 'fourth', 'third', 'second'];
    expect(await textsOf(at)).toEqual(order);
    await stream.until(() => reported().join() === order.join());
    stream.cut();
    for (const word of ['second', 'third', 'fourth']) {
      const { messages } = (await at.api.get(`/api/v1/search?q=${word}`)).json<SearchResults>();
      expect(messages.map(({ messageId }) => messageId)).toEqual([at.ids[word]]);
    }
    expect(await answerAll(at)).toEqual(order.map((content) => `Re: ${content}`));
  });

  it('of one that stands there already changes nothing', async () => {
    const at = await chatWith('second', 'third');
    const before = await at.api.chat(at.chatId);
    await move(at, 'second', 'third');
    await move(at, 'third', null);
    await move(at, 'third', 'third');
    expect((await at.api.chat(at.chatId)).updatedAt).toBe(before.updatedAt);
  });

  it('is refused when either was taken, or isn’t there', async () => {
    const at = await chatWith('second', 'third');
    expect(problem(await move(at, 'first', 'second'))).toEqual([409, 'message_taken']);
    expect(problem(await move(at, 'second', 'first'))).toEqual([409, 'message_taken']);
    expect(problem(await move(at, 'second', 'nobody'))).toEqual([404, 'message_not_found']);
    expect(problem(await at.api.post(pathOf(at, 'second', '/move'), {}))).toEqual([400, 'invalid_request']);
    expect(await waitingOf(at)).toEqual(['second', 'third']);
  });
});

describe('POST …/send-now', () => {
  it('stops the reply under way, keeps what is written, and answers this one next', async () => {
    const at = await chatWith('second', 'third');
    (await at.runtime.turnOf(at.chatId)).stream('Half of it');
    const answer = await sendNow(at, 'third');
    expect([answer.status, chatOf(answer).status]).toEqual([200, 'pending']);
    await expect.poll(() => waitingOf(at)).toEqual(['second']);
    const [, reply] = (await at.api.messages(at.chatId)).filter(
      ({ role, replyTo }) => role === 'user' || replyTo === at.ids['first'],
    );
    expect(await textsOf(at)).toEqual(['first', 'third', 'second']);
    expect(await answerAll(at)).toEqual(['Half of it', 'Re: third', 'Re: second']);
    const replies = (await at.api.messages(at.chatId)).filter(({ role }) => role === 'assistant');
    expect(replies.map(({ stopReason }) => stopReason)).toEqual(['stopped', 'end', 'end']);
    expect(reply).toBeDefined();
  });

  it('of one that was taken is refused, and stops nothing', async () => {
    const at = await chatWith('second');
    expect(problem(await sendNow(at, 'first'))).toEqual([409, 'message_taken']);
    expect(problem(await sendNow(at, 'nobody'))).toEqual([404, 'message_not_found']);
    expect(await answerAll(at)).toEqual(['Re: first', 'Re: second']);
  });
});

describe('who waits for the reply to a message that is removed', () => {
  it('is told so by the send that waits', async () => {
    const at = await chatWith();
    const waits = at.api.post(`/api/v1/chats/${at.chatId}/messages?wait=30`, { content: 'second' });
    await expect.poll(() => waitingOf(at)).toEqual(['second']);
    const [, second] = asked(await at.api.messages(at.chatId));
    await remove(at, second?.id ?? '');
    await answerAll(at);
    const answer = await waits;
    expect(problem(answer)).toEqual([404, 'message_not_found']);
    expect(answer.headers['x-message-id']).toBe(second?.id);
  });

  it('is told so by MCP, at once', async () => {
    const at = await chatWith();
    const headers = { accept: 'application/json, text/event-stream' };
    const call = { name: 'ask', arguments: { chatId: at.chatId, message: 'second' } };
    const body = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: call };
    const answering = at.api.post('/mcp', body, { headers });
    await expect.poll(() => waitingOf(at)).toEqual(['second']);
    const [, second] = asked(await at.api.messages(at.chatId));
    await remove(at, second?.id ?? '');
    expect((await answering).text).toContain('so there is no reply');
  });

  it('is told so by parley ask, at once', async () => {
    const at = await chatWith();
    const asking = parley(['ask', 'second', '--chat', at.chatId, '--data-dir', at.api.service.dataDir]);
    await expect.poll(() => waitingOf(at), { timeout: 20_000 }).toEqual(['second']);
    const [, second] = asked(await at.api.messages(at.chatId));
    await remove(at, second?.id ?? '');
    const { code, stdout, stderr } = await asking;
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('so there is no reply');
  });

  it('is told so by a response that is kept, at once', async () => {
    const at = await chatWith();
    const body = { model: 'offline-assistant', input: 'second' };
    const headers = { 'x-parley-chat': at.chatId };
    const answering = at.api.post('/v1/responses', body, { headers });
    await expect.poll(() => waitingOf(at)).toEqual(['second']);
    const [, second] = asked(await at.api.messages(at.chatId));
    await remove(at, second?.id ?? '');
    const answer = await answering;
    expect([answer.status, answer.json<{ error: { code: string } }>().error.code]).toEqual([
      404,
      'response_not_found',
    ]);
  });
});

it('knows of nothing in another workspace', async () => {
  const at = await chatWith('second');
  const key = await keyElsewhere(at.api);
  for (const [method, path, json] of [
    ['PATCH', pathOf(at, 'second'), { content: 'x' }],
    ['DELETE', pathOf(at, 'second'), undefined],
    ['POST', pathOf(at, 'second', '/move'), { before: null }],
    ['POST', pathOf(at, 'second', '/send-now'), undefined],
  ] as const)
    expect(problem(await at.api.request({ method, path, json, key }))).toEqual([404, 'chat_not_found']);
  expect(await waitingOf(at)).toEqual(['second']);
});
