import fc from 'fast-check';

/** Code points of halves of surrogate pairs, which are no characters. */
const [HALVES_FROM, HALVES] = [0xd800, 0x800];

/**
 * Any character, as the `unit` of random text. fast-check's own `binary` makes a table of all 1.1 million when it is first used: a second of
 * processor time, and 85 MB in which every garbage collection of the process looks from then on.
 */
export const anyCharacter = fc.nat({ max: 0x10ffff - HALVES }).map(
  (at) => String.fromCodePoint(at < HALVES_FROM ? at : at + HALVES),
  (character) => {
    const [only, ...more] = typeof character === 'string' ? character : [];
    const code = only?.codePointAt(0);
    const isHalf = code !== undefined && code >= HALVES_FROM && code < HALVES_FROM + HALVES;
    if (code === undefined || more.length > 0 || isHalf) throw new Error('It is no character.');
    return code < HALVES_FROM ? code : code - HALVES;
  },
);
