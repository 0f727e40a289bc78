import { expect, test } from 'vitest';
import { applyUpdate, markOf, NO_GROWTH, updateSince, type GrowthUpdate } from '../../shared/growth.ts';

const grown = (...updates: GrowthUpdate[]) => updates.reduce(applyUpdate, NO_GROWTH);

test('text that turns out to be reasoning is taken back, and all of the reply is passed on again', () => {
  const before = grown({ text: 'Kept. ' }, { text: 'They greet me.' });
  const after = applyUpdate(before, { text: '', keeps: 6, reasoning: 'They greet me.' });
  expect(after).toMatchObject({ content: 'Kept. ', reasoning: 'They greet me.' });
  expect(updateSince(markOf(before), after).steps).toEqual([]);
  expect(updateSince(markOf(after), applyUpdate(after, { text: 'Hello.' }))).toEqual({ text: 'Hello.' });
});

test('whatever arrives ends the waiting', () => {
  const waiting = grown({ text: '', waiting: 'Waiting.' }, { text: '' });
  expect(waiting.waiting).toBe('Waiting.');
  for (const update of [{ text: 'a' }, { text: '', reasoning: 'a' }, { text: '', steps: [] }]) {
    const after = applyUpdate(waiting, update);
    expect(after.waiting).toBe('');
    expect(updateSince(markOf(waiting), after).waiting).toBe('');
  }
  expect(grown({ text: 'a' })).not.toHaveProperty('waiting');
});
