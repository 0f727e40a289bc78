import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createPieces } from '../../../../server/routes/openai/text-pieces.ts';

const texts = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 80 }),
  fc.string({ unit: fc.constantFrom(' ', '\n', 'a', '💡', '\ud83d', 'é'), maxLength: 120 }),
);

it('cuts a text at the same places however it grew, and loses nothing', () => {
  fc.assert(
    fc.property(texts, fc.array(fc.nat(120)), (text, cuts) => {
      const whole = createPieces()(text, true);
      expect(whole.join('')).toBe(text);
      const grow = createPieces();
      const places = [...cuts, text.length].map((at) => Math.min(at, text.length)).sort((a, b) => a - b);
      let from = 0;
      const pieces = places.flatMap((to) => {
        const grown = grow(text.slice(from, to));
        from = to;
        return grown;
      });
      expect([...pieces, ...grow('', true)]).toEqual(whole);
    }),
  );
});

it('gives a word as soon as it is whole, and long ones in parts', () => {
  const piecesOf = createPieces();
  expect(piecesOf('Hel')).toEqual([]);
  expect(piecesOf('lo there')).toEqual(['Hello']);
  expect(piecesOf(' ')).toEqual([' there']);
  expect(piecesOf('x'.repeat(40))).toEqual([` ${'x'.repeat(16)}`, 'x'.repeat(16)]);
  expect(piecesOf('', true)).toEqual(['x'.repeat(8)]);
});
