import { beforeEach, expect, test } from 'vitest';
import { KeptModels } from '../../../renderer/models/kept-models.svelte.ts';
import { lasting } from '../../../renderer/lib/storage.ts';

beforeEach(() => ['models.recent', 'models.favourites'].forEach((name) => lasting.write(name, '[]')));

test('the models chosen last come first, three of them, also on the next page', () => {
  const kept = new KeptModels();
  for (const name of ['a', 'b', 'c', 'a', 'd']) kept.noteChosen(name);
  expect(kept.recent).toEqual(['d', 'a', 'c']);
  expect(new KeptModels().recent).toEqual(['d', 'a', 'c']);
});

test('a mark goes by the same way as it came', () => {
  const kept = new KeptModels();
  for (const name of ['a', 'b', 'a']) kept.toggle(name);
  expect(new KeptModels().favourites).toEqual(['b']);
});
