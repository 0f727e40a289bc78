import { expect, test } from 'vitest';
import { withDoubts } from '../../../server/turns/final-reply.ts';
import type { Step } from '../../../shared/api/message.ts';

const failed = (tool: string, input: unknown, error = 'No.'): Step => ({
  id: '1',
  tool,
  status: 'failed',
  input,
  error,
});
const marked = (steps: readonly Step[], ...doubts: [tool: string, input: string][]): boolean[] =>
  withDoubts(
    steps,
    doubts.map(([tool, input]) => ({ tool, input, state: 'begun' })),
  ).map(({ inDoubt }) => inDoubt === true);

test('of calls that are the same, the latest that failed is the one that was cut off', () => {
  const steps = [failed('send', { b: 1, a: 2 }), failed('send', { a: 2, b: 1 }), failed('look', {})];
  expect(marked(steps, ['send', '{"a":2,"b":1}'])).toEqual([false, true, false]);
  expect(marked(steps, ['send', '{"a":2,"b":1}'], ['send', '{"a":2,"b":1}'])).toEqual([true, true, false]);
});

test('a step that says so already stands for its call', () => {
  const known: Step = { ...failed('send', {}), inDoubt: true };
  expect(marked([failed('send', {}), known], ['send', '{}'])).toEqual([false, true]);
});

test('a call that is no step was one of the agent that was asked last', () => {
  const steps = [failed('ask_agent', {}), failed('ask_agent', {}), failed('look', {})];
  expect(marked(steps, ['send', '{}'])).toEqual([false, true, false]);
  expect(marked([failed('look', {})], ['send', '{}'])).toEqual([false]);
});

test('a step that was done shows how its call ended; a call that was done is not one of an agent that failed', () => {
  const done: Step = { id: '1', tool: 'send', status: 'done', input: {}, output: 1 };
  expect(marked([done, failed('send', {})], ['send', '{}'])).toEqual([false, false]);
  expect(marked([done, failed('send', {})], ['send', '{}'], ['send', '{}'])).toEqual([false, true]);
  const [step] = withDoubts([failed('ask_agent', {})], [{ tool: 'send', input: '{}', state: 'done' }]);
  expect(step?.inDoubt).toBeUndefined();
});

test('the words say so once', () => {
  const [step] = withDoubts(
    [failed('send', {}, 'This was stopped.')],
    [{ tool: 'send', input: '{}', state: 'begun' }],
  );
  expect(step?.error).toBe('This was stopped. Whether it took effect is not known.');
});
