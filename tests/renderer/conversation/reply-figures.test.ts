import { expect, test } from 'vitest';
import { describeThought, figuresOf, gistOf } from '../../../renderer/conversation/reply-figures.ts';

test('tokens are told as far as they are known', () => {
  expect(gistOf({ usage: { inputTokens: 12, outputTokens: 5 } })).toBe('12 tokens in, 5 out');
  expect(gistOf({ usage: { inputTokens: 0, outputTokens: 5 } })).toBe('0 tokens in, 5 out');
  expect(gistOf({ usage: { inputTokens: 12 } })).toBe('12 tokens in');
  expect(gistOf({ usage: { inputTokens: 1, outputTokens: 1_000_000 } })).toBe('1 token in, 1,000,000 out');
  expect(gistOf({ usage: { outputTokens: 1 } })).toBe('1 token out');
  expect(gistOf({ usage: { outputTokens: 5 } })).toBe('5 tokens out');
  expect(gistOf({ usage: { outputTokens: 5, model: 'another' } })).toBe('5 tokens out · answered by another');
  expect(gistOf({ usage: { outputTokens: 5, leftOut: ['temperature', 'topP'] } })).toBe(
    '5 tokens out · without temperature, topP',
  );
  expect(gistOf({ usage: {} })).toBe('');
  expect(gistOf({})).toBe('');
});

test('where no tokens are known the time is told, unless nobody could notice it', () => {
  expect(gistOf({ timing: { totalMs: 160 } })).toBe('0.2 s');
  expect(gistOf({ usage: { model: 'another' }, timing: { totalMs: 72_400 } })).toBe(
    '1 min 12 s · answered by another',
  );
  expect(gistOf({ timing: { firstWordMs: 0, totalMs: 99 } })).toBe('');
});

test('all figures are told as far as they were measured', () => {
  const reported = (message: Parameters<typeof figuresOf>[0]) =>
    figuresOf(message).map(({ name, value }) => `${name}: ${value}`);
  const usage = { inputTokens: 1_812, outputTokens: 0, model: 'another' };
  const timing = { firstWordMs: 1_240, thoughtMs: 910, totalMs: 72_400, tokensPerSecond: 41.7 };
  expect(reported({ usage, timing })).toEqual([
    'Tokens read: 1,812',
    'Tokens written: 0',
    'Speed: 42 tokens/s',
    'Time to first word: 1.2 s',
    'Thinking: 0.9 s',
    'Total time: 1 min 12 s',
    'Answered by: another',
  ]);
  expect(reported({ timing: { firstWordMs: 20, totalMs: 400, tokensPerSecond: 4.26 } })).toEqual([
    'Speed: 4.3 tokens/s',
    'Total time: 0.4 s',
  ]);
  expect(reported({})).toEqual([]);
});

test('how long a model thought is told in whole seconds', () => {
  const reported = [undefined, 140, 999, 1_000, 4_499, 9_700, 59_499, 59_500, 185_000, 3_780_000];
  expect(reported.map(describeThought)).toEqual([
    'Thought for a while',
    'Thought for a moment',
    'Thought for a moment',
    'Thought for 1 s',
    'Thought for 4 s',
    'Thought for 10 s',
    'Thought for 59 s',
    'Thought for 1 min 0 s',
    'Thought for 3 min 5 s',
    'Thought for 1 h 3 min',
  ]);
});
