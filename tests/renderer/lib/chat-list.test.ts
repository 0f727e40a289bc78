import { expect, test } from 'vitest';
import type { Chat } from '../../../shared/api/chat.ts';
import { mergeChats, withFirstPage } from '../../../renderer/lib/chat-list.ts';

const chat = (id: string, second: number, status: Chat['status'] = 'idle'): Chat => ({
  id,
  title: id,
  status,
  model: 'offline-assistant',
  createdAt: '2026-11-20T12:00:00.000Z',
  updatedAt: `2026-11-20T12:00:${String(second).padStart(2, '0')}.000Z`,
  workspaceId: 'w',
  agentType: 'orchestrator',
  pinned: false,
  archived: false,
});
const ids = (chats: Chat[]): string[] => chats.map(({ id }) => id);

test('chats are listed newest first, ties by id', () => {
  expect(ids(mergeChats([], [chat('b', 1), chat('c', 2), chat('a', 1)]))).toEqual(['c', 'a', 'b']);
});

test('an answer that arrives late does not undo a newer one', () => {
  const merged = mergeChats([chat('a', 5, 'idle')], [chat('a', 3, 'processing')]);
  expect(merged).toEqual([chat('a', 5, 'idle')]);
});

test('of two states of the same moment the one told last counts', () => {
  expect(mergeChats([chat('a', 5, 'completed')], [chat('a', 5, 'idle')])[0]?.status).toBe('idle');
});

test('a chat that left the first page is gone, older ones stay', () => {
  const known = [chat('gone', 9), chat('a', 8), chat('b', 7), chat('older', 1)];
  expect(ids(withFirstPage(known, [chat('a', 8), chat('b', 7)], false))).toEqual(['a', 'b', 'older']);
});

test('a page that holds all there is leaves nothing else', () => {
  expect(ids(withFirstPage([chat('a', 8), chat('older', 1)], [chat('a', 8)], true))).toEqual(['a']);
  expect(withFirstPage([chat('a', 8)], [], true)).toEqual([]);
});
