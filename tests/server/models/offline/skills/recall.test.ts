import { expect, test } from 'vitest';
import type { EarlierExchange } from '../../../../../server/models/offline/skill.ts';
import { recall } from '../../../../../server/models/offline/skills/recall.ts';
import { asRequest, exchange } from '../../../../support/skill-request.ts';

const history = [
  exchange('hi', 'Hello!'),
  exchange('what is 12 * 7?', '12 × 7 = **84**', [{ tool: 'calculate', input: {}, output: {} }]),
  exchange('5 km in miles', '5 km is **3.107 miles**', [{ tool: 'convert_units', input: {}, output: {} }]),
];
const SUMMARY = '- The person: My cat is called Mio.\n- The assistant: A fine name.';
const answer = (text: string, exchanges: EarlierExchange[] = history, summary: string | null = null) =>
  recall(asRequest(text, { history: exchanges }), { hasTools: false, summary });

test.each([
  ['what did I just ask?', 'You asked:\n\n> 5 km in miles'],
  ['What was my last question?', 'You asked:\n\n> 5 km in miles'],
  ['repeat that', '5 km is **3.107 miles**'],
  ['say that again, please', '5 km is **3.107 miles**'],
  ['what was the result?', '5 km is **3.107 miles**'],
  ['what did you say', '5 km is **3.107 miles**'],
  [
    'what have I asked so far?',
    'So far you asked:\n\n1. “hi” – Hello!\n2. “what is 12 * 7?” – 12 × 7 = **84**\n3. “5 km in miles” – 5 km is **3.107 miles**',
  ],
])('%s', (text, expected) => {
  expect(answer(text)).toBe(expected);
});

test('says so where nothing was said yet', () => {
  expect(answer('what did I just ask?', [])).toBe('This is your first message in this chat.');
  expect(answer('repeat that', [])).toBe('I haven’t answered anything in this chat yet.');
  expect(answer('what have I asked so far?', [])).toContain('Nothing yet');
});

test.each([
  'repeat "ab" 3 times',
  'what is the result of 2 + 2',
  'what was the date yesterday',
  'show me my notes',
  'what was the answer to my second question?',
  'what did I say about zebras',
])('has nothing to say to %j', (text) => {
  expect(answer(text)).toBeNull();
});

test('tells where this chat speaks of something, and leaves searching to the tools where there are any', () => {
  expect(answer('what did I say about my cat?', history, SUMMARY)).toContain('My cat is called Mio.');
  expect(answer('what did I say about km')).toContain('> 5 km in miles');
  const said = asRequest('what did I say about km', { history });
  expect(recall(said, { hasTools: true, summary: null })).toBeNull();
});

test('what was summarised is still told', () => {
  expect(answer('summarise this conversation', history, SUMMARY)).toMatch(/Mio[\s\S]*Since then you asked/);
  expect(answer('what did I just ask?', [], SUMMARY)).toMatch(/only have a summary/);
});
