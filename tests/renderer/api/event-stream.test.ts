import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEventParser, type StreamEvent } from '../../../renderer/api/event-stream.ts';

const read = (...pieces: string[]): StreamEvent[] => {
  const parser = createEventParser();
  return pieces.flatMap((piece) => parser.push(piece));
};
const data = (text: string): string[] => read(text).map((event) => event.data);

test.each([
  ['LF', '\n'],
  ['CR', '\r'],
  ['CRLF', '\r\n'],
])('reads events whose lines end with %s', (_name, end) => {
  const text = ['id: 7', 'event: delta', 'data: one', 'data: two', '', 'data: next', '', ''].join(end);
  expect(read(text)).toEqual([
    { id: '7', type: 'delta', data: 'one\ntwo' },
    { id: '7', type: 'message', data: 'next' },
  ]);
});

test('passes over comments, fields it does not know, and events without data', () => {
  expect(data(': hello\n\nretry: 5\nfoo: bar\n\nevent: x\n\ndata: here\n\n')).toEqual(['here']);
  expect(read('event: x\n\ndata: here\n\n')[0]?.type).toBe('message');
});

test('takes one space after the colon away, and reads fields without a value', () => {
  expect(data('data:a\ndata: b\ndata:  c\n\n')).toEqual(['a\nb\n c']);
  expect(data('data\n\n')).toEqual(['']);
  expect(data('data\ndata\n\n')).toEqual(['\n']);
  expect(data('data: a: b\n\n')).toEqual(['a: b']);
});

test('an id with NUL is none, and an empty one resets it', () => {
  const events = read('id: 1\ndata: a\n\nid: 2\0\ndata: b\n\nid\ndata: c\n\n');
  expect(events.map(({ id }) => id)).toEqual(['1', '1', '']);
});

test('a byte order mark at the start is no part of the first field, and one elsewhere is', () => {
  expect(data('\ufeffdata: a\n\n')).toEqual(['a']);
  expect(data('\ufeff\ufeffdata: a\n\n')).toEqual([]);
  expect(data('data: a\n\n\ufeffdata: b\n\n')).toEqual(['a']);
});

test('an event that the stream ends in the midst of never was', () => {
  expect(data('data: a\n\ndata: b\n')).toEqual(['a']);
});

test('however the text is cut, the same events come out', () => {
  const line = fc.oneof(
    fc.constantFrom(
      '',
      '',
      'data: x',
      'data:',
      'data',
      ': note',
      'id: 5',
      'event: sync',
      'data: "é\u2028😀"',
      '\ufeff',
    ),
    fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => `data: ${text.replaceAll(/[\r\n]/g, '')}`),
  );
  const end = fc.constantFrom('\n', '\r', '\r\n');
  fc.assert(
    fc.property(
      fc.array(fc.tuple(line, end), { maxLength: 20 }),
      fc.array(fc.nat({ max: 200 }), { maxLength: 12 }),
      (lines, cuts) => {
        const text = lines.map((pair) => pair.join('')).join('');
        const places = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length];
        const pieces = places.slice(1).map((place, index) => text.slice(places[index], place));
        expect(read(...pieces)).toEqual(read(text));
      },
    ),
    { numRuns: 500 },
  );
});

test('a long line that comes in many pieces is read once', () => {
  const parser = createEventParser();
  const piece = 'x'.repeat(1_000);
  parser.push('data: ');
  for (let index = 0; index < 5_000; index += 1) expect(parser.push(piece)).toEqual([]);
  expect(parser.push('\n\n')[0]?.data).toHaveLength(5_000_000);
});
