import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import { findAgent } from '../../../../server/agents/definitions.ts';
import { runTurn } from '../../../../server/turns/thread/run-turn.ts';
import { createToolKit } from '../../../../server/turns/thread/tool-kit.ts';
import type { TurnRequest, TurnResult, TurnTool } from '../../../../server/agents/turn.ts';
import { TEST_TOOLS } from '../../../support/misbehaving-tools.ts';
import { createScriptedModel, scriptOf, type Act } from '../../../support/scripted-model.ts';
import { recordedPorts, turnAgent, turnRequest, type RecordedPorts } from '../../../support/turns.ts';

const ADDER = turnAgent({
  name: 'adder',
  title: 'Adder',
  description: 'Adds.',
  instructions: 'Only add.',
  tools: ['add'],
  stepLimit: 2,
});
const HELPERS = [turnAgent(findAgent('writer')), turnAgent(findAgent('analyst')), ADDER];

const ask = (agentType: string, ...rounds: Act[][]): Act => ({
  call: 'ask_agent',
  input: { agentType, task: scriptOf(...rounds) },
});

interface Ran {
  result: TurnResult;
  ports: RecordedPorts;
  calls: LanguageModelV4CallOptions[];
}

async function run(
  script: Act[][],
  changes: Partial<TurnRequest> = {},
  ports = recordedPorts(),
): Promise<Ran> {
  const calls: LanguageModelV4CallOptions[] = [];
  const request = turnRequest(scriptOf(...script), { helpers: HELPERS, ...changes });
  const result = await runTurn(request, ports, {
    createModel: () => createScriptedModel((options) => calls.push(options)),
    tools: createToolKit(TEST_TOOLS),
  });
  return { result, ports, calls };
}

const toolsOf = (options: LanguageModelV4CallOptions | undefined): string[] =>
  (options?.tools ?? []).map(({ name }) => name);

describe('asking another agent', () => {
  it('gives back what that one says, made with its instructions and tools alone', async () => {
    const { result, calls, ports } = await run([
      [ask('adder', [{ call: 'add', input: { a: 1, b: 2 } }], [{ say: 'Three.' }])],
      [{ say: 'It is three.' }],
    ]);
    expect(result).toMatchObject({
      outcome: 'replied',
      content: 'It is three.',
      steps: [{ tool: 'ask_agent', status: 'done', output: { agentType: 'adder', text: 'Three.' } }],
      // Four calls of the model, each of which says 3 and 2.
      usage: { inputTokens: 12, outputTokens: 8 },
    });
    expect(result.steps).toHaveLength(1);
    expect(ports.text).toBe('It is three.');
    expect(toolsOf(calls[0])).toContain('ask_agent');
    expect(toolsOf(calls[1])).toEqual(['add']);
    expect(JSON.stringify(calls[1]?.prompt[0])).toContain('Only add.');
    expect(calls[1]?.prompt.filter(({ role }) => role === 'user')).toHaveLength(1);
  });

  it('is got on with while that one works, as far as anybody can see', async () => {
    const { ports } = await run([[ask('adder', [{ say: 'One.' }])], [{ say: 'Done.' }]]);
    expect(ports.updates).toContainEqual({ text: '' });
  });

  it('ends at that one’s step limit', async () => {
    const { result } = await run([
      [ask('adder', [{ call: 'add', input: { a: 1, b: 2 } }])],
      [{ say: 'Well.' }],
    ]);
    expect(result.steps).toMatchObject([{ output: { text: expect.stringContaining('2 rounds') as string } }]);
  });

  it('says why that one could not do it, and goes on', async () => {
    const { result } = await run([[ask('adder', [{ error: 'secret' }])], [{ say: 'Sorry.' }]]);
    expect(result).toMatchObject({
      outcome: 'replied',
      content: 'Sorry.',
      steps: [{ status: 'failed', error: expect.stringMatching(/^“Adder” could not do this: /) as string }],
    });
    expect(JSON.stringify(result.steps.map(({ error }) => error))).not.toContain('secret');
  });

  it('is refused for one that isn’t there, for itself, and without a task', async () => {
    const { result } = await run([
      [ask('nobody'), ask('orchestrator'), { call: 'ask_agent', input: { agentType: 'adder', task: ' ' } }],
      [{ say: 'Sorry.' }],
    ]);
    expect(result.steps.map(({ error }) => error)).toEqual([
      'There is no agent “nobody” to ask. There are: writer, analyst, adder.',
      'There is no agent “orchestrator” to ask. There are: writer, analyst, adder.',
      expect.stringContaining('“task” must be words'),
    ]);
  });

  it('can be done four times in a reply', async () => {
    const once = ask('adder', [{ say: 'Yes.' }]);
    const { result } = await run([[once, once, once], [once, once], [{ say: 'Done.' }]]);
    expect(result.steps.map(({ status }) => status)).toEqual(['done', 'done', 'done', 'done', 'failed']);
    expect(result.steps.at(-1)?.error).toContain('At most 4');
  });

  it.each([
    ['in mode chat', { mode: 'chat' as const }],
    ['where there is nobody to ask', { helpers: [] }],
  ])('isn’t offered %s', async (_, changes) => {
    const { calls } = await run([[{ say: 'Hi.' }]], changes);
    expect(toolsOf(calls[0])).not.toContain('ask_agent');
  });

  it('is given up when the turn is stopped', async () => {
    const ports = recordedPorts();
    const request = turnRequest(scriptOf([ask('adder', [{ say: 'Wait' }, { stall: true }])]), {
      helpers: HELPERS,
    });
    const running = runTurn(request, ports, {
      createModel: () => createScriptedModel(),
      tools: createToolKit(TEST_TOOLS),
    });
    await ports.seen(({ text, steps }) => text === '' && steps === undefined);
    ports.abort(new Error('stopped'));
    await expect(running).rejects.toThrow('stopped');
  });
});

describe('what an asked agent has to have approved', () => {
  const tool = (name: string): TurnTool => ({
    runs: 'service',
    name,
    description: 'Writes.',
    input: { type: 'object' },
  });

  it('is asked on the step that asked it, in words that say who wants it', async () => {
    const ports = recordedPorts();
    ports.callTool = async (_tool, _input, onApproval) => {
      onApproval({ id: 'call', expiresAt: '2026-03-01T11:30:00.000Z', canRemember: true });
      await ports.seen(({ steps }) => steps?.some(({ status }) => status === 'awaiting_approval') === true);
      onApproval(null);
      return { output: { written: 1 } };
    };
    const { result } = await run(
      [[ask('adder', [{ call: 'write', input: { to: 'a.md' } }], [{ say: 'Written.' }])], [{ say: 'Done.' }]],
      { helpers: [turnAgent(ADDER, [tool('write')])] },
      ports,
    );
    expect(ports.updates.flatMap(({ steps }) => steps ?? [])).toContainEqual(
      expect.objectContaining({
        tool: 'ask_agent',
        status: 'awaiting_approval',
        approval: {
          id: 'call',
          expiresAt: '2026-03-01T11:30:00.000Z',
          canRemember: true,
          summary: 'Adder wants to use write.',
          call: { tool: 'write', input: { to: 'a.md' } },
        },
      }),
    );
    expect(result.steps).toMatchObject([{ tool: 'ask_agent', status: 'done', output: { text: 'Written.' } }]);
    expect(result.steps[0]).not.toHaveProperty('approval');
  });

  it('is offered to those agents alone that may use it', async () => {
    const { calls } = await run([[ask('adder', [{ say: 'Hi.' }])], [{ say: 'Done.' }]], {
      agent: turnAgent({}, [tool('read'), tool('fetch')]),
      helpers: [turnAgent(ADDER, [tool('write')])],
    });
    expect(toolsOf(calls[0]).filter((name) => /^(write|read|fetch)$/.test(name))).toEqual(['read', 'fetch']);
    expect(toolsOf(calls[1])).toEqual(['add', 'write']);
  });
});
