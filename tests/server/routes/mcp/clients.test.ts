import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientBy, WAYS } from '../../../support/mcp-clients.ts';
import { createRehearsal, script, stepsOf } from '../../../support/rehearse.ts';
import { startSharedService } from '../../../support/service.ts';

const textOf = ({ content }: CallToolResult): string => {
  const [first] = content;
  return first?.type === 'text' ? first.text : '';
};

const PARTS = await Promise.all(WAYS.map(async (way) => ({ ...way, api: await startSharedService() })));

describe.each(PARTS)('Parley as a tool server, over $way with a $era client', ({ api, ...way }) => {
  let client: Client;
  beforeAll(async () => {
    client = await clientBy(way, api.service);
  });
  afterAll(() => client.close());
  const call = async (name: string, input: object = {}, options = {}): Promise<CallToolResult> =>
    client.callTool({ name, arguments: { ...input } }, options);
  const dataOf = async <T>(name: string, input: object = {}): Promise<T> =>
    (await call(name, input)).structuredContent as T;

  it('lists its tools, which say what they change', async () => {
    const { tools } = await client.listTools();
    const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]));
    const reads = { readOnlyHint: true, openWorldHint: false };
    const writes = { readOnlyHint: false, destructiveHint: false };
    expect(hints).toMatchObject({
      ask: { ...writes, idempotentHint: false, openWorldHint: true },
      send_message: { ...writes, idempotentHint: false, openWorldHint: true },
      stop_reply: { ...writes, idempotentHint: true },
      wait_for_reply: reads,
      search: reads,
      list_chats: reads,
      read_chat: reads,
    });
    for (const { description, inputSchema, outputSchema } of tools) {
      expect(description).toMatch(/chang/i);
      expect([inputSchema.type, outputSchema?.type]).toEqual(['object', 'object']);
    }
    expect(client.getServerVersion()).toMatchObject({ name: 'parley', title: 'Parley' });
    expect(client.getInstructions()).toContain('nothing here deletes anything');
  });

  it('answers a question in a new chat and goes on in it', async () => {
    const first = await call('ask', { message: 'What is 12.5% of 1840?' });
    const { chatId, ...data } = first.structuredContent as { chatId: string };
    expect(data).toMatchObject({
      status: 'idle',
      done: true,
      stopReason: 'end',
      reply: '12.5% of 1,840 = **230**',
    });
    expect(textOf(first)).toBe(`12.5% of 1,840 = **230**\n\n[Parley chat ${chatId}: idle]`);
    await call('ask', { chatId, message: 'and of 2000?' });
    const messages = await api.messages(chatId);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
  });

  it('sends without waiting, and waits afterwards for the reply that is meant', async () => {
    const sent = await dataOf<{ chatId: string; messageId: string }>('send_message', {
      message: 'What is 2 + 2?',
    });
    await call('ask', { chatId: sent.chatId, message: 'What is 3 + 3?' });
    expect(await dataOf('wait_for_reply', sent)).toMatchObject({
      ...sent,
      done: true,
      reply: expect.stringContaining('4') as string,
    });
    const last = await dataOf('wait_for_reply', { chatId: sent.chatId });
    expect(last).toMatchObject({ done: true, reply: expect.stringContaining('6') as string });
  });

  it('finds, lists and reads chats, and a chat as a resource', async () => {
    const { chatId } = await dataOf<{ chatId: string }>('ask', { message: `Say zebra${way.way}` });
    const found = await dataOf('search', { query: 'zebra', limit: 5 });
    expect(found).toMatchObject({ hasMore: false, chats: [{ id: chatId }] });
    expect(await dataOf('list_chats', { pageSize: 1 })).toMatchObject({
      chats: [{ id: chatId, status: 'idle' }],
    });
    expect(textOf(await call('list_chats', { pageSize: 1 }))).toContain('see page 2');
    const read = await call('read_chat', { chatId });
    expect(read.structuredContent).toMatchObject({
      chatId,
      messages: [{ role: 'user' }, { role: 'assistant' }],
    });
    expect(textOf(read)).toContain(`Say zebra${way.way}`);

    const { resources } = await client.listResources();
    expect(resources[0]).toMatchObject({ uri: `parley://chats/${chatId}`, mimeType: 'text/markdown' });
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(['parley://chats/{id}']);
    const { contents } = await client.readResource({ uri: `parley://chats/${chatId}` });
    expect(contents).toMatchObject([
      { mimeType: 'text/markdown', text: expect.stringContaining('**You**') as string },
    ]);
  });

  it('says in words what is wrong', async () => {
    const blank = await call('ask', { message: ' ' });
    expect(blank).toMatchObject({ isError: true });
    expect(textOf(blank)).toBe('"message" must not be only white space.');
    const unknown = await call('read_chat', { chatId: 'nope' });
    expect([unknown.isError, textOf(unknown)]).toEqual([
      true,
      'There is no such chat in this workspace; check its id.',
    ]);
    for (const [name, input] of [
      ['ask', { message: 'Hello', chatId: 'nope' }],
      ['ask', { message: 'Hello', chatId: 'nope', agent: 'writer' }],
      ['ask', { message: 'Hello', workspaceId: 'nope' }],
      ['wait_for_reply', { chatId: 'nope' }],
      ['stop_reply', { chatId: 'nope' }],
      ['read_chat', { chatId: (await api.createChat()).id, cursor: 'nope' }],
      ['search', { query: 7 }],
    ] as const) {
      expect(await call(name, input), name).toMatchObject({ isError: true });
    }
    await expect(client.readResource({ uri: 'parley://chats/nope' })).rejects.toThrow('parley://chats/nope');
    await expect(call('delete_everything')).rejects.toThrow('delete_everything');
  });

  it('says which message a reply can be waited for by, of an unknown one and of a reply', async () => {
    const { chatId } = await dataOf<{ chatId: string }>('ask', { message: 'What is 5 + 5?' });
    const [, reply] = await api.messages(chatId);
    for (const messageId of ['nope', reply?.id]) {
      const reported = await call('wait_for_reply', { chatId, messageId });
      expect(reported.isError).toBe(true);
      expect(textOf(reported)).toContain('the id of a message in this chat');
    }
    const { id } = await api.createChat();
    expect(await dataOf('wait_for_reply', { chatId: id })).toMatchObject({ done: true, reply: '' });
  });

  it('tells why a reply failed', async () => {
    const chatId = await createRehearsal(api);
    const failed = await call('ask', {
      chatId,
      message: script('Half.', '::fail The model is out of breath.'),
    });
    expect(failed).toMatchObject({
      isError: true,
      structuredContent: { done: true, status: 'failed', reply: 'Half.' },
    });
    expect(textOf(failed)).toContain('The model is out of breath.');
  });

  it('tells how it goes, and gives back what there is when the time is up', async () => {
    const chatId = await createRehearsal(api);
    const progress: unknown[] = [];
    const answer = await call(
      'ask',
      { chatId, message: script('Begun.', '::pause 20s', 'Done.'), timeoutSeconds: 1 },
      { onprogress: (reported: { message?: string }) => progress.push(reported.message) },
    );
    expect(answer.structuredContent).toMatchObject({
      done: false,
      status: 'processing',
      reply: expect.stringContaining('Begun.') as string,
    });
    expect(textOf(answer)).toContain('wait_for_reply');
    expect(progress).toContain('The reply is being written.');
    expect(await dataOf('stop_reply', { chatId })).toEqual({ chatId, status: 'stopped' });
    expect(await dataOf('wait_for_reply', { chatId })).toMatchObject({ done: true, stopReason: 'stopped' });
  });

  it('stops the reply when an ask is cancelled, and not when the waiting is', async () => {
    const chatId = await createRehearsal(api);
    await api.send(chatId, script('::pause 20s', 'Done.'));
    const waiting = new AbortController();
    const waited = call(
      'wait_for_reply',
      { chatId },
      { signal: waiting.signal, onprogress: () => waiting.abort() },
    );
    await expect(waited).rejects.toThrow();
    // By then the service has heard of it.
    await client.listTools();
    expect((await api.chat(chatId)).status).toBe('processing');
    const asking = new AbortController();
    const asked = call(
      'ask',
      { chatId, message: 'Next' },
      { signal: asking.signal, onprogress: () => asking.abort() },
    );
    await expect(asked).rejects.toThrow();
    await expect.poll(async () => (await api.chat(chatId)).status).toBe('stopped');
  });

  it('says that a person has to be asked, and gives the reply once they were', async () => {
    const chatId = await createRehearsal(api);
    const asked = await call('ask', { chatId, message: script('::approve Paint the fence?', 'Painted.') });
    expect(asked.structuredContent).toMatchObject({
      done: false,
      approvals: [{ summary: expect.stringContaining('Paint the fence?') as string }],
    });
    expect(textOf(asked)).toContain('A person has to allow or deny');
    const id = (await stepsOf(api, chatId))[0]?.approval?.id ?? '';
    const waiting = call('wait_for_reply', { chatId });
    await api.post(`/api/v1/chats/${chatId}/approvals/${id}`, { decision: 'approve' });
    expect((await waiting).structuredContent).toMatchObject({ done: true, reply: 'Painted.' });
    const denied = await dataOf('ask', {
      chatId: await createRehearsal(api),
      message: script('::approve Paint it again?', 'Not painted.'),
      onApproval: 'deny',
    });
    expect(denied).toMatchObject({ done: true, reply: 'Not painted.' });
  });

  it('serves two clients at once', async () => {
    const other = await clientBy(way, api.service);
    const ask = (who: Client, sum: string) =>
      who.callTool({ name: 'ask', arguments: { message: `What is ${sum}?` } });
    const answers = await Promise.all([
      ask(client, '20 + 1'),
      ask(other, '30 + 1'),
      ask(client, '40 + 1'),
      ask(other, '50 + 1'),
    ]);
    expect(answers.map((answer) => /\d1/.exec(textOf(answer).replaceAll(/\d+ \+ 1/g, ''))?.[0])).toEqual([
      '21',
      '31',
      '41',
      '51',
    ]);
    await other.close();
  });

  it('reads a chat that is too long for one call in parts', async () => {
    const chatId = await createRehearsal(api);
    const long = 'Ünï😀 '.repeat(700);
    await api.send(chatId, script(long.trim()));
    await api.settled(chatId);
    let text = '';
    let cursor: string | undefined;
    const parts: number[] = [];
    do {
      const page = await dataOf<{ messages: { role: string; content: string }[]; nextCursor?: string }>(
        'read_chat',
        {
          chatId,
          maxCharacters: 1_001,
          ...(cursor !== undefined && { cursor }),
        },
      );
      parts.push(page.messages.reduce((sum, { content }) => sum + content.length, 0));
      text += page.messages.map(({ role, content }) => (role === 'assistant' ? content : '')).join('');
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(text).toBe(long.trim());
    expect(Math.max(...parts)).toBeLessThanOrEqual(1_001);
  });
});
