/** The `openai` package against the service, unchanged but for address and key. */
import OpenAI from 'openai';
import { beforeEach, describe, expect, it } from 'vitest';
import { PARTIAL_TEXT, PLAIN_TEXT } from '../../../support/model-servers/scenarios.ts';
import { collect } from '../../../support/collect.ts';
import { startRawServer } from '../../../support/model-servers/raw-server.ts';
import { CONNECTED, startConnectedService } from '../../../support/connected-service.ts';

const service = await startConnectedService();
const client: OpenAI = new OpenAI({ baseURL: service.baseURL, apiKey: service.apiKey });

beforeEach(() => service.model.play('plain'));

const SUM = 'What is 12.5% of 1840?';
const ask = (content: string): OpenAI.ChatCompletionMessageParam[] => [{ role: 'user', content }];
const CALCULATE = {
  type: 'function',
  function: {
    name: 'calculate',
    description: 'Works out a sum.',
    parameters: { type: 'object', properties: { expression: { type: 'string' } }, required: ['expression'] },
  },
} as const;
const chats = async (): Promise<number> =>
  (await service.get('/api/v1/chats')).json<{ total: number }>().total;

describe('models', () => {
  it('are listed by the names of GET /api/v1/models, agents after them', async () => {
    const ids = (await client.models.list()).data.map(({ id }) => id);
    expect(ids.slice(0, 3)).toEqual(['offline-assistant', 'rehearsal', CONNECTED]);
    expect(ids).toContain('agent:writer');
    expect(await client.models.retrieve(CONNECTED)).toMatchObject({ id: CONNECTED, owned_by: 'Box' });
    await expect(client.models.retrieve('gpt-4o')).rejects.toMatchObject({
      status: 404,
      code: 'model_not_found',
    });
  });
});

describe('chat completions', () => {
  it('come from the offline assistant and from agents, with its tools, and nothing is kept', async () => {
    for (const model of ['offline-assistant', 'agent:orchestrator', 'agent:analyst']) {
      const answer = await client.chat.completions.create({ model, messages: ask(SUM) });
      expect(answer).toMatchObject({ object: 'chat.completion', model });
      expect(answer.choices[0]).toMatchObject({ finish_reason: 'stop', message: { role: 'assistant' } });
      expect(answer.choices[0]?.message.content).toContain('230');
    }
    expect(await chats()).toBe(0);
  });

  it('go on with what was said before', async () => {
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      { role: 'user', content: 'Sort: pear, apple, fig' },
      { role: 'assistant', content: 'apple, fig, pear' },
      { role: 'user', content: 'what did I ask before?' },
    ];
    const answer = await client.chat.completions.create({ model: 'offline-assistant', messages });
    expect(answer.choices[0]?.message.content).toContain('Sort: pear, apple, fig');
  });

  it('bring a connected model what was sent and nothing else', async () => {
    const answer = await client.chat.completions.create({
      model: CONNECTED,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
        { role: 'assistant', content: 'Hi.' },
        { role: 'developer', content: 'Be kind.' },
        { role: 'user', content: 'How are you?' },
      ],
      temperature: 0.2,
      top_p: 0.9,
      max_completion_tokens: 50,
      stop: ['END'],
      presence_penalty: 0.5,
      frequency_penalty: -0.5,
    });
    expect(answer.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: PLAIN_TEXT } });
    expect(answer.usage).toMatchObject({ prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 });
    expect(service.lastAsked()).toMatchObject({
      model: 'fake-model',
      messages: [
        { role: 'system', content: 'Be brief.\n\nBe kind.' },
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: 'Hi.' },
        { role: 'user', content: 'How are you?' },
      ],
      temperature: 0.2,
      top_p: 0.9,
      max_tokens: 50,
      stop: ['END'],
      presence_penalty: 0.5,
      frequency_penalty: -0.5,
    });
    expect(service.lastAsked()).not.toHaveProperty('tools');
    const old = { model: CONNECTED, messages: ask('Hello'), max_tokens: 40, seed: 7, stop: 'END' };
    await service.post('/v1/chat/completions', old);
    expect(service.lastAsked()).toMatchObject({ max_tokens: 40, seed: 7, stop: ['END'] });
  });

  it('are streamed, and end with what was used where that is wanted', async () => {
    service.model.play('slow-reasoning');
    const stream = await client.chat.completions.create({
      model: CONNECTED,
      messages: ask('Hello'),
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = await collect(stream);
    const texts = chunks.map(({ choices }) => choices[0]?.delta.content ?? '');
    expect(texts.join('')).toBe(PLAIN_TEXT);
    expect(texts.filter((text) => text !== '').length).toBeGreaterThan(1);
    const thoughts = chunks.map(
      ({ choices }) =>
        (choices[0]?.delta as { reasoning_content?: string } | undefined)?.reasoning_content ?? '',
    );
    expect(thoughts.join('')).toBe('They greet me, so I greet them.');
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop');
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 18 } });
    const plain = await collect(
      await client.chat.completions.create({ model: 'offline-assistant', messages: ask(SUM), stream: true }),
    );
    expect(plain.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toContain('230');
    expect(plain.some(({ usage }) => (usage ?? null) !== null)).toBe(false);
  });

  it('hand the calls of the client’s tools over, and bring back what they gave', async () => {
    service.model.play('parallel-tools');
    const first = await client.chat.completions.create({
      model: CONNECTED,
      messages: ask('Add up'),
      tools: [CALCULATE],
      tool_choice: 'auto',
    });
    const [choice] = first.choices;
    expect(choice?.finish_reason).toBe('tool_calls');
    const calls = choice?.message.tool_calls ?? [];
    expect(calls.map((call) => (call.type === 'function' ? call.function : null))).toEqual([
      { name: 'calculate', arguments: '{"expression":"1+1"}' },
      { name: 'calculate', arguments: '{"expression":"10*10"}' },
    ]);
    expect(service.lastAsked()).toMatchObject({
      tools: [{ type: 'function', function: CALCULATE.function }],
      tool_choice: 'auto',
    });
    const second = await client.chat.completions.create({
      model: CONNECTED,
      messages: [
        ...ask('Add up'),
        ...(choice === undefined ? [] : [choice.message]),
        ...calls.map(({ id }, index) => ({
          role: 'tool' as const,
          tool_call_id: id,
          content: `result ${index}`,
        })),
      ],
      tools: [CALCULATE],
    });
    expect(second.choices[0]?.message.content).toBe('The tools say result 0 and result 1');
    expect(service.lastAsked()).toMatchObject({
      messages: [
        { role: 'user' },
        { role: 'assistant', content: 'Let me see.', tool_calls: [{ id: 'c0' }, { id: 'c1' }] },
        { role: 'tool', tool_call_id: 'c0', content: 'result 0' },
        { role: 'tool', tool_call_id: 'c1', content: 'result 1' },
      ],
    });
  });

  it('stream calls, also those whose arguments are no JSON', async () => {
    for (const [scenario, args] of [
      ['tool-loop', '{"expression":"6*7"}'],
      ['broken-arguments', '{"expression": "6*'],
    ] as const) {
      service.model.play(scenario);
      const runner = client.chat.completions.stream({
        model: CONNECTED,
        messages: ask('Add up'),
        tools: [CALCULATE],
        tool_choice: { type: 'function', function: { name: 'calculate' } },
      });
      const answer = await runner.finalChatCompletion();
      expect(answer.choices[0]?.finish_reason).toBe('tool_calls');
      expect(answer.choices[0]?.message.tool_calls).toMatchObject([
        { id: 'c0', type: 'function', function: { name: 'calculate', arguments: args } },
      ]);
    }
    expect(service.lastAsked()).toMatchObject({
      tool_choice: { type: 'function', function: { name: 'calculate' } },
    });
  });

  it.each([
    ['{}', '{"expression":', '"6*7"}'],
    ['{"expression":"6*', '7"', '}', '}'],
    ['{ "expression":"6*7"', ',', '\n', '}'],
    ['```json\n', '{"expression":"6*7"}', '\n```'],
    ['"{\\"expression\\":', '\\"6*7\\"}"'],
  ])('stream repaired arguments, never what is repaired later: %j %j', async (...args) => {
    const call = (fields: object): string =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...fields }] } }] })}\n\n`;
    const events = args.map((piece) => call({ function: { arguments: piece } })).join('');
    const begin = call({ id: 'a', function: { name: 'calculate', arguments: '' } });
    const server = await startRawServer(() => ({
      body: `${begin}${events}data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}\n\n`,
    }));
    const connection = {
      provider: 'openai_compatible',
      name: `Raw ${server.origin}`,
      baseUrl: `${server.origin}/v1`,
    };
    const { slug } = (await service.post('/api/v1/connections', connection)).json<{
      connection: { slug: string };
    }>().connection;
    const answer = await client.chat.completions
      .stream({ model: `${slug}/m`, messages: ask('Add up'), tools: [CALCULATE] })
      .finalChatCompletion();
    const [made] = answer.choices[0]?.message.tool_calls ?? [];
    const written = made?.type === 'function' ? made.function.arguments : '';
    expect(JSON.parse(written)).toEqual({ expression: '6*7' });
  });

  it('play a rehearsal’s calls of the client’s tools', async () => {
    const script = '```rehearsal\n::tool get_weather {"city":"Rome"}\nIt is sunny.\n```';
    const tools = [{ type: 'function' as const, function: { name: 'get_weather', parameters: {} } }];
    const first = await client.chat.completions.create({ model: 'rehearsal', messages: ask(script), tools });
    const message = first.choices[0]?.message;
    expect(message?.tool_calls).toMatchObject([
      { function: { name: 'get_weather', arguments: '{"city":"Rome"}' } },
    ]);
    const id = message?.tool_calls?.[0]?.id ?? '';
    const second = await client.chat.completions.create({
      model: 'rehearsal',
      messages: [
        ...ask(script),
        ...(message === undefined ? [] : [message]),
        { role: 'tool', tool_call_id: id, content: '24 °C' },
      ],
      tools,
    });
    expect(second.choices[0]?.message.content).toContain('It is sunny.');
  });

  it('want JSON of a model that can', async () => {
    const schema = {
      type: 'object',
      properties: { sum: { type: 'number' } },
      required: ['sum'],
      additionalProperties: false,
    };
    const response_format = { type: 'json_schema' as const, json_schema: { name: 'sum', schema } };
    await client.chat.completions.create({ model: CONNECTED, messages: ask('Hello'), response_format });
    expect(service.lastAsked()['response_format']).toMatchObject({
      type: expect.stringMatching(/^json_/) as string,
    });
    await expect(
      client.chat.completions.create({ model: 'offline-assistant', messages: ask(SUM), response_format }),
    ).rejects.toMatchObject({ status: 400, param: 'response_format' });
  });
});

describe('responses', () => {
  it('come plain, and nothing is kept unless that is asked for', async () => {
    const before = await chats();
    const answer = await client.responses.create({ model: 'offline-assistant', input: SUM });
    expect(answer).toMatchObject({ status: 'completed', store: false, error: null });
    expect(answer.output_text).toContain('230');
    await expect(client.responses.retrieve(answer.id)).rejects.toMatchObject({ status: 404 });
    expect(await chats()).toBe(before);
  });

  it('are streamed as the events of the format', async () => {
    service.model.play('reasoning');
    const stream = client.responses.stream({
      model: CONNECTED,
      instructions: 'Be brief.',
      input: [{ role: 'user', content: [{ type: 'input_text', text: 'Hello' }] }],
      max_output_tokens: 50,
    });
    const events = await collect(stream);
    expect(events.map(({ type }) => type).filter((type) => !type.endsWith('.delta'))).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.reasoning_summary_part.added',
      'response.reasoning_summary_text.done',
      'response.reasoning_summary_part.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
    const answer = await stream.finalResponse();
    expect(answer.output_text).toBe(PLAIN_TEXT);
    expect(answer.usage).toMatchObject({ input_tokens: 11, output_tokens: 7, total_tokens: 18 });
    expect(service.lastAsked()).toMatchObject({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello' },
      ],
      max_tokens: 50,
    });
  });

  it('hand calls over and take what they gave', async () => {
    service.model.play('tool-loop');
    const tools = [{ type: 'function' as const, strict: true, ...CALCULATE.function }];
    const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'Add up' }];
    const stream = client.responses.stream({ model: CONNECTED, input, tools });
    const first = await stream.finalResponse();
    const call = first.output.find((item) => item.type === 'function_call');
    expect(call).toMatchObject({ name: 'calculate', arguments: '{"expression":"6*7"}', call_id: 'c0' });
    const second = await client.responses.create({
      model: CONNECTED,
      input: [
        ...input,
        ...(call === undefined ? [] : [call]),
        { type: 'function_call_output', call_id: 'c0', output: '42' },
      ],
      tools,
    });
    expect(second.output_text).toBe('The tool says 42');
  });

  it('that fail in the middle say so in the stream', async () => {
    service.model.play('slow-fault');
    const events = await collect(
      await client.responses.create({ model: CONNECTED, input: 'Hi', stream: true }),
    );
    const last = events.at(-1);
    expect(last).toMatchObject({ type: 'response.failed', response: { status: 'failed' } });
    const text = events
      .map((event) => (event.type === 'response.output_text.delta' ? event.delta : ''))
      .join('');
    expect(text).toBe(PARTIAL_TEXT);
  });
});
