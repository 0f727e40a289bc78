import { expect, test } from 'vitest';
import { countCharacters } from '../../../renderer/lib/count-characters.ts';

test('characters are counted as the service counts them', () => {
  for (const text of ['', 'abc', '😀', 'a😀b', '\ud800', '\ud800\ud800\udc00', '\udc00\ud800']) {
    expect(countCharacters(text), JSON.stringify(text)).toBe(Array.from(text).length);
  }
});
