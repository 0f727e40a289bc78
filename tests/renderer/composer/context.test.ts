import { expect, test } from 'vitest';
import type { Chat } from '../../../shared/api/chat.ts';
import type { ChatContext } from '../../../shared/api/context.ts';
import { OpenContext } from '../../../renderer/composer/context.svelte.ts';
import type { Conversation } from '../../../renderer/chats/conversation.svelte.ts';
import { Toasts } from '../../../renderer/ui/toasts.svelte.ts';

const CONTEXT: ChatContext = {
  tokens: 50,
  isEstimate: false,
  limit: 200,
  summary: null,
  compacting: false,
  setup: null,
  canCompact: true,
};

function create(answer: () => Promise<ChatContext> = () => Promise.resolve(CONTEXT)) {
  const asked: string[] = [];
  const open = { chatId: 'a', chat: { id: 'a', model: 'm', status: 'idle', updatedAt: '1' }, messages: [] };
  const conversation = open as unknown as Conversation & { chat: Chat; chatId: string };
  const toasts = new Toasts();
  const api = {
    findContext: (id: string) => {
      asked.push(id);
      return answer();
    },
    compactChat: () => answer(),
  };
  type Workbench = ConstructorParameters<typeof OpenContext>[0];
  const context = new OpenContext({ api, toasts } as unknown as Workbench, () => conversation);
  return { context, open, asked, toasts };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));

test('it is asked for once for each state of the chat, and not while a reply is under way', async () => {
  const { context, open, asked } = create();
  context.follow();
  context.follow();
  await settled();
  expect(asked).toEqual(['a']);
  expect(context.share).toBe(0.25);
  open.chat = { ...open.chat, status: 'processing', updatedAt: '2' };
  context.follow();
  expect(asked).toEqual(['a']);
  expect(context.busy).toBe(true);
  open.chat = { ...open.chat, status: 'idle', updatedAt: '3' };
  context.follow();
  expect(asked).toEqual(['a', 'a']);
});

test('what is known of one chat is not told of another', async () => {
  const { context, open } = create();
  context.follow();
  await settled();
  open.chatId = 'b';
  expect(context.context).toBeNull();
  expect(context.share).toBeNull();
});

test('an answer that does not come is asked for again, and a refusal to compact is said', async () => {
  const { context, asked, toasts } = create(() => Promise.reject(new Error('no')));
  context.follow();
  await settled();
  context.follow();
  await settled();
  expect(asked).toHaveLength(2);
  await context.compact();
  expect(context.compacting).toBe(false);
  expect(toasts.items).toHaveLength(1);
});
