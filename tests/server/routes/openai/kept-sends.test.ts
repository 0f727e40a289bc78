/** What of a request goes into the chat that keeps it: parameters, instructions; all of it, once, or nothing. */
import OpenAI from 'openai';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  CONNECTED,
  startConnectedService,
  type ConnectedService,
} from '../../../support/connected-service.ts';
import { startTestService } from '../../../support/service.ts';
import { park } from '../../../support/stored.ts';

const service = await startConnectedService();
await service.request({ method: 'PATCH', path: '/api/v1/settings', json: { nameChats: false } });
const client: OpenAI = new OpenAI({ baseURL: service.baseURL, apiKey: service.apiKey, maxRetries: 0 });

beforeEach(() => service.model.play('plain'));

const OFFLINE = 'offline-assistant';
const ask = (content: string): OpenAI.ChatCompletionMessageParam[] => [{ role: 'user', content }];
const chatOf = (responseId: string): string => responseId.split('_')[1] ?? '';
const chats = async (api: Pick<ConnectedService, 'get'> = service): Promise<number> =>
  (await api.get('/api/v1/chats')).json<{ total: number }>().total;
/** The system part of what the model was asked last. */
const instructions = (): string => {
  const [first] = service.lastAsked()['messages'] as { role: string; content: string }[];
  return first?.role === 'system' ? first.content : '';
};

describe('what is wished of the model', () => {
  it('reaches it from a chat completion that is kept', async () => {
    const wished = {
      temperature: 0.2,
      top_p: 0.9,
      max_completion_tokens: 50,
      stop: ['END'],
      seed: 7,
      presence_penalty: 0.5,
      frequency_penalty: -0.5,
      reasoning_effort: 'minimal' as const,
    };
    const messages = [{ role: 'system' as const, content: 'Answer in rhyme.' }, ...ask('Hello')];
    const headers = { 'X-Parley-Chat': 'new' };
    const { response } = await client.chat.completions
      .create({ model: CONNECTED, messages, ...wished }, { headers })
      .withResponse();
    expect(service.lastAsked()).toMatchObject({
      temperature: 0.2,
      top_p: 0.9,
      max_tokens: 50,
      stop: ['END'],
      seed: 7,
      presence_penalty: 0.5,
      frequency_penalty: -0.5,
      reasoning_effort: 'low',
    });
    expect(instructions()).toContain('Answer in rhyme.');
    const [question] = await service.messages(response.headers.get('x-parley-chat') ?? '');
    expect(question).toMatchObject({
      content: 'Hello',
      parameters: { temperature: 0.2, maxOutputTokens: 50, seed: 7, instructions: 'Answer in rhyme.' },
    });
  });

  it('reaches it from a response that is kept, and counts for that one alone', async () => {
    const first = await client.responses.create({
      model: CONNECTED,
      input: 'Hello',
      instructions: 'Be brief.',
      temperature: 0.3,
      top_p: 0.8,
      max_output_tokens: 60,
      store: true,
    });
    expect(service.lastAsked()).toMatchObject({ temperature: 0.3, top_p: 0.8, max_tokens: 60 });
    expect(instructions()).toContain('Be brief.');
    const reported = { temperature: 0.3, top_p: 0.8, max_output_tokens: 60, instructions: 'Be brief.' };
    expect(await client.responses.retrieve(first.id)).toMatchObject(reported);
    await client.responses.create({ model: CONNECTED, input: 'And now?', previous_response_id: first.id });
    expect(service.lastAsked()).not.toHaveProperty('temperature');
    expect(instructions()).not.toContain('Be brief.');
  });

  it('is refused where a chat can’t carry it, by the name that the endpoint has for it', async () => {
    const before = await chats();
    const many = ['a', 'b', 'c', 'd', 'e'];
    const long = 'x'.repeat(20_001);
    for (const [path, body, param] of [
      ['chat/completions', { stop: many }, 'stop'],
      ['chat/completions', { top_p: 0 }, 'top_p'],
      ['chat/completions', { max_tokens: 1_000_001 }, 'max_tokens'],
      ['chat/completions', { max_completion_tokens: 1_000_001 }, 'max_completion_tokens'],
      ['chat/completions', { messages: [{ role: 'system', content: long }, ...ask('Hi')] }, 'messages'],
      ['chat/completions', { response_format: { type: 'json_object' } }, 'response_format'],
      ['responses', { max_output_tokens: 1_000_001 }, 'max_output_tokens'],
      ['responses', { instructions: long }, 'instructions'],
      ['responses', { text: { format: { type: 'json_object' } } }, 'text.format'],
      ['responses', { input: [] }, 'input'],
      ['responses', { input: [{ role: 'assistant', content: 'Yes?' }] }, 'input'],
      ['responses', { reasoning: { effort: 'much' } }, 'reasoning.effort'],
    ] as const) {
      const said = path === 'responses' ? { input: 'Hi' } : { messages: ask('Hi') };
      const answer = await service.post(`/v1/${path}`, { model: CONNECTED, store: true, ...said, ...body });
      const { error } = answer.json<{ error: { param: string; message: string } }>();
      expect([answer.status, error.param]).toEqual([400, param]);
      const other = path === 'responses' ? /"(messages|response_format|reasoning_effort)"/ : /"(input|text)"/;
      expect(error.message).not.toMatch(other);
    }
    expect(await chats()).toBe(before);
  });

  it('is told by the names of responses when the model itself can’t', async () => {
    service.model.play('context-too-long');
    const asked = client.responses.create({ model: CONNECTED, input: 'Hello' });
    await expect(asked).rejects.toMatchObject({ code: 'context_length_exceeded', param: 'input' });
    const json = { format: { type: 'json_object' as const } };
    const offline = client.responses.create({ model: OFFLINE, input: 'Hello', text: json });
    await expect(offline).rejects.toMatchObject({ status: 400, param: 'text.format' });
  });
});

it('what the queue has no room for leaves no chat behind, and changes none', async () => {
  const own = await startTestService();
  const parked = await own.createChat();
  const other = await own.createChat({ agentType: 'writer' });
  await park(own, parked, 0, 1_000);
  const before = await chats(own);
  const body = { model: 'agent:analyst', messages: ask('What is 2+2?') };
  for (const chat of ['new', other.id]) {
    const refused = await own.post('/v1/chat/completions', body, { headers: { 'x-parley-chat': chat } });
    expect([refused.status, refused.json<{ error: object }>().error]).toMatchObject([
      429,
      { code: 'rate_limit_exceeded' },
    ]);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  }
  const background = { model: OFFLINE, input: 'What is 2+2?', background: true };
  expect((await own.post('/v1/responses', background)).status).toBe(429);
  const call = { name: 'send_message', arguments: { message: 'What is 2+2?' } };
  const reported = await own.post(
    '/mcp',
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call },
    { headers: { accept: 'application/json, text/event-stream' } },
  );
  expect(reported.text).toContain('Too many messages were waiting');
  expect(await chats(own)).toBe(before);
  expect((await own.chat(other.id)).agentType).toBe('writer');
});

describe('Idempotency-Key', () => {
  const keyed = (key: string, headers = {}) => ({ headers: { 'Idempotency-Key': key, ...headers } });

  it('makes a repeat the same exchange, in a new chat and in one that is there', async () => {
    const before = await chats();
    const body = { model: OFFLINE, messages: ask('What is 2+2?') };
    const once = async (options: { headers: Record<string, string> }) => {
      const { data, response } = await client.chat.completions.create(body, options).withResponse();
      return [data.choices[0]?.message.content, response.headers.get('x-parley-chat'), data.id] as const;
    };
    const first = await once(keyed('k', { 'X-Parley-Chat': 'new' }));
    expect(first[0]).toContain('4');
    expect(await once(keyed('k', { 'X-Parley-Chat': 'new' }))).toEqual(first);
    const chatId = first[1] ?? '';
    await once(keyed('next', { 'X-Parley-Chat': chatId }));
    await once(keyed('next', { 'X-Parley-Chat': chatId }));
    expect(await service.messages(chatId)).toHaveLength(4);
    expect(await chats()).toBe(before + 1);
    const otherwise = { ...body, messages: ask('What is 3+3?') };
    const conflict = client.chat.completions.create(otherwise, keyed('k', { 'X-Parley-Chat': 'new' }));
    await expect(conflict).rejects.toMatchObject({ status: 409, code: 'idempotency_conflict' });
  });

  it('makes a repeat the same response, also when the chat has gone on with it', async () => {
    const body = { model: OFFLINE, input: 'What is 2+2?', background: true };
    const first = await client.responses.create(body, keyed('r'));
    await service.settled(chatOf(first.id));
    expect(await client.responses.create(body, keyed('r'))).toMatchObject({
      id: first.id,
      status: 'completed',
    });
    const next = { model: OFFLINE, input: 'times 10', previous_response_id: first.id };
    const second = await client.responses.create(next, keyed('s'));
    expect(await client.responses.create(next, keyed('s'))).toMatchObject({
      id: second.id,
      output_text: second.output_text,
    });
    const late = client.responses.create({ ...next, input: 'times 11' }, keyed('t'));
    await expect(late).rejects.toMatchObject({ status: 400, param: 'previous_response_id' });
  });

  it('of one at the same time makes one exchange of both', async () => {
    const before = await chats();
    const body = { model: OFFLINE, input: 'What is 2+2?', store: true };
    const both = await Promise.all([
      client.responses.create(body, keyed('race')),
      client.responses.create(body, keyed('race')),
    ]);
    expect(both[0].id).toBe(both[1].id);
    expect(await chats()).toBe(before + 1);
  });
});
