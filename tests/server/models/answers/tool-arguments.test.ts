/** Arguments of tool calls as servers send them: repaired where it is plain what was meant, and only there. */
import { describe, expect, it } from 'vitest';
import type { Growth } from '../../../../shared/growth.ts';
import { repairedArguments } from '../../../../server/models/answers/repair-arguments.ts';
import { runModelTurn } from '../../../support/model-servers/model-turn.ts';
import { WIRES } from '../../../support/model-servers/model-server.ts';
import { PROVIDER_WIRES } from '../../../support/model-servers/provider-wires.ts';
import { startRawServer } from '../../../support/model-servers/raw-server.ts';
import type { Asked } from '../../../support/model-servers/wire.ts';

const ASKED: Asked = { model: 'fake-model', stream: true, messages: [], tools: [], toolResults: [] };
const INPUT = { expression: '6*7' };
const JSON_TEXT = JSON.stringify(INPUT);

it.each([
  [JSON_TEXT, JSON_TEXT],
  ['', '{}'],
  ['  ', '{}'],
  ['null', '{}'],
  ['""', '{}'],
  ['"null"', '{}'],
  [JSON.stringify(JSON_TEXT), JSON_TEXT],
  [JSON.stringify(JSON.stringify(JSON_TEXT)), JSON_TEXT],
  [`${JSON_TEXT}}`, JSON_TEXT],
  [`${JSON_TEXT}}}\n`, JSON_TEXT],
  [`${JSON_TEXT}]`, JSON_TEXT],
  [`${JSON_TEXT}</tool_call>`, JSON_TEXT],
  [`${JSON_TEXT}<|im_end|>`, JSON_TEXT],
  ['{"text":"a } in \\" a text"}}', '{"text":"a } in \\" a text"}'],
  ['{"id":12345678901234567890,"x":1.0}', '{"id":12345678901234567890,"x":1.0}'],
  ['{"id":12345678901234567890,"x":1.0}}', '{"id":12345678901234567890,"x":1.0}'],
  [`{}${JSON_TEXT}`, JSON_TEXT],
  [`\`\`\`json\n${JSON_TEXT}\n\`\`\``, JSON_TEXT],
  ['{"expression":"6*7",}', JSON_TEXT],
  ['{"text":"one\ntwo, ]\t","list":[1,],}', '{"text":"one\\ntwo, ]\\t","list":[1]}'],
  ["{'expression': '6*7', 'exact': True, 'of': None}", '{"expression": "6*7", "exact": true, "of": null}'],
  ['{expression: "6*7"}', JSON_TEXT.replace(':', ': ')],
  // Not plain.
  ['{"expression": 6*7,}', null],
  ['{"expression": "6*', null],
  [`${JSON_TEXT}${JSON_TEXT}`, null],
  [`${JSON_TEXT} and more`, null],
  ['[1]', null],
  ['17', null],
  ['"six times seven"', null],
  ['expression=6*7', null],
])('%j becomes %j', (text, repaired) => {
  expect(repairedArguments(text)).toBe(repaired);
});

/** A call in each format, with these arguments as they stand in its JSON; then the answer. */
function callWith(wire: string, args: string): string {
  switch (wire) {
    case 'ollama':
      return `{"model":"m","message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"calculate","arguments":${args}}}]},"done":false}\n{"model":"m","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop"}\n`;
    case 'google':
      return `data: {"candidates":[{"content":{"parts":[{"functionCall":{"name":"calculate","args":${args}}}]},"finishReason":"STOP"}]}\n\n`;
    case 'anthropic':
      return [
        '{"type":"message_start","message":{"id":"m","model":"m","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}',
        `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t1","name":"calculate","input":${args}}}`,
        '{"type":"content_block_stop","index":0}',
        '{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":1}}',
        '{"type":"message_stop"}',
      ]
        .map((event) => `data: ${event}\n\n`)
        .join('');
    default:
      return (
        `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"abcdefghi","type":"function","function":{"name":"calculate","arguments":${args}}}]},"finish_reason":null}]}\n\n` +
        'data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}\n\ndata: [DONE]\n\n'
      );
  }
}

describe.each(PROVIDER_WIRES)('%s', (provider, name) => {
  const wire = WIRES[name];
  const { pieces, end } = wire.pieces(ASKED, { kind: 'answer', text: ['Done.'] });
  const done = [...pieces, ...end].join('');

  async function inputOf(call: string): Promise<unknown> {
    const headers = { 'content-type': wire.contentType };
    const server = await startRawServer((request) => ({ body: request === 0 ? call : done, headers }));
    const { result } = await runModelTurn('hello', server.access(provider));
    expect(result).toMatchObject({ outcome: 'replied', content: 'Done.' });
    expect(result.steps).toHaveLength(1);
    expect(server.bodies).toHaveLength(2);
    // Later turns send back what was repaired, not what came.
    const { rounds = [] } = result as Pick<Growth, 'rounds'>;
    for (const { input = '{}' } of rounds.flatMap(({ calls }) => calls))
      expect([input, null]).toContain(repairedArguments(input));
    return result.steps[0];
  }

  it.each([JSON_TEXT, JSON.stringify(JSON_TEXT), JSON.stringify(JSON.stringify(JSON_TEXT))])(
    'takes %s',
    async (args) => {
      expect(await inputOf(callWith(name, args))).toMatchObject({ input: INPUT, status: 'done' });
    },
  );

  it('takes a call of an answer that came as one JSON', async () => {
    const whole = wire.whole(ASKED, { kind: 'answer', calls: [{ name: 'calculate', args: JSON_TEXT }] });
    expect(await inputOf(JSON.stringify(whole))).toMatchObject({ input: INPUT, status: 'done' });
  });

  it('takes null for no arguments, and says what is missing', async () => {
    expect(await inputOf(callWith(name, 'null'))).toMatchObject({ input: {}, status: 'failed' });
  });
});

describe.each(PROVIDER_WIRES.filter(([, name]) => ['openai', 'mistral', 'azure'].includes(name)))(
  '%s',
  (provider) => {
    const event = (delta: object, finish: string | null = null): string =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
    const call = (fields: object): string => event({ tool_calls: [fields] });

    it.each<[string, string[]]>([
      [
        'a bracket too many',
        [call({ index: 0, id: 'a', function: { name: 'calculate', arguments: `${JSON_TEXT}}` } })],
      ],
      ['no index', [call({ id: 'a', function: { name: 'calculate', arguments: JSON_TEXT } })]],
      [
        'an index that is text',
        [call({ index: '0', id: 'a', function: { name: 'calculate', arguments: JSON_TEXT } })],
      ],
      ['no id', [call({ index: 0, function: { name: 'calculate', arguments: JSON_TEXT } })]],
      [
        'an id that is a number',
        [call({ index: 0, id: 7, function: { name: 'calculate', arguments: JSON_TEXT } })],
      ],
      [
        'another type',
        [call({ index: 0, id: 'a', type: 'tool', function: { name: 'calculate', arguments: JSON_TEXT } })],
      ],
      [
        'the name after the arguments',
        [
          call({ index: 0, id: 'a', function: { arguments: '{"expression":' } }),
          call({ index: 0, function: { name: 'calculate', arguments: '"6*7"}' } }),
        ],
      ],
      [
        'the name with each piece, or an empty one',
        [
          call({ index: 0, id: 'a', function: { name: 'calculate', arguments: '' } }),
          call({ index: 0, id: '', function: { name: '', arguments: '{"expression":' } }),
          call({ index: 0, id: null, function: { name: null, arguments: '"6*7"}' } }),
        ],
      ],
      ...[
        'functions.calculate',
        'functions.calculate:0',
        'default_api.calculate',
        ' calculate\n',
        'calculate<|channel|>commentary',
      ].map((name): [string, string[]] => [
        `${JSON.stringify(name)} as its name`,
        [call({ index: 0, id: 'a', function: { name, arguments: JSON_TEXT } })],
      ]),
      [
        'OpenAI’s first form',
        [
          event({ content: null, function_call: { name: 'calculate', arguments: '' } }),
          event({ function_call: { arguments: JSON_TEXT } }),
        ],
      ],
      [
        'null first',
        [
          call({ index: 0, id: 'a', function: { name: 'calculate', arguments: null } }),
          call({ index: 0, function: { arguments: JSON_TEXT } }),
        ],
      ],
      [
        'the function’s fields beside it',
        [call({ index: 0, id: 'a', name: 'calculate', arguments: JSON_TEXT })],
      ],
    ])('reads a call with %s, whatever the reason at its end', async (_what, calls) => {
      for (const finish of ['tool_calls', 'stop', 'tool_use', 'function_call']) {
        const done = `${event({ content: 'Done.' })}${event({}, 'stop')}data: [DONE]\n\n`;
        const server = await startRawServer((request) => ({
          body: request === 0 ? `${calls.join('')}${event({}, finish)}data: [DONE]\n\n` : done,
        }));
        const { result } = await runModelTurn('hello', server.access(provider));
        expect(result).toMatchObject({ outcome: 'replied', content: 'Done.' });
        expect(result.steps).toMatchObject([{ tool: 'calculate', input: INPUT, status: 'done' }]);
      }
    });
  },
);

const NAMED = `{"name": "calculate", "arguments": ${JSON_TEXT}}`;
const LIST = '[{"name": "calculate", "parameters": {"expression": "6*7"}}]';
const IN_FUNCTION = '<function=calculate>\n<parameter=expression>\n6*7\n</parameter>\n</function>';
const IN_PYTHON = '[calculate(expression="6*7")]';
const IN_DSML =
  '<｜DSML｜function_calls>\n<｜DSML｜invoke name="calculate">\n<｜DSML｜parameter name="expression" string="true">6*7</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>';
const INVOKED = '<invoke name="calculate">\n<parameter name="expression">6*7</parameter>\n</invoke>';

describe.each(
  PROVIDER_WIRES.filter(([provider]) => provider === 'openai_compatible' || provider === 'ollama'),
)('a call in the text of %s', (provider, name) => {
  const wire = WIRES[name];
  const answerOf = (...text: string[]): string => {
    const { pieces, end } = wire.pieces(ASKED, { kind: 'answer', text });
    return [...pieces, ...end].join('');
  };

  async function resultOf(text: string, cut: RegExp): Promise<Pick<Growth, 'steps' | 'content'>> {
    const headers = { 'content-type': wire.contentType };
    const server = await startRawServer((request) => ({
      body: request === 0 ? answerOf(...(text.match(cut) ?? [])) : answerOf('Done.'),
      headers,
    }));
    return (await runModelTurn('hello', server.access(provider))).result;
  }

  it.each([
    `<tool_call>\n${NAMED}\n</tool_call>`,
    `<think>Hm.</think>\n\n<tool_call>\n${NAMED}`,
    `<tool_call>\n${IN_FUNCTION}\n</tool_call>`,
    IN_FUNCTION,
    `<function=calculate>${JSON_TEXT}</function>`,
    `<seed:tool_call>\n${IN_FUNCTION}\n</seed:tool_call>`,
    `<minimax:tool_call>\n${INVOKED}\n</minimax:tool_call>`,
    `<function_calls>\n${INVOKED}\n</function_calls>`,
    '<tool_call>calculate\n<arg_key>expression</arg_key>\n<arg_value>6*7</arg_value>\n</tool_call>',
    '<|python_tag|>{"name": "calculate", "parameters": {"expression": "6*7"}}<|eom_id|>',
    NAMED,
    LIST,
    `{"type": "function", ${NAMED.slice(1)}`,
    `[TOOL_CALLS]${LIST}`,
    `[TOOL_CALLS]calculate[CALL_ID]abc123456[ARGS]${JSON_TEXT}</s>`,
    `<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>commentary to=functions.calculate <|constrain|>json<|message|>${JSON_TEXT}<|call|>`,
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>calculate\n\`\`\`json\n${JSON_TEXT}\n\`\`\`<｜tool▁call▁end｜>`,
    `<|tool_calls_section_begin|><|tool_call_begin|>functions.calculate:0<|tool_call_argument_begin|>${JSON_TEXT}<|tool_call_end|>`,
    `<|tool_call|>${LIST}`,
    '<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "calculate", "parameters": {"expression": "6*7"}}]<|END_ACTION|>',
    `<TOOLCALL>${LIST}</TOOLCALL>`,
    `<tool_calls>${LIST}</tool_calls>`,
    `<tools>\n${NAMED}\n</tools>`,
    `<|action_start|><|plugin|>\n${NAMED}<|action_end|>`,
    `functools${LIST}`,
    IN_DSML,
    `<|channel>thought\nHm.\n<channel|><|tool_call>call:calculate{expression:<|"|>6*7<|"|>}<tool_call|>`,
    '<start_function_call>call:calculate{expression:<escape>6*7<escape>}<end_function_call>',
    `<|tool_call_start|>${IN_PYTHON}<|tool_call_end|>`,
    `<|python_start|>${IN_PYTHON}<|python_end|>`,
    '<|python_tag|>calculate.call(expression="6*7")',
    '<function_calls>\ncalculate(expression="6*7")\n</function_calls>',
    IN_PYTHON,
    "[calculate(expression = '6*7')]",
    `\`\`\`json\n${NAMED}\n\`\`\``,
    `\`\`\`\n${LIST}\n\`\`\`\n`,
    '```tool_code\nprint(default_api.calculate(expression="6*7"))\n```',
    '```tool_code\ncalculate(expression="6*7")\n```',
    `{"tool_calls": ${LIST}}`,
    `{"type": "function", "function": ${NAMED}}`,
  ])('is made: %j', async (text) => {
    for (const cut of [/[\s\S]{1,3}/g, /[\s\S]+/g])
      expect(await resultOf(text, cut)).toMatchObject({
        content: 'Done.',
        steps: [{ tool: 'calculate', input: INPUT, status: 'done' }],
      });
  });

  it('is made beside others and after text', async () => {
    const text = `Two sums.\n<tool_call>${NAMED}</tool_call>\n<tool_call>${NAMED}</tool_call>`;
    const step = { tool: 'calculate', input: INPUT, status: 'done' };
    expect(await resultOf(text, /[\s\S]{1,3}/g)).toMatchObject({
      content: expect.stringMatching(/^Two sums\.\s+Done\.$/) as string,
      steps: [step, step],
    });
  });

  it('in Python has the values that it means', async () => {
    const text = `[calculate(expression='it\\'s "x, y)"', a=True, b=[None, -1.5], c={"k": False}), calculate(expression="2=2")]`;
    const { steps } = await resultOf(text, /[\s\S]{1,3}/g);
    expect(steps.map(({ input }) => input)).toEqual([
      { expression: 'it\'s "x, y)"', a: true, b: [null, -1.5], c: { k: false } },
      { expression: '2=2' },
    ]);
  });

  it.each([
    ['launch_rocket', '<tool_call>{"name": "launch_rocket", "arguments": {}}</tool_call>'],
    ['calculate', '<tool_call>\n{"name": "calculate", "argum'],
  ])('fails as a call of “%s”, and is asked for again: %j', async (tool, text) => {
    expect(await resultOf(text, /[\s\S]{1,3}/g)).toMatchObject({
      content: 'Done.',
      steps: [{ tool, status: 'failed' }],
    });
  });

  it.each([
    `Hermes writes \`<tool_call>${NAMED}</tool_call>\`.`,
    `So:\n\n\`\`\`xml\n<tool_call>\n${NAMED}\n</tool_call>\n\`\`\`\nThat is all.`,
    'The mark <tool_call> begins one.',
    '<tool_call>\nhello',
    `${NAMED} is how it looks.`,
    `${NAMED} (that is how it looks)`,
    `${IN_PYTHON} (that is how it looks)`,
    '[calculate("6*7")]',
    '[calculate(expression=6*7)]',
    '[launch_rocket(expression="6*7")]',
    'calculate(expression="6*7")',
    `Send this:\n\`\`\`json\n${NAMED}\n\`\`\``,
    `\`\`\`json\n${NAMED}\n\`\`\`\nThat is how it looks.`,
    `\`\`\`python\nprint(calculate(expression="6*7"))\n\`\`\``,
    'The mark <|tool_call> begins one, and functools[ too.',
    '{"name": "Ada", "arguments": [1, 2]}',
    '[TOOL_',
    '{"na',
  ])('is none: %j', async (text) => {
    for (const cut of [/[\s\S]{1,3}/g, /[\s\S]+/g])
      expect(await resultOf(text, cut)).toMatchObject({ content: text, steps: [] });
  });
});
