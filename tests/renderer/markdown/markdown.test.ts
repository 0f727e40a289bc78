import { expect, test } from 'vitest';
import {
  asNodes,
  DEEPEST_NESTING,
  lexBlocks,
  safeAddress,
  withinBounds,
} from '../../../renderer/markdown/markdown.ts';
import { numbersOf } from '../../../shared/markdown-rules.ts';
import { parseMarkdown } from '../support/parse-markdown.ts';
import { shownParts } from '../support/shown-parts.ts';

test('links lead to web pages and mail only', () => {
  expect(safeAddress('https://example.org/a b')).toBe('https://example.org/a%20b');
  expect(safeAddress('www.example.org/a')).toBe('https://www.example.org/a');
  expect(safeAddress('mailto:anna@example.org')).toBe('mailto:anna@example.org');
  // A mark of a source in running text.
  expect(safeAddress('https://example.org/?q=[oaicite:1]')).toBe('https://example.org/?q=[oaicite:1]');
  for (const href of [
    'javascript:x()',
    ' JaVaScRiPt:x()',
    'java\tscript:x()',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://example.org/1',
    '/api/v1/chats',
    '//example.org',
    '#token=x',
    '',
  ]) {
    expect(safeAddress(href), href).toBeNull();
  }
});

test.each(['https://example.com/a', 'www.example.com', 'someone@example.com', '$x^2$', 'C:\\Users\\_a_\\b'])(
  'in a long text without marks it doesn’t matter where %s stands',
  (thing) => {
    const partsAt = (length: number): string[] =>
      shownParts(parseMarkdown(`${'abc '.repeat(600).slice(0, length - 1)} ${thing}${' tail'.repeat(600)}`));
    const parts = partsAt(500);
    for (let length = 1_975; length < 2_025; length += 1) expect(partsAt(length)).toEqual(parts);
  },
);

test('of a text with marks that mean nothing no more than the end is read again at each', () => {
  const texts = parseMarkdown('$*a'.repeat(5_000)).flatMap((node) =>
    'tokens' in node ? asNodes(node.tokens) : [],
  );
  expect(texts.map(({ raw }) => raw).join('')).toHaveLength(15_000);
  expect(Math.max(...texts.map(({ raw }) => raw.length))).toBeLessThan(2_100);
});

test('tables, task lists and struck text are understood', () => {
  const types = parseMarkdown('| a |\n|--|\n| 1 |\n\n- [x] done\n\n~~old~~').map(({ type }) => type);
  expect(types).toEqual(expect.arrayContaining(['table', 'list', 'paragraph']));
});

test.each([
  ['3. c\n2. b\n1. a', [3, 2, 1]],
  ['1986. A great year\n\n1990. Another', [1986, 1990]],
  ['1. a\n1. b\n1. c', [1, 2, 3]],
  ['  0) a\n  0) b', [0, 1]],
])('the numbers of %j are %j', (text, numbers) => {
  const [list] = parseMarkdown(text);
  expect(list?.type === 'list' && numbersOf(list)).toEqual(numbers);
});

test('a table has a column for each cell', () => {
  const [wide, narrow] = ['| a | b |\n|---|---|\n| 1 | 2 | 3 |', '| a | b |\n|---|\n| 1 | 2 | |'].map(
    (text) => parseMarkdown(text)[0],
  );
  expect(wide).toMatchObject({ header: { length: 3 }, rows: [{ length: 3 }] });
  expect(narrow).toMatchObject({ header: { length: 2 }, rows: [{ length: 2 }] });
  expect(parseMarkdown('a | b\n---\n\n|---|---|\n| 1 | 2 |').map(({ type }) => type)).not.toContain('table');
});

test('a text too long to parse is shown as it is', () => {
  const text = '**a** '.repeat(40_000);
  expect(parseMarkdown(text)).toMatchObject([{ type: 'html', text }]);
});

test('a run with thousands of marks that pair in no way is left as it is', () => {
  // Pairing them would take time that grows with the square of their number: minutes, for this.
  for (const mark of [
    '+*a ',
    '$*a',
    '%~a ',
    '_a*',
    '\\(a',
    '\\[a=',
    '$$a ',
    '[a](b',
    '![',
    '<a ',
    '`a ``b ',
  ]) {
    expect(parseMarkdown(mark.repeat(20_000)).length).toBeGreaterThan(0);
  }
  expect(parseMarkdown('*one* and **two** '.repeat(20))[0]).toHaveProperty('tokens.0.type', 'em');
});

test('a table whose short rows make millions of cells isn’t one', () => {
  const columns = 400;
  const text = `|${'a|'.repeat(columns)}\n|${'-|'.repeat(columns)}\n${'|\n'.repeat(1_000)}`;
  expect(lexBlocks(text).nodes.map(({ type }) => type)).not.toContain('table');
  expect(lexBlocks('| a | b |\n|--|--|\n| 1 | 2 |').nodes[0]).toHaveProperty('rows.0.length', 2);
});

test('what is more than the page can draw, or nested deeper than it draws, doesn’t reach it', () => {
  expect(withinBounds(lexBlocks('`a` '.repeat(20_000))) === null).toBe(true);
  const deep = withinBounds(lexBlocks(`${'> '.repeat(300)}deep`));
  let depth = 0;
  for (let nodes = deep?.nodes ?? []; nodes.length > 0; depth += 1) {
    const [node] = nodes;
    nodes = node && 'tokens' in node ? asNodes(node.tokens) : [];
  }
  expect(depth).toBeGreaterThan(DEEPEST_NESTING);
  expect(depth).toBeLessThan(60);
});

test('an unclosed tag of a link leaves the addresses in the blocks after it links', () => {
  expect(parseMarkdown('An <a name="x"> alone.\n\nSee https://example.com/.').at(-1)).toMatchObject({
    tokens: [{ type: 'text' }, { type: 'link', href: 'https://example.com/' }, { type: 'text' }],
  });
});

test('an alert whose name is that of an inherited property is a note', () => {
  expect(lexBlocks('> [!CONSTRUCTOR]\n> Mind it.').nodes).toMatchObject([
    { type: 'blockquote', alert: 'note' },
  ]);
});
