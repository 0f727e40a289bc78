import { describe, expect, it } from 'vitest';
import { fit, widthOf } from '../../../server/cli/text-width.ts';

describe('width', () => {
  it.each([
    ['plain', 5],
    ['中文', 4],
    ['é', 1],
    ['👩‍👩‍👧', 2],
    ['한국어', 6],
    ['', 0],
  ])('of %j is %i', (text, columns) => expect(widthOf(text)).toBe(columns));

  it('is kept to by a cut, which an ellipsis marks', () => {
    expect(fit('a title that is long', 10)).toBe('a title t…');
    expect(fit('非常に長い', 7)).toBe('非常に…');
    expect(fit('two\n lines', 20)).toBe('two lines');
  });
});
