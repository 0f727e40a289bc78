import { expect, test } from 'vitest';
import { countWaiting } from '../../../renderer/composer/waiting.ts';
import type { Message, MessageRole, MessageStatus } from '../../../shared/api/message.ts';

const message = (role: MessageRole, status: MessageStatus): Message => ({
  id: '',
  role,
  status,
  content: '',
  createdAt: '',
});
const asked = message('user', 'complete');
const queued = message('user', 'pending');
const answered = message('assistant', 'complete');
const answering = message('assistant', 'streaming');

test('messages behind a reply under way wait for it', () => {
  expect(countWaiting([asked, answered, asked, answering, queued, queued])).toBe(2);
  expect(countWaiting([asked, queued])).toBe(1);
});

test('the message that is next waits for no reply', () => {
  expect(countWaiting([queued])).toBe(0);
  expect(countWaiting([asked, answered, queued, queued])).toBe(1);
  expect(countWaiting([asked, answering])).toBe(0);
  expect(countWaiting([asked, answered])).toBe(0);
  expect(countWaiting([])).toBe(0);
});
