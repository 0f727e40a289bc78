import { expect, test } from 'vitest';
import { Selection } from '../../../renderer/session/selection.svelte.ts';

const ORDER = ['a', 'b', 'c', 'd', 'e'];
const chosen = (selection: Selection): string[] => ORDER.filter((id) => selection.has(id));

test('is begun with a chat, takes others in and out, and ends at the one chosen last', () => {
  const selection = new Selection();
  expect(selection.active).toBe(false);
  selection.begin('b');
  selection.toggle('d');
  selection.toggle('b');
  expect(chosen(selection)).toEqual(['d']);
  expect(selection.end()).toBe('b');
  expect([selection.active, chosen(selection)]).toEqual([false, []]);
});

test('a range goes from where the last one was chosen, either way, and can be drawn anew', () => {
  const selection = new Selection();
  selection.begin('c');
  selection.extend('e', ORDER);
  expect(chosen(selection)).toEqual(['c', 'd', 'e']);
  selection.extend('a', ORDER);
  expect(chosen(selection)).toEqual(ORDER);
});

test('a range that begins the selection goes from the open chat, or is the one alone', () => {
  const selection = new Selection();
  selection.extend('d', ORDER, 'b');
  expect(chosen(selection)).toEqual(['b', 'c', 'd']);
  selection.end();
  selection.extend('d', ORDER, null);
  expect(chosen(selection)).toEqual(['d']);
  selection.end();
  selection.extend('d', ORDER, 'not listed');
  expect(chosen(selection)).toEqual(['d']);
});

test('all that are listed are added to what was chosen, and none chosen is still a selection', () => {
  const selection = new Selection();
  selection.begin();
  expect([selection.active, chosen(selection)]).toEqual([true, []]);
  selection.toggle('e');
  selection.addAll(['a', 'b']);
  expect(chosen(selection)).toEqual(['a', 'b', 'e']);
});
