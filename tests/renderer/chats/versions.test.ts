import { expect, test } from 'vitest';
import { versionsOf } from '../../../renderer/chats/versions.ts';
import type { Message } from '../../../shared/api/message.ts';

const message = (id: string, more: Partial<Message> = {}): Message => ({
  id,
  role: 'user',
  content: 'one',
  status: 'complete',
  createdAt: '2026-11-20T12:00:00.000Z',
  ...more,
});

test('a message of one version offers none', () => {
  expect(versionsOf(message('a'))).toEqual({ questions: [], replies: [] });
});

test('edits are offered at the question, each by its last try, and tries at the reply', () => {
  const versions = ['a', 'b', 'c', 'd', 'e'];
  const retries = [
    { id: 'b', retryOf: 'a' },
    { id: 'd', retryOf: 'a' },
    { id: 'e', retryOf: 'c' },
  ];
  const at = (id: string) => versionsOf(message(id, { versions, retries }));
  expect(at('a')).toEqual({ questions: ['a', 'e'], replies: ['a', 'b', 'd'] });
  expect(at('b')).toEqual({ questions: ['b', 'e'], replies: ['a', 'b', 'd'] });
  expect(at('c')).toEqual({ questions: ['d', 'c'], replies: ['c', 'e'] });
});

test('retries belong together when what they repeat was deleted', () => {
  const retries = [
    { id: 'b', retryOf: 'a' },
    { id: 'c', retryOf: 'a' },
  ];
  expect(versionsOf(message('c', { versions: ['b', 'c'], retries }))).toEqual({
    questions: ['c'],
    replies: ['b', 'c'],
  });
});
