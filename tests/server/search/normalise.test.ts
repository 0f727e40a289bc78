import { expect, it } from 'vitest';
import { matchExpression, queryTerms } from '../../../server/search/normalise.ts';

const expressionOf = (query: string): string => matchExpression(queryTerms(query));

it('asks for each word once, whatever its case and accents', () => {
  expect(expressionOf('a '.repeat(250))).toBe('"a"');
  expect(expressionOf("Café don't CAFE cafe\u0301 x")).toBe('"cafe" "don t" "x"');
});

it('asks for sixteen words at most, also within pieces', () => {
  expect(
    expressionOf(Array.from({ length: 100_000 }, (_, index) => `w${index}`).join(' ')).split(' '),
  ).toHaveLength(16);
  expect(
    expressionOf(Array.from({ length: 200 }, (_, index) => `w${index}`).join('-')).split(' '),
  ).toHaveLength(16);
});

it('takes the last word for the start of one from three letters on', () => {
  expect(['t', 'th', 'the'].map(expressionOf)).toEqual(['"t"', '"th"', '"the*"']);
  expect(expressionOf('the boat the')).toBe('"the" "boat"');
});
