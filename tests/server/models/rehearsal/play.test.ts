import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runTurn } from '../../../../server/turns/thread/run-turn.ts';
import { createToolKit } from '../../../../server/turns/thread/tool-kit.ts';
import type { TurnRequest, TurnResult } from '../../../../server/agents/turn.ts';
import { createModel } from '../../../../server/models/index.ts';
import { TEST_TOOLS } from '../../../support/misbehaving-tools.ts';
import { recordedPorts, turnRequest, type RecordedPorts } from '../../../support/turns.ts';

interface Running {
  ports: RecordedPorts;
  result: Promise<TurnResult>;
  faults: string[];
  /** How it ended, if it has. */
  ended: () => TurnResult | Error | null;
}

/** Plays the script's part of that turn. */
function start(
  script: string,
  { turn = 0, ...changes }: Partial<TurnRequest> & { turn?: number } = {},
): Running {
  const ports = recordedPorts();
  const faults: string[] = [];
  const rehearsal = { opening: `\`\`\`\`rehearsal\n${script}\n\`\`\`\``, turn };
  let ended: TurnResult | Error | null = null;
  const request = turnRequest('whatever', { model: 'rehearsal', rehearsal, ...changes });
  const result = runTurn(request, ports, {
    createModel,
    tools: createToolKit(TEST_TOOLS),
    onFault: (where, error) => faults.push(`${where}: ${String(error)}`),
  });
  result.then(
    (value) => (ended = value),
    (error: unknown) => (ended = error as Error),
  );
  return { ports, result, faults, ended: () => ended };
}

const play = (...args: Parameters<typeof start>): Promise<TurnResult> => start(...args).result;

describe('a rehearsal', () => {
  it('writes its text, whatever was asked, and is the same each time', async () => {
    const script = '::speed max\n# Hello\n\n- a\n- *b*\n::usage 12 7';
    const [one, other] = await Promise.all([play(script), play(script, { mode: 'chat' })]);
    // How long it took is its own each time.
    const timing = expect.any(Object) as object;
    expect(one).toEqual({
      outcome: 'replied',
      timing,
      content: '# Hello\n\n- a\n- *b*',
      reasoning: '',
      steps: [],
      usage: { inputTokens: 12, outputTokens: 7, contextTokens: 19 },
      stopReason: 'end',
    });
    expect(other).toEqual({ ...one, timing });
  });

  it('plays a part for each message, and begins again after the last', async () => {
    const contents = await Promise.all(
      [0, 1, 2, 3].map(async (turn) => (await play('::speed max\none\n---\ntwo', { turn })).content),
    );
    expect(contents).toEqual(['one', 'two', 'one', 'two']);
  });

  it('calls real tools, at once or one after the other, and tells its tokens once', async () => {
    const script = [
      '::speed max',
      'First.',
      '::tool add {"a":1,"b":2}',
      '::tool add {"a":3,"b":4}',
      'Then.',
      '::tool refuse',
      'Done.',
      '::usage 5 6',
    ].join('\n');
    const result = await play(script);
    expect(result).toMatchObject({
      outcome: 'replied',
      content: 'First.\n\nThen.\n\nDone.',
      steps: [
        { tool: 'add', status: 'done', output: { sum: 3 } },
        { tool: 'add', status: 'done', output: { sum: 7 } },
        { tool: 'refuse', status: 'failed', error: 'I can’t divide by zero.' },
      ],
      usage: { inputTokens: 5, outputTokens: 6 },
    });
    expect(new Set(result.steps.map(({ id }) => id)).size).toBe(3);
  });

  it('shows a call of a tool that isn’t there as a failed step', async () => {
    expect(await play('::tool fly\nOh well.')).toMatchObject({
      content: 'Oh well.',
      steps: [{ tool: 'fly', status: 'failed', error: 'There is no tool called “fly” here.' }],
    });
  });

  it('passes over tool calls where there are no tools', async () => {
    const result = await play('::speed max\na\n::tool add {"a":1,"b":2}\nb', { mode: 'chat' });
    expect(result).toMatchObject({ outcome: 'replied', content: 'ab', steps: [] });
  });

  it('fails in the script’s words, with what it had written', async () => {
    const running = start('::speed max\nSo far.\n::fail context_too_long We ran out of paper');
    expect(await running.result).toMatchObject({
      outcome: 'failed',
      content: 'So far.',
      error: { code: 'context_too_long', message: 'We ran out of paper' },
    });
    expect(running.faults).toEqual([]);
  });

  it('breaks off', async () => {
    expect(await play('::speed max\nSo f\n::cut')).toMatchObject({
      outcome: 'failed',
      content: 'So f',
      error: { code: 'model_unreachable', message: 'The rehearsal broke off here, as its script says.' },
    });
  });

  it('ends at a length limit', async () => {
    expect(await play('::speed max\nSo f\n::length')).toMatchObject({
      outcome: 'replied',
      content: 'So f',
      stopReason: 'length',
    });
  });

  it('tells what it thinks apart from what it says', async () => {
    const result = await play('::speed max\n::think\nHm.\n\nAha.\n::end\nYes.\n::think\nOr not?\n::end\nNo.');
    expect(result).toMatchObject({
      outcome: 'replied',
      content: expect.stringMatching(/^Yes\.\s+No\.$/) as string,
    });
    expect(result.reasoning).toMatch(/^Hm\.\n\nAha\.\s+Or not\?$/);
  });

  it('says which line of its script is wrong', async () => {
    const running = start('a\n::sing');
    expect(await running.result).toMatchObject({
      outcome: 'failed',
      error: { code: 'model_failed', message: expect.stringContaining('Line 2 of the script: ') as string },
    });
    expect(running.faults).toEqual([]);
  });

  it('is the sample where the chat brings no script', async () => {
    const result = await play('', { rehearsal: { opening: 'hello', turn: 3 } });
    expect(result).toMatchObject({
      outcome: 'replied',
      content: expect.stringContaining('own script') as string,
    });
  }, 20_000);

  it('writes a long text without pauses quickly', async () => {
    const text = 'word '.repeat(19_000).trim();
    expect((await play(`::speed max\n${text}`)).content).toBe(text);
  });
});

describe('in time', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(() => {
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });
  /** Lets all that needs no timer happen, and `ms` pass. */
  const pass = async (ms: number): Promise<void> => {
    await breathe();
    await vi.advanceTimersByTimeAsync(ms);
    await breathe();
  };
  const breathe = async (): Promise<void> => {
    for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  };

  it('words come at their speed', async () => {
    const running = start('::speed 10\none two three four');
    await pass(0);
    expect(running.ports.text).toBe('one');
    await pass(150);
    expect(running.ports.text).toBe('one two');
    await pass(150);
    expect(running.ports.text).toBe('one two three four');
    expect(running.ended()).toMatchObject({ outcome: 'replied' });
  });

  it('many words a second come in handfuls', async () => {
    const running = start(`::speed 1000\n${'a '.repeat(100).trim()}`);
    await pass(0);
    expect(running.ports.text).toBe(`a${' a'.repeat(19)}`);
    await pass(80);
    expect(running.ports.text).toHaveLength(199);
    expect(running.ended()).not.toBeNull();
    expect(running.ports.updates).toHaveLength(5);
  });

  it('a pause lasts as long as it says', async () => {
    const running = start('::speed max\na\n::pause 2s\nb');
    await pass(1_990);
    expect(running.ports.text).toBe('a\n');
    await pass(20);
    expect(running.ended()).toMatchObject({ content: 'a\nb' });
  });

  it.each(['::pause 30s', '::stall', '::speed 1\nb b b b b b'])(
    'stopping in %j is heeded at once',
    async (acts) => {
      const running = start(`::speed max\na\n${acts}`);
      await pass(500);
      expect(running.ended()).toBeNull();
      const reason = new DOMException('Stopped.', 'AbortError');
      running.ports.abort(reason);
      await pass(0);
      expect(running.ended()).toBe(reason);
    },
  );

  it('nothing comes after a stall, however long', async () => {
    const running = start('::speed max\na\n::stall');
    await pass(60 * 60_000);
    expect(running.ports.text).toBe('a');
    expect(running.ended()).toBeNull();
    running.ports.abort(new Error('enough'));
    await pass(0);
  });
});
