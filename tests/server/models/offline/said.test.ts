/** Requests and dialogues as people have them, with the real tools, on Friday 20 November 2026 in Paris. */
import { describe, expect, it } from 'vitest';
import type { EarlierMessage } from '../../../../server/tools/tool.ts';
import { startConversation } from '../../../support/converse.ts';
import { createMemoryWorkspace } from '../../../support/memory-workspace.ts';
import { expectSaid, readSaid } from '../../../support/said.ts';

const EARLIER: EarlierMessage[] = [
  {
    chatId: 'c1',
    chatTitle: 'Japan trip',
    role: 'user',
    snippet: 'I want to see the cherry blossom in Tokyo in April',
    createdAt: '2026-10-02T09:15:00.000Z',
  },
];

describe.each(['./requests.txt', './figures.txt', './dialogues.txt'])('%s', (file) => {
  describe.each([...readSaid(new URL(file, import.meta.url))])('%s', (_section, conversations) => {
    it.each(conversations.map((said) => [said.map(({ message }) => message.slice(0, 200)), said] as const))(
      '%j',
      async (_messages, said) => {
        await expectSaid(said, { workspace: createMemoryWorkspace(EARLIER) });
      },
    );
  });
});

it('a long table is looked through quickly', async () => {
  const long = ['name,price', ...Array.from({ length: 20_000 }, (_, at) => `item ${at},${at}`)].join('\n');
  const { text } = await startConversation().say(`how many rows have price over 19989?\n${long}`);
  expect(text).toContain('**10** of 20,000 rows');
});
