import { afterEach, beforeEach, expect, test } from 'vitest';
import { searchMessages } from '../../../server/store/search-repository.ts';
import { createMessage } from '../../../server/store/message-repository.ts';
import { hasUnindexedMessages } from '../../../server/store/search-index-repository.ts';
import { startProcessing, WORKSPACE, type Processing } from '../../support/processing.ts';

let processing: Processing;
beforeEach(async () => {
  processing = await startProcessing();
});
afterEach(() => processing.remove());

const found = (words: string): string[] =>
  processing.life.store
    .read((reader) => searchMessages(reader, { workspaceId: WORKSPACE, words, limit: 50 }))
    .map(({ role }) => role)
    .sort();
const isBehind = (): boolean => processing.life.store.read(hasUnindexedMessages);

test('makes what was sent searchable, at once when asked to catch up', async () => {
  const chatId = await processing.createChat();
  await processing.send(chatId, 'The lighthouse keeper');
  expect(isBehind()).toBe(true);
  await processing.life.search.catchUp();
  expect(isBehind()).toBe(false);
  expect(found('lighthouse')).toEqual(['user']);
});

test('finds a reply that was finished after the index had passed it', async () => {
  const chatId = await processing.createChat();
  await processing.send(chatId, 'Where is it?');
  const turn = await processing.life.runtime.turnOf(chatId);
  await processing.life.search.catchUp();
  expect(isBehind()).toBe(false);
  turn.reply('By the lighthouse.');
  await processing.untilAtRest(chatId);
  expect(found('lighthouse')).toEqual(['assistant']);
});

test('indexes every message once, however many there are and however often it is asked', async () => {
  const chatId = await processing.createChat();
  await processing.life.store.write((writer) => {
    for (let index = 0; index < 450; index += 1) {
      createMessage(writer, {
        id: `message-${index}`,
        chatId,
        workspaceId: WORKSPACE,
        role: 'user',
        content: index % 10 === 0 ? 'lighthouse' : 'harbour',
        status: 'complete',
        mode: 'agent',
        model: null,
        steps: [],
        error: null,
        usage: null,
        stopReason: null,
        replyTo: null,
        createdAt: new Date(0).toISOString(),
      });
    }
  });
  await Promise.all([processing.life.search.catchUp(), processing.life.search.catchUp()]);
  await processing.life.search.catchUp();
  expect(found('lighthouse')).toHaveLength(45);
});

test('keeps its place over a restart and goes on from there', async () => {
  const chatId = await processing.createChat();
  await processing.send(chatId, 'the first lighthouse');
  await processing.life.search.catchUp();
  await processing.send(chatId, 'the second lighthouse');
  await processing.crash();
  expect(isBehind()).toBe(true);
  await processing.life.search.catchUp();
  expect(found('lighthouse')).toEqual(['user', 'user']);
});

test('leaves what is indexed searchable when the store refuses to be written', async () => {
  const chatId = await processing.createChat();
  await processing.send(chatId, 'one lighthouse');
  await processing.life.search.catchUp();
  await processing.send(chatId, 'another lighthouse');
  processing.life.disk.isFull = true;
  await processing.life.search.catchUp();
  expect(found('one')).toEqual(['user']);
  processing.life.disk.isFull = false;
});
