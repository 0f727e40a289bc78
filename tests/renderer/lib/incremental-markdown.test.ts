import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IncrementalMarkdown } from '../../../renderer/lib/incremental-markdown.ts';
import type { MarkdownNode } from '../../../renderer/lib/markdown.ts';
import { parseMarkdown } from '../support/parse-markdown.ts';

/** Pieces that, put together at random, make what is hard to cut: growing lists, late definitions, open fences. */
const PIECES = [
  ...[
    'a',
    'b c',
    'word',
    ' ',
    '  ',
    '    ',
    '\t',
    '\n',
    '\n\n',
    '\n\n',
    '\r\n',
    '\\',
    '\\\n',
    '1',
    '_',
    '*',
    '**',
  ],
  ...[
    '- ',
    '- a\n',
    '* b\n',
    '1. ',
    '2. x\n',
    '- [ ] t\n',
    '- [x] t\n',
    '> ',
    '> q\n',
    '>\n',
    '# ',
    '## h\n',
    '#',
  ],
  ...[
    '```',
    '```js\n',
    '~~~',
    '`',
    '---',
    '===',
    '\n---\n',
    '\n===\n',
    '-',
    '=',
    '|',
    '| a | b |\n',
    '|--|--|\n',
    '--|--',
  ],
  ...[
    '[a]',
    '[a]: u',
    '[a]: http://x.y\n',
    '[a]: u "t',
    '"',
    "'",
    '(',
    ')',
    '[',
    ']',
    ']:',
    '![',
    '](',
    '<',
    '>',
    '<div>',
  ],
  ...[
    '<b>',
    '</div>\n',
    '<!--',
    '-->',
    '<pre>\n',
    '</pre>',
    '<script>',
    'https://x.y',
    '$',
    '$$',
    '$$\n',
    '\\(',
    '\\)',
    '\\[',
  ],
  ...[
    '\\]',
    'x^2',
    '&amp;',
    '<?',
    '?>',
    '~~',
    '<a@b.c>',
    '\n\n\n',
    '    code\n',
    '  - nested\n',
    '    - deeper\n',
  ],
];

const text = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 30, size: 'max' })
  .map((pieces) => pieces.join(''));
const cuts = fc.array(fc.nat(120), { maxLength: 40, size: 'max' });

const inSteps = (whole: string, at: number[]): IncrementalMarkdown => {
  const parser = new IncrementalMarkdown();
  for (const cut of [...at].sort((a, b) => a - b)) parser.update(whole.slice(0, cut));
  return parser;
};

test('however a text is cut, the tree is that of the whole', () => {
  fc.assert(
    fc.property(text, cuts, (whole, at) => {
      expect(inSteps(whole, at).update(whole)).toEqual(parseMarkdown(whole.replace(/\r\n?/g, '\n')));
    }),
    { numRuns: 4_000 },
  );
});

test('the tree is right at every character', () => {
  fc.assert(
    fc.property(text, (whole) => {
      const parser = new IncrementalMarkdown();
      for (let end = 1; end <= whole.length; end += 1) {
        const soFar = whole.slice(0, end).replace(/\r\n?/g, '\n');
        expect(parser.update(whole.slice(0, end))).toEqual(parseMarkdown(soFar));
      }
    }),
    { numRuns: 400 },
  );
});

test('a text that is changed rather than added to is parsed right, too', () => {
  fc.assert(
    fc.property(text, text, cuts, (one, other, at) => {
      const parser = inSteps(one, at);
      parser.update(one);
      expect(parser.update(other)).toEqual(parseMarkdown(other.replace(/\r\n?/g, '\n')));
    }),
    { numRuns: 1_000 },
  );
});

test('blocks that are done keep their identity while the text grows', () => {
  const parser = new IncrementalMarkdown();
  const before = parser.update('# Title\n\nOne **two**.\n\n```js\nlet a;\n```\n\nThe la');
  const after = parser.update('# Title\n\nOne **two**.\n\n```js\nlet a;\n```\n\nThe last one, and\n\n- more');
  const done = (nodes: MarkdownNode[]): MarkdownNode[] =>
    nodes.filter(({ type }) => type !== 'space').slice(0, 3);
  expect(done(after).map((node, index) => node === done(before)[index])).toEqual([true, true, true]);
});

test('items and rows that are done keep their identity while a list or a table grows', () => {
  const parser = new IncrementalMarkdown();
  const list = (nodes: MarkdownNode[]): unknown =>
    nodes[0]?.type === 'list' ? nodes[0].items[0] : undefined;
  const row = (nodes: MarkdownNode[]): unknown => (nodes[0]?.type === 'table' ? nodes[0].rows[0] : undefined);
  const first = list(parser.update('- one\n- two'));
  expect(first).toBeDefined();
  expect(list(parser.update('- one\n- two\n- three'))).toBe(first);
  const firstRow = row(parser.update('| a |\n|--|\n| 1 |\n| 2'));
  expect(firstRow).toBeDefined();
  expect(row(parser.update('| a |\n|--|\n| 1 |\n| 2 |\n| 3 |'))).toBe(firstRow);
});

test('a definition that comes last makes links of what stands before it', () => {
  const parser = new IncrementalMarkdown();
  parser.update('See [a].\n\nMore text.\n\nAnd more.\n\n');
  const [first] = parser.update('See [a].\n\nMore text.\n\nAnd more.\n\n[a]: https://example.org/');
  expect(first).toMatchObject({
    tokens: [{ type: 'text' }, { type: 'link', href: 'https://example.org/' }, {}],
  });
});

test('a long text in small steps is parsed in parts', () => {
  const whole = 'Some **bold** text and `code`.\n\n'.repeat(200);
  const parser = new IncrementalMarkdown();
  let kept = 0;
  let before: MarkdownNode[] = [];
  for (let end = 10; end <= whole.length; end += 10) {
    const nodes = parser.update(whole.slice(0, end));
    kept += nodes.filter((node, index) => node === before[index]).length;
    before = nodes;
  }
  // Of some 200 blocks all but the last few stay as they are in each of 640 steps.
  expect(kept).toBeGreaterThan(640 * 150);
});
