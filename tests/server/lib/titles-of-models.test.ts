import { expect, test } from 'vitest';
import { titleFromModel } from '../../../server/lib/titles.ts';

test.each([
  ['Cats and their names', 'Cats and their names'],
  ['"Cats and their names."', 'Cats and their names'],
  ['“Cats and their names”.', 'Cats and their names'],
  ['**Title:** Cats and their names', 'Cats and their names'],
  ['# Cats *and* their names\n\nI hope you like it!', 'Cats and their names'],
  ['Titel: Katzen und ihre Namen', 'Katzen und ihre Namen'],
  ['「猫の名前」。', '猫の名前'],
  ['\n\n  Why cats?  ', 'Why cats?'],
  ['`cat` and `less`', 'cat and less'],
  ['Here is a title for the conversation:\n\n**Cats and names**', 'Cats and names'],
  ['Sure! Here’s a title:\n\n"Cats"', 'Cats'],
  ['Sort these:', 'Sort these'],
  ['<title>Cats</title>', 'Cats'],
  ['<conversation>\n<title>Cats &amp; names</title>', 'Cats &amp; names'],
  ['Cats and names\n</conversation>', 'Cats and names'],
  ['```\nCats\n```', 'Cats'],
  ['| Title |\n|---|\n| x |\n\nCats', 'Cats'],
  ['🐱\nCats', 'Cats'],
])('%j is called %j', (answer, title) => expect(titleFromModel(answer)).toBe(title));

test('a title is cut at a word, and nothing to see is no title', () => {
  const long = titleFromModel(
    'A title that goes on and on, past what anyone ever would want to read in a list',
  );
  expect(Array.from(long ?? '').length).toBeLessThanOrEqual(60);
  expect(long).toMatch(/^A title that goes on and on.*…$/);
  for (const nothing of ['', '  \n ', '---', '"."']) expect(titleFromModel(nothing)).toBeNull();
});

test.each([
  'I’m sorry, but I can’t help with naming conversations.',
  'The capital of France is Paris. It has been the capital for most of the time since the tenth century.',
  '{"title":"Cats"}',
  '```json\n{"title":"Cats"}\n```',
  '<conversation>',
  '<conversation>\nPerson: My cat is called Mio.\n</conversation>',
  '| Name | Age |\n|---|---|\n| Mio | 3 |',
  'https://example.com/cats',
  '🐱🐱',
])('what is no title names nothing: %s', (answer) => expect(titleFromModel(answer)).toBeNull());
