/** A model server of other people’s making (aimock), which knows every provider’s format. */
import { LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Provider } from '../../../shared/providers.ts';
import { findAgent } from '../../../server/agents/definitions.ts';
import type { HistoryMessage } from '../../../server/agents/turn.ts';
import type { ModelAccess } from '../../../server/connections/model-access.ts';
import { runModelTurn, type RanTurn } from '../../support/model-servers/model-turn.ts';
import { PROVIDER_WIRES } from '../../support/model-servers/provider-wires.ts';

const TEXT = 'Hello there, Ünïcödé 👋.';
const PATHS: Readonly<Record<Provider, string>> = {
  ollama: '',
  openai_compatible: '/v1',
  openai: '/v1',
  anthropic: '/v1',
  google: '/v1beta',
  mistral: '/v1',
  azure_openai: '/openai/v1',
};
const ERRORS = [
  [400, 'Odd.', 'model_failed'],
  [401, 'Incorrect API key.', 'model_key_refused'],
  [404, 'The model does not exist.', 'model_not_found'],
  [413, 'prompt is too long: 9000 tokens > 8000 maximum', 'context_too_long'],
  [429, 'Slow down.', 'model_overloaded'],
  [500, 'Boom.', 'model_failed'],
] as const;
const calls = ['1+1', '2+2'].map((expression) => ({
  name: 'calculate',
  arguments: JSON.stringify({ expression }),
}));

const mock = new LLMock({ port: 0, host: '127.0.0.1', chunkSize: 7 });

beforeAll(async () => {
  mock.onMessage('plain', { content: TEXT });
  mock.onMessage('cut', { content: TEXT, finishReason: 'length' });
  const thought = { reasoning: 'A sum.' };
  mock.addFixture({
    match: { userMessage: 'add up', hasToolResult: false },
    response: { content: 'Let me.', toolCalls: calls, ...thought },
  });
  mock.addFixture({
    match: { userMessage: 'add up', hasToolResult: true },
    response: { content: 'All done.', ...thought },
  });
  mock.addFixture({
    match: { userMessage: 'break off' },
    response: { content: TEXT },
    latency: 20,
    truncateAfterChunks: 3,
  });
  for (const [status, message] of ERRORS)
    mock.onMessage(`error ${status}`, { error: { message, type: 'odd' }, status });
  await mock.start();
});
afterAll(() => mock.stop());

describe.each(PROVIDER_WIRES)('%s', (provider) => {
  const access = (): ModelAccess => ({
    provider,
    baseUrl: mock.url + PATHS[provider],
    apiKey: 'sk-test-0123456789abcdef',
    modelId: provider === 'anthropic' ? 'claude-sonnet-4-5' : 'some-model',
  });
  const ask = (text: string, messages?: HistoryMessage[]): Promise<RanTurn> =>
    runModelTurn(text, access(), {
      agent: { ...findAgent('orchestrator'), parameters: { reasoning: 'medium' } },
      patience: { tries: 1, longestPauseMs: 0 },
      ...(messages && { request: { messages } }),
    });

  it('answers', async () => {
    expect((await ask('plain')).result).toMatchObject({
      outcome: 'replied',
      content: TEXT,
      stopReason: 'end',
    });
  });

  it('says that it was cut', async () => {
    // Its Ollama always ends with `stop`.
    const stopReason = provider === 'ollama' ? 'end' : 'length';
    expect((await ask('cut')).result).toMatchObject({ content: TEXT, stopReason });
  });

  it('calls tools, and goes on in the next turn', async () => {
    const { result } = await ask('add up');
    expect(result).toMatchObject({ outcome: 'replied', content: 'Let me.\n\nAll done.' });
    expect(result.steps.map(({ status, output }) => [status, (output as { result: string }).result])).toEqual(
      [
        ['done', '2'],
        ['done', '4'],
      ],
    );
    const { content, steps, rounds } = result;
    const later = await ask('', [
      { role: 'user', content: 'add up', steps: [] },
      { role: 'assistant', content, steps, ...(rounds && { rounds }) },
      { role: 'user', content: 'plain', steps: [] },
    ]);
    expect(later.result).toMatchObject({ outcome: 'replied', content: TEXT });
  });

  it('breaks off', async () => {
    const { result } = await ask('break off');
    expect(result).toMatchObject({ outcome: 'failed', error: { code: 'model_unreachable' } });
  });

  it.each(ERRORS)('refuses with %i', async (status, message, code) => {
    const { result } = await ask(`error ${status}`);
    expect(result).toMatchObject({ outcome: 'failed', error: { code } });
    expect(result.outcome === 'failed' && result.error.message).toContain(message.replace(/\.$/, ''));
  });
});
