import { expect, it } from 'vitest';
import { Listed } from '../../../renderer/api/listed.svelte.ts';

interface Thing {
  id: string;
  name: string;
}

/** A list whose answers wait until they are let go. */
function slowList(): { listed: Listed<Thing>; answer: (things: Thing[]) => Promise<void> } {
  const waiting: ((things: Thing[]) => void)[] = [];
  const listed = new Listed<Thing>(() => new Promise((resolve) => waiting.push(resolve)));
  const answer = async (things: Thing[]): Promise<void> => {
    waiting.shift()?.(things);
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { listed, answer };
}

const OLD = { id: 'a', name: 'old' };
const NEW = { id: 'a', name: 'new' };

it('keeps what was put while an older answer was on its way', async () => {
  const { listed, answer } = slowList();
  const refreshed = listed.refresh();
  listed.put(NEW);
  await answer([OLD]);
  expect(listed.items).toEqual([NEW]);
  await answer([NEW, { id: 'b', name: 'other' }]);
  await refreshed;
  expect(listed.items.map(({ name }) => name)).toEqual(['new', 'other']);
});

it('keeps out what was dropped while an older answer was on its way', async () => {
  const { listed, answer } = slowList();
  listed.put(OLD);
  const refreshed = listed.refresh();
  listed.drop('a');
  await answer([OLD]);
  expect(listed.items).toEqual([]);
  await answer([]);
  await refreshed;
  expect(listed.loaded).toBe(true);
});

it('takes no older answer after a newer one', async () => {
  const { listed, answer } = slowList();
  const both = Promise.all([listed.refresh(), listed.refresh()]);
  await answer([NEW]);
  await answer([OLD]);
  expect(listed.items).toEqual([NEW]);
  await answer([NEW]);
  await both;
});
