/** Requests as programs send them: Codex, the Vercel AI SDK, and clients that name everything OpenAI has. */
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAI as createOpenAI3 } from '@ai-sdk/openai-3';
import OpenAI from 'openai';
import { generateText, jsonSchema, streamText, tool } from 'ai';
import { beforeEach, describe, expect, it } from 'vitest';
import { collect } from '../../../support/collect.ts';
import { CONNECTED, startConnectedService } from '../../../support/connected-service.ts';
import { PARTIAL_TEXT, PLAIN_TEXT, REFUSAL_TEXT } from '../../../support/model-servers/scenarios.ts';

const service = await startConnectedService();
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const PICTURE = `data:image/png;base64,${PNG}`;

beforeEach(() => service.model.play('plain'));

interface Item extends Record<string, unknown> {
  id: string;
  type: string;
}
interface Response {
  status: string;
  output: Item[];
  error?: { message: string; param: string };
}

async function respond(body: object, key?: string): Promise<Response> {
  const sent = { model: CONNECTED, input: 'Add up', ...body };
  return (await service.post('/v1/responses', sent, key === undefined ? {} : { key })).json<Response>();
}

/** The events of a streamed response. */
async function events(body: object): Promise<Record<string, unknown>[]> {
  const sent = { model: CONNECTED, input: 'Add up', stream: true, ...body };
  const { text } = await service.post('/v1/responses', sent);
  return [...text.matchAll(/^data: (.*)$/gm)].map(
    ([, data = '']) => JSON.parse(data) as Record<string, unknown>,
  );
}

const FUNCTION = { type: 'function', name: 'look', parameters: { type: 'object', properties: {} } };
const HOSTED = [
  { type: 'web_search', external_web_access: true },
  { type: 'web_search_preview' },
  { type: 'file_search', vector_store_ids: ['vs_1'] },
  { type: 'code_interpreter', container: { type: 'auto' } },
  { type: 'computer_use_preview', display_width: 1, display_height: 1, environment: 'browser' },
  { type: 'mcp', server_label: 'x', server_url: 'https://example.com' },
  { type: 'image_generation' },
  { type: 'local_shell' },
  { type: 'tool_search' },
  { type: 'one_that_is_yet_to_come' },
];
/** As Codex sends its tools. */
const NAMESPACE = {
  type: 'namespace',
  name: 'agents',
  description: 'Sub-agents.',
  tools: [
    { type: 'function', name: 'calculate', strict: false, parameters: { type: 'object', properties: {} } },
  ],
};

const toolNames = (): unknown[] =>
  ((service.lastAsked()['tools'] ?? []) as { function: { name: string } }[]).map(
    ({ function: { name } }) => name,
  );

describe('tools', () => {
  it('that only OpenAI hosts are left out', async () => {
    expect((await respond({ tools: [FUNCTION, ...HOSTED] })).status).toBe('completed');
    expect(toolNames()).toEqual(['look']);
    expect((await respond({ tools: HOSTED, tool_choice: 'auto' })).status).toBe('completed');
    expect(service.lastAsked()).not.toHaveProperty('tools');
    expect((await respond({ tools: HOSTED, tool_choice: 'required' })).error?.param).toBe('tool_choice');
  });

  it('of a namespace come out of it for the model, and their calls go back into it', async () => {
    service.model.play('calls-all');
    const { output } = await respond({ tools: [NAMESPACE, FUNCTION] });
    expect(toolNames()).toEqual(['agents__calculate', 'look']);
    expect(output).toMatchObject([
      { type: 'function_call', name: 'calculate', namespace: 'agents' },
      { type: 'function_call', name: 'look' },
    ]);
    expect(output[1]).not.toHaveProperty('namespace');
    service.model.play('plain');
    const results = output.map(({ call_id }) => ({ type: 'function_call_output', call_id, output: '42' }));
    await respond({
      tools: [NAMESPACE, FUNCTION],
      input: [{ role: 'user', content: 'Add' }, ...output, ...results],
    });
    expect(service.lastAsked()['messages']).toMatchObject([
      { role: 'user' },
      { tool_calls: [{ function: { name: 'agents__calculate' } }, { function: { name: 'look' } }] },
      { role: 'tool' },
      { role: 'tool' },
    ]);
  });

  it('that take a plain text get it, whole and streamed, in both formats', async () => {
    service.model.play('calls-all');
    const custom = {
      type: 'custom',
      name: 'patch',
      format: { type: 'grammar', syntax: 'lark', definition: 'start: x' },
    };
    const { output } = await respond({ tools: [custom] });
    expect(output).toMatchObject([{ type: 'custom_tool_call', name: 'patch', input: 'say "hi"\n\u{1f600}' }]);
    expect(JSON.stringify(service.lastAsked()['tools'])).toContain('start: x');
    const streamed = await events({ tools: [custom] });
    const deltas = streamed.filter(({ type }) => type === 'response.custom_tool_call_input.delta');
    expect(deltas.map(({ delta }) => delta).join('')).toBe('say "hi"\n\u{1f600}');
    const { text } = await service.post('/v1/chat/completions', {
      model: CONNECTED,
      messages: [{ role: 'user', content: 'Add' }],
      tools: [{ type: 'custom', custom: { name: 'patch' } }],
    });
    const [choice] = (JSON.parse(text) as { choices: { message: Record<string, unknown> }[] }).choices;
    expect(choice?.message['tool_calls']).toMatchObject([
      { type: 'custom', custom: { name: 'patch', input: 'say "hi"\n\u{1f600}' } },
    ]);
    service.model.play('plain');
    const result = { type: 'custom_tool_call_output', call_id: output[0]?.['call_id'], output: 'Done' };
    await respond({ tools: [custom], input: [{ role: 'user', content: 'Go' }, ...output, result] });
    expect(service.lastAsked()['messages']).toMatchObject([
      {},
      { tool_calls: [{ function: { name: 'patch', arguments: '{"input":"say \\"hi\\"\\n\u{1f600}"}' } }] },
      { content: 'Done' },
    ]);
  });

  it('are narrowed by "allowed_tools"', async () => {
    const other = { ...FUNCTION, name: 'other' };
    const choice = { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'other' }] };
    await respond({ tools: [FUNCTION, other], tool_choice: choice });
    expect([toolNames(), service.lastAsked()['tool_choice']]).toEqual([['other'], 'required']);
    const { mode, tools } = choice;
    await service.post('/v1/chat/completions', {
      model: CONNECTED,
      messages: [{ role: 'user', content: 'Hi' }],
      tools: [FUNCTION, other].map(({ name }) => ({ type: 'function', function: { name } })),
      tool_choice: {
        type: 'allowed_tools',
        allowed_tools: { mode, tools: tools.map(({ name }) => ({ type: 'function', function: { name } })) },
      },
    });
    expect([toolNames(), service.lastAsked()['tool_choice']]).toEqual([['other'], 'required']);
  });
});

describe('what goes before', () => {
  it('may hold what hosted tools did', async () => {
    const input = [
      { role: 'user', content: 'Search' },
      { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'x' } },
      { type: 'local_shell_call', call_id: 'c', status: 'completed', action: {} },
      { type: 'local_shell_call_output', call_id: 'c', output: '' },
      { type: 'mcp_list_tools', server_label: 'x', tools: [] },
      {
        role: 'assistant',
        content: [{ type: 'output_text', text: 'Found', annotations: [] }],
        phase: 'final_answer',
      },
      { role: 'user', content: [] },
      { role: 'user', content: 'Thanks' },
    ];
    expect((await respond({ input })).status).toBe('completed');
    expect(service.lastAsked()['messages']).toMatchObject([{}, { content: 'Found' }, { content: 'Thanks' }]);
  });

  it('may hold pictures in the results of tools, which the model sees', async () => {
    service.model.play('calls-all');
    const { output } = await respond({ tools: [FUNCTION] });
    service.model.play('plain');
    const result = [
      { type: 'input_text', text: 'Here' },
      { type: 'input_image', image_url: PICTURE, detail: 'high' },
    ];
    const call_id = output[0]?.['call_id'];
    const input = [
      { role: 'user', content: 'Look' },
      ...output,
      { type: 'function_call_output', call_id, output: result },
    ];
    expect((await respond({ tools: [FUNCTION], input })).status).toBe('completed');
    expect(service.lastAsked()['messages']).toMatchObject([
      { role: 'user' },
      { role: 'assistant' },
      { role: 'tool', content: 'Here' },
      { role: 'assistant', content: expect.stringContaining('follow') as string },
      { role: 'user', content: [{ image_url: { url: PICTURE, detail: 'high' } }] },
    ]);
  });

  it('may be items of recent responses, of the same key', async () => {
    service.model.play('reasoning');
    const { output } = await respond({ input: 'Hello' });
    const references = output.map(({ id }) => ({ type: 'item_reference', id }));
    const input = [{ role: 'user', content: 'Hello' }, ...references, { role: 'user', content: 'Again' }];
    expect((await respond({ input })).status).toBe('completed');
    const [, reply] = service.lastAsked()['messages'] as Record<string, unknown>[];
    expect(reply).toMatchObject({ role: 'assistant', reasoning_content: 'They greet me, so I greet them.' });
    // Another key must not read them.
    const { apiKey } = (await service.post('/api/v1/keys', { name: 'Other' })).json<{ apiKey: string }>();
    const stranger = await respond({ input, model: 'offline-assistant' }, apiKey);
    expect(stranger.error).toMatchObject({
      param: 'input[1].id',
      message: expect.stringContaining('no item') as string,
    });
  });

  it('isn’t known when the client says that nothing is to be stored', async () => {
    const { output } = await respond({ input: 'Hello', store: false });
    const input = [{ id: output[0]?.id }, { role: 'user', content: 'Again' }];
    expect((await respond({ input })).error?.param).toBe('input[0].id');
  });
});

describe('the end of an answer', () => {
  it('that a filter cut off has the text, in both formats, whole and streamed', async () => {
    service.model.play('filtered');
    const { output, ...rest } = await respond({});
    expect(rest).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'content_filter' } });
    expect(output).toMatchObject([{ content: [{ text: PARTIAL_TEXT }] }]);
    const last = (await events({})).at(-1);
    expect(last).toMatchObject({ type: 'response.incomplete', response: { output: [{ type: 'message' }] } });
    const completion = { model: CONNECTED, messages: [{ role: 'user', content: 'Hi' }] };
    expect((await service.post('/v1/chat/completions', completion)).json()).toMatchObject({
      choices: [{ message: { content: PARTIAL_TEXT }, finish_reason: 'content_filter' }],
    });
    const streamed = await service.post('/v1/chat/completions', { ...completion, stream: true });
    expect(streamed.text).toContain('"finish_reason":"content_filter"');
  });

  it.each([
    ['an agent', { model: 'agent:cook' }],
    ['a chat', { store: true }],
  ])('that a filter cut off has the text from %s, too', async (_, asked) => {
    const cook = { name: 'Cook', instructions: 'You cook.', model: CONNECTED, tools: [] };
    await service.post('/api/v1/agents', { agentType: 'cook', ...cook });
    service.model.play('filtered');
    const completion = { model: CONNECTED, messages: [{ role: 'user', content: 'Hi' }], ...asked };
    const whole = await service.post('/v1/chat/completions', completion);
    expect(whole.status).toBe(200);
    expect(whole.json()).toMatchObject({
      choices: [{ message: { content: PARTIAL_TEXT }, finish_reason: 'content_filter' }],
    });
    const streamed = await service.post('/v1/chat/completions', { ...completion, stream: true });
    expect(streamed.text).toContain('"finish_reason":"content_filter"');
    expect((await events(asked)).at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: { incomplete_details: { reason: 'content_filter' } },
    });
    const { output, ...response } = await respond(asked);
    expect(output).toMatchObject([{ content: [{ text: PARTIAL_TEXT }] }]);
    expect(response).toMatchObject({ status: 'incomplete' });
  });

  it('that a filter cut off stays in its chat, with the reason', async () => {
    service.model.play('filtered');
    const completion = { model: CONNECTED, messages: [{ role: 'user', content: 'Hi' }], store: true };
    const { headers } = await service.post('/v1/chat/completions', completion);
    const chatId = String(headers['x-parley-chat']);
    expect((await service.messages(chatId)).at(-1)).toMatchObject({
      status: 'complete',
      content: PARTIAL_TEXT,
      stopReason: 'content_filter',
    });
  });

  it('that is a refusal is one in both formats, whole and streamed', async () => {
    service.model.play('declines');
    const client = new OpenAI({ baseURL: service.baseURL, apiKey: service.apiKey, maxRetries: 0 });
    const completion = { model: CONNECTED, messages: [{ role: 'user' as const, content: 'Hi' }] };
    const declined = { content: null, refusal: REFUSAL_TEXT };
    const whole = await client.chat.completions.create(completion);
    expect(whole.choices[0]).toMatchObject({ finish_reason: 'stop', message: declined });
    const streamed = await client.chat.completions.stream(completion).finalChatCompletion();
    expect(streamed.choices[0]?.message.refusal).toBe(REFUSAL_TEXT);
    const asked = { model: CONNECTED, input: 'Hi' };
    const output = [{ content: [{ type: 'refusal', refusal: REFUSAL_TEXT }] }];
    expect(await client.responses.create(asked)).toMatchObject({ status: 'completed', output });
    expect(await client.responses.stream(asked).finalResponse()).toMatchObject({ output });
    const next = {
      messages: [...completion.messages, { role: 'assistant', ...declined }, ...completion.messages],
    };
    await service.post('/v1/chat/completions', { model: CONNECTED, ...next });
    expect(service.lastAsked()['messages']).toMatchObject([{}, { content: REFUSAL_TEXT }, {}]);
  });

  it('says how many tokens were thoughts and how many came out of a cache', async () => {
    service.model.play('long-thought');
    expect(await respond({})).toMatchObject({
      usage: {
        input_tokens_details: { cached_tokens: 640 },
        output_tokens: 5_010,
        output_tokens_details: { reasoning_tokens: 5_000 },
      },
    });
    const completion = { model: CONNECTED, messages: [{ role: 'user', content: 'Hi' }] };
    expect((await service.post('/v1/chat/completions', completion)).json()).toMatchObject({
      usage: {
        prompt_tokens_details: { cached_tokens: 640 },
        completion_tokens_details: { reasoning_tokens: 5_000 },
      },
    });
  });
});

describe('a request', () => {
  it('passes on what only the model’s server knows, and gives back what is the client’s', async () => {
    const wanted = { tools: [FUNCTION], parallel_tool_calls: false, reasoning: { effort: 'max' } };
    const given = { metadata: { run: '7' }, truncation: 'auto', user: 'u' };
    expect(await respond({ ...wanted, ...given })).toMatchObject({ ...given, parallel_tool_calls: false });
    expect(service.lastAsked()).toMatchObject({ parallel_tool_calls: false, reasoning_effort: 'max' });
    const { text } = await service.post('/v1/chat/completions', {
      model: CONNECTED,
      messages: [{ role: 'user', content: 'Hi' }],
      logit_bias: { '50256': -100 },
      metadata: { run: '7' },
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'x', schema: { type: 'object' }, strict: true },
      },
    });
    expect(JSON.parse(text)).toMatchObject({ metadata: { run: '7' } });
    expect(service.lastAsked()).toMatchObject({
      logit_bias: { '50256': -100 },
      response_format: { json_schema: { strict: true } },
    });
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ] as const)('may be packed as %s, up to the same size unpacked', async (encoding, pack) => {
    const send = (body: unknown) =>
      service.request({
        method: 'POST',
        path: '/v1/responses/',
        headers: { 'content-type': 'application/json', 'content-encoding': encoding },
        body: pack(JSON.stringify(body)),
      });
    expect((await send({ model: CONNECTED, input: 'Hi' })).status).toBe(200);
    expect((await send({ model: CONNECTED, input: ' '.repeat(40_000_000) })).status).toBe(413);
  });

  it('packed in an unknown or wrong way is refused in words', async () => {
    const send = (encoding: string) =>
      service.request({
        method: 'POST',
        path: '/api/v1/chats',
        headers: { 'content-type': 'application/json', 'content-encoding': encoding },
        body: 'no gzip',
      });
    for (const encoding of ['gzip', 'deflate', 'br', 'zstd']) {
      const answer = await send(encoding);
      expect([answer.status, answer.error().message]).toEqual([
        400,
        expect.stringContaining('Content-Encoding'),
      ]);
    }
    expect((await send('lzma')).error().code).toBe('unsupported_media_type');
  });

  it.each(['/v1/models/', '/v1/models/offline-assistant/', `/v1/models/${CONNECTED}/`, '/api/v1/chats/'])(
    'to %s means the same without its slash',
    async (path) =>
      expect((await service.get(path)).json()).toEqual((await service.get(path.slice(0, -1))).json()),
  );
});

describe.each([
  ['4', createOpenAI],
  ['3', createOpenAI3],
])('@ai-sdk/openai %s with its defaults', (_, create) => {
  let sent: string[] = [];
  beforeEach(() => {
    sent = [];
  });
  const model = (): Parameters<typeof generateText>[0]['model'] =>
    create({
      baseURL: service.baseURL,
      apiKey: service.apiKey,
      fetch: (url, init) => {
        sent.push(typeof init?.body === 'string' ? init.body : '');
        return fetch(url, init);
      },
    })(CONNECTED);

  it('goes on with a conversation, whole and streamed', async () => {
    const question = { role: 'user' as const, content: 'Hello' };
    const first = await generateText({ model: model(), messages: [question] });
    const streamed = streamText({
      model: model(),
      messages: [question, ...first.finalStep.response.messages, { role: 'user', content: 'And then?' }],
    });
    expect((await collect(streamed.textStream)).join('')).toBe(PLAIN_TEXT);
    const { messages } = (await streamed.finalStep).response;
    const third = await generateText({ model: model(), messages: [question, ...messages, question] });
    expect(third.text).toBe(PLAIN_TEXT);
    expect(service.lastAsked()['messages']).toMatchObject([{}, { content: PLAIN_TEXT }, {}]);
  });

  it('calls its own tools in a loop', async () => {
    service.model.play('thinks-with-tools');
    const result = await generateText({
      model: model(),
      prompt: 'Add up',
      tools: {
        calculate: tool({
          inputSchema: jsonSchema<{ expression: string }>({
            type: 'object',
            properties: { expression: { type: 'string' } },
            required: ['expression'],
          }),
          execute: ({ expression }) => `${expression} is 42`,
        }),
      },
      stopWhen: ({ steps }) => steps.length === 3,
    });
    expect(result.text).toBe('All done.');
    expect(sent.at(-1)).toContain('"item_reference"');
    expect(JSON.stringify(service.lastAsked())).toContain('1+1 is 42');
  });
});
