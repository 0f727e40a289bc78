import { afterEach, beforeEach, expect, test } from 'vitest';
import { queryTerms } from '../../../server/search/normalise.ts';
import { createMessageSearch } from '../../../server/search/message-search.ts';
import { eraseMessages } from '../../../server/store/erase-repository.ts';
import { createMessage } from '../../../server/store/message-repository.ts';
import {
  hasUnindexedMessages,
  INDEX_MESSAGES,
  indexNextMessages,
} from '../../../server/store/search-index-repository.ts';
import { foundRoles } from '../../support/found-roles.ts';
import { startProcessing, WORKSPACE, type Processing } from '../../support/processing.ts';
import { storedMessage } from '../../support/stored.ts';

let processing: Processing;
beforeEach(async () => {
  processing = await startProcessing();
});
afterEach(() => processing.remove());

const found = (words: string): string[] => foundRoles(processing.life.store, WORKSPACE, words);
const isBehind = (): boolean => processing.life.store.read(hasUnindexedMessages);

const addMessages = (chatId: string, count: number, contentOf: (index: number) => string): Promise<void> =>
  processing.life.store.write((writer) => {
    for (let index = 0; index < count; index += 1) {
      createMessage(writer, storedMessage({ chatId, workspaceId: WORKSPACE, content: contentOf(index) }));
    }
  });

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
  await addMessages(chatId, 450, (index) => (index % 10 === 0 ? 'lighthouse' : 'harbour'));
  await Promise.all([processing.life.search.catchUp(), processing.life.search.catchUp()]);
  await processing.life.search.catchUp();
  expect(found('lighthouse')).toHaveLength(45);
});

test('merges its parts a little with each batch, never as many at once as SQLite does by itself', async () => {
  const chatId = await processing.createChat();
  await addMessages(chatId, 160, (index) =>
    String.fromCodePoint(
      ...Array.from({ length: 4_000 }, (_, at) => 0x4e00 + ((index * 7 + at * at) % 3_000)),
    ),
  );
  const { store } = processing.life;
  let most = 0;
  while (isBehind()) {
    await store.write((writer) => indexNextMessages(writer, { messages: 100, bytes: 16_000 }));
    const parts = store.read((reader) =>
      reader.get<{ count: number }>(
        'SELECT max(parts) AS count FROM (SELECT count(*) AS parts FROM messages_found_0_segdir GROUP BY level)',
      ),
    );
    most = Math.max(most, parts?.count ?? 0);
  }
  expect(most).toBeGreaterThan(1);
  // Sixteen of a kind are merged at once, whatever their size.
  expect(most).toBeLessThan(12);
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

test('takes up long messages a few at a time', async () => {
  await addMessages(await processing.createChat(), 20, () => 'x'.repeat(40_000));
  const { store } = processing.life;
  const limit = { messages: 200, bytes: 64 * 1024 };
  let times = 0;
  while (isBehind()) {
    await store.write((writer) => indexNextMessages(writer, limit));
    times += 1;
  }
  expect(times).toBe(20);
});

test('finds messages of every index, whichever numbers have none', async () => {
  const chatId = await processing.createChat();
  const { store, search } = processing.life;
  const add = (seq: number): Promise<void> =>
    store.write((writer) => {
      const content = `lighthouse ${seq}`;
      const added = createMessage(
        writer,
        storedMessage({ id: `m${seq}`, chatId, workspaceId: WORKSPACE, content }),
      );
      writer.run('UPDATE messages SET seq = ? WHERE seq = ?', [seq, added]);
    });
  const messages = createMessageSearch(store, search);
  const all = async (words: string): Promise<string[]> =>
    (await messages.find({ workspaceId: WORKSPACE, terms: queryTerms(words), limit: 50 })).map(
      ({ messageId }) => messageId,
    );
  for (const seq of [4_096, 4_097, INDEX_MESSAGES, INDEX_MESSAGES + 1, 5 * INDEX_MESSAGES]) await add(seq);
  expect((await all('lighth')).sort()).toEqual(['m163840', 'm32768', 'm32769', 'm4096', 'm4097']);
  expect(await all('lighthouse 32769')).toEqual(['m32769']);
  await store.write((writer) => eraseMessages(writer, [5 * INDEX_MESSAGES, INDEX_MESSAGES + 1]));
  await add(3 * INDEX_MESSAGES);
  expect((await all('lighthouse')).sort()).toEqual(['m32768', 'm4096', 'm4097', 'm98304']);
});
