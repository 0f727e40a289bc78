import { expect, test, vi } from 'vitest';
import { normaliseQuery, normaliseText, findMatches } from '../../../renderer/conversation/normalise-text.ts';

/** What of the text each occurrence covers. */
function found(query: string, text: string): string[] {
  const bounds = findMatches(normaliseQuery(query), normaliseText(text));
  return bounds.flatMap((place, index) => (index % 2 === 0 ? [text.slice(place, bounds[index + 1])] : []));
}

test('case, accents and white space make no difference', () => {
  expect(found('CAFE', 'a café, a Cafe\u0301 and a cafe')).toEqual(['café', 'Cafe\u0301', 'cafe']);
  expect(found('ångström', 'Angstrom')).toEqual(['Angstrom']);
  expect(found('one two', 'one\ntwo and one \t two')).toEqual(['one\ntwo', 'one \t two']);
  expect(found('İstanbul', 'istanbul')).toEqual(['istanbul']);
});

test('what is found is told in bounds of the text itself, also behind signs of more than one unit', () => {
  expect(found('b', '👩‍👩‍👧 ä b')).toEqual(['b']);
  expect(found('👧', 'a 👩‍👩‍👧 b')).toEqual(['👧']);
  expect(found('e', 'e\u0301\u0302x')).toEqual(['e\u0301\u0302']);
});

test('occurrences don’t overlap, and nothing is found by white space alone', () => {
  expect(found('aa', 'aaaaa')).toEqual(['aa', 'aa']);
  expect(found(' ', 'a b')).toEqual([]);
  expect(found('', 'a b')).toEqual([]);
});

test('the shape of quotes and dashes, and signs that nobody sees, make no difference', () => {
  expect(found("don't", "don’t don't")).toEqual(['don’t', "don't"]);
  expect(found('“quoted”', '"quoted" and „quoted“')).toEqual(['"quoted"', '„quoted“']);
  expect(found('a-b', 'a\u2011b a–b a—b a−b')).toEqual(['a\u2011b', 'a–b', 'a—b', 'a−b']);
  expect(found('a b', 'a\u00a0b a\u202fb')).toEqual(['a\u00a0b', 'a\u202fb']);
  expect(found('wordjoiner', 'word\u2060joiner word\ufeffjoiner')).toEqual([
    'word\u2060joiner',
    'word\ufeffjoiner',
  ]);
});

test('a character that stands for several is found whole, and once', () => {
  expect(found('s', 'ß s')).toEqual(['ß', 's']);
  expect(found('stras', 'Straße')).toEqual(['Straß']);
  expect(found('se', 'Straße se')).toEqual(['ße', 'se']);
  for (const [query, text] of ['fﬁ', 'oŒ', 'n№', '1½', 't™', '.…', 'iﬃ'].map((pair) => Array.from(pair)))
    expect(found(query ?? '', `a ${text ?? ''} b`), text).toEqual([text]);
  expect(found('한', '대한대한'.normalize('NFD'))).toEqual(['한', '한'].map((part) => part.normalize('NFD')));
});

test('a flag isn’t found within two others', () => {
  expect(found('🇸🇪', '🇺🇸🇪🇸 🇸🇪')).toEqual(['🇸🇪']);
  expect(found('🇺🇸', '🇺🇸🇪🇸')).toEqual(['🇺🇸']);
});

test('each letter of a long text is normalised once', () => {
  const normalised = vi.spyOn(String.prototype, 'normalize');
  normaliseText('敏捷的棕色狐狸跳过了懒狗，'.repeat(1_000));
  expect(normalised.mock.calls.length).toBeLessThan(50);
  vi.restoreAllMocks();
});
