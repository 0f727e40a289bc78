import { expect, test } from 'vitest';
import { closeOpenMarks, withoutBareMarks } from '../../../renderer/markdown/live-markdown.ts';
import { headingLevels } from '../../../renderer/markdown/heading-levels.ts';
import { parseMarkdown } from '../support/parse-markdown.ts';

test.each([
  ['Items:\n-', 'Items:'],
  ['Items:\n- ', 'Items:'],
  ['Items:\n1.', 'Items:'],
  ['Text\n\n##', 'Text\n'],
  ['Text\n```', 'Text'],
  ['Text\n- a', 'Text\n- a'],
  ['Text\n1. a', 'Text\n1. a'],
  ['---', '---'],
])('of %j at the end of a stream, %j is shown', (text, shown) => {
  expect(withoutBareMarks(text)).toBe(shown);
});

test.each([
  ['some **bold te', 'some **bold te**'],
  ['some **bold te ', 'some **bold te**'],
  ['some **', 'some '],
  ['some **bold** te', 'some **bold** te'],
  ['some `code', 'some `code`'],
  ['some `', 'some '],
  ['2**3 = 8 and', '2**3 = 8 and'],
  ['`a ** b` and', '`a ** b` and'],
  ['see [the page](https://exa', 'see the page'],
  ['see [the pa', 'see [the pa'],
  ['see [the page](https://example.org) and', 'see [the page](https://example.org) and'],
  ['**closed above**\nplain', '**closed above**\nplain'],
])('the open end of %j is shown as %j', (text, shown) => {
  expect(closeOpenMarks(text)).toBe(shown);
});

test('headings are of levels that skip none', () => {
  const nodes = parseMarkdown('### a\n\n##### b\n\n#### c\n\n# d\n\n## e');
  expect([...headingLevels(nodes).values()]).toEqual([2, 3, 3, 2, 3]);
});
