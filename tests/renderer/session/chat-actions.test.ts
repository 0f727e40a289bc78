import { expect, test } from 'vitest';
import { joinExports } from '../../../renderer/api/files.ts';
import { ApiProblem } from '../../../renderer/api/problem.ts';
import { ChatActions } from '../../../renderer/session/chat-actions.ts';
import { Toasts } from '../../../renderer/ui/toasts.svelte.ts';
import type { Chat } from '../../../shared/api/chat.ts';

const chatOf = (id: string, more: Partial<Chat> = {}): Chat => ({ id, title: id, ...more }) as Chat;

/** Actions over a service that refuses what is about these chats. `a` is the open chat. */
function open(refused: readonly string[] = [], pages: Chat[][] = []) {
  const calls: string[] = [];
  const shown: (string | null)[] = [];
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
  const workbench = { api, chats, toasts, conversation: { chatId: 'a' as string | null } };
  const show = (chatId: string | null): void => {
    workbench.conversation = { chatId };
    shown.push(chatId);
  };
  const shell = {
    route: { view: 'chat' },
    startNewChat: () => show(null),
    go: ({ chatId }: { chatId: string }) => show(chatId),
  };
  type Parts = ConstructorParameters<typeof ChatActions>;
  const actions = new ChatActions(...([workbench, shell] as unknown as Parts));
  return { actions, calls, shown, show, toasts, said: () => toasts.items.map(({ text }) => text) };
}

const FIVE = ['a', 'b', 'c', 'd', 'e'].map((id) => chatOf(id));

test('deletes each chat once, says so once, and brings all of them back', async () => {
  const { actions, calls, shown, toasts, said } = open();
  await actions.delete(FIVE);
  expect(calls.toSorted()).toEqual(FIVE.map(({ id }) => `delete ${id}`));
  expect(said()).toEqual(['Deleted 5 chats.']);
  expect(shown).toEqual([null]);
  await toasts.items[0]?.action?.run();
  expect(calls.slice(5).toSorted()).toEqual(FIVE.map(({ id }) => `restore ${id}`));
  expect(shown).toEqual([null, 'a']);
});

test('one that is refused keeps none of the others back, and is told with its reason', async () => {
  const { actions, said, toasts, calls } = open(['c']);
  await actions.setArchived(FIVE, true);
  expect(said()).toEqual([`“c” was not changed. Full.`, 'Archived 4 chats.']);
  await toasts.items[1]?.action?.run();
  expect(calls.filter((call) => call.startsWith('{"archived":false}'))).toHaveLength(4);
});

test('when the open chat is refused, the page goes back to it', async () => {
  const { actions, shown, said } = open(['a']);
  await actions.delete(FIVE);
  expect(shown).toEqual([null, 'a']);
  expect(said()).toEqual([`“a” was not deleted. Full.`, 'Deleted 4 chats.']);
});

test('an Undo leaves a person where they have gone meanwhile', async () => {
  const { actions, shown, show, toasts } = open();
  await actions.delete([chatOf('a')]);
  show('b');
  await toasts.items[0]?.action?.run();
  expect(shown).toEqual([null, 'b']);
});

test('an Undo that is refused says what was not done', async () => {
  const refused: string[] = [];
  const { actions, toasts, said } = open(refused);
  await actions.delete([chatOf('b')]);
  refused.push('b');
  await toasts.items[0]?.action?.run();
  expect(said()).toEqual(['Deleted “b”.', '“b” was not restored. Full.']);
});

test('a chat that is not open is deleted without leaving the open one', async () => {
  const { actions, shown, said } = open();
  await actions.delete([chatOf('b')]);
  expect(shown).toEqual([]);
  expect(said()).toEqual(['Deleted “b”.']);
});

test('marks as read what is unread, on all pages of the list', async () => {
  const pages = [[chatOf('a'), chatOf('b', { unread: true })], [chatOf('c', { unread: true })]];
  const { actions, calls, said } = open([], pages);
  await actions.markAllRead();
  expect(calls.toSorted()).toEqual(['{"unread":false} b', '{"unread":false} c']);
  expect(said()).toEqual(['Marked 2 chats as read.']);
  await actions.markRead([chatOf('a')]);
  expect(said().at(-1)).toBe('Nothing was unread.');
});

test('a new title that was refused can be tried again', async () => {
  const { actions, calls, toasts } = open(['a']);
  await actions.rename(chatOf('a'), 'New');
  await toasts.items[0]?.action?.run();
  expect(calls).toEqual(['{"title":"New"} a', '{"title":"New"} a']);
});

test('several exports are one file, of the same kind', () => {
  const file = (...chats: string[]) => JSON.stringify({ format: 'parley', version: 1, chats });
  expect(JSON.parse(joinExports([file('a'), file('b', 'c')]))).toEqual({
    format: 'parley',
    version: 1,
    chats: ['a', 'b', 'c'],
  });
});
