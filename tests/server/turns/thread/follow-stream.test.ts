import { expect, it, onTestFinished, test } from 'vitest';
import { otherModel } from '../../../../server/turns/thread/follow-stream.ts';
import { startModelServer } from '../../../support/model-servers/model-server.ts';
import { accessTo, runModelTurn } from '../../../support/model-servers/model-turn.ts';

test.each([
  ['gpt-4o', 'gpt-4o-2024-08-06'],
  ['claude-sonnet-4-5', 'claude-sonnet-4-5-20250929'],
  ['claude-3-5-haiku-latest', 'claude-3-5-haiku-20241022'],
  ['llama3.2', 'llama3.2:latest'],
  ['openai/gpt-4o', 'gpt-4o'],
  ['meta/llama-3:free', 'meta/llama-3'],
  ['qwen.gguf', '/models/qwen.gguf'],
  ['gemini-2.5-flash', 'models/gemini-2.5-flash'],
  ['m', ''],
])('%s is the model that %s is', (asked, answered) => {
  expect(otherModel(asked, answered)).toEqual({});
});

test.each([
  ['gpt-4o', 'gpt-3.5-turbo'],
  ['big-model', 'tiny.gguf'],
])('%s is another one than %s', (asked, answered) => {
  expect(otherModel(asked, answered)).toEqual({ model: answered });
});

it('a reply names the model that made it where that is not the one that was asked', async () => {
  const server = await startModelServer('openai', { answersAs: 'tiny.gguf' });
  onTestFinished(() => server.close());
  const { result } = await runModelTurn('hello', accessTo(server, 'openai_compatible'));
  expect(result.usage).toMatchObject({ model: 'tiny.gguf' });
});

it('a count of nothing is none', async () => {
  const server = await startModelServer('openai', { scenario: 'counts-nothing' });
  onTestFinished(() => server.close());
  const { result } = await runModelTurn('hello', accessTo(server, 'openai_compatible'));
  expect(result.usage).not.toHaveProperty('inputTokens');
  expect(result.usage).toMatchObject({ contextEstimated: true });
  expect(result.usage?.contextTokens).toBeGreaterThan(100);
});
