/** Small counts as people write them. */
import { NUMBER_WORDS } from '../../../tools/number-words.ts';

const WORDS = NUMBER_WORDS.slice(0, 13);
const BESIDE: Readonly<Record<string, number>> = { a: 1, an: 1, once: 1, twice: 2 };

/** A pattern for a small count in digits or words. */
export const COUNT = `(?:\\d{1,4}|an?|${WORDS.slice(1).join('|')})`;

/** The number that {@link COUNT} matched; `usual` when it names none. */
export function countIn(words: string | undefined, usual: number): number {
  const bare = (words ?? '').toLowerCase();
  if (/^\d+$/.test(bare)) return Number(bare);
  const index = WORDS.indexOf(bare);
  return BESIDE[bare] ?? (index > 0 ? index : usual);
}
