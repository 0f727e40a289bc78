/** A model that calls tools by names, and with input, that no server takes back. */
import { expect, it } from 'vitest';
import { startContextChat } from '../support/context-chats.ts';

it('is answered in words, and the conversation goes on', async () => {
  const { api, chatId, server } = await startContextChat({ scenario: 'misnames-tools' });
  const replies = async (): Promise<unknown[]> =>
    (await api.messages(chatId)).filter(({ role }) => role === 'assistant').map(({ status }) => status);
  await api.send(chatId, 'misname');
  await api.settled(chatId);
  expect(await replies()).toEqual(['complete']);
  const [step] = (await api.messages(chatId))[1]?.steps ?? [];
  // A person still sees what the model really wrote.
  expect(step).toMatchObject({ tool: 'repo.calculate', status: 'failed' });

  await api.send(chatId, 'go on');
  await api.settled(chatId);
  expect(await replies()).toEqual(['complete', 'complete']);
  expect(server.asked().at(-1)?.asked?.calls).toEqual([
    { name: 'repo_calculate', args: '{"expression": "6*' },
  ]);
});
