import { expect, test } from 'vitest';
import { DENIED_WORDS, EXPIRED_WORDS } from '../../../shared/choices.ts';
import type { Step } from '../../../shared/api/message.ts';
import { inWords, toolTitle } from '../../../shared/tool-title.ts';
import { inputSummary, outcomeOf } from '../../../renderer/chats/step-words.ts';

test('a tool’s name is told in words', () => {
  expect(toolTitle('date_add')).toBe('Add to a date');
  expect(toolTitle('toString')).toBe('To string');
  expect(inWords('date_add')).toBe('Date add');
  expect(toolTitle('convert_units')).toBe('Convert units');
  expect(toolTitle('findNotes')).toBe('Find notes');
});

test('an input is told in one short line of its plain values', () => {
  expect(
    inputSummary({ from: 'km', list: [1], to: 'miles\nplease', decimals: 2, sortKeys: true, past: false }),
  ).toBe('km · miles please · decimals 2 · sort keys');
  expect(inputSummary('rivers')).toBe('rivers');
  expect(inputSummary(null)).toBe('');
  expect(Array.from(inputSummary({ text: '😀'.repeat(200) }))).toHaveLength(80);
  expect(inputSummary({ path: 'a\rb\u2028c\u00a0d' })).toBe('a[U+000D]b[U+2028]c[U+00A0]d');
});

test('a step that a person did not allow has not failed, and one that was left off is not at work', () => {
  const step = (rest: Partial<Step>): Step => ({ id: 's', tool: 't', status: 'failed', input: {}, ...rest });
  expect(outcomeOf(step({ error: DENIED_WORDS }), true)).toBe('denied');
  expect(outcomeOf(step({ error: EXPIRED_WORDS }), false)).toBe('expired');
  expect(outcomeOf(step({ error: 'No room.' }), false)).toBe('failed');
  expect(outcomeOf(step({ status: 'done' }), true)).toBe('done');
  expect(outcomeOf(step({ status: 'running' }), true)).toBe('running');
  expect(outcomeOf(step({ status: 'running' }), false)).toBe('unfinished');
  expect(outcomeOf(step({ status: 'awaiting_approval' }), false)).toBe('unfinished');
});

test('what was cut off and may have taken effect is not told as failed', () => {
  const step: Step = { id: '1', tool: 'send', status: 'failed', input: {}, error: 'Stopped.', inDoubt: true };
  expect(outcomeOf(step, false)).toBe('unknown');
});
