import { expect, it } from 'vitest';
import { matchExpression, queryTerms } from '../../../server/search/normalise.ts';

const expressionOf = (query: string): string => matchExpression(queryTerms(query));

it('asks for each word once, whatever its case and accents', () => {
  expect(expressionOf('a '.repeat(250))).toBe('"a"');
  expect(expressionOf("Café don't CAFE cafe\u0301 x")).toBe('"cafe" ("don t" OR "dont") "x"');
});

it('asks for sixteen words at most, also within pieces', () => {
  expect(
    expressionOf(Array.from({ length: 100_000 }, (_, index) => `${index}_w`).join(' ')).split('" "'),
  ).toHaveLength(16);
  expect(
    expressionOf(Array.from({ length: 200 }, (_, index) => `${index}w`).join('/')).split(' '),
  ).toHaveLength(16);
});

it('takes the last word for the start of one from three letters on', () => {
  expect(['t', 'th', 'the'].map(expressionOf)).toEqual(['"t"', '"th"', '"the*"']);
  expect(expressionOf('the boat the')).toBe('"the" "boat"');
});

it('also asks for what others write with a sign, or without', () => {
  expect(expressionOf('e-mail gpt4o x')).toBe('("e mail" OR "email") ("gpt4o" OR "gpt 4o") "x"');
  expect(expressionOf('1,234,567 1234567 3.14 10')).toBe(
    '("1 234 567" OR "1234567") ("1234567" OR "1 234 567") "3 14" "10"',
  );
});
