import { expect, it } from 'vitest';
import type { Message } from '../../../shared/api/message.ts';
import { listMessagesAsJson, messagePieces } from '../../../server/store/message-json.ts';
import { createMessage } from '../../../server/store/message-repository.ts';
import { collect } from '../../support/collect.ts';
import { exportedChat, exportFileOf, replied, said, twoVersions } from '../../support/exported.ts';
import { startTestService } from '../../support/service.ts';
import { storedMessage } from '../../support/stored.ts';

const longMessages = () =>
  Array.from({ length: 300 }, (_, index) => {
    const asked = said(`question ${index}`);
    return [asked, replied(`answer ${index}`, asked.id)];
  }).flat();

it('tells the messages of a long chat in pieces, just as those of a short one', async () => {
  const client = await startTestService();
  const chat = exportedChat([...twoVersions(), ...longMessages()]);
  expect((await client.post('/api/v1/import', exportFileOf(chat))).status).toBe(200);
  const { id } = chat.chat;
  const { store } = client.service;
  const whole = JSON.parse(store.read((reader) => listMessagesAsJson(reader, id))) as Message[];
  expect(whole).toHaveLength(602);
  const pieces = await collect(messagePieces(store, id, {})());
  expect(pieces.length).toBeGreaterThan(5);
  expect(JSON.parse(pieces.join(''))).toEqual(whole);
  expect(await client.messages(id)).toEqual(whole);
  const after = (query: string) =>
    client
      .get(`/api/v1/chats/${id}/messages?${query}`)
      .then((answer) => answer.json<{ messages: Message[] }>());
  expect((await after(`after=${whole[1]?.id ?? ''}`)).messages).toEqual(whole.slice(2));
  expect((await after('limit=3')).messages).toEqual(whole.slice(0, 3));
  expect((await after('limit=550')).messages).toEqual(whole.slice(0, 550));
  expect((await after(`after=${whole.at(-1)?.id ?? ''}`)).messages).toEqual([]);
});

it('tells what was there when the list began, and nothing that came since', async () => {
  const client = await startTestService();
  const chat = exportedChat(longMessages());
  await client.post('/api/v1/import', exportFileOf(chat));
  const { store } = client.service;
  const pieces = messagePieces(store, chat.chat.id, {})();
  const first = await pieces.next();
  await store.write((writer) =>
    createMessage(
      writer,
      storedMessage({ chatId: chat.chat.id, workspaceId: chat.chat.workspaceId, content: 'later' }),
    ),
  );
  const rest = await collect(pieces);
  const list = JSON.parse([first.value as string, ...rest].join('')) as Message[];
  expect(list.map(({ content }) => content)).toEqual(chat.messages.map(({ content }) => content));
});
