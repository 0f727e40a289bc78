/** Searches that find messages by the names of their files. */
import { expect, it } from 'vitest';
import type { SearchResults } from '../../shared/api/search.ts';
import { textFile } from '../support/files.ts';
import { keyElsewhere, startTestService, type TestService } from '../support/service.ts';

async function start() {
  const service = await startTestService();
  const { id } = await service.createChat();
  return { service, chatId: id };
}

async function send(
  service: TestService,
  chatId: string,
  content: string,
  ...names: string[]
): Promise<string> {
  const data = textFile(20).toString('base64');
  const attachments = names.map((name) => ({ name, data }));
  await service.send(chatId, content, { attachments });
  await service.settled(chatId);
  const sent = (await service.messages(chatId)).filter(({ role }) => role === 'user');
  return sent.at(-1)?.id ?? '';
}

async function search(service: TestService, q: string, key?: string): Promise<SearchResults['messages']> {
  const answer = await service.get(
    `/api/v1/search?q=${encodeURIComponent(q)}`,
    key === undefined ? {} : { key },
  );
  expect(answer.status).toBe(200);
  return answer.json<SearchResults>().messages;
}
const marked = ({ snippet }: SearchResults['messages'][number]): string =>
  snippet.map(({ text, match }) => (match ? `[${text}]` : text)).join('');
const found = async (service: TestService, q: string): Promise<string[]> =>
  (await search(service, q)).map(marked);

it('a message is found by the name of a file that it has, and says so', async () => {
  const { service, chatId } = await start();
  const messageId = await send(
    service,
    chatId,
    'Look at this.',
    'a.txt',
    'Jahresübersicht 2026.csv',
    '発注書.txt',
  );
  const [hit] = await search(service, 'jahresubersicht');
  expect(hit).toMatchObject({ messageId, chatId, role: 'user', file: 'Jahresübersicht 2026.csv' });
  expect(await found(service, 'Jahresübersicht')).toEqual(['[Jahresübersicht] 2026.csv']);
  expect(await found(service, '2026.csv jahres')).toEqual(['[Jahresübersicht] [2026.csv]']);
  expect(await found(service, '発注')).toEqual(['[発注]書.txt']);
  expect(await found(service, 'jahresübersicht 2025')).toEqual([]);
});

it('a message whose text holds the words, too, is found once, by its text', async () => {
  const { service, chatId } = await start();
  await send(service, chatId, 'The lighthouse is on the left.', 'lighthouse.txt');
  const hits = (await search(service, 'lighthouse')).filter(({ role }) => role === 'user');
  expect(hits).toHaveLength(1);
  expect(hits[0]).not.toHaveProperty('file');
});

it('what was deleted, what lies in another workspace and what no message has isn’t found', async () => {
  const { service, chatId } = await start();
  const messageId = await send(service, chatId, 'One.', 'harbour.txt');
  await service.request({ method: 'POST', path: '/api/v1/files?name=harbour-unsent.txt', body: 'x' });
  expect(await search(service, 'harbour')).toHaveLength(1);
  expect(await search(service, 'harbour', await keyElsewhere(service))).toEqual([]);
  await service.request({ method: 'DELETE', path: `/api/v1/chats/${chatId}/messages/${messageId}` });
  expect(await search(service, 'harbour')).toEqual([]);
});

it('the agents’ own search finds it as well', async () => {
  const { service, chatId } = await start();
  await send(service, chatId, 'One.', 'harbour plan.txt');
  const { id } = await service.createChat();
  await service.send(id, '/tool search_messages harbour plan');
  await service.settled(id);
  expect(JSON.stringify(await service.messages(id))).toContain('harbour plan.txt');
});
