import { expect, test } from 'vitest';
import { pendingSteps, timeLeft } from '../../../renderer/chats/approval-words.ts';
import { aMessage } from '../support/conversations.ts';
import { aPendingStep } from '../support/pending-steps.ts';

test('only the reply under way asks, whatever waits behind it', () => {
  const step = aPendingStep();
  const steps = [{ id: 'done', tool: 'look', status: 'done' as const, input: {} }, step];
  const open = aMessage('a2', { status: 'streaming', steps });
  const queued = aMessage('u3', { status: 'pending' });
  expect(pendingSteps([aMessage('u1'), aMessage('a1', { steps }), aMessage('u2'), open, queued])).toEqual([
    step,
  ]);
  expect(pendingSteps([aMessage('u1'), aMessage('a1', { steps })])).toEqual([]);
  expect(pendingSteps([])).toEqual([]);
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
