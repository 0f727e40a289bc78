import { expect, test } from 'vitest';
import { colourCode } from '../../../renderer/markdown/colour-code.ts';
import { cutLong, firstLines, fenceLanguage } from '../../../renderer/markdown/highlight.ts';

test('coloured code is the code, in pieces of known kinds', () => {
  for (const [language, code, ...kinds] of [
    ['ts', 'let a = `x${1}`; // <b>\nclass B {}\n', 'keyword', 'string', 'number', 'comment', 'type'],
    ['html', '<a href="x">&amp;</a>\n<script>let x;</script>', 'keyword', 'attribute', 'string', 'symbol'],
    [
      'python',
      '@dec\ndef f(x):\n    """doc"""\n    return 1',
      'meta',
      'keyword',
      'title',
      'string',
      'number',
    ],
    ['diff', '+ a\n- b\n c', 'added', 'removed'],
    ['sql', "SELECT 'x' FROM t", 'keyword', 'string'],
  ] as const) {
    const pieces = colourCode(code, language) ?? [];
    expect(pieces.map(({ text }) => text).join('')).toBe(code);
    expect(new Set(pieces.map(({ kind }) => kind))).toEqual(new Set([null, ...kinds]));
  }
});

test('code of no known language stays plain', () => {
  for (const language of ['', 'nolanguage', '__proto__', 'constructor']) {
    expect(colourCode('let x = 1;', language)).toBeNull();
  }
});

test('the language is the first word of a fence’s line', () => {
  expect(fenceLanguage('TS title="x"')).toBe('ts');
  expect(fenceLanguage('c++')).toBe('c++');
  expect(fenceLanguage('"><img src=x>')).toBe('');
  expect(fenceLanguage('')).toBe('');
});

test('the first lines of coloured code are whole lines', () => {
  const code = 'let a = `one\ntwo`;\nlet b;\nlet c;';
  const pieces = colourCode(code, 'js') ?? [];
  const text = (lines: number): string =>
    firstLines(pieces, lines)
      .map((piece) => piece.text)
      .join('');
  expect(text(1)).toBe('let a = `one');
  expect(text(3)).toBe('let a = `one\ntwo`;\nlet b;');
  expect(text(9)).toBe(code);
});

test('a long line of code is drawn in short texts, cut between words where there are any', () => {
  const line = `[${'{"id":1,"name":"𝕬 🇪🇺"}, '.repeat(4000)}]`;
  const parts = cutLong([
    { text: 'let a = ', kind: 'keyword' },
    { text: line, kind: null },
    { text: 'é'.repeat(2500), kind: 'string' },
  ]);
  expect(parts.map(({ text }) => text).join('')).toBe(`let a = ${line}${'é'.repeat(2500)}`);
  expect(Math.max(...parts.map(({ text }) => Array.from(text).length))).toBe(1000);
  expect(parts[0]).toEqual({ text: 'let a = ', kind: 'keyword' });
  expect(parts[1]?.text).toMatch(/[\s,]$/);
  expect(parts.at(-1)).toEqual({ text: 'é'.repeat(500), kind: 'string' });
  expect(parts.some(({ text }) => /^[\udc00-\udfff]/.test(text))).toBe(false);
});
