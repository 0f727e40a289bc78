import { expect, test } from 'vitest';
import type { Message } from '../../../shared/api/message.ts';
import {
  countSettled,
  findFinished,
  inReadingOrder,
  withoutRepeats,
} from '../../../renderer/lib/reading-order.ts';

const message = (id: string, status: Message['status'] = 'complete'): Message => ({
  id,
  role: id.startsWith('u') ? 'user' : 'assistant',
  content: id,
  status,
  createdAt: '2026-11-20T12:00:00.000Z',
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

test('no message is dropped when there are more replies than questions', () => {
  expect(ids(inReadingOrder([message('a1'), message('u1'), message('a2')]))).toEqual(['u1', 'a1', 'a2']);
});

test('everything from the first open message on is asked for again', () => {
  expect(countSettled([message('u1'), message('a1'), message('u2', 'pending'), message('a2')])).toBe(2);
  expect(countSettled([message('u1'), message('a1', 'error')])).toBe(2);
  expect(countSettled([])).toBe(0);
});

test('a reply is told once, when it becomes final', () => {
  const open = [message('u1'), message('a1', 'streaming')];
  const done = [message('u1'), message('a1')];
  expect(ids(findFinished(open, done))).toEqual(['a1']);
  expect(ids(findFinished([], done))).toEqual(['a1']);
  expect(findFinished(done, done)).toEqual([]);
  expect(findFinished(open, open)).toEqual([]);
});

test('a message told twice is kept once, as it was told last', () => {
  const merged = withoutRepeats([message('u1'), message('a1', 'streaming'), message('a1')]);
  expect(merged.map(({ id, status }) => `${id} ${status}`)).toEqual(['u1 complete', 'a1 complete']);
});
