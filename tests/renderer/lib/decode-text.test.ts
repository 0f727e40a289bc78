import { expect, test } from 'vitest';
import { decodeMarked } from '../../../renderer/lib/decode-text.ts';

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

test('text is read as UTF-8, with or without a byte order mark, and with one kind of line end', () => {
  expect(decodeMarked(utf8('a\r\nü€😀\rb\n'))).toBe('a\nü€😀\nb\n');
  expect(decodeMarked(bytes(0xef, 0xbb, 0xbf, 0x61))).toBe('a');
});

test('UTF-16 is read when its byte order mark says so', () => {
  expect(decodeMarked(bytes(0xff, 0xfe, 0x61, 0, 0xfc, 0))).toBe('aü');
  expect(decodeMarked(bytes(0xfe, 0xff, 0, 0x61, 0, 0xfc))).toBe('aü');
});

test('a Japanese mail is read, and NULs at the end are left out', () => {
  expect(decodeMarked(utf8('\x1b$B$3$l\x1b(B ok'))).toBe('これ ok');
  expect(decodeMarked(utf8(`log\n${'\0'.repeat(100)}`))).toBe('log\n');
});

test('what is not text is refused', () => {
  expect(decodeMarked(bytes(0x89, 0x50, 0x4e, 0x47, 0x0d))).toBeNull();
  expect(decodeMarked(bytes(0x61, 0, 0x62, 0))).toBeNull();
  expect(decodeMarked(bytes(0xff, 0xfe, 0x61))).toBeNull();
  expect(decodeMarked(bytes(0x66, 0xfc, 0x72))).toBeNull();
});
