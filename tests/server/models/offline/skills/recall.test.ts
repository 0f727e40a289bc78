import { expect, test } from 'vitest';
import type { Exchange } from '../../../../../server/models/offline/skill.ts';
import { recall } from '../../../../../server/models/offline/skills/recall/index.ts';
import { asRequest, exchange } from '../../../../support/skill-request.ts';

const history = [
  exchange('hi', 'Hello!'),
  exchange('what is 12 * 7?', '12 × 7 = **84**', [{ tool: 'calculate', input: {}, output: {} }]),
  exchange('5 km in miles', '5 km is **3.107 miles**', [{ tool: 'convert_units', input: {}, output: {} }]),
];
const answer = (
  text: string,
  exchanges: Exchange[] = history,
  hasTools = false,
  summary: string | null = null,
) =>
  recall.says(asRequest(text, { history: exchanges }), {
    hasTools,
    first: (worked) =>
      summary === null ? (exchanges.find(({ steps }) => !worked || steps.length > 0) ?? null) : null,
    summary,
  });

test.each([
  ['what did I just ask?', 'You asked:\n\n> 5 km in miles'],
  ['What was my last question?', 'You asked:\n\n> 5 km in miles'],
  ['repeat that', '5 km is **3.107 miles**'],
  ['say that again, please', '5 km is **3.107 miles**'],
  ['what was the result?', '5 km is **3.107 miles**'],
  ['what did you say', '5 km is **3.107 miles**'],
  [
    'what was the result of the first one?',
    'You asked “what is 12 * 7?”, and the answer was:\n\n> 12 × 7 = **84**',
  ],
  ['what was my first question?', 'You asked:\n\n> hi'],
])('%s', (text, expected) => {
  expect(answer(text)).toBe(expected);
});

test('lists what was asked, with the answers', () => {
  expect(answer('what have I asked so far?')).toBe(
    'So far you asked:\n\n1. “hi” – Hello!\n2. “what is 12 * 7?” – 12 × 7 = **84**\n3. “5 km in miles” – 5 km is **3.107 miles**',
  );
  expect(answer('summarise this conversation')).toContain('So far you asked');
});

test('says so where nothing was said yet', () => {
  expect(answer('what did I just ask?', [])).toBe('This is your first message in this chat.');
  expect(answer('repeat that', [])).toBe('I haven’t answered anything in this chat yet.');
  expect(answer('what have I asked so far?', [])).toContain('Nothing yet');
});

test('tells where this chat speaks of something, and leaves searching to the tools where there are any', () => {
  expect(answer('what did I say about km')).toBe('You said:\n\n> 5 km in miles');
  expect(answer('what did I say about km', history, true)).toBeNull();
  expect(answer('what did I say about zebras')).toBeNull();
});

test.each([
  'repeat "ab" 3 times',
  'what is the result of 2 + 2',
  'what is the first day of May',
  'what was the date yesterday',
  'show me my notes',
  'what was the answer to my second question?',
])('has nothing to say to %j', (text) => {
  expect(answer(text)).toBeNull();
});

test('what was summarised is still told', () => {
  const summary = '- The person: My cat is called Mio.\n- The assistant: A fine name.';
  expect(answer('what did I say about my cat?', history, false, summary)).toMatch(
    /summary[\s\S]*My cat is called Mio\./,
  );
  expect(answer('summarise this chat', history, false, summary)).toMatch(/Mio[\s\S]*Since then you asked/);
  // The first that is left is not the first that was asked.
  expect(answer('what was my first question?', history, false, summary)).toMatch(/can’t find/);
  expect(answer('what did I just ask?', [], false, summary)).toMatch(/only have a summary/);
});
