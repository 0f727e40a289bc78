import { expect, test } from 'vitest';
import type { ChatListReading, ListedChat } from '../../../server/events/chat-list-reading.ts';
import { createChatListDiff } from '../../../server/events/chat-list-diff.ts';
import type { ListName } from '../../../shared/choices.ts';

interface Standing {
  version?: number;
  /** Null: any may have changed. */
  changed?: string[] | null;
  lists?: ListName[];
  asking?: string[];
  positions?: Record<string, number> | null;
}

const listed = (id: string): ListedChat => ({ id, json: `{"id":"${id}"}` });

const readingOf = ({
  version = 1,
  changed = [],
  lists = [],
  asking = [],
  positions = {},
}: Standing): ChatListReading => ({
  version,
  changedSince: () => changed && changed.map(listed),
  listsChangedSince: () => lists,
  asking: () => new Set(asking),
  chat: listed,
  positions: () => positions && new Map(Object.entries(positions)),
});

/** What is told, as it stands on the wire. */
function tell(teller: ReturnType<typeof createChatListDiff>, standing: Standing): string[] {
  const found = teller.compare(readingOf(standing));
  return (found?.() ?? []).map((event) => event.replace(/^event: (\w+)\ndata: (.*)\n\n$/, '$1 $2'));
}

test('chats in which a tool begins to wait for a person, or waits no more, are told though their rows are as they were', () => {
  const teller = createChatListDiff(null);
  expect(tell(teller, {})).toEqual(['relist {}']);
  expect(tell(teller, { asking: ['a'] })).toEqual(['chats {"chats":[{"id":"a"}],"gone":[]}']);
  expect(tell(teller, { asking: ['a'] })).toEqual([]);
  expect(tell(teller, { asking: ['a', 'b'], changed: ['a', 'b'] })).toEqual([
    'chats {"chats":[{"id":"a"},{"id":"b"}],"gone":[]}',
  ]);
  expect(tell(teller, { asking: ['b'] })).toEqual(['chats {"chats":[{"id":"a"}],"gone":[]}']);
});

test('places in the queue are told when they differ from what was told, and not of a chat that is told anyhow', () => {
  const teller = createChatListDiff(1);
  expect(tell(teller, { positions: { a: 0, b: 1 } })).toEqual([
    'chats {"chats":[],"gone":[]}',
    'queue {"positions":{"a":0,"b":1}}',
  ]);
  expect(tell(teller, { positions: { a: 0, b: 1 } })).toEqual([]);
  expect(tell(teller, { positions: null })).toEqual([]);
  expect(tell(teller, { positions: { b: 0, c: 1 }, changed: ['c'] })).toEqual([
    'chats {"chats":[{"id":"c"}],"gone":[]}',
    'queue {"positions":{"b":0}}',
  ]);
});

test('other lists are named when they changed, with chats and alone', () => {
  const teller = createChatListDiff(1);
  expect(tell(teller, { lists: ['agents'], changed: ['a'] })).toEqual([
    'chats {"chats":[{"id":"a"}],"gone":[]}',
    'lists {"changed":["agents"]}',
  ]);
  expect(tell(teller, { version: 2, lists: ['connections', 'projects'] })).toEqual([
    'lists {"changed":["connections","projects"]}',
  ]);
  expect(tell(teller, { version: 3, lists: ['connections'], changed: null })).toEqual([
    'relist {}',
    'lists {"changed":["connections"]}',
  ]);
});

test('what may never have been is followed by the word to ask for the list', () => {
  const teller = createChatListDiff(1);
  tell(teller, {});
  teller.forget();
  expect(tell(teller, { version: 2 })).toEqual(['relist {}']);
  expect(teller.version).toBe(2);
  expect(tell(teller, { version: 3 })).toEqual([]);
  expect(teller.version).toBe(3);
});
