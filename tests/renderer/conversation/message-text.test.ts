import { expect, test } from 'vitest';
import { plainBeginningOf, textRuns } from '../../../renderer/conversation/message-text.ts';

const runsOf = (content: string): Promise<string[]> => textRuns({ role: 'assistant', content });

test('what is shown as one run is one, without its marks', async () => {
  expect(await runsOf('He**llo** *wo*`rl`~~d~~ and [a link](https://example.com)')).toEqual([
    'Hello world and a link',
  ]);
  expect(await runsOf('# Title\n\nText\nof two lines')).toEqual(['Title', 'Text\nof two lines']);
});

test('blocks, items, cells and broken lines stand apart', async () => {
  expect(await runsOf('- one\n- two\n  - three\n\n> quoted')).toEqual(['one', 'two', 'three', 'quoted']);
  expect(await runsOf('| a | b |\n| --- | --- |\n| c | **d** |')).toEqual(['a', 'b', 'c', 'd']);
  expect(await runsOf('one  \ntwo')).toEqual(['one', 'two']);
  expect(await runsOf('- [x] done')).toEqual(['done']);
  expect(await runsOf('Why? <details><summary>S</summary>one</details> two\n\n<b>\n\nthree\n\n</b>')).toEqual(
    ['Why? ', 'S', 'one', ' two', 'three'],
  );
  expect(await runsOf('| <ul><li>a</li></ul> |\n|--|\n| <details><summary>S</summary>b</details> |')).toEqual(
    ['a', 'S', 'b'],
  );
});

test('code is as it stands, tags but a few are text, and formulas aren’t words', async () => {
  expect(await runsOf('```ts\nconst **a** = 1;\n```')).toEqual(['const **a** = 1;']);
  expect(await runsOf('<x>one</x> <b>two</b><!-- c -->')).toEqual(['<x>one</x> two']);
  expect(await runsOf('<div align="center">\n\none\n\n</div>\n<p>two</p>\n\n<h2>three</h2>')).toEqual([
    'one',
    'two',
    'three',
  ]);
  expect(await runsOf('before $x^2$ after')).toEqual(['before ', ' after']);
});

test('marks of sources that only another program can show are left out', async () => {
  expect(
    await runsOf('So 【4†source】. And【4:0†a.pdf】 :contentReference[oaicite:0]{index=0}[oaicite:1]'),
  ).toEqual(['So. And']);
  expect(
    await runsOf(
      '[cite_start]Rome [cite: 1, 12]. 增长了5%[citation:1][citation:3]。 See [cite] and [citation needed]',
    ),
  ).toEqual(['Rome. 增长了5%。 See [cite] and [citation needed]']);
  expect(await runsOf('【重要】 see † below')).toEqual(['【重要】 see † below']);
});

test('steps are searched as they are shown, where they stand, and reasoning is before them', async () => {
  const step = { id: '1', tool: 'run_python', status: 'done' } as const;
  const runs = await textRuns({
    role: 'assistant',
    content: 'First **this**. Then that.',
    reasoning: 'I *think*',
    steps: [
      { ...step, input: 'print("a")\r\nx = 1', output: { rows: [1, 'é'] }, textBefore: 15 },
      { ...step, id: '2', input: { city: 'Rome' }, status: 'failed', error: 'No such city.', textBefore: 15 },
      { ...step, id: '3', input: '', output: 'a\u202eb', textBefore: 15 },
      { ...step, id: '4', input: { now: true }, status: 'running', textBefore: 15 },
    ],
  });
  expect(runs).toEqual([
    'I think',
    'First this.',
    'print("a")\nx = 1',
    '{\n  "rows": [\n    1,\n    "é"\n  ]\n}',
    '{\n  "city": "Rome"\n}',
    'No such city.',
    'a[U+202E]b',
    '{\n  "now": true\n}',
    ' Then that.',
  ]);
});

test('the colours of a terminal are no text', async () => {
  expect(await textRuns({ role: 'user', content: 'ERR \x1b[1;31mred\x1b[0m [31m' })).toEqual([
    'ERR red [31m',
  ]);
});

test('a person’s text is as they wrote it, and the files that stand in it come after it', async () => {
  expect(await textRuns({ role: 'user', content: 'See **this**\n\n```text notes.txt\nhidden\n```' })).toEqual(
    ['See **this**', 'hidden\n'],
  );
  expect(await textRuns({ role: 'user', content: '' })).toEqual([]);
});

test('what is spoken of a text is plain, in one line, and cut at a word', () => {
  const text =
    '## Plan\n\n- **Dig** the `bed`\n- [Sow](https://example.org/peas)\n\n| a | b |\n|---|---|\n| 1 | 2 |';
  expect(plainBeginningOf(text, 400)).toBe('Plan Dig the bed Sow a b 1 2');
  expect(plainBeginningOf('**word** '.repeat(400), 20)).toBe('word word word word…');
  expect(plainBeginningOf('', 400)).toBe('');
});
