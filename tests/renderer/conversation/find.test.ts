import { expect, test } from 'vitest';
import type { Message } from '../../../shared/api/message.ts';
import { Find, type Match } from '../../../renderer/conversation/find.svelte.ts';

const message = (id: string, content: string): Message => ({
  id,
  role: 'assistant',
  content,
  status: 'complete',
  createdAt: '2026-01-01T00:00:00.000Z',
});

interface Looking {
  find: Find;
  went: Match[];
  setMessages: (messages: Message[]) => void;
}

function lookIn(first: Message[], anchor: string | null = null): Looking {
  let messages = first;
  const went: Match[] = [];
  const find = new Find({
    messages: () => messages,
    anchor: () => anchor,
    onGo: (match) => went.push(match),
  });
  find.open();
  return { find, went, setMessages: (next) => (messages = next) };
}

const done = (find: Find): Promise<void> => expect.poll(() => find.searching).toBe(false);
const state = ({ position, total }: Find): [number | null, number] => [position, total];

test('all messages are looked at, from where the reader is, and next and previous go round', async () => {
  const { find, went } = lookIn(
    [message('a', 'bean bean'), message('b', 'none'), message('c', 'a **bean**'), message('d', 'Béan')],
    'b',
  );
  find.setQuery('bean');
  await done(find);
  expect(state(find)).toEqual([3, 4]);
  find.step(1);
  expect(state(find)).toEqual([4, 4]);
  find.step(1);
  expect(state(find)).toEqual([1, 4]);
  find.step(-1);
  expect(state(find)).toEqual([4, 4]);
  find.step(1);
  find.step(1);
  find.step(1);
  expect(went.map(({ messageId, index }) => `${messageId}${index}`)).toEqual([
    'c0',
    'd0',
    'a0',
    'd0',
    'a0',
    'a1',
    'c0',
  ]);
});

test('what comes is counted, without leading away; what goes is no longer counted', async () => {
  const [a, b] = [message('a', 'bean'), message('b', 'be')];
  const { find, went, setMessages } = lookIn([a, b]);
  find.setQuery('bean');
  await done(find);
  setMessages([a, message('b', 'bean and bean'), message('c', 'bean')]);
  await find.refresh();
  expect(state(find)).toEqual([1, 4]);
  expect(went).toHaveLength(1);
  setMessages([message('a', 'nothing'), message('b', 'bean')]);
  await find.refresh();
  expect(state(find)).toEqual([null, 1]);
  find.step(1);
  expect(state(find)).toEqual([1, 1]);
});

test('5,000 messages are looked at in slices, and what is looked for next replaces what was', async () => {
  const many = Array.from({ length: 5_000 }, (_, index) =>
    message(`m${index}`, `Message **${index}** of many\n\n- one\n- two\n\n\`code ${index}\``),
  );
  const { find, went } = lookIn(many);
  let turns = 0;
  const counting = setInterval(() => (turns += 1));
  find.setQuery('many');
  find.setQuery('code 499');
  await done(find);
  clearInterval(counting);
  expect(find.total).toBe(11);
  expect(went.at(-1)).toEqual({ messageId: 'm499', index: 0 });
  expect(turns).toBeGreaterThan(2);
});

test('an empty query finds nothing, and closing forgets what was found', async () => {
  const { find } = lookIn([message('a', 'bean')]);
  find.setQuery('  ');
  expect(state(find)).toEqual([null, 0]);
  find.setQuery('bean');
  await done(find);
  expect(find.total).toBe(1);
  find.close();
  expect(state(find)).toEqual([null, 0]);
  find.open();
  await done(find);
  expect(state(find)).toEqual([1, 1]);
});
