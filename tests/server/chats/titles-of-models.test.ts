import { expect, test } from 'vitest';
import { titleFromModel } from '../../../server/chats/titles.ts';

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
])('%j is called %j', (answer, title) => expect(titleFromModel(answer)).toBe(title));

test('a title is cut at a word, and nothing to see is no title', () => {
  const long = titleFromModel(
    'A title that goes on and on, far past what anybody would ever want to read in a list',
  );
  expect(Array.from(long ?? '').length).toBeLessThanOrEqual(60);
  expect(long).toMatch(/^A title that goes on and on.*…$/);
  for (const nothing of ['', '  \n ', '---', '"."']) expect(titleFromModel(nothing)).toBeNull();
});
