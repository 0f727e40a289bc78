import { expect, test } from 'vitest';
import type { Step } from '../../shared/api/message.ts';
import { replyParts } from '../../shared/reply-parts.ts';

const step = (id: string, textBefore?: number): Step => ({
  id,
  tool: 'look',
  status: 'done',
  input: {},
  ...(textBefore !== undefined && { textBefore }),
});
const reported = (content: string, steps?: Step[]): string[] =>
  replyParts(content, steps).map(({ steps: before, text }) => `${before.map(({ id }) => id).join()}:${text}`);

test('tools stand between the text that led to them and the text that came of them', () => {
  expect(reported('First.\n\nThen.', [step('a', 6), step('b', 6), step('c', 13)])).toEqual([
    ':First.',
    'a,b:\n\nThen.',
    'c:',
  ]);
  expect(reported('Text.', [step('a', 0)])).toEqual(['a:Text.']);
  expect(reported('Text.')).toEqual([':Text.']);
  expect(reported('')).toEqual([':']);
});

test('tools of replies that don’t tell when they were called stand first', () => {
  expect(reported('Text.', [step('a'), step('b')])).toEqual(['a,b:Text.']);
});

test('a text that is shorter than it was loses no tool', () => {
  expect(reported('Te', [step('a', 5), step('b', 1)])).toEqual([':Te', 'a,b:']);
});
