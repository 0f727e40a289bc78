import { afterEach, describe, expect, test } from 'vitest';
import type { TurnErrorCode } from '../../../shared/errors.ts';
import type { TurnResult } from '../../../server/agents/turn.ts';
import {
  startModelServer,
  type ModelServer,
  type WireName,
} from '../../support/model-servers/model-server.ts';
import { accessTo, runModelTurn, type RanTurn } from '../../support/model-servers/model-turn.ts';
import { PROVIDER_WIRES } from '../../support/model-servers/provider-wires.ts';
import { PARTIAL_TEXT, PLAIN_TEXT, type ScenarioName } from '../../support/model-servers/scenarios.ts';
import { REPORTED_USAGE } from '../../support/model-servers/wire.ts';
import { recordedPorts } from '../../support/turns.ts';

const servers: ModelServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serverOf(wire: WireName, scenario: ScenarioName): Promise<ModelServer> {
  const server = await startModelServer(wire, { scenario });
  servers.push(server);
  return server;
}

interface Expected {
  /** Requests that were made. */
  asked: number;
  content: string | RegExp;
  /** Absent: it replied. */
  error?: [TurnErrorCode, RegExp];
  stopReason?: string;
  /** Tools and how they ended. */
  steps?: [string, 'done' | 'failed'][];
  /** What the server refused. */
  leftOut?: string[];
  /** It thought, without saying for how many of its tokens; with OpenAI nobody is told that it did. */
  hasThought?: true;
}

const FINE: Expected = { asked: 1, content: PLAIN_TEXT };
const midway = (code: TurnErrorCode, words: RegExp): Expected => ({
  asked: 1,
  content: PARTIAL_TEXT,
  error: [code, words],
});
const none = (asked: number, code: TurnErrorCode, words: RegExp): Expected => ({
  asked,
  content: '',
  error: [code, words],
});

const EXPECTED: Partial<Record<ScenarioName, Expected>> = {
  plain: FINE,
  echo: { asked: 1, content: 'user: hello' },
  'tool-loop': { asked: 2, content: /^The tool says .*42/, steps: [['calculate', 'done']] },
  'parallel-tools': {
    asked: 2,
    content: /^Let me see\.\n\nThe tools say .*"2".* and .*"100"/,
    steps: [
      ['calculate', 'done'],
      ['calculate', 'done'],
    ],
  },
  reasoning: { ...FINE, hasThought: true },
  'slow-first-token': FINE,
  stall: midway('timed_out', /fell silent for .*Try again/),
  cut: midway('model_unreachable', /broke off in the middle of the reply\. Try again/),
  truncated: midway('model_unreachable', /broke off in the middle of the reply\. Try again/),
  malformed: midway('model_failed', /can’t be read in the middle of the reply\. Try again/),
  'fault-midway': midway('model_failed', /“The engine ran into an internal fault”.*Try again/),
  'cut-before': none(3, 'model_unreachable', /broke off, 3 times in a row/),
  'cut-before-then-fine': { ...FINE, asked: 2 },
  'key-refused': none(1, 'model_key_refused', /refused the key.*Check the key in the settings/),
  'no-model': none(1, 'model_not_found', /has no model “fake-model”.*Choose another one/),
  'busy-for-long': none(1, 'model_overloaded', /too busy.*Try again in 60 minutes/),
  'fails-thrice': none(3, 'model_failed', /a fault of its own.*3 times in a row/),
  'fails-then-fine': { ...FINE, asked: 2 },
  overloaded: none(3, 'model_overloaded', /too busy \(“Overloaded”\), 3 times in a row/),
  empty: none(1, 'model_failed', /gave an empty reply/),
  'over-long': { asked: 1, content: PARTIAL_TEXT, stopReason: 'length' },
  // It is asked once more with fewer tools, since what it reads is known by then.
  'context-too-long': none(
    2,
    'context_too_long',
    /longer than “fake-model” can read: 8,192 tokens.*It is about/,
  ),
  'wrong-arguments': { asked: 2, content: /^It went wrong: .*expression/s, steps: [['calculate', 'failed']] },
  'broken-arguments': { asked: 2, content: /^It went wrong: /, steps: [['calculate', 'failed']] },
  'unknown-tool': {
    asked: 2,
    content: /^It went wrong: .*launch_rocket/s,
    steps: [['launch_rocket', 'failed']],
  },
  'endless-tools': {
    asked: 12,
    content: /^I stopped after 12 rounds/,
    stopReason: 'step_limit',
    steps: Array.from({ length: 12 }, () => ['calculate', 'done'] as [string, 'done']),
  },
  'no-tools': { ...FINE, asked: 2, leftOut: ['tools'] },
};

function check(result: TurnResult, expected: Expected): void {
  if (typeof expected.content === 'string') expect(result.content).toBe(expected.content);
  else expect(result.content).toMatch(expected.content);
  expect(result.steps.map(({ tool, status }) => [tool, status])).toEqual(expected.steps ?? []);
  if (expected.error === undefined) {
    expect(result).toMatchObject({ outcome: 'replied', stopReason: expected.stopReason ?? 'end' });
    expect(result.usage).toEqual({
      inputTokens: REPORTED_USAGE.inputTokens * Math.max(1, usageRounds(expected)),
      outputTokens: REPORTED_USAGE.outputTokens * Math.max(1, usageRounds(expected)),
      ...(expected.leftOut && { leftOut: expected.leftOut }),
      // Each round reads all that came before it, so the last one alone says how full the context is.
      ...(expected.hasThought === true
        ? { contextTokens: expect.any(Number) as number, contextEstimated: true }
        : { contextTokens: REPORTED_USAGE.inputTokens + REPORTED_USAGE.outputTokens }),
    });
    return;
  }
  const [code, words] = expected.error;
  expect(result).toMatchObject({
    outcome: 'failed',
    error: { code, message: expect.stringMatching(words) as string },
  });
}

/** Rounds that told their usage: one more than those that called tools, unless none was left. */
const usageRounds = ({ steps, asked, stopReason }: Expected): number => {
  if (stopReason === 'step_limit') return asked;
  return steps === undefined ? 1 : 2;
};

describe.each(PROVIDER_WIRES)('%s', (provider, wire) => {
  test.each(Object.entries(EXPECTED) as [ScenarioName, Expected][])('%s', async (scenario, expected) => {
    const server = await serverOf(wire, scenario);
    const { result, faults } = await runModelTurn('hello', accessTo(server, provider));
    expect(server.asked()).toHaveLength(expected.asked);
    check(result, expected);
    expect(faults).toEqual([]);
  });

  test('silence is waited for, but not for ever', async () => {
    const server = await serverOf(wire, 'silence');
    const { result } = await runModelTurn('hello', accessTo(server, provider), {
      patience: { firstTokenMs: 200 },
    });
    check(result, none(1, 'timed_out', /did not begin to answer within .*Try again/));
    await server.asked()[0]?.clientClosed;
  });

  test('a busy server is asked again when it says so, and not sooner', async () => {
    const server = await serverOf(wire, 'busy-then-fine');
    const { result } = await runModelTurn('hello', accessTo(server, provider));
    check(result, { ...FINE, asked: 2 });
    const [first, second] = server.asked().map(({ at }) => at);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(990);
  });

  test('in mode chat no tools are offered', async () => {
    const server = await serverOf(wire, 'plain');
    await runModelTurn('hello', accessTo(server, provider), { request: { mode: 'chat' } });
    await runModelTurn('hello', accessTo(server, provider));
    const offered = server.asked().map(({ asked }) => asked?.tools ?? []);
    expect(offered[0]).toEqual([]);
    expect(offered[1]).toContain('calculate');
  });

  test('stopping ends the request on the wire, at once', async () => {
    const server = await serverOf(wire, 'endless');
    const ports = recordedPorts();
    const running = runModelTurn('hello', accessTo(server, provider), { ports });
    await ports.seen(({ text }) => text !== '');
    const stoppedAt = performance.now();
    ports.abort(new DOMException('stopped', 'AbortError'));
    await expect(running).rejects.toThrow('stopped');
    const closedAt = (await server.asked()[0]?.clientClosed) ?? Infinity;
    expect(closedAt - stoppedAt).toBeLessThan(1_000);
  });

  test('stopping ends a request that has no answer yet, and a pause before another try', async () => {
    for (const scenario of ['silence', 'busy'] as const) {
      const server = await serverOf(wire, scenario);
      const ports = recordedPorts();
      const running: Promise<RanTurn> = runModelTurn('hello', accessTo(server, provider), { ports });
      await expect.poll(() => server.asked().length).toBe(1);
      const stoppedAt = performance.now();
      ports.abort(new DOMException('stopped', 'AbortError'));
      await expect(running).rejects.toThrow('stopped');
      if (scenario === 'silence') {
        const closedAt = (await server.asked()[0]?.clientClosed) ?? Infinity;
        expect(closedAt - stoppedAt).toBeLessThan(1_000);
      }
      expect(server.asked()).toHaveLength(1);
    }
  });

  test('a key goes to its server, and nowhere else', async () => {
    const server = await serverOf(wire, 'key-refused');
    const apiKey = 'sk-secret-abcdefghijklmnop';
    const { result } = await runModelTurn('hello', accessTo(server, provider, { apiKey }));
    expect(JSON.stringify(server.asked()[0]?.headers)).toContain(apiKey);
    expect(JSON.stringify(result)).not.toContain('abcdefghijklmnop');
    await runModelTurn('hello', accessTo(server, provider, { apiKey: null }));
    const { headers = {} } = server.asked()[1] ?? {};
    for (const name of ['authorization', 'x-api-key', 'x-goog-api-key', 'api-key'])
      expect(headers[name]).toBeUndefined();
  });
});

test.each(PROVIDER_WIRES)(
  '%s: what the model thinks is told apart from what it says',
  async (provider, wire) => {
    const server = await serverOf(wire, 'reasoning');
    const { result, ports } = await runModelTurn('hello', accessTo(server, provider));
    expect(result).toMatchObject({ content: PLAIN_TEXT, reasoning: 'They greet me, so I greet them.' });
    expect(ports.updates.map(({ reasoning }) => reasoning ?? '').join('')).toBe(
      'They greet me, so I greet them.',
    );
  },
);

test('a server that is not there is tried again, and told so', async () => {
  const server = await serverOf('ollama', 'plain');
  await server.close();
  const { result } = await runModelTurn('hello', accessTo(server, 'ollama'));
  check(
    result,
    none(0, 'model_unreachable', /^Nothing answered at http:\/\/127\.0\.0\.1:\d+\. Start the server there/),
  );
});
