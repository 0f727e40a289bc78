/** What a client of OpenAI’s format sends reaches the model’s server as it came, as far as the server takes it. */
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startConnectedService, CONNECTED } from '../../../support/connected-service.ts';
import { base64, PNG } from '../../../support/files.ts';
import { startModelServer, type ModelServer } from '../../../support/model-servers/model-server.ts';
import { ODD_ARGUMENTS } from '../../../support/model-servers/scenarios.ts';
import { STRICT_RULES } from '../../../support/model-servers/strict-rules.ts';
import { recordsIn, type Json } from '../../../support/model-servers/wire.ts';
import type { Provider } from '../../../../shared/providers.ts';

const service = await startConnectedService();
beforeEach(() => service.model.play('plain'));

const complete = async (messages: unknown[], more: object = {}): Promise<Json[]> => {
  const answer = await service.post('/v1/chat/completions', { model: CONNECTED, messages, ...more });
  expect(answer.status).toBe(200);
  return recordsIn(service.lastAsked()['messages']);
};

const call = (id: string, args = '{"expression":"1+1"}'): object => ({
  id,
  type: 'function',
  function: { name: 'calculate', arguments: args },
});
const result = (id: string): object => ({ role: 'tool', tool_call_id: id, content: '2' });

const picture = (bytes: number): string =>
  `data:image/png;base64,${base64(Buffer.concat([PNG, Buffer.alloc(bytes)]))}`;

it('texts and pictures keep their order, and pictures their detail', async () => {
  const content = [
    { type: 'text', text: 'Before:' },
    { type: 'image_url', image_url: { url: picture(1), detail: 'low' } },
    { type: 'text', text: 'After:' },
    { type: 'image_url', image_url: { url: picture(2), detail: 'high' } },
    { type: 'image_url', image_url: { url: picture(3) } },
    { type: 'text', text: 'What changed?' },
  ];
  expect(await complete([{ role: 'user', content }])).toEqual([{ role: 'user', content }]);
});

it('the same with responses', async () => {
  const content = [
    { type: 'input_text', text: 'Before:' },
    { type: 'input_image', image_url: picture(1), detail: 'low' },
    { type: 'input_text', text: 'After:' },
  ];
  const body = { model: CONNECTED, input: [{ role: 'user', content }], store: false };
  expect((await service.post('/v1/responses', body)).status).toBe(200);
  expect(recordsIn(service.lastAsked()['messages'])[0]?.['content']).toEqual([
    { type: 'text', text: 'Before:' },
    { type: 'image_url', image_url: { url: picture(1), detail: 'low' } },
    { type: 'text', text: 'After:' },
  ]);
});

it('arguments of calls go up as they came', async () => {
  const calls = ODD_ARGUMENTS.map((args, at) => call(`call_${at}`, args));
  const messages = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: null, tool_calls: calls },
    ...calls.map((_, at) => result(`call_${at}`)),
  ];
  expect((await complete(messages))[1]).toEqual({ role: 'assistant', content: null, tool_calls: calls });
});

it.each(['', 'null', ' '])('arguments %j of a tool without fields go up as an empty object', async (args) => {
  const messages = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: null, tool_calls: [call('call_1', args)] },
    result('call_1'),
  ];
  expect((await complete(messages))[1]).toMatchObject({ tool_calls: [{ function: { arguments: '{}' } }] });
  const input = [
    { role: 'user', content: 'Hi' },
    { type: 'function_call', call_id: 'call_1', name: 'calculate', arguments: args },
    { type: 'function_call_output', call_id: 'call_1', output: '2' },
  ];
  for (const wire of ['ollama', 'anthropic'] as const) {
    const server = await connect(wire, wire);
    const body = { model: `${wire}/fake-model`, input, store: false };
    expect((await service.post('/v1/responses', body)).status).toBe(200);
    expect(server.asked()[0]?.text).not.toContain('INVALID_JSON');
  }
});

it('a user message after a result goes up right behind it', async () => {
  const messages = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: null, tool_calls: [call('call_1')] },
    result('call_1'),
    { role: 'user', content: 'A reminder.' },
  ];
  expect(await complete(messages)).toEqual(messages);
});

it.each<[Provider, 'google' | 'ollama' | 'anthropic']>([
  ['google', 'google'],
  ['ollama', 'ollama'],
  ['anthropic', 'anthropic'],
])('%s: numbers in arguments go up as they came', async (provider, wire) => {
  const server = await connect(provider, wire);
  const messages = [
    { role: 'user', content: 'Hi' },
    {
      role: 'assistant',
      content: null,
      tool_calls: ODD_ARGUMENTS.map((args, at) => call(`call_${at}`, args)),
    },
    ...ODD_ARGUMENTS.map((_, at) => result(`call_${at}`)),
  ];
  const answer = await service.post('/v1/chat/completions', { model: `${wire}/fake-model`, messages });
  expect([answer.status, server.refusals]).toEqual([200, []]);
  const { text = '' } = server.asked()[0] ?? {};
  expect(text).toContain('"decimals":12345678901234567890');
  expect(text).toContain('"decimals":1.0,"more":{"e":1e3,"list":[0.10,-0.0]}');
  expect(text).toContain(JSON.stringify({ INVALID_JSON: ODD_ARGUMENTS[2] }));
});

async function connect(
  provider: Provider,
  wire: 'google' | 'ollama' | 'anthropic' | 'mistral',
): Promise<ModelServer> {
  const server = await startModelServer(wire, { refuses: STRICT_RULES[wire] });
  onTestFinished(() => server.close());
  const body = { provider, name: wire, baseUrl: server.baseUrl, apiKey: 'sk-test-0123456789abcdef' };
  const made = await service.post('/api/v1/connections', body);
  expect(made.status).toBe(201);
  const { id } = made.json<{ connection: { id: string } }>().connection;
  onTestFinished(async () => {
    await service.request({ method: 'DELETE', path: `/api/v1/connections/${id}` });
  });
  return server;
}

describe('what a model thought', () => {
  it.each(['reasoning_content', 'reasoning', 'thinking'])(
    'comes back to it when a client returns it as %s',
    async (field) => {
      const messages = [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: null, tool_calls: [call('call_1')], [field]: 'A sum, then.' },
        result('call_1'),
        { role: 'assistant', content: 'It is 2.', [field]: 'So it is 2.' },
        { role: 'user', content: 'And now?' },
      ];
      expect(await complete(messages)).toMatchObject([
        {},
        { reasoning_content: 'A sum, then.', tool_calls: [{ id: 'call_1' }] },
        {},
        { reasoning_content: 'So it is 2.', content: 'It is 2.' },
        {},
      ]);
    },
  );

  it('and in the items of a response', async () => {
    const input = [
      { role: 'user', content: 'Hi' },
      {
        type: 'reasoning',
        id: 'rs_1',
        summary: [],
        content: [{ type: 'reasoning_text', text: 'A sum, then.' }],
      },
      { type: 'function_call', call_id: 'call_1', name: 'calculate', arguments: '{}' },
      { type: 'function_call_output', call_id: 'call_1', output: '2' },
      { type: 'reasoning', id: 'rs_2', summary: [{ type: 'summary_text', text: 'So it is 2.' }] },
      { role: 'assistant', content: [{ type: 'output_text', text: 'It is 2.' }] },
      { role: 'user', content: 'And now?' },
    ];
    const answer = await service.post('/v1/responses', { model: CONNECTED, input, store: false });
    expect(answer.status).toBe(200);
    expect(service.lastAsked()['messages']).toMatchObject([
      { role: 'user' },
      { reasoning_content: 'A sum, then.', tool_calls: [{ id: 'call_1' }] },
      { role: 'tool' },
      { reasoning_content: 'So it is 2.', content: 'It is 2.' },
      { role: 'user' },
    ]);
  });

  it.each(['anthropic', 'google'] as const)(
    '%s: comes back with its signatures, although programs know none',
    async (wire) => {
      const server = await connect(wire, wire);
      server.play('thinks-with-tools');
      const tools = [{ type: 'function', function: { name: 'calculate', parameters: { type: 'object' } } }];
      const body = { model: `${wire}/fake-model`, tools, reasoning_effort: 'medium' };
      const messages: unknown[] = [{ role: 'user', content: 'Add up.' }];
      for (let round = 0; round < 3; round += 1) {
        const answer = await service.post('/v1/chat/completions', { ...body, messages });
        expect([answer.status, server.refusals]).toEqual([200, []]);
        const { choices } = answer.json<{
          choices: { message: { content: string; tool_calls?: Json[] } }[];
        }>();
        const { content = '', tool_calls: calls = [] } = choices[0]?.message ?? {};
        messages.push({ role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) });
        for (const { id } of calls) messages.push(result(String(id)));
        if (round === 2) expect(content).toBe('All done.');
      }
      const { text = '' } = server.asked().at(-1) ?? {};
      expect(text).toContain('"signed-Thought after 0 results."');
      expect(text).toContain('"signed-Thought after 1 results."');
    },
  );

  it('is not wanted where its signature is missing', async () => {
    const server = await connect('anthropic', 'anthropic');
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: null, tool_calls: [call('call_1')], reasoning_content: 'A sum, then.' },
      result('call_1'),
    ];
    const tools = [{ type: 'function', function: { name: 'calculate', parameters: { type: 'object' } } }];
    const body = { model: 'anthropic/fake-model', messages, tools, reasoning_effort: 'medium' };
    const answer = await service.post('/v1/chat/completions', body);
    expect([answer.status, server.refusals]).toEqual([200, []]);
  });
});

it('a schema of the answer goes up as it came', async () => {
  const schema = {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  };
  for (const strict of [true, false]) {
    const format = { type: 'json_schema', json_schema: { name: 'place', schema, strict } };
    await complete([{ role: 'user', content: 'Where?' }], { response_format: format });
    expect(service.lastAsked()['response_format']).toEqual(format);
  }
});

const place = { type: 'object', properties: { value: { type: 'string' } }, required: ['value'] };

it.each<[object, object]>([
  [{ type: 'json_schema', json_schema: { name: 'x', schema: place } }, { name: 'x' }],
  [
    { type: 'json_schema', strict: true, json_schema: { name: 'x', schema: place } },
    { name: 'x', strict: true },
  ],
  [
    { type: 'json_schema', name: 'x', strict: true, schema: place },
    { name: 'x', strict: true },
  ],
  [{ type: 'json_schema', json_schema: { schema: place } }, {}],
  [{ type: 'json_schema', json_schema: place }, {}],
  [{ type: 'json_schema', json_schema: { strict: null, name: null, schema: place } }, {}],
  [{ json_schema: { name: 'x', schema: place } }, { name: 'x' }],
  [{ type: 'json_object', schema: place }, {}],
  [{ type: 'json_object', json_schema: { name: 'x', schema: place } }, { name: 'x' }],
  [{ type: 'json_object', response_schema: place, enforce_validation: true }, {}],
  [{ type: 'json_object', value: place }, {}],
])('a schema goes up wherever a client puts it: %j', async (response_format, more) => {
  await complete([{ role: 'user', content: 'Where?' }], { response_format });
  expect(service.lastAsked()['response_format']).toEqual({
    type: 'json_schema',
    json_schema: { schema: place, name: 'response', strict: false, ...more },
  });
});

it.each([
  { type: 'json_object' },
  { type: 'json_object', schema: null },
  { type: 'json_object', schema: 'x' },
])('a format without a schema is JSON of any kind: %j', async (response_format) => {
  await complete([{ role: 'user', content: 'Where?' }], { response_format });
  expect(service.lastAsked()['response_format']).toEqual({ type: 'json_object' });
});

it('turns of a client’s own making are taken by a server that wants them in order', async () => {
  const server = await connect('mistral', 'mistral');
  const ask = async (messages: unknown[]): Promise<void> => {
    const answer = await service.post('/v1/chat/completions', { model: 'mistral/fake-model', messages });
    expect([answer.status, server.refusals]).toEqual([200, []]);
  };
  const user = { role: 'user', content: 'Hi' };
  const id = 'abcdefgh1';
  await ask([user, user]);
  await ask([{ role: 'assistant', content: 'Welcome.' }, user]);
  await ask([user, { role: 'assistant', content: '' }, user]);
  await ask([user, { role: 'assistant', content: 'A' }, { role: 'assistant', content: 'B' }, user]);
  await ask([user, { role: 'assistant', content: null, tool_calls: [call(id)] }, result(id), user]);
  await ask([user, { role: 'assistant', content: null, tool_calls: [call(id)] }, user]);
  await ask([user, { role: 'system', content: 'Be brief.' }, user]);
});

const lookTool = {
  type: 'function',
  function: { name: 'look', parameters: { type: 'object', properties: {} } },
};

it.each<[string, object, object]>([
  [
    'no limit',
    { max_tokens: -1 },
    { messages: [{ role: 'user', content: 'Hi' }], stream: true, stream_options: { include_usage: true } },
  ],
  [
    'a word of another API for a required tool',
    { tools: [lookTool], tool_choice: 'any' },
    { tool_choice: 'required' },
  ],
  [
    'a tool choice as an object',
    { tools: [lookTool], tool_choice: { type: 'none' } },
    { tool_choice: 'none' },
  ],
  [
    'instructions alone',
    { messages: [{ role: 'system', content: 'Name a cat' }] },
    { messages: [{ role: 'user', content: 'Name a cat' }] },
  ],
  [
    'empty instructions and an empty message',
    {
      messages: [
        { role: 'system', content: null },
        { role: 'user', content: [] },
      ],
    },
    { messages: [{ role: 'user', content: '' }] },
  ],
  [
    'a reply with parts of another server',
    {
      messages: [
        { role: 'user', content: 'Hi' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm.', signature: 'x' },
            { type: 'text', text: 'Yes.' },
          ],
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'look', arguments: { at: 1 } } }],
        },
        { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: 'Seen' }] },
      ],
    },
    {
      messages: [
        {},
        { content: 'Yes.', tool_calls: [{ function: { name: 'look', arguments: '{"at":1}' } }] },
        { content: 'Seen' },
      ],
    },
  ],
])('%s', async (_, sent, expected) => {
  const body = { model: CONNECTED, messages: [{ role: 'user', content: 'Hi' }], ...sent };
  expect((await service.post('/v1/chat/completions', body)).status).toBe(200);
  expect(service.lastAsked()).toMatchObject(expected);
  expect(service.lastAsked()).not.toHaveProperty('max_tokens');
});
