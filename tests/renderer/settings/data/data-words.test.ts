import { describe, expect, it } from 'vitest';
import { describeFinding, describeResult } from '../../../../renderer/settings/data/data-words.ts';

describe('what is said of an import', () => {
  it('counts what came in, what was there and what was left out', () => {
    const problems = [{ chat: 3, title: 'T', message: 2, what: 'It was left out.' }];
    const result = { imported: 1, copied: 0, skipped: 3, chatIds: ['a'], mended: 0, leftOut: 3, problems };
    expect(describeResult(result)).toBe(
      '1 chat imported, 3 were already here. 3 items could not be imported and were left out.',
    );
    expect(problems.map(describeFinding)).toEqual(['“T”, message 2: It was left out.']);
  });
});
