/** Fields that a model's server refuses: the turn is made without them, once. In the words of real servers. */
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Parameters } from '../../../shared/api/parameters.ts';
import type { Provider } from '../../../shared/providers.ts';
import { findAgent } from '../../../server/agents/definitions.ts';
import type { StreamingModel } from '../../../server/models/model.ts';
import { createConnectedModel } from '../../../server/models/connected-model.ts';
import type { Tool } from '../../../server/tools/tool.ts';
import {
  startModelServer,
  type ModelServer,
  type ModelServerOptions,
  type WireName,
} from '../../support/model-servers/model-server.ts';
import { accessTo, runModelTurn, SHORT_PATIENCE } from '../../support/model-servers/model-turn.ts';
import { PLAIN_TEXT } from '../../support/model-servers/scenarios.ts';
import { isRecord, recordsIn, textOf, type Json } from '../../support/model-servers/wire.ts';

async function start(wire: WireName, options: ModelServerOptions): Promise<ModelServer> {
  const server = await startModelServer(wire, options);
  onTestFinished(() => server.close());
  return server;
}

const PARAMETERS: Parameters = {
  temperature: 0.5,
  topP: 0.9,
  maxOutputTokens: 500,
  stopSequences: ['END'],
  seed: 7,
  presencePenalty: 0.1,
  frequencyPenalty: 0.2,
  reasoning: 'low',
};

interface Case {
  /** What is left out, by its name in the API. */
  field: string;
  provider?: Provider;
  wire?: WireName;
  status?: number;
  /** Whether the request has it. */
  isIn: (body: Json) => boolean;
  says: unknown;
}

const has =
  (...path: string[]) =>
  (body: Json) =>
    path.reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), body) !== undefined;
const openAi = (message: string, param: string | null = null, code: string | null = null): unknown => ({
  error: { message, type: 'invalid_request_error', param, code },
});
const firstRole = (body: Json): unknown => recordsIn(body['messages'])[0]?.['role'];

const CASES: Case[] = [
  {
    field: 'temperature',
    isIn: has('temperature'),
    says: openAi(
      "Unsupported value: 'temperature' does not support 0.5 with this model. Only the default (1) value is supported.",
      'temperature',
      'unsupported_value',
    ),
  },
  { field: 'topP', isIn: has('top_p'), says: openAi('`top_p` is deprecated for this model.') },
  {
    field: 'stopSequences',
    isIn: has('stop'),
    says: openAi(
      "Unsupported parameter: 'stop' is not supported with this model.",
      'stop',
      'unsupported_parameter',
    ),
  },
  {
    field: 'stopSequences',
    isIn: has('stop'),
    says: { code: 400, error: 'Argument not supported on this model: stop' },
  },
  {
    field: 'seed',
    isIn: has('seed'),
    status: 422,
    says: {
      detail: [
        { type: 'extra_forbidden', loc: ['body', 'seed'], msg: 'Extra inputs are not permitted', input: 7 },
      ],
    },
  },
  {
    field: 'presencePenalty',
    isIn: has('presence_penalty'),
    says: { error: { message: 'Argument not supported on this model: presencePenalty' } },
  },
  {
    field: 'frequencyPenalty',
    isIn: has('frequency_penalty'),
    says: openAi('Unrecognized request argument supplied: frequency_penalty'),
  },
  {
    field: 'reasoning',
    isIn: has('reasoning_effort'),
    says: openAi('Unrecognized request argument supplied: reasoning_effort'),
  },
  {
    field: 'reasoning',
    isIn: has('reasoning_effort'),
    says: openAi('property "reasoning_effort" is unsupported'),
  },
  {
    field: 'maxOutputTokens',
    isIn: has('max_tokens'),
    says: openAi(
      'max_tokens is too large: 500. This model supports at most 256 completion tokens.',
      'max_tokens',
    ),
  },
  {
    field: 'stream_options',
    isIn: has('stream_options'),
    says: {
      detail: [
        { type: 'extra_forbidden', loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' },
      ],
    },
    status: 422,
  },
  {
    field: 'stream_options',
    isIn: has('stream_options'),
    says: openAi('Unrecognized request argument supplied: stream_options'),
  },
  {
    field: 'stream_options',
    provider: 'openai',
    isIn: has('stream_options'),
    says: openAi('Unknown parameter: stream_options'),
  },
  {
    field: 'instructions',
    isIn: (body) => firstRole(body) === 'system',
    says: openAi('System role not supported'),
  },
  {
    field: 'instructions',
    isIn: (body) => firstRole(body) === 'system',
    status: 422,
    says: {
      detail: [
        { loc: ['body', 'messages', 0, 'role'], msg: "Input should be 'user', 'assistant' or 'tool'" },
      ],
    },
  },
  {
    field: 'instructions',
    isIn: (body) => firstRole(body) === 'system',
    says: { error: 'Error rendering prompt: "Only user, assistant and tool roles are supported!".' },
  },
  {
    field: 'presencePenalty',
    provider: 'google',
    wire: 'google',
    isIn: has('generationConfig', 'presencePenalty'),
    says: {
      error: { code: 400, message: 'Penalty is not enabled for this model', status: 'INVALID_ARGUMENT' },
    },
  },
  {
    field: 'instructions',
    isIn: (body) => firstRole(body) === 'system',
    status: 500,
    says: {
      error: { code: 500, message: 'Only user and assistant roles are supported!', type: 'server_error' },
    },
  },
  {
    field: 'instructions',
    isIn: (body) => firstRole(body) === 'system',
    says: openAi('Conversation roles must alternate user/assistant/user/assistant/...'),
  },
  {
    field: 'instructions',
    provider: 'google',
    wire: 'google',
    isIn: has('systemInstruction'),
    says: {
      error: {
        code: 400,
        message: 'Developer instruction is not enabled for models/gemma-3-27b-it',
        status: 'INVALID_ARGUMENT',
      },
    },
  },
  {
    field: 'reasoning',
    provider: 'google',
    wire: 'google',
    isIn: has('generationConfig', 'thinkingConfig'),
    says: {
      error: {
        code: 400,
        message: 'Thinking is not enabled for models/gemini-1.5-flash',
        status: 'INVALID_ARGUMENT',
      },
    },
  },
  {
    field: 'reasoning',
    provider: 'ollama',
    wire: 'ollama',
    isIn: (body) => body['think'] === true,
    says: { error: '"gemma3:latest" does not support thinking' },
  },
  {
    field: 'temperature',
    provider: 'mistral',
    wire: 'mistral',
    status: 422,
    isIn: has('temperature'),
    says: {
      object: 'error',
      message: {
        detail: [
          {
            type: 'less_than_equal',
            loc: ['body', 'temperature'],
            msg: 'Input should be less than or equal to 0.3',
          },
        ],
      },
      type: 'invalid_request_error',
    },
  },
];

describe('one field', () => {
  test.each(CASES)(
    '$provider $field: $says',
    async ({ field, provider = 'openai_compatible', wire = 'openai', status = 400, isIn, says }) => {
      const server = await start(wire, { refuses: (body) => (isIn(body) ? { status, body: says } : null) });
      const agent = { ...findAgent('orchestrator'), parameters: PARAMETERS };
      const access = accessTo(server, provider);
      const { result, faults } = await runModelTurn('hello', access, { agent });
      expect([result.outcome, result.content, faults]).toEqual(['replied', PLAIN_TEXT, []]);
      expect(server.asked()).toHaveLength(2);
      expect(result.usage?.leftOut).toEqual([field]);
      if (field === 'instructions')
        expect(JSON.stringify(server.asked()[1]?.body)).toContain('time zone is Europe/Paris');
      // A turn that knows it asks once.
      const next = await runModelTurn('hello again', access, { agent });
      expect([next.result.outcome, server.asked().length]).toEqual(['replied', 3]);
    },
  );

  test('a limit that has a newer name goes by that', async () => {
    const says = openAi(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      'max_tokens',
      'unsupported_parameter',
    );
    const server = await start('openai', {
      refuses: (body) => ('max_tokens' in body ? { status: 400, body: says } : null),
    });
    const agent = { ...findAgent('orchestrator'), parameters: PARAMETERS };
    const { result } = await runModelTurn('hello', accessTo(server, 'openai_compatible'), { agent });
    expect(server.asked()[1]?.body).toMatchObject({ max_completion_tokens: 500 });
    expect(result.usage).not.toHaveProperty('leftOut');
  });

  test('several are left out one after the other', async () => {
    const server = await start('openai', {
      refuses: (body) => {
        const name = ['stream_options', 'temperature', 'stop', 'reasoning_effort'].find((one) => one in body);
        return name === undefined ? null : `Unrecognized request argument supplied: ${name}`;
      },
    });
    const agent = { ...findAgent('orchestrator'), parameters: PARAMETERS };
    const { result } = await runModelTurn('hello', accessTo(server, 'openai_compatible'), { agent });
    expect(result.usage?.leftOut).toEqual(['stream_options', 'temperature', 'stopSequences', 'reasoning']);
    expect(server.asked()[4]?.body).toMatchObject({ top_p: 0.9, seed: 7, max_tokens: 500 });
  });

  test('a refusal for another reason is one', async () => {
    for (const words of ['Not in the mood.', 'Your request was rejected by our safety system.']) {
      const server = await start('openai', { refuses: () => words });
      const agent = { ...findAgent('orchestrator'), parameters: PARAMETERS };
      const { result } = await runModelTurn('hello', accessTo(server, 'openai_compatible'), { agent });
      expect([result.outcome, server.asked().length]).toEqual(['failed', 1]);
    }
  });

  test('a field that it goes on refusing ends the turn', async () => {
    const server = await start('openai', { refuses: () => 'Unsupported parameter: temperature' });
    const agent = { ...findAgent('orchestrator'), parameters: PARAMETERS };
    const { result } = await runModelTurn('hello', accessTo(server, 'openai_compatible'), { agent });
    expect([result.outcome, server.asked().length]).toEqual(['failed', 2]);
  });
});

describe('all tools', () => {
  test.each<[string, unknown]>([
    ['as an unknown field', openAi('Unrecognized request arguments supplied: tool_choice, tools')],
    [
      'as a field too many',
      {
        detail: [{ type: 'extra_forbidden', loc: ['body', 'tools'], msg: 'Extra inputs are not permitted' }],
      },
    ],
    [
      'through a gateway',
      openAi("litellm.UnsupportedParamsError: bedrock does not support parameters: ['tools'], for model=x."),
    ],
    [
      'in the body of Cloudflare',
      { errors: [{ message: 'AiError: Model does not support tools' }], success: false },
    ],
    [
      'for being too many',
      openAi("Invalid 'tools': array too long. Expected an array with maximum length 4."),
    ],
  ])('that a server refuses %s are left out', async (_how, says) => {
    const server = await start('openai', {
      refuses: (body) => (has('tools')(body) ? { status: 400, body: says } : null),
    });
    const { result } = await runModelTurn('hello', accessTo(server, 'openai_compatible'), {
      hosted: [tool('one'), tool('two')],
    });
    expect(result).toMatchObject({ outcome: 'replied', content: PLAIN_TEXT });
    expect(result.usage?.leftOut).toContain('tools');
  });
});

const tool = (name: string, tags: object = { type: 'array', items: { type: 'string' } }): Tool => ({
  name,
  runs: 'service',
  asks: 'never',
  changes: false,
  description: name,
  input: { type: 'object', properties: { tags } },
  run: () => 'x',
});

describe('one tool’s schema', () => {
  const toolsIn = (body: Json): string[] =>
    recordsIn(body['tools']).flatMap((one) => {
      const declared = recordsIn(one['functionDeclarations']);
      const names = declared.length > 0 ? declared : [isRecord(one['function']) ? one['function'] : one];
      return names.map(({ name }) => textOf(name));
    });

  test.each<[Provider, WireName, (at: number) => unknown]>([
    [
      'openai_compatible',
      'openai',
      () =>
        openAi(
          "Invalid schema for function 'odd_tool': In context=('properties', 'tags'), array schema missing items.",
          'tools[0].function.parameters',
          'invalid_function_parameters',
        ),
    ],
    [
      'anthropic',
      'anthropic',
      (at) => ({
        type: 'error',
        error: {
          type: 'invalid_request_error',
          message: `tools.${at}.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12`,
        },
      }),
    ],
    [
      'google',
      'google',
      (at) => ({
        error: {
          code: 400,
          message: `* GenerateContentRequest.tools[0].function_declarations[${at}].parameters.properties[tags].items: missing field.`,
          status: 'INVALID_ARGUMENT',
        },
      }),
    ],
    ['openai_compatible', 'openai', () => openAi('Invalid schema: array schema missing items')],
    [
      'mistral',
      'mistral',
      (at) => ({
        detail: [
          {
            type: 'value_error',
            loc: ['body', 'tools', at, 'function', 'parameters'],
            msg: 'Value error, array schema missing items',
          },
        ],
      }),
    ],
  ])('%s: only that tool is left out', async (provider, wire, says) => {
    const server = await start(wire, {
      refuses: (body) => {
        const at = toolsIn(body).indexOf('odd_tool');
        return at === -1 ? null : { status: 400, body: says(at) };
      },
    });
    const hosted = [tool('first_tool'), tool('odd_tool', { type: 'array' }), tool('last_tool')];
    const { result } = await runModelTurn('hello', accessTo(server, provider), { hosted });
    expect([result.outcome, server.refusals.length]).toEqual(['replied', 1]);
    const sent = toolsIn(server.asked()[1]?.body as Json);
    expect(sent).toEqual(expect.arrayContaining(['first_tool', 'last_tool', 'calculate']));
    expect(sent).not.toContain('odd_tool');
    expect(result.usage?.leftOut).toEqual(['tool:odd_tool']);
  });
});

test.each([
  [
    400,
    openAi(
      "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
      null,
      'tool_use_failed',
    ),
    { failed_generation: '<function=calculate{"expression":"1+1"}</function>' },
  ],
  [
    500,
    { error: `error parsing tool call: raw='{"name":"calculate"', err=unexpected end of JSON input` },
    {},
  ],
  [500, { error: { code: 500, message: 'Failed to parse input at pos 3: <tool_call>calculate' } }, {}],
])(
  'a model that wrote a call wrongly is asked again, and keeps its tools (%i)',
  async (status, body, more) => {
    let count = 0;
    const server = await start('openai', {
      refuses: () => ((count += 1) === 1 ? { status, body: { ...(body as object), ...more } } : null),
    });
    const { result } = await runModelTurn('hello', accessTo(server, 'openai_compatible'));
    expect([result.outcome, result.usage?.leftOut]).toEqual(['replied', undefined]);
    expect(server.asked().map(({ body }) => has('tools')(body as Json))).toEqual([true, true]);
  },
);

test('models of other makers in Anthropic’s format may write more than their library assumes, if their server lets them', async () => {
  const limits: unknown[] = [];
  const server = await start('anthropic', {
    refuses: ({ max_tokens: limit }) => {
      limits.push(limit);
      return Number(limit) > 8_192
        ? { status: 400, body: { error: { message: 'max_tokens: 32000 > 8192, the maximum for kimi.' } } }
        : null;
    },
  });
  const { result } = await runModelTurn('hello', accessTo(server, 'anthropic'));
  expect([result.outcome, result.usage?.leftOut, limits]).toEqual(['replied', undefined, [32_000, 4_096]]);
});

/** Reads the beginning of an answer. */
async function leave(answer: ReturnType<StreamingModel['doStream']>): Promise<void> {
  const { stream } = await answer;
  for await (const { type } of stream) if (type !== 'error') break;
}

test('a schema of the answer that is refused is left out before its format', async () => {
  const formats: unknown[] = [];
  const server = await start('openai', {
    refuses: (body) => {
      formats.push(isRecord(body['response_format']) ? body['response_format']['type'] : undefined);
      return 'response_format' in body ? 'This response_format type is unavailable now' : null;
    },
  });
  const model = createConnectedModel(accessTo(server, 'openai_compatible'), SHORT_PATIENCE);
  const options: LanguageModelV4CallOptions = {
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }],
    responseFormat: { type: 'json', schema: { type: 'object' } },
  };
  await leave(model.doStream(options));
  expect(formats).toEqual(['json_schema', 'json_object', undefined]);
});

test('a tool that is left out isn’t chosen, either', async () => {
  const choices: unknown[] = [];
  const server = await start('openai', {
    refuses: (body) => {
      choices.push(body['tool_choice']);
      return JSON.stringify(body).includes('odd_tool') ? 'Invalid schema for function odd_tool' : null;
    },
  });
  const model = createConnectedModel(accessTo(server, 'openai_compatible'), SHORT_PATIENCE);
  const tools = ['odd_tool', 'other_tool'].map((name) => ({
    type: 'function' as const,
    name,
    inputSchema: { type: 'object' as const },
  }));
  const options: LanguageModelV4CallOptions = {
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }],
    tools,
    toolChoice: { type: 'tool', toolName: 'odd_tool' },
  };
  await leave(model.doStream(options));
  expect(choices).toEqual([{ type: 'function', function: { name: 'odd_tool' } }, undefined]);
});

test('earlier pictures are left out for a model that can’t see them, but not those of the last message', async () => {
  const server = await start('openai', {
    refuses: (body) =>
      JSON.stringify(body).includes('image_url')
        ? { status: 500, body: openAi('image input is not supported - hint: you may need the mmproj') }
        : null,
  });
  const picture = {
    role: 'user' as const,
    content: [
      { type: 'file' as const, mediaType: 'image/png', data: { type: 'data' as const, data: 'AAAA' } },
      { type: 'text' as const, text: 'What is this?' },
    ],
  };
  const later = { role: 'user' as const, content: [{ type: 'text' as const, text: 'And now?' }] };
  const reply = { role: 'assistant' as const, content: [{ type: 'text' as const, text: 'A dot.' }] };
  const open = (): ReturnType<typeof createConnectedModel> =>
    createConnectedModel(accessTo(server, 'openai_compatible'), SHORT_PATIENCE);
  await leave(open().doStream({ prompt: [picture, reply, later] }));
  expect(JSON.stringify(server.asked().at(-1)?.body)).toContain('[A picture is left out here');
  await expect(open().doStream({ prompt: [picture] })).rejects.toThrow(
    /can’t see pictures.*Choose a model that can/,
  );
  expect(server.refusals).toHaveLength(2);
});
