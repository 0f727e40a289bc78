import { expect, test } from 'vitest';
import { safeAddress } from '../../../renderer/lib/markdown.ts';
import { parseMarkdown } from '../support/parse-markdown.ts';

test('links lead to web pages and mail only', () => {
  expect(safeAddress('https://example.org/a b')).toBe('https://example.org/a%20b');
  expect(safeAddress('mailto:anna@example.org')).toBe('mailto:anna@example.org');
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

test('tables, task lists and struck text are understood', () => {
  const types = parseMarkdown('| a |\n|--|\n| 1 |\n\n- [x] done\n\n~~old~~').map(({ type }) => type);
  expect(types).toEqual(expect.arrayContaining(['table', 'list', 'paragraph']));
});

test('a text too long to parse is shown as it is', () => {
  const text = '**a** '.repeat(40_000);
  expect(parseMarkdown(text)).toMatchObject([{ type: 'paragraph', text }]);
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
