import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import { runTurn, type RunDeps } from '../../../../server/turns/thread/run-turn.ts';
import { createToolKit } from '../../../../server/turns/thread/tool-kit.ts';
import type { TurnRequest, TurnResult } from '../../../../server/agents/turn.ts';
import { MAX_REPLY_STEPS } from '../../../../shared/limits.ts';
import { TEST_TOOLS } from '../../../support/misbehaving-tools.ts';
import { createScriptedModel, scriptOf, type Script } from '../../../support/scripted-model.ts';
import { recordedPorts, turnAgent, turnRequest, type RecordedPorts } from '../../../support/turns.ts';

interface Ran {
  result: TurnResult;
  ports: RecordedPorts;
  calls: LanguageModelV4CallOptions[];
  faults: string[];
}

async function run(request: TurnRequest, changes: Partial<RunDeps> = {}): Promise<Ran> {
  const calls: LanguageModelV4CallOptions[] = [];
  const faults: string[] = [];
  const ports = recordedPorts();
  const result = await runTurn(request, ports, {
    createModel: (name) =>
      name === 'scripted' ? createScriptedModel((options) => calls.push(options)) : null,
    tools: createToolKit(TEST_TOOLS),
    onFault: (where, error) => faults.push(`${where}: ${String(error)}`),
    ...changes,
  });
  return { result, ports, calls, faults };
}

/** The tool results a model was given in its last call. */
function toolResults(calls: LanguageModelV4CallOptions[]): unknown[] {
  return (calls.at(-1)?.prompt ?? [])
    .filter((message) => message.role === 'tool')
    .flatMap((message) => message.content.map((part) => part.type === 'tool-result' && part.output));
}

describe('a reply', () => {
  it('is what the model said, with its usage, told while it grew', async () => {
    const { result, ports } = await run(turnRequest(scriptOf([{ say: 'Hello, ' }, { say: 'you.' }])));
    expect(result).toEqual({
      outcome: 'replied',
      content: 'Hello, you.',
      reasoning: '',
      steps: [],
      usage: { inputTokens: 3, outputTokens: 2, contextTokens: 5 },
      timing: { firstWordMs: expect.any(Number) as number, totalMs: expect.any(Number) as number },
      stopReason: 'end',
    });
    const { firstWordMs } = result.timing ?? {};
    expect(ports.updates).toEqual([{ text: 'Hello, ', timing: { firstWordMs } }, { text: 'you.' }]);
  });

  it('sets the text after a tool call apart from the text before', async () => {
    const script = scriptOf(
      [{ say: 'Adding.' }, { call: 'add', input: { a: 1, b: 2 } }],
      [{ say: 'Three.' }],
    );
    const { result, ports } = await run(turnRequest(script));
    expect(result.content).toBe('Adding.\n\nThree.');
    expect(ports.text).toBe(result.content);
  });

  it('says that the model reached its length limit', async () => {
    const { result } = await run(turnRequest(scriptOf([{ say: 'Half a' }, { finish: 'length' }])));
    expect(result).toMatchObject({ outcome: 'replied', content: 'Half a', stopReason: 'length' });
  });

  it('fails in words when the model says nothing', async () => {
    const { result } = await run(turnRequest(scriptOf([])));
    expect(result).toMatchObject({
      outcome: 'failed',
      error: { code: 'model_failed', message: 'The model “scripted” gave an empty reply. Try again.' },
    });
  });

  it('fails in words when there is no such model', async () => {
    const { result } = await run(turnRequest('hi', { model: 'gone' }));
    expect(result).toMatchObject({ outcome: 'failed', error: { code: 'model_not_found' } });
    expect(result.outcome === 'failed' && result.error.message).toContain('“gone”');
  });

  it('keeps the text so far when the model reports an error, and shows none of its details', async () => {
    const { result, faults } = await run(turnRequest(scriptOf([{ say: 'So far' }, { error: 'secret 42' }])));
    expect(result).toMatchObject({ outcome: 'failed', content: 'So far', error: { code: 'model_failed' } });
    expect(JSON.stringify(result)).not.toContain('secret');
    expect(faults).toEqual(['model scripted: Error: secret 42']);
  });

  it('fails in words when calling the model throws', async () => {
    const { result, faults } = await run(turnRequest(scriptOf([{ throw: 'secret 43' }])));
    expect(result).toMatchObject({ outcome: 'failed', error: { code: 'model_failed' } });
    expect(JSON.stringify(result)).not.toContain('secret');
    expect(faults).toEqual(['model scripted: Error: secret 43']);
  });

  it('fails in words when making the model throws', async () => {
    const createModel = (): never => {
      throw new Error('secret 44');
    };
    const { result } = await run(turnRequest('hi'), { createModel });
    expect(result).toMatchObject({ outcome: 'failed', error: { code: 'model_failed' } });
    expect(JSON.stringify(result)).not.toContain('secret');
  });
});

describe('a tool call', () => {
  it('becomes a step that runs and is then done, and its result reaches the model', async () => {
    const script = scriptOf([{ call: 'add', input: { a: 1, b: 2 } }], [{ say: 'Three.' }]);
    const { result, ports, calls } = await run(turnRequest(script));
    const step = { id: 'call-0', tool: 'add', input: { a: 1, b: 2 }, textBefore: 0 };
    expect(result.steps).toEqual([{ ...step, status: 'done', output: { sum: 3 } }]);
    expect(ports.updates.map((update) => update.steps)).toEqual([
      [{ ...step, status: 'running' }],
      [{ ...step, status: 'done', output: { sum: 3 } }],
      // Another round, and what it says.
      undefined,
      undefined,
    ]);
    expect(toolResults(calls)).toEqual([{ type: 'json', value: { sum: 3 } }]);
  });

  it('tells how much of the text was there when it was called, also when it is asked about or cut off', async () => {
    const script = scriptOf([{ say: 'First.' }, { call: 'add', input: { a: 1, b: 2 } }], [{ say: 'Three.' }]);
    const { result } = await run(turnRequest(script));
    expect(result.content).toBe('First.\n\nThree.');
    expect(result.steps.map(({ textBefore }) => textBefore)).toEqual([6]);
  });

  it('has an id of its own when the model uses one twice', async () => {
    const call = { call: 'add', input: { a: 1, b: 2 }, id: 'same' };
    const { result } = await run(turnRequest(scriptOf([call], [call], [{ say: 'Done.' }])));
    expect(result.steps.map((step) => [step.id, step.status])).toEqual([
      ['same', 'done'],
      ['same-1', 'done'],
    ]);
  });

  it('has an id and a result of its own when the model uses one twice in a round', async () => {
    const add = (b: number): Script[number][number] => ({ call: 'add', input: { a: 1, b }, id: 'same' });
    const { result, calls } = await run(turnRequest(scriptOf([add(1), add(2)], [{ say: 'Done.' }])));
    expect(result.steps.map(({ id, output }) => [id, output])).toEqual([
      ['same', { sum: 2 }],
      ['same-1', { sum: 3 }],
    ]);
    expect(toolResults(calls)).toMatchObject([{ value: { sum: 2 } }, { value: { sum: 3 } }]);
  });

  it.each([
    ['shows a refusal as the tool worded it', 'refuse', {}, 'I can’t divide by zero.'],
    ['hides the details of a fault', 'break', {}, 'The tool “break” failed because of a bug in it.'],
    [
      'fails when the input does not fit',
      'add',
      { a: 'x', b: 2 },
      'The input for “add” does not fit: a must be number.',
    ],
    ['fails when there is no such tool', 'fly', {}, 'There is no tool called “fly” here.'],
  ])('%s, and the model goes on', async (_, call, input, error) => {
    const { result, calls } = await run(turnRequest(scriptOf([{ call, input }], [{ say: 'Sorry.' }])));
    expect(result).toMatchObject({
      outcome: 'replied',
      content: 'Sorry.',
      steps: [{ tool: call, status: 'failed', error }],
    });
    expect(toolResults(calls)).toMatchObject([{ type: 'error-text' }]);
    expect(JSON.stringify([result, toolResults(calls)])).not.toContain('secret');
  });

  it('fails when its input is not JSON', async () => {
    const { result } = await run(turnRequest(scriptOf([{ call: 'add', raw: '{"a":' }], [{ say: 'Sorry.' }])));
    expect(result.steps).toMatchObject([
      { status: 'failed', error: 'The input for “add” is not valid JSON.' },
    ]);
  });

  it('tells the host what a fault was', async () => {
    const { faults } = await run(turnRequest(scriptOf([{ call: 'break' }], [{ say: 'Sorry.' }])));
    expect(faults).toEqual(['tool break: Error: secret detail of /home/someone']);
  });

  it('has its output cut short when that is too large, for the model too', async () => {
    const script = scriptOf([{ call: 'flood', input: { length: 1_000_000 } }], [{ say: 'Long.' }]);
    const { result, calls } = await run(turnRequest(script));
    const output = result.steps[0]?.output;
    expect(output).toMatchObject({
      truncated: expect.stringContaining('1,000,') as unknown,
      lines: Array.from({ length: 9 }, () => 'line'),
    });
    expect(JSON.stringify(output).length).toBeLessThan(256 * 1024);
    expect(toolResults(calls)).toEqual([{ type: 'json', value: output }]);
  });

  it('that never leads to an answer ends at the step limit', async () => {
    const script = scriptOf([{ call: 'add', input: { a: 1, b: 1 } }]);
    const { result } = await run(turnRequest(script, { agent: turnAgent({ stepLimit: 3 }) }));
    expect(result).toMatchObject({ outcome: 'replied', stopReason: 'step_limit' });
    expect(result.steps).toHaveLength(3);
    expect(result.content).toContain('3 rounds');
  });

  it('that comes thousands of times in one round ends at the limit of steps', async () => {
    const calls = Array.from({ length: MAX_REPLY_STEPS + 500 }, () => ({
      call: 'add',
      input: { a: 1, b: 1 },
    }));
    const { result } = await run(turnRequest(scriptOf(calls)));
    expect(result).toMatchObject({ outcome: 'replied', stopReason: 'step_limit' });
    expect(result.steps).toHaveLength(MAX_REPLY_STEPS + 1);
  });

  it('that is always invalid ends at the step limit', async () => {
    const { result } = await run(turnRequest(scriptOf([{ call: 'fly' }])));
    expect(result).toMatchObject({ outcome: 'replied', stopReason: 'step_limit' });
  });

  it('is left as failed when the model fails in the same breath', async () => {
    const script = scriptOf([
      { call: 'add', input: { a: 1, b: 1 } },
      { error: 'cut off' },
      { finish: 'error' },
    ]);
    const { result } = await run(turnRequest(script));
    expect(result).toMatchObject({ outcome: 'failed', steps: [{ status: 'failed' }] });
  });
});

describe('the model', () => {
  it('is offered every tool in mode agent, and none in mode chat', async () => {
    const agent = await run(turnRequest(scriptOf([{ say: 'a' }])));
    const chat = await run(turnRequest(scriptOf([{ say: 'a' }]), { mode: 'chat' }));
    expect(agent.calls[0]?.tools?.map((tool) => tool.name)).toEqual(TEST_TOOLS.map((tool) => tool.name));
    expect(chat.calls[0]?.tools ?? []).toEqual([]);
    expect(JSON.stringify(chat.calls[0]?.prompt)).toContain('Tools are switched off');
  });

  it('runs no tool in mode chat even when it asks for one', async () => {
    const script = scriptOf([{ call: 'add', input: { a: 1, b: 2 } }], [{ say: 'No tools.' }]);
    const { result } = await run(turnRequest(script, { mode: 'chat' }));
    expect(result).toMatchObject({ outcome: 'replied', steps: [{ status: 'failed' }] });
  });

  it('is offered only the tools its agent may use', async () => {
    const agent = turnAgent({ tools: ['add', 'gone'] });
    const { calls } = await run(turnRequest(scriptOf([{ say: 'a' }]), { agent }));
    expect(calls[0]?.tools?.map((tool) => tool.name)).toEqual(['add']);
  });

  it('is told and offered what the agent is that the turn brings along', async () => {
    const agent = turnAgent({ name: 'coach', instructions: 'Ask twice.', tools: ['add'], stepLimit: 1 });
    const script = scriptOf([{ call: 'add', input: { a: 1, b: 1 } }]);
    const { calls, result } = await run(turnRequest(script, { agent }));
    expect(calls[0]?.tools?.map((tool) => tool.name)).toEqual(['add']);
    expect(JSON.stringify(calls[0]?.prompt[0])).toContain('Ask twice.');
    expect(result).toMatchObject({ stopReason: 'step_limit' });
  });

  it('sees its own earlier tool work', async () => {
    const step = { id: 'call-0', tool: 'add', input: { a: 1, b: 2 } };
    const request = turnRequest('', {
      messages: [
        { role: 'user', content: 'one and two?', steps: [] },
        {
          role: 'assistant',
          content: 'Three.',
          steps: [
            { ...step, status: 'done', output: { sum: 3 } },
            { ...step, id: 'call-1', status: 'failed', error: 'No.' },
            { ...step, id: 'call-2', status: 'running' },
          ],
        },
        { role: 'assistant', content: '', steps: [] },
        { role: 'user', content: scriptOf([{ say: 'Yes.' }]), steps: [] },
      ],
    });
    const { calls } = await run(request);
    const prompt = calls[0]?.prompt.slice(1) ?? [];
    expect(prompt.map((message) => message.role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
    expect(prompt[1]?.content).toMatchObject([
      { type: 'tool-call', toolCallId: 'c00010000', toolName: 'add', input: { a: 1, b: 2 } },
      { toolCallId: 'c00010001' },
      { toolCallId: 'c00010002' },
    ]);
    expect(prompt[2]?.content).toMatchObject([
      { toolCallId: 'c00010000', output: { type: 'json', value: { sum: 3 } } },
      { toolCallId: 'c00010001', output: { type: 'error-text', value: 'No.' } },
      { toolCallId: 'c00010002', output: { type: 'error-text' } },
    ]);
  });
});

describe('stopping', () => {
  const reason = new Error('stopped by a person');

  const add = { call: 'add', input: { a: 1, b: 1 } };
  const deaf: [string, Script][] = [
    ['a tool that does not listen', [[{ call: 'wait', input: { ms: 600_000 } }]]],
    ['a model stream that does not listen', [[add], [{ say: 'a' }, { stall: true }]]],
    ['a model that does not answer', [[add], [{ silent: true }]]],
  ];

  it.each(deaf)('rejects at once with the reason during %s', async (_, script) => {
    const ports = recordedPorts();
    const running = runTurn(turnRequest(scriptOf(...script)), ports, {
      createModel: () => createScriptedModel(),
      tools: createToolKit(TEST_TOOLS),
    });
    await ports.seen((update) => update.steps !== undefined);
    ports.abort(reason);
    await expect(running).rejects.toBe(reason);
    const reported = ports.updates.length;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(ports.updates).toHaveLength(reported);
  });

  it('rejects before any work when the signal has fired already', async () => {
    const ports = recordedPorts();
    ports.abort(reason);
    const createModel = (): never => {
      throw new Error('must not be called');
    };
    await expect(runTurn(turnRequest('hi'), ports, { createModel, tools: createToolKit([]) })).rejects.toBe(
      reason,
    );
  });
});
