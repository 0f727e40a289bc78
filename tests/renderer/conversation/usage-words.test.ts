import { expect, test } from 'vitest';
import { describeUsage } from '../../../renderer/conversation/usage-words.ts';

test('tokens are told as far as they are known', () => {
  expect(describeUsage({ inputTokens: 12, outputTokens: 5 })).toBe('12 tokens in, 5 out');
  expect(describeUsage({ inputTokens: 0, outputTokens: 5 })).toBe('0 tokens in, 5 out');
  expect(describeUsage({ inputTokens: 12 })).toBe('12 tokens in');
  expect(describeUsage({ outputTokens: 5 })).toBe('5 tokens out');
  expect(describeUsage({})).toBe('');
  expect(describeUsage(undefined)).toBe('');
});
