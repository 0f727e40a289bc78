/** Models that read little, tools of great number and weight, and tools that give much: a turn still comes to its end. */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Provider } from '../../../shared/api/connection.ts';
import type { Tool } from '../../../server/tools/tool.ts';
import type { AgentDefinition } from '../../../server/agents/definitions.ts';
import { PATIENCE } from '../../../server/models/patience.ts';
import {
  countRequest,
  startModelServer,
  type ModelServer,
  type ModelServerOptions,
} from '../../support/model-servers/model-server.ts';
import { accessTo, runModelTurn, type RanTurn } from '../../support/model-servers/model-turn.ts';
import { isRecord, recordsIn } from '../../support/model-servers/wire.ts';
import { hostedTool } from '../../support/call-tools.ts';
import { recordedPorts } from '../../support/turns.ts';
import type { TurnRequest } from '../../../server/agents/turn.ts';

async function serverOf(options: ModelServerOptions): Promise<ModelServer> {
  const server = await startModelServer('openai', options);
  onTestFinished(() => server.close());
  return server;
}

/** Some 60,000 characters, each line another. */
const BIG = Array.from({ length: 1_500 }, (_, line) => `Line ${line} of it says what it says.`).join('\n');

const heavyTool = (name: string, characters: number): Tool =>
  hostedTool(name, { one: { type: 'string', description: 'words of it '.repeat(characters / 12) } });

interface Turn {
  server: ModelServer;
  provider?: Provider;
  contextTokens?: number;
  hosted?: Tool[];
  agent?: AgentDefinition;
  request?: Partial<TurnRequest>;
  content?: string;
}

function turn({
  server,
  provider = 'openai_compatible',
  contextTokens,
  hosted = [],
  agent,
  request,
  content = 'Hi',
}: Turn): Promise<RanTurn> {
  const ports = {
    ...recordedPorts(),
    callTool: () => Promise.resolve({ output: { text: BIG } }),
  };
  const access = accessTo(server, provider, contextTokens === undefined ? {} : { contextTokens });
  return runModelTurn(content, access, {
    ports,
    hosted,
    ...(agent && { agent }),
    ...(request && { request }),
  });
}

const offered = (server: ModelServer): string[] => server.asked().at(-1)?.asked?.tools ?? [];

/** Tokens of the instructions and tools of the last request, by the server's count. */
async function setupTokens(server: ModelServer): Promise<number> {
  const body = server.asked().at(-1)?.body;
  if (!isRecord(body)) return 0;
  const messages = recordsIn(body['messages']).filter(({ role }) => role === 'system');
  return countRequest({ messages, tools: body['tools'] });
}

describe('what stands before a word of greeting', () => {
  it.each([
    [2_048, 256],
    [4_096, 512],
    [8_192, 820],
    [16_384, 1_640],
  ])('takes little of a context of %i tokens', async (contextTokens, most) => {
    const server = await serverOf({ contextTokens, isStrict: true });
    const { result } = await turn({ server, contextTokens });
    expect(result).toMatchObject({
      outcome: 'replied',
      usage: { contextTokens: expect.any(Number) as number },
    });
    expect(server.asked()).toHaveLength(1);
    expect(await setupTokens(server)).toBeLessThanOrEqual(most);
  });

  it('still holds what no model does without', async () => {
    const server = await serverOf({ contextTokens: 4_096, isStrict: true });
    await turn({ server, contextTokens: 4_096 });
    expect(offered(server)).toEqual(expect.arrayContaining(['calculate', 'current_time']));
  });

  it('is what a model can not do itself where there is room, and no more', async () => {
    const server = await serverOf({});
    await turn({ server, contextTokens: 128_000 });
    expect(offered(server)).toContain('search_messages');
    expect(offered(server)).not.toContain('sort_list');
    expect(await setupTokens(server)).toBeLessThan(2_500);
  });

  it('is what the agent names, where it names tools', async () => {
    const server = await serverOf({});
    const agent = {
      name: 'a',
      title: 'A',
      description: '',
      instructions: '',
      tools: ['sort_list', 'hash_text'],
      stepLimit: 3,
    };
    await turn({ server, contextTokens: 128_000, agent });
    expect(offered(server)).toEqual(['sort_list', 'hash_text']);
  });
});

describe('many tools', () => {
  it('are offered up to what the provider takes; the built-in ones give way', async () => {
    const hosted = Array.from({ length: 200 }, (_, index) => heavyTool(`box__t${index}`, 24));
    const server = await serverOf({});
    const { result } = await turn({ server, provider: 'openai', contextTokens: 128_000, hosted });
    expect(result.outcome).toBe('replied');
    expect(offered(server)).toHaveLength(128);
    expect(offered(server)).not.toContain('calculate');
  });

  it('of great weight leave room for the conversation', async () => {
    const hosted = Array.from({ length: 200 }, (_, index) => heavyTool(`box__t${index}`, 50_000));
    const server = await serverOf({ contextTokens: 8_192, isStrict: true });
    const { result } = await turn({ server, contextTokens: 8_192, hosted });
    expect(result.outcome).toBe('replied');
    expect(offered(server)).toContain('calculate');
    expect(offered(server)).not.toContain('box__t0');
  });
});

describe('a tool that gives more than the model reads', () => {
  it.each([2_048, 4_096, 8_192])(
    'is cut to what fits into %i tokens, and can be read on',
    async (contextTokens) => {
      const server = await serverOf({ scenario: 'reads-on', contextTokens, isStrict: true });
      const { result } = await turn({ server, contextTokens, hosted: [heavyTool('big_output', 24)] });
      expect(result).toMatchObject({
        outcome: 'replied',
        content: expect.stringContaining('I have read it') as string,
      });
      // Nothing was refused, and the person keeps it whole.
      expect(server.asked()).toHaveLength(5);
      const [first, ...others] = result.steps;
      expect(first).toMatchObject({ tool: 'big_output', status: 'done', output: { text: BIG } });
      let from = Number.NaN;
      for (const { output } of others) {
        const piece = output as { from: number; to: number; text: string };
        if (!Number.isNaN(from)) expect(piece.from).toBe(from);
        expect(JSON.stringify({ text: BIG }).slice(piece.from, piece.to)).toBe(piece.text);
        expect(piece.text.length).toBeGreaterThan(500);
        from = piece.to;
      }
    },
  );

  it('never ends the chat: later messages get less of it', async () => {
    const contextTokens = 4_096;
    const server = await serverOf({ contextTokens, isStrict: true });
    const step = { id: 's', tool: 'big_output', status: 'done' as const, input: {}, output: { text: BIG } };
    const steps = Array.from({ length: 3 }, () => step);
    const messages = [
      { role: 'user' as const, content: 'Read it.', steps: [] },
      { role: 'assistant' as const, content: 'I did.', steps },
      { role: 'user' as const, content: 'And now?', steps: [] },
    ];
    const { result } = await turn({ server, contextTokens, request: { messages } });
    expect(result.outcome).toBe('replied');
    expect(server.asked()).toHaveLength(1);
  });

  it('is whole where it fits, and nobody reads on then', async () => {
    const server = await serverOf({ scenario: 'reads-on', contextTokens: 128_000, isStrict: true });
    await turn({ server, contextTokens: 128_000, hosted: [heavyTool('big_output', 24)] });
    expect(server.asked()).toHaveLength(2);
    expect(offered(server)).not.toContain('read_more');
    expect(server.asked().at(-1)?.asked?.toolResults[0]).toContain('Line 1499 of it');
  });

  it('also where nobody knew how little the model reads', async () => {
    const server = await serverOf({ scenario: 'reads-on', contextTokens: 4_096, isStrict: true });
    const { result } = await turn({ server, hosted: [heavyTool('big_output', 24)] });
    expect(result).toMatchObject({
      outcome: 'replied',
      content: expect.stringContaining('I have read it') as string,
    });
  });
});

describe('what is too long all the same', () => {
  it('is told in parts, with what to do about the largest', async () => {
    const server = await serverOf({ contextTokens: 4_096, isStrict: true });
    const { result } = await turn({ server, contextTokens: 4_096, content: 'word and '.repeat(4_000) });
    expect(result).toMatchObject({ outcome: 'failed', error: { code: 'context_too_long' } });
    const message = result.outcome === 'failed' ? result.error.message : '';
    expect(message).toMatch(
      /can read: 4,096 tokens .*your message 1\d,\d{3}, .*Send it in smaller parts, or choose a model/,
    );
  });

  it('is a matter of instructions where those are', async () => {
    const server = await serverOf({ contextTokens: 4_096, isStrict: true });
    const agent = {
      name: 'a',
      title: 'A',
      description: '',
      instructions: 'Be kind. '.repeat(2_200),
      tools: [],
      stepLimit: 3,
    };
    const { result } = await turn({ server, contextTokens: 4_096, agent });
    const message = result.outcome === 'failed' ? result.error.message : '';
    expect(message).toMatch(/Shorten the instructions of this agent in Settings, Agents/);
  });
});

it('a model that has to read first is no turn that stands still', async () => {
  const server = await serverOf({ scenario: 'slow-first-token' });
  const { result, ports } = await turn({ server });
  expect(result.outcome).toBe('replied');
  expect(ports.updates[0]).toMatchObject({
    text: '',
    waiting: expect.stringContaining('first word') as string,
  });
});

it('the more there is to read, the longer it is waited for', () => {
  const { readingMs } = PATIENCE;
  expect(readingMs('ollama', 4_667)).toBeGreaterThan(120_000);
  expect(readingMs('openai', 4_667)).toBeLessThan(10_000);
  expect(readingMs('ollama', 0)).toBe(0);
});
