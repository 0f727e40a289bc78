import { expect, test } from 'vitest';
import { lastLine } from '../../../renderer/conversation/last-line.ts';

test.each([
  ['First this.\nThen that', 'Then that'],
  ['First this.\n\n', 'First this.'],
  ['Before\n---\n', 'Before'],
  ['# Plan\n- **Look** at `it`', 'Look at it'],
  ['', ''],
  [' \n\n', ''],
])('of %j it is %j', (text, expected) => {
  expect(lastLine(text)).toBe(expected);
});

test('of a long text only the end is looked at', () => {
  expect(lastLine(`${'word '.repeat(10_000)}end`).length).toBeLessThan(1_000);
});
