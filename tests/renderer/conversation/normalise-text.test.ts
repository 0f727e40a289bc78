import { expect, test } from 'vitest';
import {
  normaliseQuery,
  normaliseText,
  offsetsOf,
  spanOf,
} from '../../../renderer/conversation/normalise-text.ts';

/** What of the text each occurrence covers. */
const found = (query: string, text: string): string[] => {
  const wanted = normaliseQuery(query);
  const normalised = normaliseText(text);
  return offsetsOf(wanted, normalised.normalised).map((at) =>
    text.slice(...spanOf(text, normalised, at, wanted.length)),
  );
};

test('case, accents and white space make no difference', () => {
  expect(found('CAFE', 'a café, a Cafe\u0301 and a cafe')).toEqual(['café', 'Cafe\u0301', 'cafe']);
  expect(found('ångström', 'Angstrom')).toEqual(['Angstrom']);
  expect(found('one two', 'one\ntwo and one \t two')).toEqual(['one\ntwo', 'one \t two']);
  expect(found('İstanbul', 'istanbul')).toEqual(['istanbul']);
});

test('what is found is told in places of the text itself, also behind signs of more than one unit', () => {
  expect(found('b', '👩‍👩‍👧 ä b')).toEqual(['b']);
  expect(found('👧', 'a 👩‍👩‍👧 b')).toEqual(['👧']);
  expect(found('e', 'e\u0301\u0302x')).toEqual(['e\u0301\u0302']);
});

test('occurrences don’t overlap, and nothing is found by white space alone', () => {
  expect(found('aa', 'aaaaa')).toEqual(['aa', 'aa']);
  expect(found(' ', 'a b')).toEqual([]);
  expect(found('', 'a b')).toEqual([]);
});
