import { expect, test } from 'vitest';
import { inFull, inputSummary, toolTitle } from '../../../renderer/lib/step-words.ts';

test('a tool’s name is told in words', () => {
  expect(toolTitle('convert_units')).toBe('Convert units');
  expect(toolTitle('findNotes')).toBe('Find notes');
});

test('an input is told in one short line of its plain values', () => {
  expect(inputSummary({ value: 3, from: 'km', list: [1], to: 'miles\nplease' })).toBe(
    '3 · km · miles please',
  );
  expect(inputSummary('rivers')).toBe('rivers');
  expect(inputSummary(null)).toBe('');
  expect(Array.from(inputSummary({ text: '😀'.repeat(200) }))).toHaveLength(81);
});

test('in full, text is text and everything else is JSON', () => {
  expect(inFull('a\nb')).toBe('a\nb');
  expect(inFull({ a: 1 })).toBe('{\n  "a": 1\n}');
  expect(inFull(undefined)).toBe('');
});
