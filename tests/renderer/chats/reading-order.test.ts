import { expect, test } from 'vitest';
import type { Message } from '../../../shared/api/message.ts';
import { findFinished, inReadingOrder } from '../../../renderer/chats/reading-order.ts';

const message = (id: string, status: Message['status'] = 'complete'): Message => ({
  id,
  role: id.startsWith('u') ? 'user' : 'assistant',
  content: id,
  status,
  createdAt: '2026-11-20T12:00:00.000Z',
  ...(id.startsWith('a') && { replyTo: id.replace('a', 'u') }),
});
const ids = (messages: Message[]): string[] => messages.map(({ id }) => id);

test('a reply stands right after its question, however many were asked meanwhile', () => {
  const listed = [
    message('u1'),
    message('u2'),
    message('u3', 'pending'),
    message('a1'),
    message('a2', 'streaming'),
  ];
  expect(ids(inReadingOrder(listed))).toEqual(['u1', 'a1', 'u2', 'a2', 'u3']);
});

test('a reply that is missing, doubled or without its question moves no other', () => {
  const again: Message = { ...message('a3'), id: 'again', replyTo: 'u3' };
  const listed = [
    message('a9'),
    message('u1'),
    message('u2'),
    message('u3'),
    message('a2'),
    message('a3'),
    again,
  ];
  expect(ids(inReadingOrder(listed))).toEqual(['a9', 'u1', 'u2', 'a2', 'u3', 'a3', 'again']);
});

test('a reply is told once, when it becomes final', () => {
  const open = [message('u1'), message('a1', 'streaming')];
  const done = [message('u1'), message('a1')];
  expect(ids(findFinished(open, done))).toEqual(['a1']);
  expect(ids(findFinished([], done))).toEqual(['a1']);
  expect(findFinished(done, done)).toEqual([]);
  expect(findFinished(open, open)).toEqual([]);
  const answered = [message('u1'), message('a1', 'streaming'), message('u2')];
  expect(ids(findFinished(answered, [...done, message('u2'), message('a2')]))).toEqual(['a1', 'a2']);
});
