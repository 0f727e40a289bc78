import { expect, test } from 'vitest';
import { chatIn, fragmentOf } from '../../../renderer/state/address.ts';

test('a chat’s address leads back to it, whatever its id', () => {
  for (const id of ['185352a7-75f8', 'a b/c?d#e', 'ü']) expect(chatIn(fragmentOf(id))).toBe(id);
  expect(chatIn(fragmentOf(null))).toBeNull();
});

test('anything else is a new chat', () => {
  for (const fragment of ['', '#', '#/chats/', '#/chats/a/b', '#/chats/%E0%A4%A', '#token=x']) {
    expect(chatIn(fragment), fragment).toBeNull();
  }
});
