import { expect, test } from 'vitest';
import { clip, quoted, visible, visibleLine } from '../../shared/visible.ts';

const coded = (point: number): string => `[U+${point.toString(16).toUpperCase().padStart(4, '0')}]`;
const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

test.each([
  ['control characters', [...range(0x00, 0x08), ...range(0x0b, 0x1f), ...range(0x7f, 0x9f)]],
  ['line and paragraph separators', [0x2028, 0x2029]],
  ['marks of direction', [0x061c, 0x200e, 0x200f, ...range(0x202a, 0x202e), ...range(0x2066, 0x2069)]],
  ['what takes no width', [0xad, 0x34f, ...range(0x200b, 0x200d), ...range(0x2060, 0x2064), 0xfeff, 0x180e]],
  ['letters without a shape', [0x115f, 0x1160, 0x17b4, 0x17b5, 0x3164, 0xffa0, 0x2800]],
  ['blanks that aren’t the space', [0xa0, 0x1680, ...range(0x2000, 0x200a), 0x202f, 0x205f, 0x3000]],
  ['variation selectors', [...range(0xfe00, 0xfe0f), 0xe0100, 0xe01ef, 0x180b]],
  ['tags', [0xe0001, ...range(0xe0020, 0xe007f)]],
  ['what is private or unassigned', [0xe000, 0xf8ff, 0xf0000, 0x10fffd, 0xfffe, 0xffff, 0xfdd0, 0xe0fff]],
  ['halves of surrogate pairs', [0xd800, 0xdfff]],
  ['annotations and musical marks', [...range(0xfff9, 0xfffb), ...range(0x1d173, 0x1d17a)]],
])('%s are shown by their codes', (_which, points) => {
  for (const point of points) {
    const character = String.fromCodePoint(point);
    for (const [before, after] of [
      ['a', 'b'],
      ['', ''],
      ['"', "'"],
    ]) {
      expect(visible(`${before}${character}${after}`)).toBe(`${before}${coded(point)}${after}`);
      expect(visibleLine(`${before}${character}${after}`)).toBe(`${before}${coded(point)}${after}`);
    }
  }
});

test('a CR without an LF ends no line', () => {
  expect(visible('const a = 1;\r evil();\n')).toBe('const a = 1;[U+000D] evil();\n');
  expect(visible('one\r\n\ttwo\r\r\nthree\n\rfour')).toBe('one\n\ttwo[U+000D]\nthree\n[U+000D]four');
  expect(visibleLine('one\r\ntwo\t')).toBe('one[U+000D][U+000A]two[U+0009]');
});

test('text that needs such characters keeps them where they have an effect, and only there', () => {
  const kept = '👩‍🌾 👩🏽‍🌾 🏳️‍🌈 ❤️ 1️⃣ می‌خواهم क्‍ष é ñ עברית 日本語';
  expect(visible(kept)).toBe(kept);
  expect(visible('a\u200Db ❤️\uFE0F می\u200C\u200Cخ 👩\u200Drm 12\uFE0F')).toBe(
    'a[U+200D]b ❤️[U+FE0F] می[U+200C][U+200C]خ 👩[U+200D]rm 12[U+FE0F]',
  );
});

test('a name in a sentence is one short line that can’t end its quotation marks', () => {
  expect(quoted('read')).toBe('“read”');
  expect(quoted('read”, … changes nothing.\n\nAllowed before by you. “x"«y»„z‟＂')).toBe(
    '“read’, … changes nothing.[U+000A][U+000A]A…re by you. ’x’’y’’z’’” (60 characters)',
  );
  const long = quoted(`start${'a'.repeat(190)}end!!`);
  expect(long).toMatch(/^“starta+…a+end!!” \(200 characters\)$/);
  expect(long.length).toBeLessThan(100);
  expect(quoted('\u202Eevil\u3164')).toBe('“[U+202E]evil[U+3164]”');
  expect(quoted('a        b')).toBe('“a b”');
});

test('what is too long keeps its start and its end', () => {
  expect(clip('0123456789', 10)).toBe('0123456789');
  expect(clip('0123456789A', 10)).toBe('012345…89A');
  expect(clip('😀'.repeat(11), 10)).toBe(`${'😀'.repeat(6)}…${'😀'.repeat(3)}`);
});

test('a megabyte of the worst text is shown without delay', () => {
  for (const text of ['\u200d', '👩\u200d', '\u0301', 'ا\u200c', '\ufe0f', '\r']) {
    const repeated = text.repeat(1_000_000 / text.length);
    expect(visible(repeated).length).toBeGreaterThanOrEqual(repeated.length);
  }
});
