import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WordedProblem } from '../../../renderer/api/problem.ts';
import { Toasts } from '../../../renderer/ui/toasts.svelte.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const undo = { label: 'Undo', run: () => undefined };
const shown = ({ items }: Toasts): string[] => items.map(({ text }) => text);

test('of too many, those that only tell something go first, and what can be undone or mended stays', () => {
  const toasts = new Toasts();
  toasts.show({ text: 'draft', kind: 'problem', action: undo });
  toasts.show({ text: 'deleted', action: undo });
  toasts.show({ text: 'copied' });
  toasts.show({ text: 'failed', kind: 'problem' });
  toasts.show({ text: 'five' });
  expect(shown(toasts)).toEqual(['draft', 'deleted', 'failed', 'five']);
  toasts.show({ text: 'six' });
  expect(shown(toasts)).toEqual(['draft', 'deleted', 'failed', 'six']);
  toasts.show({ text: 'seven', action: undo });
  toasts.show({ text: 'eight', action: undo });
  expect(shown(toasts)).toEqual(['draft', 'deleted', 'seven', 'eight']);
});

test('what has been pushed out leaves nothing behind', () => {
  const toasts = new Toasts();
  for (let count = 0; count < 100; count += 1) toasts.show({ text: String(count) });
  expect(vi.getTimerCount()).toBe(4);
});

test('what came of something is told: its sentence, or why it failed', async () => {
  const toasts = new Toasts();
  const failed = (reason: string): string => `No: ${reason}`;
  await toasts.report(() => Promise.resolve('Done.'), failed);
  await toasts.report(() => Promise.reject(new WordedProblem('It is full.')), failed);
  expect(toasts.items.map(({ text, kind }) => [text, kind])).toEqual([
    ['Done.', undefined],
    ['No: It is full.', 'problem'],
  ]);
  for (const { id } of toasts.items) toasts.close(id);
});
