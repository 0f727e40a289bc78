import { describe, expect, it } from 'vitest';
import { startConversation } from '../../../support/converse.ts';
import { DATA, ENCODING, TEXT } from './skills/phrasings.ts';

/** What none of these tools can do, wherever it stands in a request. */
const LIMITS = [
  'where the moon is full',
  'that start with q',
  'but only the even ones',
  'except the ones I like',
  'longer than 4 letters',
  'starting with z',
  'containing x',
  'per colour',
  'grouped by owner',
  'by last name',
  'after 2020',
  'using roman numerals',
  'in french',
  'over 200',
];

/** Where a limit goes: before the colon, or at the end of a request whose material is quoted; null: neither is sure. */
function limited(message: string, limit: string): string | null {
  const [, ask, rest] = /^([^:\n"“]{3,120})(:\s[^]*)$/.exec(message) ?? [];
  if (ask !== undefined && rest !== undefined) return `${ask} ${limit}${rest}`;
  const [, quoted, end] = /^([^:\n]{3,80} "[^"]*")([?.]?)$/.exec(message) ?? [];
  return quoted === undefined || end === undefined ? null : `${quoted} ${limit}${end}`;
}

/** Where a limit would say what a list is, not what to do with it. */
const IS_TOLD = /^(?:I have|Here)/;

const MESSAGES = [...TEXT, ...DATA, ...ENCODING]
  .map(([message]) => message)
  .filter((message) => !IS_TOLD.test(message));

describe('a request with a limit that no tool keeps', () => {
  it.each(LIMITS)('is refused, not answered as if it weren’t there: “%s”', async (limit) => {
    const asked = MESSAGES.flatMap((message) => limited(message, limit) ?? []);
    expect(asked.length).toBeGreaterThan(50);
    const answered: string[] = [];
    for (const message of asked) {
      const { tools, text } = await startConversation().say(message);
      if (tools.length > 0) answered.push(`${message} → ${text}`);
    }
    expect(answered).toEqual([]);
  });
});
