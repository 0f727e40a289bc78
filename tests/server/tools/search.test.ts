import { expect, test } from 'vitest';
import { searchMessages } from '../../../server/tools/search.ts';
import type { EarlierMessage } from '../../../server/tools/tool.ts';
import { createMemoryWorkspace } from '../../support/memory-workspace.ts';
import { toolContext } from '../../support/tool-context.ts';

const message = (snippet: string, role: EarlierMessage['role'] = 'user', minute = 0): EarlierMessage => ({
  chatId: 'chat-1',
  chatTitle: 'Plans',
  role,
  snippet,
  createdAt: `2026-11-19T10:0${minute}:00.000Z`,
});
const context = toolContext({
  workspace: createMemoryWorkspace([
    message('The flight to Tokyo leaves on Monday', 'user', 1),
    message('A flight takes 12 hours', 'assistant', 2),
    message('Tokyo is nine hours ahead', 'assistant', 3),
  ]),
});
const snippets = async (input: Parameters<typeof searchMessages.run>[0]) => {
  const { found, allWords } = await searchMessages.run(input, context);
  return [found.map((one) => one.snippet), allWords];
};

test('finds messages that hold all the words', async () => {
  expect(await snippets({ query: 'flight tokyo' })).toEqual([['The flight to Tokyo leaves on Monday'], true]);
});

test('finds only what one side wrote when asked so', async () => {
  expect(await snippets({ query: 'tokyo', role: 'assistant' })).toEqual([
    ['Tokyo is nine hours ahead'],
    true,
  ]);
});

test('falls back to single words, each message once, and says so', async () => {
  expect(await snippets({ query: 'flight hours to Osaka' })).toEqual([
    ['The flight to Tokyo leaves on Monday', 'A flight takes 12 hours', 'Tokyo is nine hours ahead'],
    false,
  ]);
});

test('finds nothing where there is nothing', async () => {
  expect(await snippets({ query: 'zebra' })).toEqual([[], true]);
});
