import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { IncrementalMarkdown } from '../../../renderer/markdown/incremental-markdown.ts';
import { lexBlocks, type MarkdownNode } from '../../../renderer/markdown/markdown.ts';
import { parseMarkdown } from '../support/parse-markdown.ts';
import { rounds } from '../../support/effort.ts';

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
    '<details>\n',
    '<summary>s</summary>',
    '</details>',
    '[^1]',
    '\n[^1]: n',
    '> [!NOTE]\n',
    '```md\n',
    '<sub>',
    '</sub>',
  ],
  ...[
    '<ul>\n',
    '<ol><li>',
    '<li>',
    '</li>\n',
    '</ul>',
    '</ol>\n',
    '<table>',
    '<tr><td>',
    '</td>',
    '</table>\n',
    '<dl><dt>',
    '<dd>',
  ],
  ...[
    '<blockquote>',
    '<blockquote>\n',
    '</blockquote>',
    '<br>',
    '<br>\n',
    '<p>',
    '</p>',
    '<a>',
    '</a>',
    '<code>',
    '</code>',
    '<wbr>',
  ],
  ...['\\begin{align}', '\\end{align}', '\\ce{H2O}', '。', '“', 'https://a.example/'],
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
    '</b>',
    ' <details><summary>a</summary>',
    '<caption>',
    '^[some note]',
    '：\n',
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
    '\n\\]',
    '\n\\[\n\n',
    '\n$$\n\n',
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
const RUNS = rounds(700);
const cuts = fc.array(fc.nat(120), { maxLength: 40, size: 'max' });

/** The tree of a text after others, however long that takes. */
const treeOf = (parser: IncrementalMarkdown, whole: string): MarkdownNode[] => parser.update(whole) ?? [];

const inSteps = (whole: string, at: number[]): IncrementalMarkdown => {
  const parser = new IncrementalMarkdown();
  for (const cut of [...at].sort((a, b) => a - b)) parser.update(whole.slice(0, cut));
  return parser;
};

/** However busy the machine, nothing takes too long to be parsed here. */
function stopClock(): void {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  onTestFinished(() => clock.mockRestore());
}

test('however a text is cut, the tree is that of the whole', () => {
  stopClock();
  fc.assert(
    fc.property(text, cuts, (whole, at) => {
      expect(inSteps(whole, at).update(whole)).toEqual(parseMarkdown(whole.replace(/\r\n?/g, '\n')));
    }),
    { numRuns: RUNS },
  );
});

test('the tree is right at every character', () => {
  stopClock();
  fc.assert(
    fc.property(text, (whole) => {
      const parser = new IncrementalMarkdown();
      for (let end = 1; end <= whole.length; end += 1) {
        const soFar = whole.slice(0, end).replace(/\r\n?/g, '\n');
        expect(parser.update(whole.slice(0, end))).toEqual(parseMarkdown(soFar));
      }
    }),
    {
      numRuns: RUNS / 10,
      examples: [
        ['$$\na\n===\n\n$$\n\n'],
        ['$$\n|-|\n\n$$\n\n'],
        ['a\n$$\nb\n---\n\n$$\n\n'],
        ['<details>\n```js\n</details>\n\nMore.\n\n```\n\n'],
      ],
    },
  );
});

test('a text that is changed rather than added to is parsed right, too', () => {
  stopClock();
  fc.assert(
    fc.property(text, text, cuts, (one, other, at) => {
      const parser = inSteps(one, at);
      parser.update(one);
      expect(parser.update(other)).toEqual(parseMarkdown(other.replace(/\r\n?/g, '\n')));
    }),
    { numRuns: RUNS / 4 },
  );
});

test('blocks that are done keep their identity while the text grows', () => {
  const parser = new IncrementalMarkdown();
  const before = treeOf(parser, '# Title\n\nOne **two**.\n\n```js\nlet a;\n```\n\nThe la');
  const after = treeOf(
    parser,
    '# Title\n\nOne **two**.\n\n```js\nlet a;\n```\n\nThe last one, and\n\n- more',
  );
  const done = (nodes: MarkdownNode[]): MarkdownNode[] =>
    nodes.filter(({ type }) => type !== 'space').slice(0, 3);
  expect(done(after).map((node, index) => node === done(before)[index])).toEqual([true, true, true]);
});

test('items and rows that are done keep their identity while a list or a table grows', () => {
  const parser = new IncrementalMarkdown();
  const list = (nodes: MarkdownNode[]): unknown =>
    nodes[0]?.type === 'list' ? nodes[0].items[0] : undefined;
  const row = (nodes: MarkdownNode[]): unknown => (nodes[0]?.type === 'table' ? nodes[0].rows[0] : undefined);
  const first = list(treeOf(parser, '- one\n- two'));
  expect(first).toBeDefined();
  expect(list(treeOf(parser, '- one\n- two\n- three'))).toBe(first);
  const firstRow = row(treeOf(parser, '| a |\n|--|\n| 1 |\n| 2'));
  expect(firstRow).toBeDefined();
  expect(row(treeOf(parser, '| a |\n|--|\n| 1 |\n| 2 |\n| 3 |'))).toBe(firstRow);
});

test('a definition that comes last makes links of what stands before it', () => {
  const parser = new IncrementalMarkdown();
  parser.update('See [a].\n\nMore text.\n\nAnd more.\n\n');
  const [first] = treeOf(parser, 'See [a].\n\nMore text.\n\nAnd more.\n\n[a]: https://example.org/');
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
    const nodes = treeOf(parser, whole.slice(0, end));
    kept += nodes.filter((node, index) => node === before[index]).length;
    before = nodes;
  }
  // Of some 200 blocks all but the last few stay as they are in each of 640 steps.
  expect(kept).toBeGreaterThan(640 * 150);
});

test('what a tag leaves open has no effect on a part that is parsed later', () => {
  const whole = 'An <a name="x"> alone.\n\nThen <b>, and https://example.com/';
  expect(inSteps(whole, [30, 40]).update(whole)).toEqual(parseMarkdown(whole));
});

/** Long texts of ordinary blocks, and of some that go on for long. */
const longText = fc
  .array(
    fc.constantFrom(
      ...PIECES.filter((piece) => !piece.includes(']')),
      'Some words. '.repeat(60),
      'More. '.repeat(300),
      '\n\n',
    ),
    {
      minLength: 80,
      maxLength: 120,
      size: 'max',
    },
  )
  .map((pieces) => pieces.join(''));

test('a long text that is parsed in parts, here and elsewhere, has the tree of the whole', async () => {
  let sentAway = 0;
  await fc.assert(
    fc.asyncProperty(longText, cuts, async (whole, at) => {
      const parser = new IncrementalMarkdown();
      for (const end of [...at.map((cut) => cut * 50), whole.length].sort((a, b) => a - b)) {
        const soFar = whole.slice(0, end);
        if (parser.update(soFar) !== null) continue;
        sentAway += 1;
        await parser.updateElsewhere(soFar, (part) => Promise.resolve(lexBlocks(part)));
      }
      const source = whole.replace(/\r\n?/g, '\n');
      const { nodes } = lexBlocks(source);
      expect(parser.update(whole)).toEqual(nodes);
    }),
    { numRuns: RUNS / 10 },
  );
  expect(sentAway).toBeGreaterThan(20);
});

test('no part that is parsed at once is long, whatever the text', () => {
  const parts = Array.from({ length: 30 }, (_, index) => `Part ${index}: ${'some words '.repeat(40)}`);
  expect(new IncrementalMarkdown().update(parts.join('\n\n'))).toHaveLength(59);
  for (const text of ['$$a', 'a_', '<a', '- a\n', '|a', '\n$$', '    a\n', '`a']) {
    expect(new IncrementalMarkdown().update(text.repeat(30_000)), text).toBeNull();
    expect(new IncrementalMarkdown().update(`Fine.\n\n${text.repeat(30_000)}`), text).toBeNull();
  }
});

test('what can’t be parsed in time is shown as it was written behind what is settled, and isn’t tried again', async () => {
  const parser = new IncrementalMarkdown();
  const settled = 'One **two**.\n\n';
  const heavy = 'a_'.repeat(2_500);
  expect(parser.update(settled + heavy)).toBeNull();
  expect(parser.soFar(settled + heavy).at(-1)).toMatchObject({ type: 'html', text: heavy });
  const nodes = await parser.updateElsewhere(settled + heavy, () => Promise.resolve(null));
  expect(nodes).toMatchObject([{ type: 'paragraph' }, { type: 'space' }, { type: 'html', text: heavy }]);
  const grown = `${settled}${heavy}\n\nMore.`;
  expect(parser.update(grown)?.at(-1)).toMatchObject({ type: 'html', text: `${heavy}\n\nMore.` });
  expect(parser.update('Another *text*.')).toMatchObject([{ type: 'paragraph', text: 'Another *text*.' }]);
});

test('what comes of a text elsewhere is known the next time', () => {
  const long = `Text\n\n\`\`\`js\n${'let a;\n'.repeat(1_000)}\`\`\``;
  expect(new IncrementalMarkdown().update(long)).toBeNull();
  expect(new IncrementalMarkdown(lexBlocks).update(long)).toEqual(lexBlocks(long).nodes);
});
