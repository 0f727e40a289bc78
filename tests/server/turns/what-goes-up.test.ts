/** What goes up to model servers: what a model thought and wrote comes back to it, in this turn and in later ones. */
import { expect, onTestFinished, test } from 'vitest';
import type { Provider } from '../../../shared/providers.ts';
import { findAgent, type AgentDefinition } from '../../../server/agents/definitions.ts';
import type { HistoryMessage, TurnResult } from '../../../server/agents/turn.ts';
import {
  startModelServer,
  type ModelServer,
  type ModelServerOptions,
  type WireName,
} from '../../support/model-servers/model-server.ts';
import { accessTo, runModelTurn } from '../../support/model-servers/model-turn.ts';
import { PROVIDER_WIRES } from '../../support/model-servers/provider-wires.ts';
import { startRawServer } from '../../support/model-servers/raw-server.ts';
import { ODD_ARGUMENTS, PLAIN_TEXT, type ScenarioName } from '../../support/model-servers/scenarios.ts';
import { STRICT_RULES, THINKING_RULES, type Rules } from '../../support/model-servers/strict-rules.ts';
import { recordsIn, textOf, type Json } from '../../support/model-servers/wire.ts';

const THINKS: AgentDefinition = { ...findAgent('orchestrator'), parameters: { reasoning: 'medium' } };

async function start(wire: WireName, options: ModelServerOptions): Promise<ModelServer> {
  const server = await startModelServer(wire, options);
  onTestFinished(() => server.close());
  return server;
}

const question = (content: string): HistoryMessage => ({ role: 'user', content, steps: [] });
/** A reply as a later turn has it. */
const replied = ({ content, steps, rounds }: TurnResult, isOfOther = false): HistoryMessage => ({
  role: 'assistant',
  content,
  steps,
  ...(rounds && { rounds }),
  ...(isOfOther && { isOfOther: true }),
});
const bodyOf = (server: ModelServer, at: number): Json => server.asked().at(at)?.body as Json;
const messagesOf = (body: Json): Json[] =>
  recordsIn(body['messages'] ?? body['contents']).filter(({ role }) => role !== 'system');

const rulesOf = (provider: Provider, wire: WireName): Rules =>
  provider === 'openai_compatible' ? THINKING_RULES : STRICT_RULES[wire];

const MODELS: Partial<Record<Provider, string>> = {
  anthropic: 'claude-sonnet-4-5',
  google: 'gemini-3-pro-preview',
  mistral: 'magistral-medium-latest',
};

test.each(PROVIDER_WIRES)(
  '%s: each round goes back with its own thoughts, text and calls',
  async (provider, wire) => {
    const modelId = MODELS[provider] ?? 'fake-model';
    const refuses = rulesOf(provider, wire);
    const server = await start(wire, { scenario: 'thinks-with-tools', models: [modelId], refuses });
    const access = accessTo(server, provider, { modelId });
    const { result } = await runModelTurn('add up', access, { agent: THINKS });
    expect([result.outcome, result.content]).toEqual(['replied', 'First a sum.\n\nAll done.']);
    server.play('plain');
    const messages = [question('add up'), replied(result), question('and now?')];
    const later = await runModelTurn('', access, { agent: THINKS, request: { messages } });
    expect(later.result).toMatchObject({ outcome: 'replied', content: PLAIN_TEXT });
    expect(server.refusals).toEqual([]);
    // What a later turn sends of the reply is what the turn itself sent, so that the server finds it in its cache.
    const inTurn = messagesOf(bodyOf(server, 2));
    const inLater = messagesOf(bodyOf(server, 3));
    expect(inLater.slice(0, inTurn.length)).toEqual(inTurn);
    const thought = /Thought after 0 results/;
    expect(result.reasoning).toMatch(thought);
    const isKept = provider !== 'openai' && provider !== 'azure_openai';
    expect(thought.test(JSON.stringify(inTurn[1]))).toBe(isKept);
    expect(JSON.stringify(inTurn[1])).toContain('First a sum.');
    expect(JSON.stringify(inTurn[3])).not.toContain('First a sum.');
  },
);

test.each([
  ['openai', 'openai'],
  ['azure_openai', 'azure'],
] as const)('%s: a model that asks for its thoughts gets them back', async (provider, wire) => {
  const server = await start(wire, { scenario: 'thinks-with-tools', refuses: THINKING_RULES });
  const access = accessTo(server, provider);
  const { result } = await runModelTurn('add up', access, { agent: THINKS });
  expect([result.outcome, result.content]).toEqual(['replied', 'First a sum.\n\nAll done.']);
  server.play('plain');
  const messages = [question('add up'), replied(result), question('and now?')];
  const later = await runModelTurn('', access, { request: { messages } });
  expect([later.result.outcome, server.refusals.length]).toEqual(['replied', 1]);
  const [, first] = messagesOf(bodyOf(server, -1));
  expect(first).toMatchObject({ content: 'First a sum.', reasoning_content: 'Thought after 0 results.' });
});

test('thoughts of another model go to servers that take any, and to no other', async () => {
  for (const [provider, wire] of PROVIDER_WIRES) {
    const modelId = MODELS[provider] ?? 'fake-model';
    const server = await start(wire, {
      scenario: 'plain',
      models: [modelId],
      refuses: STRICT_RULES[wire === 'openai' ? 'mistral' : wire],
    });
    const other = await start('anthropic', { scenario: 'thinks-with-tools', models: ['claude-sonnet-4-5'] });
    const { result } = await runModelTurn(
      'add up',
      accessTo(other, 'anthropic', { modelId: 'claude-sonnet-4-5' }),
      {
        agent: THINKS,
      },
    );
    const messages = [question('add up'), replied(result, true), question('and now?')];
    const { result: later } = await runModelTurn('', accessTo(server, provider, { modelId }), {
      agent: THINKS,
      request: { messages },
    });
    expect([provider, later.outcome, server.refusals]).toEqual([provider, 'replied', []]);
    const isSent = JSON.stringify(bodyOf(server, 0)).includes('Thought after');
    expect([provider, isSent]).toEqual([provider, provider === 'openai_compatible' || provider === 'ollama']);
  }
});

test('Anthropic: what was thought between texts goes back between them', async () => {
  const thought = (thinking: string): Json => ({
    type: 'thinking',
    thinking,
    signature: `signed ${thinking}`,
  });
  const said = (text: string): Json => ({ type: 'text', text });
  const first = [thought('A sum.'), said('I add.'), thought('Which?'), said(' These:')];
  const call = { type: 'tool_use', id: 'toolu_1', name: 'calculate', input: { expression: '1+1' } };
  const server = await startRawServer((number) => ({
    body: anthropicReply(number === 0 ? [...first, call] : [thought('Two.'), said('It is 2.')]),
  }));
  const access = server.access('anthropic');
  const { result } = await runModelTurn('add up', access, { agent: THINKS });
  expect(result.content).toBe('I add. These:\n\nIt is 2.');
  const messages = [question('add up'), replied(result), question('and now?')];
  await runModelTurn('', access, { agent: THINKS, request: { messages } });
  for (const at of [1, 2]) {
    const sent = recordsIn(messagesOf(server.bodies[at] as Json)[1]?.['content']);
    expect(sent.slice(0, -1)).toEqual(first);
    expect(sent.at(-1)).toMatchObject({ type: 'tool_use', name: 'calculate' });
  }
});

/** The stream of a reply with these blocks. */
function anthropicReply(blocks: readonly Json[]): string {
  const event = (data: Json): string => `event: ${textOf(data['type'])}\ndata: ${JSON.stringify(data)}\n\n`;
  const usage = { input_tokens: 10, output_tokens: 10 };
  const deltasOf = ({ type, text, thinking, signature, input }: Json): Json[] => {
    if (type === 'text') return [{ type: 'text_delta', text }];
    if (type === 'tool_use') return [{ type: 'input_json_delta', partial_json: JSON.stringify(input) }];
    return [
      { type: 'thinking_delta', thinking },
      { type: 'signature_delta', signature },
    ];
  };
  const emptied = (block: Json): Json => ({
    ...block,
    ...(block['type'] === 'text'
      ? { text: '' }
      : block['type'] === 'thinking'
        ? { thinking: '' }
        : { input: {} }),
  });
  const stop = blocks.at(-1)?.['type'] === 'tool_use' ? 'tool_use' : 'end_turn';
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'fake-model',
    content: [],
    usage,
  };
  return [
    { type: 'message_start', message },
    ...blocks.flatMap((block, index) => [
      { type: 'content_block_start', index, content_block: emptied(block) },
      ...deltasOf(block).map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ]
    .map(event)
    .join('');
}

test('OpenRouter: its details of what was thought come back beside the calls', async () => {
  const text = { type: 'reasoning.text', format: 'anthropic-claude-v1', index: 0 };
  const sealed = { type: 'reasoning.encrypted', data: 'c2VhbA==', index: 1 };
  const event = (delta: object, finish_reason: string | null = null): string =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const call = { index: 0, id: 'c', function: { name: 'calculate', arguments: '{"expression":"1+1"}' } };
  const thinks = [
    event({ reasoning: 'A ', reasoning_details: [{ ...text, text: 'A ', signature: null }] }),
    event({ reasoning: 'sum.', reasoning_details: [{ ...text, text: 'sum.' }] }),
    event({ reasoning_details: [{ ...text, signature: 'signed' }] }),
    event({ tool_calls: [call], reasoning_details: [sealed] }),
    event({ tool_calls: [{ ...call, index: 1, id: 'd' }] }),
    event({}, 'tool_calls'),
  ];
  const server = await startRawServer((number) => ({
    body: number === 0 ? thinks.join('') : event({ content: 'Done.' }, 'stop'),
  }));
  const access = server.access('openai_compatible');
  const { result } = await runModelTurn('add up', access);
  expect(result).toMatchObject({ content: 'Done.', reasoning: 'A sum.' });
  const messages = [question('add up'), replied(result), question('and now?')];
  await runModelTurn('', access, { request: { messages } });
  const details = [{ ...text, text: 'A sum.', signature: 'signed' }, sealed];
  for (const at of [1, 2]) {
    const [, reply] = messagesOf(server.bodies[at] as Json);
    expect(reply?.['reasoning_details']).toEqual(details);
    expect(JSON.stringify(reply?.['tool_calls'])).not.toContain('extra_content');
  }
  // Another model gets none of it.
  await runModelTurn('', access, {
    request: { messages: [question('add up'), replied(result, true), question('and?')] },
  });
  expect(server.texts[3]).not.toContain('reasoning_details');
});

const OF_OPENAI = PROVIDER_WIRES.filter(
  ([, wire]) => wire === 'openai' || wire === 'azure' || wire === 'mistral',
);
const sentArguments = (body: Json): unknown[] =>
  messagesOf(body).flatMap(({ tool_calls: calls }) =>
    recordsIn(calls).map((call) => (call['function'] as Json)['arguments']),
  );

test.each(OF_OPENAI)('%s: arguments go back as the model wrote them', async (provider, wire) => {
  const server = await start(wire, { scenario: 'odd-arguments' });
  const access = accessTo(server, provider);
  const { result } = await runModelTurn('add up', access);
  expect(sentArguments(bodyOf(server, 1))).toEqual(ODD_ARGUMENTS);
  server.play('plain');
  const messages = [question('add up'), replied(result), question('and now?')];
  await runModelTurn('', access, { request: { messages } });
  expect(sentArguments(bodyOf(server, 2))).toEqual(ODD_ARGUMENTS);
});

test.each(['anthropic', 'google', 'ollama'] as const)(
  '%s: numbers in arguments go back as the model wrote them, and what is no JSON in a field',
  async (wire) => {
    const server = await start(wire, { scenario: 'odd-arguments' });
    const access = accessTo(server, wire);
    const { result } = await runModelTurn('add up', access);
    server.play('plain');
    const messages = [question('add up'), replied(result), question('and now?')];
    await runModelTurn('', access, { request: { messages } });
    for (const at of [1, 2]) {
      const { text = '' } = server.asked()[at] ?? {};
      expect(text).toContain('"decimals":12345678901234567890');
      expect(text).toContain('"decimals":1.0,"more":{"e":1e3,"list":[0.10,-0.0]}');
      // The other formats can't hold it, so these servers never send it.
      if (wire === 'anthropic') expect(text).toContain(JSON.stringify({ INVALID_JSON: ODD_ARGUMENTS[2] }));
    }
  },
);

test.each(['google', 'ollama'] as const)(
  '%s: arguments that came as text go back repaired, or in a field',
  async (wire) => {
    const [call, done] = {
      google: [
        (args: string) =>
          `data: {"candidates":[{"content":{"parts":[{"functionCall":{"name":"calculate","args":${args}}}]},"finishReason":"STOP"}]}\n\n`,
        'data: {"candidates":[{"content":{"parts":[{"text":"Done."}]},"finishReason":"STOP"}]}\n\n',
      ] as const,
      ollama: [
        (args: string) =>
          `{"message":{"content":"","tool_calls":[{"function":{"name":"calculate","arguments":${args}}}]},"done":true}\n`,
        '{"message":{"content":"Done."},"done":true}\n',
      ] as const,
    }[wire];
    for (const [args, sent] of [
      ['{"expression":"1+1","decimals":1.0}}', '{"expression":"1+1","decimals":1.0}'],
      ['{"expression": "6*', JSON.stringify({ INVALID_JSON: '{"expression": "6*' })],
    ] as const) {
      const server = await startRawServer((number) => ({
        body: number === 0 ? call(JSON.stringify(args)) : done,
      }));
      const { result } = await runModelTurn('add up', server.access(wire));
      expect(result.content).toBe('Done.');
      expect(server.texts.at(-1)).toContain(sent);
    }
  },
);

test('a server that wants JSON as arguments gets it, after it said so', async () => {
  const refuses = (body: Json): ReturnType<NonNullable<ModelServerOptions['refuses']>> =>
    sentArguments(body).every((input) => isJson(textOf(input)))
      ? null
      : {
          status: 500,
          body: { error: { code: 500, message: 'Failed to parse tool call arguments as JSON: parse error' } },
        };
  const server = await start('openai', { scenario: 'odd-arguments', refuses });
  const { result } = await runModelTurn('add up', accessTo(server, 'openai_compatible'));
  expect([result.outcome, result.content, server.refusals.length]).toEqual(['replied', PLAIN_TEXT, 1]);
  expect(sentArguments(bodyOf(server, -1))).toEqual([
    ...ODD_ARGUMENTS.slice(0, 2),
    JSON.stringify({ INVALID_JSON: ODD_ARGUMENTS[2] }),
  ]);
});

function isJson(text: string): boolean {
  try {
    return JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}

test.each<[ScenarioName]>([['tool-then-cut'], ['tool-then-refused'], ['refused']])(
  '%s: the next message is taken by every server',
  async (scenario) => {
    for (const [provider, wire] of PROVIDER_WIRES) {
      const server = await start(wire, { scenario, refuses: rulesOf(provider, wire) });
      const access = accessTo(server, provider);
      const { result } = await runModelTurn('add up', access);
      expect(result.outcome).toBe('failed');
      server.play('plain');
      const isEmpty = result.content === '' && result.steps.length === 0;
      const messages = [question('add up'), ...(isEmpty ? [] : [replied(result)]), question('and now?')];
      const { result: later } = await runModelTurn('', access, { request: { messages } });
      expect([provider, later.outcome, server.refusals]).toEqual([provider, 'replied', []]);
    }
  },
);

test.each(PROVIDER_WIRES)('%s: pictures and texts keep their order', async (provider, wire) => {
  const server = await start(wire, { scenario: 'plain', refuses: STRICT_RULES[wire] });
  const picture = (name: string) => ({
    name,
    mediaType: 'image/png',
    gives: 'picture' as const,
    data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  });
  const messages = [{ ...question('Compare.'), files: [picture('a.png'), picture('b.png')] }];
  await runModelTurn('', accessTo(server, provider), { request: { messages } });
  const [sent] = messagesOf(bodyOf(server, 0));
  const parts = recordsIn(sent?.['content'] ?? sent?.['parts']);
  const shape = parts.map((part) => part['text'] ?? 'picture');
  if (provider === 'ollama')
    expect(sent).toMatchObject({ content: '[Picture: a.png]\n\n[Picture: b.png]\n\nCompare.' });
  else expect(shape).toEqual(['[Picture: a.png]', 'picture', '[Picture: b.png]', 'picture', 'Compare.']);
});
