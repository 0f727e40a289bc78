import { afterEach, beforeEach, expect, test } from 'vitest';
import { startProcessing, WORKSPACE, type Processing } from '../../support/processing.ts';
import { echo } from '../../support/scripted-runtime.ts';

let processing: Processing;
let chatId: string;

beforeEach(async () => {
  processing = await startProcessing({ onTurn: echo });
  chatId = await processing.createChat();
});
afterEach(() => processing.remove());

async function ask(content: string): Promise<void> {
  await processing.send(chatId, content);
  await processing.untilAtRest(chatId);
}

const target = (messageId: string) => ({ chatId, workspaceId: WORKSPACE, messageId });
const idOf = (content: string): string =>
  processing.messages(chatId).find((message) => message.content === content)?.id ?? '';
/** What the model was given for its last turn. */
const lastSeen = (): string[] =>
  processing.life.runtime.turns.at(-1)?.request.messages.map(({ content }) => content) ?? [];

test('the model sees each message followed by its reply', async () => {
  await ask('one');
  await ask('two');
  await ask('three');
  expect(lastSeen()).toEqual(['one', 'Re: one', 'two', 'Re: two', 'three']);
});

test('an edited message is answered as if nothing had followed what it replaces', async () => {
  await ask('one');
  await ask('two');
  await ask('three');
  await processing.life.chats.edit({ ...target(idOf('two')), content: 'two, better' });
  await processing.untilAtRest(chatId);
  expect(lastSeen()).toEqual(['one', 'Re: one', 'two, better']);
  await ask('four');
  expect(lastSeen()).toEqual(['one', 'Re: one', 'two, better', 'Re: two, better', 'four']);
});

test('a retry is answered without the reply it is to replace', async () => {
  await ask('one');
  await ask('two');
  await processing.life.chats.retry({ chatId, workspaceId: WORKSPACE });
  await processing.untilAtRest(chatId);
  expect(lastSeen()).toEqual(['one', 'Re: one', 'two']);
});

test('the model sees the branch that is chosen', async () => {
  await ask('one');
  await ask('two');
  const two = idOf('two');
  await processing.life.chats.edit({ ...target(two), content: 'two, better' });
  await processing.untilAtRest(chatId);
  await processing.life.chats.showMessage(target(two));
  await ask('three');
  expect(lastSeen()).toEqual(['one', 'Re: one', 'two', 'Re: two', 'three']);
});

test('the model sees nothing that was deleted, and sees it again when it is restored', async () => {
  await ask('one');
  await ask('two');
  await ask('three');
  const [two, three] = [idOf('two'), idOf('Re: three')];
  await processing.life.chats.deleteMessage(target(two));
  await processing.life.chats.deleteMessage(target(three));
  await ask('four');
  expect(lastSeen()).toEqual(['one', 'Re: one', 'three', 'four']);
  await processing.life.chats.restoreMessage(target(two));
  await ask('five');
  expect(lastSeen()).toEqual(['one', 'Re: one', 'two', 'Re: two', 'three', 'four', 'Re: four', 'five']);
});
