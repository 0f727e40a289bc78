import { expect, test } from 'vitest';
import type { Chat } from '../../../shared/api/chat.ts';
import { mergeChats, withChange, withPage, type ChatPage } from '../../../renderer/chats/chat-list.ts';

const chat = (id: string, second: number, more: Partial<Chat> = {}): Chat => ({
  id,
  title: id,
  status: 'idle',
  model: 'offline-assistant',
  createdAt: '2026-11-20T12:00:00.000Z',
  updatedAt: `2026-11-20T12:00:${String(second).padStart(2, '0')}.000Z`,
  workspaceId: 'w',
  agentType: 'orchestrator',
  pinned: false,
  archived: false,
  ...more,
});
const ids = (chats: readonly Chat[]): string[] => chats.map(({ id }) => id);
const page = (data: Chat[], more: Partial<ChatPage> = {}): ChatPage => ({
  data,
  isFirst: true,
  isLast: false,
  holds: ({ pinned }) => !pinned,
  ...more,
});

test('chats are listed newest first, ties by id', () => {
  expect(ids(mergeChats([], [chat('b', 1), chat('c', 2), chat('a', 1)]))).toEqual(['c', 'a', 'b']);
});

test('an answer that arrives late does not undo a newer one', () => {
  expect(mergeChats([chat('a', 5)], [chat('a', 3, { status: 'processing' })])).toEqual([chat('a', 5)]);
});

test('of two states of the same moment the one told last counts', () => {
  const known = [chat('a', 5, { status: 'completed', unread: true })];
  expect(mergeChats(known, [chat('a', 5)])).toEqual([chat('a', 5)]);
  expect(mergeChats(known, [chat('a', 5, { title: 'Another' })])[0]?.title).toBe('Another');
});

test('an answer that says nothing new leaves the very same list', () => {
  const known = [chat('b', 8), chat('a', 1)];
  expect(withPage(known, page([chat('b', 8), chat('a', 1)], { isLast: true }))).toBe(known);
});

test('a chat that left the first page is gone, older ones stay', () => {
  const known = [chat('gone', 9), chat('a', 8), chat('b', 7), chat('older', 1)];
  expect(ids(withPage(known, page([chat('a', 8), chat('b', 7)])))).toEqual(['a', 'b', 'older']);
});

test('a page that holds all there is leaves nothing else of its list', () => {
  const known = [chat('a', 8), chat('pin', 5, { pinned: true }), chat('older', 1)];
  expect(ids(withPage(known, page([chat('a', 8)], { isLast: true })))).toEqual(['a', 'pin']);
  expect(withPage([chat('a', 8)], page([], { isLast: true }))).toEqual([]);
});

test('a later page takes off only what should stand on it', () => {
  const known = [chat('new', 9), chat('b', 7), chat('gone', 6), chat('c', 5), chat('d', 2)];
  const second = page([chat('b', 7), chat('c', 5)], { isFirst: false });
  expect(ids(withPage(known, second))).toEqual(['new', 'b', 'c', 'd']);
  const last = page([chat('b', 7), chat('c', 5)], { isFirst: false, isLast: true });
  expect(ids(withPage(known, last))).toEqual(['new', 'b', 'c']);
});

test('an unpinned chat moves to the other list instead of going', () => {
  const known = [chat('a', 5, { pinned: true })];
  const others = withPage(known, page([chat('a', 5)], { isLast: true }));
  const pinned = withPage(others, page([], { isLast: true, holds: (one) => one.pinned }));
  expect(pinned).toEqual([chat('a', 5)]);
});

test('a change is laid over a chat as the service will answer it', () => {
  const unread = chat('a', 5, { unread: true });
  expect(withChange(unread, { unread: false, title: 'B' })).toEqual(chat('a', 5, { title: 'B' }));
  expect(withChange(unread, { pinned: true })).toEqual(chat('a', 5, { unread: true, pinned: true }));
});
