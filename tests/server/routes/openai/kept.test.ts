/** Exchanges that become chats, and what may be done with the responses that they are. */
import OpenAI from 'openai';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CreatedKey } from '../../../../shared/api/key.ts';
import { collect } from '../../../support/collect.ts';
import { CONNECTED, startConnectedService } from '../../../support/connected-service.ts';
import { PLAIN_TEXT } from '../../../support/model-servers/scenarios.ts';

const service = await startConnectedService();
const client: OpenAI = new OpenAI({ baseURL: service.baseURL, apiKey: service.apiKey, maxRetries: 0 });

beforeEach(() => service.model.play('plain'));

const OFFLINE = 'offline-assistant';
const ask = (content: string): OpenAI.ChatCompletionMessageParam[] => [{ role: 'user', content }];
const into = (chat: string) => ({ headers: { 'X-Parley-Chat': chat } });
const chatOf = (responseId: string): string => responseId.split('_')[1] ?? '';

describe('a chat completion with X-Parley-Chat', () => {
  it('becomes a new chat, whose id the answer names, and goes on in it', async () => {
    const body = { model: OFFLINE, messages: ask('What is 2+2?') };
    const { data, response } = await client.chat.completions.create(body, into('new')).withResponse();
    expect(data.choices[0]?.message.content).toContain('4');
    const chatId = response.headers.get('x-parley-chat') ?? '';
    expect(await service.chat(chatId)).toMatchObject({ model: OFFLINE, workspaceId: service.workspaceId });
    const messages = [...ask('passed over'), ...ask('times 10')];
    const next = await client.chat.completions.create({ model: OFFLINE, messages }, into(chatId));
    expect(next.choices[0]?.message.content).toContain('40');
    expect((await service.messages(chatId)).map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
    ]);
  });

  it('is answered by whom it names, streamed', async () => {
    const body = { messages: ask('Hello'), stream: true } as const;
    service.model.play('slow-reasoning');
    const { data, response } = await client.chat.completions
      .create({ model: CONNECTED, ...body }, into('new'))
      .withResponse();
    const texts = (await collect(data))
      .map(({ choices }) => choices[0]?.delta.content ?? '')
      .filter((text) => text !== '');
    expect(texts.join('')).toBe(PLAIN_TEXT);
    expect(texts.length).toBeGreaterThan(1);
    const chatId = response.headers.get('x-parley-chat') ?? '';
    await collect(await client.chat.completions.create({ model: 'agent:writer', ...body }, into(chatId)));
    expect(await service.chat(chatId)).toMatchObject({ agentType: 'writer', model: OFFLINE });
  });

  it('fails as its turn does', async () => {
    service.model.play('key-refused');
    const asked = client.chat.completions.create({ model: CONNECTED, messages: ask('Hello'), store: true });
    await expect(asked).rejects.toMatchObject({ status: 502, code: 'model_key_refused' });
  });

  it('is refused where a chat can’t carry it, and nothing is made', async () => {
    const before = (await service.get('/api/v1/chats')).json<{ total: number }>().total;
    const [user] = ask('Hi');
    const tools = [{ type: 'function', function: { name: 'f' } }];
    for (const [body, param] of [
      [{ tools }, 'tools'],
      [{ messages: [user, { role: 'assistant', content: 'Yes?' }, user] }, 'messages'],
      [{ messages: ask('x'.repeat(100_001)) }, 'messages'],
      [{ response_format: { type: 'json_object' } }, 'response_format'],
    ] as const) {
      const headers = { 'x-parley-chat': 'new' };
      const answer = await service.post(
        '/v1/chat/completions',
        { model: CONNECTED, messages: [user], ...body },
        { headers },
      );
      expect([answer.status, answer.json<{ error: { param: string } }>().error.param]).toEqual([400, param]);
    }
    const gone = client.chat.completions.create({ model: OFFLINE, messages: ask('Hi') }, into('nothing'));
    await expect(gone).rejects.toMatchObject({ status: 404, code: 'chat_not_found' });
    expect((await service.get('/api/v1/chats')).json<{ total: number }>().total).toBe(before);
  });
});

describe('a response that is kept', () => {
  it('is read again, gone on with, and deleted', async () => {
    const first = await client.responses.create({ model: OFFLINE, input: 'What is 2+2?', store: true });
    expect(first).toMatchObject({ status: 'completed', store: true, previous_response_id: null });
    const second = await client.responses.create({
      model: OFFLINE,
      input: 'times 10',
      previous_response_id: first.id,
    });
    expect(second.output_text).toContain('40');
    expect(chatOf(second.id)).toBe(chatOf(first.id));
    expect(await client.responses.retrieve(second.id)).toMatchObject({
      id: second.id,
      status: 'completed',
      model: OFFLINE,
      output: second.output,
      previous_response_id: first.id,
    });
    const late = client.responses.create({ model: OFFLINE, input: 'Hm', previous_response_id: first.id });
    await expect(late).rejects.toMatchObject({ status: 400, param: 'previous_response_id' });
    await client.responses.delete(second.id);
    await expect(client.responses.retrieve(second.id)).rejects.toMatchObject({
      status: 404,
      code: 'response_not_found',
    });
    expect((await service.messages(chatOf(first.id))).length).toBe(2);
  });

  it('is nobody else’s', async () => {
    const { id } = await client.responses.create({ model: OFFLINE, input: 'What is 2+2?', store: true });
    const workspace = await service.post('/api/v1/workspaces', { name: 'Other' });
    const workspaceId = workspace.json<{ workspace: { id: string } }>().workspace.id;
    const key = (await service.post('/api/v1/keys', { name: 'other', workspaceId })).json<CreatedKey>();
    const other = new OpenAI({ baseURL: service.baseURL, apiKey: key.apiKey, maxRetries: 0 });
    await expect(other.responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
    await expect(other.responses.delete(id)).rejects.toMatchObject({ status: 404 });
    const next = other.responses.create({ model: OFFLINE, input: 'Hm', previous_response_id: id });
    await expect(next).rejects.toMatchObject({ status: 404 });
  });

  it('in the background is asked for until it is done', async () => {
    service.model.play('slow-reasoning');
    const begun = await client.responses.create({ model: CONNECTED, input: 'Hello', background: true });
    expect(begun).toMatchObject({ status: 'queued', background: true, store: true, output: [] });
    await expect.poll(async () => (await client.responses.retrieve(begun.id)).status).toBe('in_progress');
    await expect.poll(async () => (await client.responses.retrieve(begun.id)).status).toBe('completed');
    const done = await client.responses.retrieve(begun.id);
    expect(done.output_text).toBe(PLAIN_TEXT);
    // One that is done stays as it is.
    expect((await client.responses.cancel(begun.id)).status).toBe('completed');
  });

  it('is gone once its reply was deleted, and waits for nothing', async () => {
    const { id } = await client.responses.create({ model: OFFLINE, input: 'What is 2+2?', background: true });
    const chatId = chatOf(id);
    await service.settled(chatId);
    const [, reply] = await service.messages(chatId);
    const path = `/api/v1/chats/${chatId}/messages/${reply?.id ?? ''}`;
    expect((await service.request({ method: 'DELETE', path })).status).toBe(200);
    // Also while the chat is busy with something else.
    service.model.play('endless');
    await service.send(chatId, 'Go on', { model: CONNECTED });
    const gone = { status: 404, code: 'response_not_found' };
    await expect(client.responses.retrieve(id)).rejects.toMatchObject(gone);
    await expect(client.responses.cancel(id)).rejects.toMatchObject(gone);
    expect((await service.chat(chatId)).status).not.toBe('stopped');
    await service.post(`/api/v1/chats/${chatId}/stop`);
    await client.responses.delete(id);
    expect((await service.messages(chatId)).map(({ content }) => content)).not.toContain('What is 2+2?');
  });

  it('is cancelled while it is written, and what was written is kept', async () => {
    service.model.play('endless');
    const { id } = await client.responses.create({ model: CONNECTED, input: 'Hello', background: true });
    await expect.poll(async () => (await service.messages(chatOf(id)))[1]?.content).toMatch(/word1 /);
    const cancelled = await client.responses.cancel(id);
    expect(cancelled.status).toBe('cancelled');
    expect(JSON.stringify(cancelled.output)).toContain('word1 ');
    expect((await service.chat(chatOf(id))).status).toBe('stopped');
  });

  it('that failed says why when it is asked for', async () => {
    service.model.play('key-refused');
    const { id } = await client.responses.create({ model: CONNECTED, input: 'Hello', background: true });
    await expect.poll(async () => (await client.responses.retrieve(id)).status).toBe('failed');
    expect((await client.responses.retrieve(id)).error).toMatchObject({ code: 'model_key_refused' });
  });
});
