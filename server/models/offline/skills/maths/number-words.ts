import { currencyOf } from '../../../../tools/data-numbers.ts';
import { LARGE_NUMBERS, NUMBER_WORDS } from '../../../../tools/number-words.ts';

const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
/** "Seventeen" stands before "seven", as the longest has to be tried first. */
const SMALL = `(?:(?:${TENS.join('|')})(?:[ -](?:${NUMBER_WORDS.slice(1, 10).join('|')}))?|${NUMBER_WORDS.toReversed().join('|')})`;
const BELOW_1000 = new RegExp(
  `\\b(?:(?:(?:an?|${SMALL}|\\d+) )?hundred(?:(?: and)? ${SMALL})?|${SMALL})\\b`,
  'gi',
);
const SIZED = `(?:((?<!\\d,?)\\d+(?:,\\d+)*(?:\\.\\d+)?|an?) )?(${[...LARGE_NUMBERS.keys()].join('|')})\\b`;
const ANY = new RegExp(`\\b(?:${SIZED}(?:,? (?:and )?(?=\\d))?)+(\\d{1,3}\\b(?![.,%]))?`, 'gi');

/** Writes numbers in words as figures: "twenty-five" as 25, "two hundred and fifty" as 250, "3.5 million" as 3500000. */
export const figures = (text: string): string =>
  text.replace(BELOW_1000, belowThousand).replace(ANY, (run, ...groups: (string | undefined)[]) => {
    const sizes = [...run.matchAll(new RegExp(SIZED, 'gi'))].map(([, times = '1', large = '']) => {
      const count = /^an?$/i.test(times) ? 1 : Number(times.replaceAll(',', ''));
      return count * (LARGE_NUMBERS.get(large.toLowerCase()) ?? 1);
    });
    const sum = sizes.reduce((total, size) => total + size, Number(groups[2] ?? 0));
    return String(Number(sum.toPrecision(15)));
  });

function belowThousand(run: string): string {
  let sum = 0;
  for (const word of run.toLowerCase().split(/[ -]/)) {
    if (word === 'hundred') sum = (sum || 1) * 100;
    else if (/^\d/.test(word)) sum += Number(word);
    else if (NUMBER_WORDS.includes(word)) sum += NUMBER_WORDS.indexOf(word);
    else if (TENS.includes(word)) sum += (TENS.indexOf(word) + 2) * 10;
  }
  return String(sum);
}

/** "5 pounds at $4" are a weight and its price. */
const MONEY =
  /\p{Sc}|\b(?:dollars?|euros?|rupees|usd|eur|gbp|chf|inr|jpy)\b|(?<!\b(?:per|an?) )\b(?:pounds?(?! (?:at|of|@)\b)|quid)\b/giu;
/** The currencies that a text names. */
export const currenciesIn = (text: string): ReadonlySet<string> =>
  new Set(
    Array.from(text.matchAll(MONEY), ([sign]) => currencyOf(sign.toUpperCase()) ?? currencyOf(sign) ?? 'GBP'),
  );

/** Amounts of money as numbers: "$3" and "3 dollars" as 3. */
export const withoutCurrency = (text: string): string =>
  text.replace(/[£$€¥]\s?(?=\d)|(?<=\d)\s*(?:(?:dollars|euros|pounds)\b|[£€$¥])/gi, '');
