import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import type { CallResult } from '../../../../server/agents/call-tool.ts';
import { MODEL_NAMES } from '../../../../server/connections/model-names.ts';
import { createModel } from '../../../../server/models/index.ts';
import { createOfflineModel } from '../../../../server/models/offline/model.ts';
import { runTurn } from '../../../../server/turns/thread/run-turn.ts';
import { createToolKit } from '../../../../server/turns/thread/tool-kit.ts';
import { recordedPorts, turnAgent, turnRequest } from '../../../support/turns.ts';

const context = { now: new Date('2026-11-20T12:00:00.000Z'), timeZone: 'Europe/Paris' };
const FIND: NonNullable<LanguageModelV4CallOptions['tools']> = [
  { type: 'function', name: 'find_notes', inputSchema: { type: 'object' } },
];
const user = (text: string): LanguageModelV4Prompt[number] => ({
  role: 'user',
  content: [{ type: 'text', text }],
});

async function partsOf(options: LanguageModelV4CallOptions): Promise<LanguageModelV4StreamPart[]> {
  const { stream } = await createOfflineModel(context).doStream(options);
  const parts: LanguageModelV4StreamPart[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}
const textOf = (parts: LanguageModelV4StreamPart[]) =>
  parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('');

test('is made by its name; there is no model of another name', () => {
  expect(MODEL_NAMES.map((name) => createModel(name, context) !== null)).toEqual(MODEL_NAMES.map(() => true));
  expect(createModel('gpt', context)).toBeNull();
});

test('streams text as a start, deltas that are phrases, an end and a finish', async () => {
  const parts = await partsOf({ prompt: [user('help')] });
  const types = parts.map((part) => part.type);
  expect(types[0]).toBe('text-start');
  expect(types.slice(-2)).toEqual(['text-end', 'finish']);
  expect(types.filter((type) => type === 'text-delta').length).toBeGreaterThan(3);
  expect(parts.at(-1)).toMatchObject({
    finishReason: { unified: 'stop' },
    usage: { inputTokens: { total: undefined } },
  });
});

test('calls offered tools, and says nothing beside the calls', async () => {
  const parts = await partsOf({ prompt: [user('show my notes')], tools: FIND });
  expect(parts).toMatchObject([
    { type: 'tool-call', toolName: 'find_notes', input: '{}' },
    { type: 'finish', finishReason: { unified: 'tool-calls' } },
  ]);
});

test.each([
  ['no tool is offered', {}],
  ['tools may not be chosen', { tools: FIND, toolChoice: { type: 'none' as const } }],
])('calls nothing where %s, and says what it would need', async (_, options) => {
  const parts = await partsOf({ prompt: [user('show my notes')], ...options });
  expect(parts.filter((part) => part.type === 'tool-call')).toEqual([]);
  expect(textOf(parts)).toBe('I’d need your notes for that; send it in agent mode and I’ll do it.');
});

test('says so when the agent lacks the one tool', async () => {
  const tools: typeof FIND = [{ type: 'function', name: 'other', inputSchema: { type: 'object' } }];
  expect(textOf(await partsOf({ prompt: [user('show my notes')], tools }))).toContain(
    'which this agent may not use',
  );
});

const withResult = (output: LanguageModelV4Prompt, toolName = 'find_notes'): LanguageModelV4Prompt => [
  user('show my notes'),
  { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName, input: {} }] },
  ...output,
];
const result = (output: object, toolName = 'find_notes') =>
  withResult(
    [
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a', toolName, output }] },
    ] as LanguageModelV4Prompt,
    toolName,
  );

test.each<[string, LanguageModelV4Prompt, string]>([
  ['a result', result({ type: 'json', value: { notes: [], more: false } }), 'You have no notes yet.'],
  ['a refusal of the tool', result({ type: 'error-text', value: 'No such day.' }), 'No such day.'],
  [
    'a fault of ours',
    result({ type: 'error-text', value: 'TypeError: x is not a function' }),
    'Something went wrong',
  ],
  [
    'a call that did not fit',
    result({ type: 'error-text', value: 'The input for “find_notes” does not fit: boom.' }),
    'Something went wrong inside me',
  ],
  ['a call that was not approved', result({ type: 'execution-denied' }), 'not approved'],
  ['a result that cannot be read', result({ type: 'json', value: 7 }), 'I couldn’t read'],
  ['a call with no result', withResult([]), 'Something went wrong inside me'],
  ['the text of a tool it did not call', result({ type: 'text', value: 'sunny' }, 'weather'), 'sunny'],
  [
    'the data of a tool it did not call',
    result({ type: 'json', value: { sky: 'blue' } }, 'weather'),
    '"sky": "blue"',
  ],
])('tells %s, and calls nothing again', async (_, prompt, words) => {
  const parts = await partsOf({ prompt, tools: FIND });
  expect(textOf(parts)).toContain(words);
  expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: { unified: 'stop' } });
});

test('tells a result although no tools are offered any more', async () => {
  const prompt = result({ type: 'json', value: { notes: [], more: false } });
  expect(textOf(await partsOf({ prompt }))).toContain('You have no notes yet.');
});

test('answers a prompt with nothing to answer', async () => {
  expect(textOf(await partsOf({ prompt: [] }))).toBe('There is no message to answer.');
  expect(textOf(await partsOf({ prompt: [user(' \n ')] }))).toBe('There is no message to answer.');
});

test('does not start when it is aborted already', async () => {
  const signal = AbortSignal.abort(new Error('stopped'));
  await expect(partsOf({ prompt: [user('hello')], abortSignal: signal })).rejects.toThrow('stopped');
});

test.each(['x'.repeat(5_000), '😀'.repeat(1_990), 'a b\n'.repeat(1_000)])(
  'streams a long text in a bounded number of deltas, none of which cuts a character (%#)',
  async (text) => {
    const said = [user('hello'), { role: 'assistant' as const, content: [{ type: 'text' as const, text }] }];
    const parts = await partsOf({ prompt: [...said, user('repeat that')] });
    const deltas = parts.flatMap((part) => (part.type === 'text-delta' ? [part.delta] : []));
    expect(deltas.join('').length).toBeGreaterThan(3_900);
    expect(deltas.length).toBeLessThanOrEqual(41);
    expect(deltas.every((delta) => delta.isWellFormed())).toBe(true);
  },
);

test('leads a turn: calls, results and text in one reply', async () => {
  const find_notes = async (_tool: string, input: unknown): Promise<CallResult> => {
    const { query } = input as { query?: string };
    const text = query === undefined ? 'I like tea' : `about ${query}`;
    return { output: { notes: [{ id: '1', text, createdAt: '2026-11-01T00:00:00.000Z' }], more: false } };
  };
  const agent = turnAgent({ tools: [] }, [
    { runs: 'workspace', name: 'find_notes', description: '', input: Type.Object({}) },
  ]);
  const result = await runTurn(
    turnRequest('show my notes and tell me what you know about tea', { model: 'offline-assistant', agent }),
    { ...recordedPorts(), callTool: find_notes },
    { createModel, tools: createToolKit([]) },
  );
  expect(result.content).toMatch(/> I like tea\n\n[^]*> about tea/);
  expect(result.steps.map(({ status }) => status)).toEqual(['done', 'done']);
});
