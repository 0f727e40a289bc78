import { expect, test } from 'vitest';
import { textRuns } from '../../../renderer/lib/message-text.ts';

const runsOf = (content: string): string[] => textRuns({ role: 'assistant', content });

test('what is shown as one run is one, without its marks', () => {
  expect(runsOf('He**llo** *wo*`rl`~~d~~ and [a link](https://example.com)')).toEqual([
    'Hello world and a link',
  ]);
  expect(runsOf('# Title\n\nText\nof two lines')).toEqual(['Title', 'Text\nof two lines']);
});

test('blocks, items, cells and broken lines stand apart', () => {
  expect(runsOf('- one\n- two\n  - three\n\n> quoted')).toEqual(['one', 'two', 'three', 'quoted']);
  expect(runsOf('| a | b |\n| --- | --- |\n| c | **d** |')).toEqual(['a', 'b', 'c', 'd']);
  expect(runsOf('one  \ntwo')).toEqual(['one', 'two']);
  expect(runsOf('- [x] done')).toEqual(['done']);
});

test('code is as it stands, tags are text, and formulas aren’t words', () => {
  expect(runsOf('```ts\nconst **a** = 1;\n```')).toEqual(['const **a** = 1;']);
  expect(runsOf('<b>bold</b>')).toEqual(['<b>bold</b>']);
  expect(runsOf('before $x^2$ after')).toEqual(['before ', ' after']);
});

test('a person’s text is as they wrote it, without the files that went with it', () => {
  expect(textRuns({ role: 'user', content: 'See **this**\n\n```text notes.txt\nhidden\n```' })).toEqual([
    'See **this**',
  ]);
  expect(textRuns({ role: 'user', content: '' })).toEqual([]);
});
