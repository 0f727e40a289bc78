import type { Tokens } from 'marked';
import { expect, test } from 'vitest';
import { longestTexts } from '../../../renderer/markdown/longest-texts.ts';
import { parseMarkdown } from '../support/parse-markdown.ts';

const longestIn = (...cells: string[]): string[] => {
  const table = parseMarkdown(`| a |\n|---|\n${cells.map((cell) => `| ${cell} |\n`).join('')}`);
  return longestTexts(table[0] as Tokens.Table);
};

test('the widest text and the widest word of a column are found, as they are drawn', () => {
  expect(longestIn('a', 'three short words', 'extraordinarily')).toEqual([
    'three short words\nextraordinarily',
  ]);
  expect(longestIn('seven b', '漢字漢字')).toEqual(['漢字漢字\n漢字漢字']);
  expect(longestIn('[link](https://example.com/a/very/long/address)', '**bold!**')).toEqual(['bold!\nbold!']);
  expect(longestIn('one<br>line', '$\\frac{a}{b}$')).toEqual(['line\nline']);
});

test.each(['](', '<a ', '$a', '漢', 'a '])('long cells of %j take linear time', (part) => {
  const cell = part.repeat(50_000);
  const cells = Array.from({ length: 200 }, () => ({ text: cell }));
  const [longest = ''] = longestTexts({ header: [{}], rows: cells.map((one) => [one]) } as Tokens.Table);
  expect(longest.length).toBeLessThan(200);
});
