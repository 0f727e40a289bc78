/** How full a chat's context is, and summarising its older messages, over the API. */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Chat } from '../../shared/api/chat.ts';
import type { ChatContextAnswer } from '../../shared/api/context.ts';
import type { ExportFile, ImportResult } from '../../shared/api/data.ts';
import type { Message } from '../../shared/api/message.ts';
import { filler, startContextChat, type ContextChat } from '../support/context-chats.ts';
import { createEventClient } from '../support/event-client.ts';
import { startModelServer } from '../support/model-servers/model-server.ts';
import { startTestService } from '../support/service.ts';

const statuses = async (chat: ContextChat): Promise<string[]> =>
  (await chat.messages()).map(({ status }) => status);

const FACT = 'My cat is called Mio.';

/** Three exchanges, the first with a fact in it. */
async function talk(chat: ContextChat): Promise<void> {
  await chat.ask(FACT);
  await chat.ask('Tell me of dogs.');
  await chat.ask('And of birds.');
}

describe('how full a context is', () => {
  it('is told as the model told it, with what the model reads', async () => {
    const chat = await startContextChat({ contextTokens: 9_000 });
    expect(await chat.context()).toEqual({
      tokens: null,
      isEstimate: false,
      limit: 9_000,
      setup: { tokens: expect.any(Number) as number, tools: 4, leftOut: expect.any(Array) as string[] },
      summary: null,
      compacting: false,
      canCompact: false,
    });
    await chat.ask('hello');
    const usage = (await chat.messages())[1]?.usage;
    const reported = (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0);
    expect(usage?.contextTokens).toBe(reported);
    expect(usage).not.toHaveProperty('contextEstimated');
    expect(await chat.context()).toMatchObject({ tokens: reported, isEstimate: false });
  });

  it('is estimated, and says so, when the model tells nothing; the limit may be unknown', async () => {
    const chat = await startContextChat({ scenario: 'context-uncounted' });
    await chat.ask(filler(4_000));
    const usage = (await chat.messages())[1]?.usage;
    expect(usage).toMatchObject({ contextEstimated: true });
    expect(usage).not.toHaveProperty('inputTokens');
    const { tokens, isEstimate, limit } = await chat.context();
    expect([tokens, isEstimate, limit]).toEqual([usage?.contextTokens, true, null]);
    // The message, and the reply that repeats it with the instructions.
    expect(tokens).toBeGreaterThan(1_600);
    expect(tokens).toBeLessThan(4_000);
  });

  it.each(['long-thought', 'long-thought-untold'] as const)(
    'leaves out what the model thought, which it does not read again (%s)',
    async (scenario) => {
      const chat = await startContextChat({ scenario, contextTokens: 6_000 });
      await chat.ask('hello');
      const { tokens, isEstimate } = await chat.context();
      expect(isEstimate).toBe(scenario === 'long-thought-untold');
      expect(tokens).toBeGreaterThanOrEqual(1_010);
      expect(tokens).toBeLessThan(1_500);
      expect(await statuses(chat)).toEqual(['complete', 'complete']);
    },
  );

  it('shrinks when messages are deleted', async () => {
    const chat = await startContextChat();
    await chat.ask(filler(20_000));
    await chat.ask('hello');
    expect((await chat.context()).tokens).toBeGreaterThan(5_000);
    const [first] = await chat.messages();
    const path = `/api/v1/chats/${chat.chatId}/messages`;
    const { id } = (await chat.messages())[1] ?? {};
    for (const message of [id, first?.id]) {
      expect((await chat.api.request({ method: 'DELETE', path: `${path}/${message}` })).status).toBe(200);
    }
    const after = await chat.context();
    expect(after.isEstimate).toBe(true);
    // The second reply still repeats it all.
    expect(after.tokens).toBeLessThan(15_000);
  });

  it('is not known with the offline assistant', async () => {
    const api = await startTestService();
    const { id } = await api.createChat();
    await api.send(id, 'what is 6 * 7?');
    await api.settled(id);
    const { context } = (await api.get(`/api/v1/chats/${id}/context`)).json<ChatContextAnswer>();
    expect(context).toMatchObject({ tokens: null, isEstimate: false, limit: null, canCompact: false });
  });

  it('is what an Ollama is asked to read, so that it drops nothing in silence', async () => {
    for (const [most, asked] of [
      [131_072, 16_384],
      [8_192, 8_192],
    ]) {
      const server = await startModelServer('ollama', { ...(most !== undefined && { contextTokens: most }) });
      onTestFinished(() => server.close());
      const api = await startTestService();
      const body = { provider: 'ollama', name: 'Box', baseUrl: server.baseUrl };
      await api.post('/api/v1/connections', body);
      const { id } = await api.createChat();
      const path = `/api/v1/chats/${id}`;
      await api.request({ method: 'PATCH', path, json: { model: 'box/fake-model', title: 'Mine' } });
      await api.send(id, 'hello');
      await api.settled(id);
      expect(server.asked().map(({ body: sent }) => sent)).toMatchObject([{ options: { num_ctx: asked } }]);
      const { context } = (await api.get(`${path}/context`)).json<ChatContextAnswer>();
      expect(context.limit).toBe(asked);
    }
  });

  it('is 404 for a chat that is not there', async () => {
    const api = await startTestService();
    for (const answer of [
      await api.get('/api/v1/chats/none/context'),
      await api.post('/api/v1/chats/none/compact'),
    ]) {
      expect([answer.status, answer.error().code]).toEqual([404, 'chat_not_found']);
    }
  });
});

describe('compacting by hand', () => {
  it('has the model summarise the older messages, and a fact in them is still answered', async () => {
    const chat = await startContextChat({ contextTokens: 100_000 });
    await talk(chat);
    const before = await chat.messages();
    const answer = await chat.compact();
    expect(answer.status).toBe(200);
    const { context } = answer.json<ChatContextAnswer>();
    expect(context.summary).toMatchObject({
      text: `SUMMED UP: Person: ${FACT}`,
      upTo: before[1]?.id,
      messages: 2,
      model: 'box/fake-model',
    });
    expect(context.tokens).toBeGreaterThan(0);
    expect(context).toMatchObject({ isEstimate: true, canCompact: false });

    const after = await chat.messages();
    expect(await statuses(chat)).toEqual([
      'compacted',
      'compacted',
      'complete',
      'complete',
      'complete',
      'complete',
    ]);
    // Order and text stay.
    const reported = ({ id, role, content }: Message): string[] => [id, role, content];
    expect(after.map(reported)).toEqual(before.map(reported));

    const reply = await chat.ask('What is my cat called?');
    expect(reply).toMatch(/Mio/);
    // From the summary alone: the messages themselves are no longer sent.
    const sent = chat.server.asked().at(-1)?.asked?.messages ?? [];
    expect(sent.filter(({ role, text }) => role !== 'system' && text.startsWith(FACT))).toEqual([]);
    expect(sent.find(({ role }) => role === 'system')?.text).toMatch(/summary[\s\S]*material[\s\S]*Mio/);
    expect(await chat.context()).toMatchObject({ isEstimate: false });
  });

  it('goes on from the summary that there is', async () => {
    const chat = await startContextChat({ contextTokens: 100_000 });
    await talk(chat);
    await chat.compact();
    await chat.ask('And of fish.');
    const { context } = (await chat.compact()).json<ChatContextAnswer>();
    expect(context.summary?.text).toMatch(/^SUMMED UP: .*Mio.*dogs/);
    expect(context.summary?.messages).toBe(4);
    expect(await chat.ask('What is my cat called?')).toMatch(/Mio/);
  });

  it('is refused when there is nothing to summarise, and while a reply is under way', async () => {
    const chat = await startContextChat();
    await chat.ask('hello');
    const nothing = await chat.compact();
    expect([nothing.status, nothing.error().code]).toEqual([409, 'conflict']);
    await talk(chat);
    chat.server.play('endless');
    await chat.api.send(chat.chatId, 'go on');
    const busy = await chat.compact();
    expect([busy.status, busy.error().code]).toEqual([409, 'chat_busy']);
    await chat.api.post(`/api/v1/chats/${chat.chatId}/stop`);
  });

  it('carries on what the model summed up before, when it can’t make another', async () => {
    const chat = await startContextChat({ contextTokens: 100_000 });
    await talk(chat);
    await chat.compact();
    chat.server.play('context-no-asides');
    await chat.ask('And of fish.');
    const { context } = (await chat.compact()).json<ChatContextAnswer>();
    expect(context.summary?.text).toContain(`SUMMED UP: Person: ${FACT}`);
    expect(context.summary?.text).toContain('- The person: Tell me of dogs.');
    expect(context.summary?.model).toBe('offline-assistant');
  });

  it('gives way to a message at once, and changes nothing then', async () => {
    const chat = await startContextChat({ scenario: 'context-silent-asides' });
    await talk(chat);
    const compacting = chat.compact();
    await expect.poll(() => chat.asides('summary').length).toBe(1);
    expect(await chat.context()).toMatchObject({ compacting: true, canCompact: false });
    chat.server.play('context');
    await chat.ask('Wait.');
    const answer = await compacting;
    expect([answer.status, answer.error().code]).toEqual([409, 'chat_busy']);
    await chat.asides('summary')[0]?.clientClosed;
    expect(new Set(await statuses(chat))).toEqual(new Set(['complete']));
    expect(await chat.context()).toMatchObject({ summary: null, compacting: false, canCompact: true });
  });

  it('says that the chat changed when the conversation became another meanwhile', async () => {
    const chat = await startContextChat({ scenario: 'slow-title' });
    await talk(chat);
    const compacting = chat.compact();
    await expect.poll(() => chat.asides('summary').length).toBe(1);
    const [first] = await chat.messages();
    const path = `/api/v1/chats/${chat.chatId}/messages/${first?.id}`;
    await chat.api.request({ method: 'DELETE', path });
    const answer = await compacting;
    expect([answer.status, answer.error().code]).toEqual([409, 'conflict']);
    expect(answer.error().message).toMatch(/The chat changed while/);
  });

  it('picks the summary out of the messages when the model can’t make one', async () => {
    const chat = await startContextChat({ scenario: 'context-no-asides' });
    await talk(chat);
    const { context } = (await chat.compact()).json<ChatContextAnswer>();
    expect(context.summary?.model).toBe('offline-assistant');
    expect(context.summary?.text).toContain(FACT);
    expect(await chat.ask('What is my cat called?')).toMatch(/Mio/);
  });

  it('is told to an open window', async () => {
    const chat = await startContextChat();
    await talk(chat);
    const client = createEventClient(chat.api.service.port, chat.api.service.apiKey, chat.chatId);
    const stream = await client.open();
    await stream.until(() => client.state.messages.length === 6);
    await chat.compact();
    await stream.until(() => client.state.messages[1]?.status === 'compacted');
    expect(client.state.messages.map(({ status }) => status)).toEqual(await statuses(chat));
    stream.cut();
  });

  it('works with the offline assistant, which still finds what was summarised', async () => {
    const api = await startTestService();
    const { id } = await api.createChat();
    for (const content of [FACT, 'what is 6 * 7?', 'what is 6 * 8?', 'what is 6 * 9?']) {
      await api.send(id, content, { mode: 'chat' });
      await api.settled(id);
    }
    expect((await api.post(`/api/v1/chats/${id}/compact`)).status).toBe(200);
    expect((await api.messages(id))[0]?.status).toBe('compacted');
    for (const mode of ['chat', 'agent']) {
      await api.send(id, 'What did I say about my cat?', { mode });
      await api.settled(id);
      expect((await api.messages(id)).at(-1)?.content).toMatch(/Mio/);
    }
  });
});

describe('compacting by itself', () => {
  it('happens after a reply that leaves little room, and the chat is at rest again', async () => {
    const chat = await startContextChat({ contextTokens: 1_200 });
    await chat.ask(FACT);
    await chat.ask('Tell me of dogs.');
    for (let asked = 0; asked < 6 && (await chat.context()).summary === null; asked += 1) {
      await chat.ask(`Number ${asked}`);
    }
    expect((await chat.api.chat(chat.chatId)).status).toBe('idle');
    const { summary, tokens, limit } = await chat.context();
    expect(summary?.text).toMatch(/Mio/);
    expect(tokens).toBeLessThan(limit ?? 0);
    expect(await statuses(chat)).toContain('compacted');
  });

  it('happens before a turn when the model was changed to one that reads less', async () => {
    const chat = await startContextChat({ contextTokens: 100_000 });
    await talk(chat);
    await chat.ask(filler(3_000));
    await chat.ask(filler(3_000));
    expect((await chat.context()).summary).toBeNull();
    const { api, chatId, server } = chat;
    const small = await startContextChat({ contextTokens: 3_000 });
    await api.post('/api/v1/connections', {
      provider: 'openai_compatible',
      name: 'Small',
      baseUrl: small.server.baseUrl,
    });
    const path = `/api/v1/chats/${chatId}`;
    await api.request({ method: 'PATCH', path, json: { model: 'small/fake-model' } });
    const asked = server.asked().length;
    expect(await chat.ask('What is my cat called?')).toMatch(/Mio/);
    expect(server.asked()).toHaveLength(asked);
    expect((await chat.context()).summary).not.toBeNull();
    const reply = (await chat.messages()).at(-1);
    expect(reply).toMatchObject({ status: 'complete', model: 'small/fake-model' });
    // What the model told of that very reply counts.
    expect(await chat.context()).toMatchObject({ tokens: reply?.usage?.contextTokens, isEstimate: false });
  });

  it('happens when the model refuses the conversation as too long, and the turn is made once more', async () => {
    const chat = await startContextChat({ scenario: 'context-of-3000' });
    await chat.ask(FACT);
    await chat.ask(`Tell me of dogs. ${filler(600)}`);
    await chat.ask('And of birds.');
    const replies = (await chat.messages()).filter(({ role }) => role === 'assistant');
    expect(replies.map(({ status }) => status)).toEqual(['compacted', 'compacted', 'complete']);
    expect(await chat.ask('What is my cat called?')).toMatch(/Mio/);
  });

  it('does not try for ever: what is too long by itself fails with the reason', async () => {
    const chat = await startContextChat({ scenario: 'context-of-3000' });
    await chat.ask(FACT);
    await chat.api.send(chat.chatId, filler(5_000), { mode: 'chat' });
    expect((await chat.api.settled(chat.chatId)).status).toBe('failed');
    expect((await chat.messages()).at(-1)?.error?.code).toBe('context_too_long');
  });

  it('is cut short by a message, which is answered at once', async () => {
    const chat = await startContextChat({ scenario: 'context-silent-asides', contextTokens: 1_000 });
    const { api, chatId } = chat;
    await chat.ask(FACT);
    await chat.ask('Dogs?');
    await api.send(chatId, filler(1_200), { mode: 'chat' });
    await expect.poll(() => chat.asides('summary').length, { timeout: 10_000 }).toBe(1);
    expect((await api.chat(chatId)).status).toBe('completed');
    expect((await chat.messages()).at(-1)?.status).toBe('complete');
    chat.server.play('context');
    await chat.ask('What is my cat called?');
    await chat.asides('summary')[0]?.clientClosed;
    expect((await chat.messages()).at(-1)?.content).toMatch(/Mio/);
  });

  it('is ended by a stop, and the reply stays whole', async () => {
    const chat = await startContextChat({ scenario: 'context-silent-asides', contextTokens: 1_000 });
    const { api, chatId } = chat;
    await chat.ask(FACT);
    await chat.ask('Dogs?');
    await api.send(chatId, filler(1_200), { mode: 'chat' });
    await expect.poll(() => chat.asides('summary').length, { timeout: 10_000 }).toBe(1);
    const stopped = await api.post(`/api/v1/chats/${chatId}/stop`);
    expect(stopped.json<{ chat: Chat }>().chat.status).toBe('stopped');
    await chat.asides('summary')[0]?.clientClosed;
    expect((await chat.messages()).at(-1)).toMatchObject({ status: 'complete', stopReason: 'end' });
    expect(new Set(await statuses(chat))).toEqual(new Set(['complete']));
  });
});

describe('what was summarised', () => {
  const path = (chat: ContextChat, id: string | undefined): string =>
    `/api/v1/chats/${chat.chatId}/messages/${id}`;

  it('is whole again in an earlier version, and summarised when the later one is shown', async () => {
    const chat = await startContextChat();
    await talk(chat);
    await chat.compact();
    const [first, , second] = await chat.messages();
    await chat.api.post(`${path(chat, first?.id)}/edit`, { content: 'My dog is called Rex.', mode: 'chat' });
    await chat.api.settled(chat.chatId);
    expect(await statuses(chat)).toEqual(['complete', 'complete']);
    expect((await chat.context()).summary).toBeNull();
    expect((await chat.messages())[1]?.content).not.toMatch(/Mio/);
    await chat.api.post(`${path(chat, second?.id)}/show`);
    expect((await statuses(chat)).slice(0, 3)).toEqual(['compacted', 'compacted', 'complete']);
    expect((await chat.context()).summary?.text).toMatch(/Mio/);
  });

  it('stays summarised when something after it is edited', async () => {
    const chat = await startContextChat();
    await talk(chat);
    await chat.compact();
    const third = (await chat.messages())[4];
    await chat.api.post(`${path(chat, third?.id)}/edit`, { content: 'What is my cat called?', mode: 'chat' });
    await chat.api.settled(chat.chatId);
    expect((await statuses(chat)).slice(0, 2)).toEqual(['compacted', 'compacted']);
    expect((await chat.messages()).at(-1)?.content).toMatch(/Mio/);
  });

  it('is whole again as soon as one of its messages is deleted, and when it comes back', async () => {
    const chat = await startContextChat();
    await talk(chat);
    await chat.compact();
    const [first] = await chat.messages();
    await chat.api.request({ method: 'DELETE', path: path(chat, first?.id) });
    expect(new Set(await statuses(chat))).toEqual(new Set(['complete']));
    expect((await chat.context()).summary).toBeNull();
    await chat.api.post(`${path(chat, first?.id)}/restore`);
    expect(await statuses(chat)).toHaveLength(6);
    expect(new Set(await statuses(chat))).toEqual(new Set(['complete']));
  });

  it('goes into a file as it was, and comes out of one so', async () => {
    const chat = await startContextChat();
    await talk(chat);
    await chat.compact();
    const answer = await chat.api.get(`/api/v1/chats/${chat.chatId}/export?format=json`);
    const file = answer.json<ExportFile>();
    expect(answer.text).not.toContain('"status":"compacted"');
    // Such a file may come from elsewhere.
    for (const { messages } of file.chats) for (const message of messages) message.status = 'compacted';
    const there = await startTestService();
    const { chatIds } = (await there.post('/api/v1/import', file)).json<ImportResult>();
    const imported = await there.messages(chatIds[0] ?? '');
    expect(imported.map(({ status }) => status)).toEqual(imported.map(() => 'complete'));
  });
});
