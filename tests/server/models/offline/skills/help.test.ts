import { expect, test } from 'vitest';
import { createHelp } from '../../../../../server/models/offline/skills/help.ts';
import type { OfflineSkill } from '../../../../../server/models/offline/skill.ts';
import { asRequest } from '../../../../support/skill-request.ts';

const skill = (needs: string, summary: string, examples: string): OfflineSkill => ({
  needs,
  summary,
  examples,
  tools: [],
  parse: () => null,
  format: () => '',
});
const help = createHelp([
  skill('maths', 'calculate', 'what is 12 * 7? | 15% of 80 | sqrt(2)'),
  skill('text', 'work on text', 'sort these:\nb\na | count the words in "a b"'),
]);
const answer = (text: string, hasTools = true) => help(asRequest(text), { hasTools, summary: null });

test.each([
  'help',
  'Help!',
  'what can you do?',
  'What can I ask you?',
  'how does this work?',
  'show me examples',
  'help with maths',
])('%s lists the skills with examples that fit on a line', (text) => {
  expect(answer(text)).toContain(
    '- **Calculate**: “what is 12 * 7?”, “15% of 80”\n- **Work on text**: “count the words in "a b"”',
  );
  expect(answer(text)).toContain('connect a language model in the settings');
});

test('says in chat mode that most of it works in agent mode only', () => {
  expect(answer('help')).not.toContain('agent mode');
  expect(answer('help', false)).toContain('agent mode');
});

test.each(['hi', 'Hello!', 'good morning', 'hey there'])(
  '%s is greeted back with something to try',
  (text) => {
    expect(answer(text)).toContain('Hello!');
    expect(answer(text)).toContain('- what is 12 * 7?');
  },
);

test.each([
  'help me with my tax return',
  'highlight',
  'hi-fi prices',
  'what can you do about the noise upstairs',
])('%s is not for help to answer', (text) => {
  expect(answer(text)).toBeNull();
});
