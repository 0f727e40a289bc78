import { expect, test } from 'vitest';
import { searchSkill } from '../../../../../server/models/offline/skills/search.ts';
import { asRequest } from '../../../../support/skill-request.ts';

const recognise = (text: string, parts = {}) => searchSkill.parse(asRequest(text, parts))?.input ?? null;

test.each([
  ['what did I say about Tokyo?', { query: 'Tokyo', role: 'user' }],
  ['What did you tell me about the visa rules', { query: 'visa rules', role: 'assistant' }],
  ['find where I mentioned the invoice', { query: 'invoice', role: 'user' }],
  ['when did we talk about the budget last?', { query: 'budget last' }],
  ['did I ever mention my sister?', { query: 'sister', role: 'user' }],
  ['in which chat did I ask about visas?', { query: 'visas', role: 'user' }],
  ['have we discussed Osaka before?', { query: 'Osaka' }],
  ['search my messages for flight times', { query: 'flight times' }],
  ['search for hotel', { query: 'hotel' }],
  ['find messages about the garden', { query: 'garden' }],
  ['show me my earlier chats about taxes', { query: 'taxes' }],
  ['look up invoices in my chat history', { query: 'invoices' }],
  ['can you search my chats for the word "the"', { query: 'the' }, 'the'],
])('searches for the subject of: %s', (text, input, material: string | null = null) => {
  expect(recognise(text, { material })).toEqual(input);
});

test.each([
  'search the web for cats',
  'what did I just ask?',
  'where is Tokyo?',
  'find the square root of 16',
  'find all emails in this text',
  'I said that Tokyo is nice',
  'what is 2 + 2',
  'search',
])('does not search for: %s', (text) => {
  expect(recognise(text)).toBeNull();
});

test('tells findings as quotations with chat and date', () => {
  const found = [
    {
      chatId: 'c',
      chatTitle: 'Trip',
      role: 'user',
      snippet: 'to Tokyo\nin April',
      createdAt: '2026-11-02T09:15:00.000Z',
    },
  ];
  const reported = searchSkill.format(
    'search_messages',
    { query: 'Tokyo' },
    { found, allWords: true },
    asRequest('x'),
  );
  expect(reported).toBe(
    'One message with “Tokyo”:\n\n> to Tokyo\n> in April\n>\n> — you, in “Trip”, 2 November 2026, 10:15',
  );
});

test('says what was not found', () => {
  const tell = (input: Record<string, unknown>, output: unknown) =>
    searchSkill.format('search_messages', input, output, asRequest('x'));
  expect(tell({ query: 'x', role: 'user' }, { found: [], allWords: true })).toBe(
    'I found no earlier message of yours with “x”.',
  );
  expect(tell({ query: 'x' }, 'odd')).toContain('couldn’t read');
});
