import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { expect, it } from 'vitest';
import type { GrowthUpdate } from '../../../../shared/growth.ts';
import { MAX_REPLY_CHARACTERS } from '../../../../shared/limits.ts';
import type { DirectRequest, TurnRequest, TurnResult } from '../../../../server/agents/turn.ts';
import type { StreamingModel } from '../../../../server/models/model.ts';
import { runDirect } from '../../../../server/turns/thread/run-direct.ts';
import { createScriptedModel, scriptOf, type Act } from '../../../support/scripted-model.ts';

function directOf(...acts: Act[]): DirectRequest {
  return { prompt: [{ role: 'user', content: [{ type: 'text', text: scriptOf(acts) }] }] };
}

const REQUEST: TurnRequest = {
  chatId: '',
  workspaceId: '',
  agent: {
    name: '',
    title: '',
    description: '',
    instructions: 'Never sent.',
    tools: [],
    offered: [],
    stepLimit: 1,
  },
  mode: 'agent',
  model: 'scripted',
  access: null,
  messages: [],
  now: '2026-01-02T03:04:05Z',
  timeZone: 'UTC',
};

async function run(
  direct: DirectRequest,
  model: StreamingModel | null = createScriptedModel(),
  signal = new AbortController().signal,
): Promise<{ result: TurnResult; updates: GrowthUpdate[] }> {
  const updates: GrowthUpdate[] = [];
  const ports = { signal, onUpdate: (update: GrowthUpdate) => updates.push(update) };
  return { result: await runDirect(REQUEST, direct, ports, { createModel: () => model }), updates };
}

it('sends the request as it stands, with the settings and nothing of an agent', async () => {
  const seen: LanguageModelV4CallOptions[] = [];
  const direct = {
    ...directOf({ say: 'Hello.' }),
    toolChoice: { type: 'none' as const },
    temperature: 0.5,
  };
  const { result } = await run(
    direct,
    createScriptedModel((options) => seen.push(options)),
  );
  expect(result).toMatchObject({
    outcome: 'replied',
    content: 'Hello.',
    stopReason: 'end',
    usage: { inputTokens: 3, outputTokens: 2 },
  });
  const [options] = seen;
  expect({ ...options, abortSignal: undefined, includeRawChunks: undefined }).toEqual({
    ...direct,
    abortSignal: undefined,
  });
});

it('tells calls as the model wrote them, also what is no JSON, and makes none', async () => {
  const { result } = await run(
    directOf(
      { say: 'Wait.' },
      { call: 'look', input: { a: 1 }, id: 'x' },
      { call: 'look', raw: '{"a', id: 'y' },
    ),
  );
  expect(result.steps).toEqual([
    { id: 'x', tool: 'look', status: 'running', input: '{"a":1}' },
    { id: 'y', tool: 'look', status: 'running', input: '{"a' },
  ]);
});

it('passes an empty answer on, and one that was cut', async () => {
  expect((await run(directOf())).result).toMatchObject({ outcome: 'replied', content: '' });
  expect((await run(directOf({ say: 'A' }, { finish: 'length' }))).result).toMatchObject({
    stopReason: 'length',
  });
});

it('cuts what is longer than a reply may be, and reads no further', async () => {
  const { result } = await run(directOf({ say: 'x'.repeat(MAX_REPLY_CHARACTERS) }, { stall: true }));
  expect(result).toMatchObject({ outcome: 'replied', stopReason: 'length' });
});

it('fails in words, with what came before', async () => {
  expect((await run(directOf({ say: 'A' }, { finish: 'content-filter' }))).result).toMatchObject({
    outcome: 'replied',
    content: 'A',
    stopReason: 'content_filter',
  });
  expect((await run(directOf(), null)).result).toMatchObject({ error: { code: 'model_not_found' } });
  expect((await run(directOf({ say: 'A' }, { error: 'secret' }))).result).toMatchObject({
    outcome: 'failed',
    content: 'A',
    error: { code: 'model_failed', message: expect.not.stringContaining('secret') as string },
  });
  expect((await run(directOf({ throw: 'secret' }))).result).toMatchObject({
    error: { code: 'model_failed' },
  });
});

it('rejects when it was stopped', async () => {
  const controller = new AbortController();
  const running = run(
    directOf({ say: 'A' }, { waitMs: 20 }, { say: 'B' }),
    createScriptedModel(),
    controller.signal,
  );
  controller.abort(new Error('stopped'));
  await expect(running).rejects.toThrow('stopped');
});
