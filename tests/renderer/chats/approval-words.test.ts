import { expect, test } from 'vitest';
import {
  askerOf,
  callOf,
  inputParts,
  openQuestions,
  timeLeft,
  visible,
  wishOf,
} from '../../../renderer/chats/approval-words.ts';
import { aMessage } from '../support/conversations.ts';
import { aQuestion } from '../support/questions.ts';

test('only the reply under way asks, whatever waits behind it', () => {
  const question = aQuestion();
  const steps = [{ id: 'done', tool: 'look', status: 'done' as const, input: {} }, question];
  const open = aMessage('a2', { status: 'streaming', steps });
  const queued = aMessage('u3', { status: 'pending' });
  expect(openQuestions([aMessage('u1'), aMessage('a1', { steps }), aMessage('u2'), open, queued])).toEqual([
    question,
  ]);
  expect(openQuestions([aMessage('u1'), aMessage('a1', { steps })])).toEqual([]);
  expect(openQuestions([])).toEqual([]);
});

test('a tool is named where its name says something', () => {
  expect(askerOf({ tool: 'write_file' })).toBe('“Write a file”');
  expect(askerOf({ tool: 'ask_agent' })).toBe('A tool');
  expect(askerOf({ tool: 'ask_approval' })).toBe('A tool');
});

test('what an asked agent wants to call is what is asked about, not the call that asked it', () => {
  const { approval } = aQuestion();
  const call = { tool: 'write_file', input: { path: 'a.md' } };
  expect(callOf(aQuestion({ tool: 'ask_agent', approval: { ...approval, call } }))).toEqual(call);
  expect(callOf(aQuestion({ tool: 'look', input: { at: 1 } }))).toEqual({ tool: 'look', input: { at: 1 } });
});

test('what is wanted is the summary, or else the gist of the input', () => {
  const { approval } = aQuestion();
  expect(wishOf(aQuestion({ approval: { ...approval, summary: 'Writes plan.md.' } }))).toBe(
    'Writes plan.md.',
  );
  expect(wishOf(aQuestion())).toBe('plan.md · one two');
  expect(wishOf(aQuestion({ input: {} }))).toBe('');
});

test('the whole input comes a field at a time: texts with their lines, anything else as JSON', () => {
  expect(inputParts({ content: 'one\r\n\ttwo', count: 2, to: { a: [1] } })).toEqual([
    { name: 'content', text: 'one\n\ttwo' },
    { name: 'count', text: '2' },
    { name: 'to', text: '{\n  "a": [\n    1\n  ]\n}' },
  ]);
  expect(inputParts('just text')).toEqual([{ name: null, text: 'just text' }]);
  expect(inputParts([1])).toEqual([{ name: null, text: '[\n  1\n]' }]);
  expect([inputParts(undefined), inputParts({})]).toEqual([[], []]);
});

test('nothing hides in what is shown: characters that turn, cut or fake others are told', () => {
  expect(visible('plan\u202Etxt.exe')).toBe('plan[U+202E]txt.exe');
  expect(visible('a\u200Bb\u0000c\u2028d\u{E0041}')).toBe('a[U+200B]b[U+0000]c[U+2028]d[U+E0041]');
  expect(visible('👩‍🌾 می‌خواهم é\nline\ttab')).toBe('👩‍🌾 می‌خواهم é\nline\ttab');
});

test('how long there is to answer is told in hours, minutes, and at the end', () => {
  const at = (time: string) => timeLeft('2026-11-20T13:00:00.000Z', new Date(`2026-11-20T${time}Z`));
  expect(at('12:00:01')).toBe('No answer within an hour counts as a no.');
  expect(at('10:00:00')).toBe('No answer within 3 hours counts as a no.');
  expect(at('12:54:50')).toBe('No answer within 5 minutes counts as a no.');
  expect(at('12:59:10')).toBe('No answer within a minute counts as a no.');
  expect(at('12:59:50')).toBe('No answer within a minute counts as a no.');
  expect(at('13:00:00')).toBeNull();
});
