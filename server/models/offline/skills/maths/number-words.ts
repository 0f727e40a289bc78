import { NUMBER_WORDS } from '../../../../tools/number-words.ts';

const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
/** Numbers in one word, below a hundred; the longest of those that begin alike first. */
export const COUNTS: readonly string[] = [...NUMBER_WORDS.slice(1), ...TENS.filter(Boolean)].sort(
  (one, other) => other.length - one.length,
);
const LARGE = new Map([
  ['thousand', 1_000],
  ['million', 1_000_000],
  ['billion', 1_000_000_000],
  ['trillion', 1_000_000_000_000],
]);

const WORD = `(?:${[...NUMBER_WORDS, ...TENS.filter(Boolean), 'hundred', ...LARGE.keys()].join('|')})`;
const RUN = new RegExp(
  `\\b(?:a (?=hundred|thousand|million|billion))?${WORD}(?:(?:\\s+and\\s+(?=${WORD})|[\\s-]+)${WORD})*\\b`,
  'gi',
);
const ROUND = /\b(\d[\d,]*(?:\.\d+)?)\s*(hundred|thousand|million|billion|trillion)\b/gi;

/** Writes numbers in words as figures: "twenty-five" → 25, "two hundred" → 200, "3 million" → (3*10^6). */
export function figures(text: string): string {
  return text
    .replace(ROUND, (_, number: string, word: string) => {
      const size = word.toLowerCase() === 'hundred' ? 100 : (LARGE.get(word.toLowerCase()) ?? 1);
      return /^\d+$/.test(number) && number.length < 4
        ? String(Number(number) * size)
        : `(${number}*${size})`;
    })
    .replace(RUN, valueOf);
}

function valueOf(run: string): string {
  const words = run.toLowerCase().split(/[\s-]+/);
  // "two and three" are two numbers, not one: only "hundred and" joins.
  if (words.includes('and') && !/\b(?:hundred|thousand|million) and\b/i.test(run))
    return words.map((word) => (word === 'and' ? word : single(word))).join(' ');
  if (words.length > 1 && !words.some((word) => TENS.includes(word) || word === 'hundred' || LARGE.has(word)))
    return words.map(single).join(' ');
  let total = 0;
  let group = 0;
  for (const word of words) {
    if (word === 'and' || word === 'a') continue;
    const large = LARGE.get(word);
    if (large) {
      total += (group || 1) * large;
      group = 0;
    } else if (word === 'hundred') group = (group || 1) * 100;
    else group += small(word);
  }
  return String(total + group);
}

function single(word: string): string {
  return String(word === 'hundred' ? 100 : (LARGE.get(word) ?? small(word)));
}

function small(word: string): number {
  const index = NUMBER_WORDS.indexOf(word);
  return index >= 0 ? index : TENS.indexOf(word) * 10;
}
