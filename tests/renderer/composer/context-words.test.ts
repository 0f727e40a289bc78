import { expect, test } from 'vitest';
import type { ChatContext } from '../../../shared/api/context.ts';
import { describeShare, describeTokens, urgencyOf } from '../../../renderer/composer/context-words.ts';

const context = (changes: Partial<ChatContext>): ChatContext => ({
  tokens: 6_200,
  isEstimate: false,
  limit: 16_384,
  summary: null,
  compacting: false,
  setup: null,
  canCompact: true,
  ...changes,
});

test.each([
  [0, '0%'],
  [0.001, '<1%'],
  [0.384, '38%'],
  [1, '100%'],
])('a share of %d is %j', (share, words) => expect(describeShare(share)).toBe(words));

test('tokens are told with the limit where there is one, and as an estimate where they are', () => {
  expect(describeTokens(context({}))).toBe('6,200 tokens of 16,384');
  expect(describeTokens(context({ isEstimate: true, limit: null }))).toBe('About 6,200 tokens');
  expect(describeTokens(context({ tokens: null }))).toBeNull();
});

test('the meter warns before the end, and says that it is near', () => {
  expect([null, 0.5, 0.7, 0.89, 0.9, 1].map(urgencyOf)).toEqual([
    'calm',
    'calm',
    'warning',
    'warning',
    'full',
    'full',
  ]);
});
