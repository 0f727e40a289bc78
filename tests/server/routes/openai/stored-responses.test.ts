/** What can be asked of a response that was kept: its events again, what it answers, and that it goes. */
import OpenAI from 'openai';
import { beforeEach, describe, expect, it } from 'vitest';
import { collect } from '../../../support/collect.ts';
import { CONNECTED, startConnectedService } from '../../../support/connected-service.ts';
import { PARTIAL_TEXT, PLAIN_TEXT } from '../../../support/model-servers/scenarios.ts';

const service = await startConnectedService();
const client: OpenAI = new OpenAI({ baseURL: service.baseURL, apiKey: service.apiKey, maxRetries: 0 });

beforeEach(() => service.model.play('plain'));

type Event = OpenAI.Responses.ResponseStreamEvent;

const OFFLINE = 'offline-assistant';
const chatOf = (responseId: string): string => responseId.split('_')[1] ?? '';
const textsOf = (events: readonly Event[]): string[] =>
  events.map((event) => (event.type === 'response.output_text.delta' ? event.delta : ''));
const textOf = (events: readonly Event[]): string => textsOf(events).join('');
const numbersOf = (events: readonly Event[]): number[] => events.map((event) => event.sequence_number);

const REQUEST = {
  model: 'agent:writer',
  instructions: 'Be brief.',
  max_output_tokens: 500,
  metadata: { topic: 'greetings' },
  parallel_tool_calls: false,
  reasoning: { effort: 'low', summary: 'auto' },
  safety_identifier: 'somebody',
  temperature: 0.5,
  text: { format: { type: 'text' }, verbosity: 'low' },
  top_p: 0.9,
} satisfies Partial<OpenAI.Responses.ResponseCreateParamsNonStreaming>;

describe('a response that is read later', () => {
  it('has every field that it was answered with', async () => {
    const made = await client.responses.create({
      ...REQUEST,
      input: 'Hi',
      store: true,
    });
    expect(made).toMatchObject(REQUEST);
    const read = await client.responses.retrieve(made.id);
    expect({ ...read, created_at: 0 }).toEqual({ ...made, created_at: 0 });
    const queued = await client.responses.create({ ...REQUEST, input: 'Hi', background: true });
    expect(await client.responses.retrieve(queued.id)).toMatchObject({ ...REQUEST, background: true });
  });

  it('has the text that was written before its failure', async () => {
    service.model.play('fault-midway');
    const { id } = await client.responses.create({ model: CONNECTED, input: 'Hi', background: true });
    await expect
      .poll(async () => (await client.responses.retrieve(id)).status, { timeout: 10_000 })
      .toBe('failed');
    expect((await client.responses.retrieve(id)).output_text).toBe(PARTIAL_TEXT);
  });

  it('can’t repeat more than fits into a chat', async () => {
    const metadata = { long: 'x'.repeat(100_000) };
    const asked = client.responses.create({ model: OFFLINE, input: 'Hi', store: true, metadata });
    await expect(asked).rejects.toMatchObject({ status: 400, param: 'metadata' });
  });
});

describe('the events of a response that is kept', () => {
  it('come again from any of them on, and tell the same', async () => {
    service.model.play('slow-reasoning');
    const made = await collect(
      await client.responses.create({ model: CONNECTED, input: 'Hello', background: true, stream: true }),
    );
    expect(textOf(made)).toBe(PLAIN_TEXT);
    const numbers = numbersOf(made);
    expect(numbers).toEqual(made.map((_, index) => index));
    const [first] = made;
    const id = first?.type === 'response.created' ? first.response.id : '';
    expect(textsOf(await collect(await client.responses.retrieve(id, { stream: true })))).toEqual(
      textsOf(made),
    );
    for (const [index, { sequence_number: after }] of made.entries()) {
      const rest = await collect(
        await client.responses.retrieve(id, { stream: true, starting_after: after }),
      );
      expect(textOf(made.slice(0, index + 1)) + textOf(rest)).toBe(PLAIN_TEXT);
      expect(rest.at(-1)?.sequence_number).toBe(index === made.length - 1 ? undefined : numbers.at(-1));
    }
    const last = made.at(-1);
    expect(
      last?.type === 'response.completed' && last.response.output.map(({ type }) => type).sort(),
    ).toEqual(['message', 'reasoning']);
  });

  it('come while it is written, to whom did not ask for it, and go on where they broke off', async () => {
    service.model.play('slow-reasoning');
    const { id } = await client.responses.create({ model: CONNECTED, input: 'Hello', background: true });
    const begun: Event[] = [];
    for await (const event of await client.responses.retrieve(id, { stream: true })) {
      begun.push(event);
      if (event.type === 'response.output_text.delta') break;
    }
    expect(begun[0]?.type).toBe('response.created');
    const rest = await collect(
      client.responses.stream({ response_id: id, starting_after: begun.at(-1)?.sequence_number ?? 0 }),
    );
    expect(textOf(begun) + textOf(rest)).toBe(PLAIN_TEXT);
    expect(rest.at(-1)?.type).toBe('response.completed');
  });

  it('end with what it failed with, and a wrong number is refused', async () => {
    service.model.play('key-refused');
    const { id } = await client.responses.create({ model: CONNECTED, input: 'Hello', background: true });
    await service.settled(chatOf(id));
    const events = await collect(await client.responses.retrieve(id, { stream: true }));
    expect(events.at(-1)).toMatchObject({
      type: 'response.failed',
      response: { status: 'failed', error: { code: 'model_key_refused' } },
    });
    const wrong = await service.get(`/v1/responses/${id}?stream=true&starting_after=-1`);
    expect([wrong.status, wrong.json<{ error: { param: string } }>().error.param]).toEqual([
      400,
      'starting_after',
    ]);
    await expect(client.responses.retrieve('resp_a_b', { stream: true })).rejects.toMatchObject({
      status: 404,
      code: 'response_not_found',
    });
  });
});

it('lists what a response answers', async () => {
  const input = [
    { role: 'developer' as const, content: 'Be brief.' },
    { role: 'user' as const, content: [{ type: 'input_text' as const, text: 'What is 2+2?' }] },
  ];
  const { id } = await client.responses.create({ model: OFFLINE, input, store: true });
  const items = await collect(client.responses.inputItems.list(id, { order: 'asc', limit: 20 }));
  expect(items).toMatchObject([
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'What is 2+2?' }] },
  ]);
  const page = await client.responses.inputItems.list(id, { after: items[0]?.id ?? '' });
  expect([page.data, page.has_more]).toEqual([[], false]);
  const query = `/v1/responses/${id}/input_items`;
  expect((await service.get(`${query}?limit=0`)).status).toBe(400);
  expect((await service.get(`${query}?order=up`)).status).toBe(400);
  expect((await service.get(`${query}?after=msg_other`)).status).toBe(400);
});

describe('a response that is deleted', () => {
  const isThere = async (chatId: string): Promise<boolean> =>
    (await service.get(`/api/v1/chats/${chatId}`)).status === 200;

  it('takes the chat along that was made for it, which can be restored with all it held', async () => {
    const { id } = await client.responses.create({ model: OFFLINE, input: 'What is 2+2?', store: true });
    await service.settled(chatOf(id));
    await client.responses.delete(id);
    expect(await isThere(chatOf(id))).toBe(false);
    await expect(client.responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
    await service.post(`/api/v1/chats/${chatOf(id)}/restore`);
    expect(await service.messages(chatOf(id))).toHaveLength(2);
  });

  it('leaves a chat that holds more, or that was there before', async () => {
    const first = await client.responses.create({ model: OFFLINE, input: 'What is 2+2?', store: true });
    const next = { model: OFFLINE, input: 'times 10', previous_response_id: first.id };
    await client.responses.create(next);
    await service.settled(chatOf(first.id));
    await client.responses.delete(first.id);
    expect(await service.messages(chatOf(first.id))).toHaveLength(2);
    const own = await service.createChat();
    const headers = { 'X-Parley-Chat': own.id };
    const { id } = await client.responses.create({ model: OFFLINE, input: 'What is 2+2?' }, { headers });
    await service.settled(own.id);
    await client.responses.delete(id);
    expect([await isThere(own.id), await service.messages(own.id)]).toEqual([true, []]);
  });
});
