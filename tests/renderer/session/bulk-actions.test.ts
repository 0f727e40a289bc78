import { expect, test } from 'vitest';
import { joinExports } from '../../../renderer/api/files.ts';
import { ApiProblem } from '../../../renderer/api/problem.ts';
import { words } from '../../../renderer/lib/words/index.ts';
import { BulkActions } from '../../../renderer/session/bulk-actions.ts';
import { Toasts } from '../../../renderer/ui/toasts.svelte.ts';
import type { Chat } from '../../../shared/api/chat.ts';

const chatOf = (id: string, more: Partial<Chat> = {}): Chat => ({ id, title: id, ...more }) as Chat;

/** Bulk actions over a service that refuses what is about these chats. */
function open(refused: readonly string[] = [], pages: Chat[][] = []) {
  const calls: string[] = [];
  const left: string[] = [];
  const toasts = new Toasts();
  const call = async (name: string, id: string): Promise<Chat> => {
    calls.push(`${name} ${id}`);
    if (refused.includes(id)) throw new ApiProblem(507, 'storage_full', 'Full.');
    return Promise.resolve(chatOf(id));
  };
  const chats = {
    update: (id: string, change: object) => call(JSON.stringify(change), id),
    delete: (id: string) => call('delete', id),
    restore: (id: string) => call('restore', id),
  };
  const total = pages.length * 100;
  const api = { listChats: (page: number) => Promise.resolve({ data: pages[page - 1] ?? [], total }) };
  const leave = ({ id }: Chat) => {
    left.push(id);
    return { undo: () => left.push(`back to ${id}`) };
  };
  type Parts = ConstructorParameters<typeof BulkActions>[0];
  const bulk = new BulkActions({ api, chats, toasts } as unknown as Parts, { leave });
  return { bulk, calls, left, toasts, said: () => toasts.items.map(({ text }) => text) };
}

const FIVE = ['a', 'b', 'c', 'd', 'e'].map((id) => chatOf(id));

test('deletes each chat once, says so once, and brings all of them back', async () => {
  const { bulk, calls, left, toasts, said } = open();
  await bulk.delete(FIVE);
  expect(calls.toSorted()).toEqual(FIVE.map(({ id }) => `delete ${id}`));
  expect(said()).toEqual([words.bulk.deleted(5)]);
  expect(left).toEqual(FIVE.map(({ id }) => id));
  await toasts.items[0]?.action?.run();
  expect(calls.slice(5).toSorted()).toEqual(FIVE.map(({ id }) => `restore ${id}`));
  expect(left.slice(5)).toEqual(FIVE.map(({ id }) => `back to ${id}`));
});

test('one that is refused keeps none of the others back, and is told with its reason', async () => {
  const { bulk, said, toasts, calls } = open(['c']);
  await bulk.setArchived(FIVE, true);
  expect(said()).toEqual([words.bulk.notAll(1, words.apiErrors.storage_full), words.bulk.archived(4)]);
  await toasts.items[1]?.action?.run();
  expect(calls.filter((call) => call.startsWith('{"archived":false}'))).toHaveLength(4);
});

test('when all are refused, the page goes back to the chat it had left', async () => {
  const { bulk, left, said } = open(['a']);
  await bulk.delete([chatOf('a')]);
  expect(left).toEqual(['a', 'back to a']);
  expect(said()).toEqual([words.bulk.notAll(1, words.apiErrors.storage_full)]);
});

test('marks as read what is unread, on all pages of the list', async () => {
  const pages = [[chatOf('a'), chatOf('b', { unread: true })], [chatOf('c', { unread: true })]];
  const { bulk, calls, said } = open([], pages);
  await bulk.markAllRead();
  expect(calls.toSorted()).toEqual(['{"unread":false} b', '{"unread":false} c']);
  expect(said()).toEqual([words.bulk.read(2)]);
  await bulk.markRead([chatOf('a')]);
  expect(said().at(-1)).toBe(words.bulk.read(0));
});

test('several exports are one file, of the same kind', () => {
  const file = (...chats: string[]) => JSON.stringify({ format: 'parley', version: 1, chats });
  expect(JSON.parse(joinExports([file('a'), file('b', 'c')]))).toEqual({
    format: 'parley',
    version: 1,
    chats: ['a', 'b', 'c'],
  });
});
