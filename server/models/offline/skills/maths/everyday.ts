/**
 * Sums of everyday life as expressions: tips, shared bills, discounts, sales tax, interest, loans, pay per month and year. Each figure in
 * the words is replaced by a letter for what it is. A rule applies if its letters match, a kind knows every other word, and its pattern
 * matches.
 */
import { rules, wordSet } from '../../reading/rules.ts';

const NUMBER = String.raw`\d(?:[\d,]*\d)?(?:\.\d+)?`;
const CURRENCY = '(?:dollars?|euros?|pounds?|usd|eur|gbp|bucks|[$€£¥])';
const PEOPLE = '(?:people|ppl|persons|friends|guests|of us|ways?)';

/** What figures are, the surest first: a rate, one year, years, months, people, an amount; a second amount is B. */
const LETTERS = Object.entries({
  P: `(${NUMBER}) ?(?:%|percent\\b|pct\\b)`,
  Y: '\\b(1) (?:year|yr)\\b',
  T: `(${NUMBER}) ?(?:years?|yrs?)\\b`,
  M: '(\\d+) months?\\b',
  N: `(?<!\\bwith )(?:(?:between|among|by|in|into|for) )?\\b(\\d{1,3}) ${PEOPLE}\\b`,
  // "We were 5 at dinner".
  W: '\\bwe (?:are|were) (\\d{1,2})(?= at )',
  // "Split 90 between 3".
  S: '(?<=\\b(?:split|splitting|share)\\b.*)\\b(?:between|among|by|in|into) (\\d{1,3})(?![\\d.,]*\\d)',
  A: `(?:[$€£¥] ?)?(${NUMBER})(?: ?${CURRENCY})?(?![\\d.])`,
}).map(([letter, source]) => [letter.replace(/[SW]/, 'N'), new RegExp(source, 'g')] as const);

const SAYS_NOTHING = wordSet(
  "a an the on for of with and or to at in by is are was were be it that this what whats what's how much many would will do does did should i we we're you my our me us if then so each per person pay pays costs cost price bill amount total rate year years annual annually money calculate find get",
);
const KINDS = Object.entries({
  tip: 'tip tips gratuity meal dinner lunch check restaurant taxi plus including include add leave everyone everybody one split divide divided share shared evenly equally come comes came have had want owe owes splitting',
  discount: 'discount discounts off save after final new now reduced sale item from original',
  tax: 'vat gst tax sales plus including incl inclusive included add adding added gross net without excluding excl exclusive remove minus take off from',
  interest:
    'interest savings simple compound compounded invested invest deposit put have earn end up after over yearly monthly worth grow grows balance value future',
  loan: 'loan mortgage monthly payment payments repayment repayments month over interest borrow car house home',
  change:
    'from now earned last its used fall go went gone up down off cheaper more less rose risen fell fallen dropped grew increased decreased before percent percentage % change increase decrease rise drop',
  pay: 'earn make makes spend save saving put away aside set rent after total over have equals comes',
}).map(([kind, words]) => [kind, wordSet(words)] as const);

const HOLES = {
  tip: String.raw`\b(?:tip|gratuity)\b`,
  share: '(?:tip|gratuity|vat|gst|(?:sales )?tax|discount)',
  asked: String.raw`\b(?:what(?:['’]?s)?|find|get|calculate)(?: (?:is|was|would|be|the|its))*`,
  tax: String.raw`\b(?:vat|gst|tax)`,
  repaid: String.raw`(?!.*total)(?=.*\bmonth)(?=.*pay).*\b(?:loan|mortgage)\b`,
  // Only the interest, or all that there is then.
  interest: String.raw`(?!.*\bworth\b)(?=.*\b(?:interest (?:on|of)|how much interest)\b)`,
  simple: String.raw`(?!.*\b(?:compound\w*|monthly|have|worth|total|balance)\b)`,
  percent: '(?=.*(?:percent|%))',
};
const RULES = rules(
  String.raw`
    ^AP \w+: .*(?:\bA (?:is|was) (?:an? |the )?P <share> (?:on|of|for|from) (?:what|which)\b|\bP <share> (?:is|was|comes to) A\b)  => A / P%
    ^AN tip: .*\b(?:split|splitting|shared?|divided?|bill|pays?|owes?|each|per|costs?|came|everyone|dinner|lunch|meal|taxi)\b  => A / N
    ^ANP tip: .*<tip>  => (A + P%) / N
    ^AP tip: .*(?:<tip>.*\b(?:total|with)\b|\b(?:total|plus|including|add|with)\b.*<tip>)  => A + P%
    ^AP tip: .*<tip>  => P% of A
    ^AP discount: (?!.*\bP .*\boriginal.* A\b).*(?:\bA (?:is|was) P off (?:of |from )?(?:what|which|(?:the|its|an) original)|<asked> original)\b  => A / (1 - P/100)
    ^AP discount: (?!.*\boriginal (?:(?:price|cost|amount|was|is|of|at) )*A\b)(?!.*\bA original).*\boriginal\b  =>
    ^AP discount: .*\bsave\b  => P% of A
    ^AP discount: .*\b(?:discount|off)\b  => A - P%
    ^AP tax: .*\bA (?:including|incl|inclusive)\b.*\b(?:how much|what)\b.*<tax>$  => A - A / (1 + P/100)
    ^AP tax: (?=.*\b(?:net|gross|tax)\b)(?!.*\b(?:vat|gst|sales)\b).*\b(?:minus|take|(?<=(?:net|gross).*)plus)\b  =>
    ^AP tax: .*A net\b  => A + P%
    ^AP tax: .*A gross\b  => A / (1 + P/100)
    ^AP tax: .*<tax> on\b  => P% of A
    ^AP tax: .*<tax> (?:is|are) (?:included )?in\b  => A - A / (1 + P/100)
    ^AP tax: (?!.*P of)(?=.*(?:<tax>|\bnet\b)).*\b(?:net|without|excluding|excl|exclusive|remove|minus|take)\b  => A / (1 + P/100)
    ^AP tax: (?!.*P of).*(?:\b(?:add|adding|added|plus|with|gross|including)\b.*<tax>|\bgross\b)  => A + P%
    ^APT loan: <repaid>  => A * P/1200 / (1 - (1 + P/1200)^(-T * 12))
    ^AMP loan: <repaid>  => A * P/1200 / (1 - (1 + P/1200)^(-M))
    ^APT interest: <interest>.*compound.*monthly  => A * (1 + P/1200)^(T * 12) - A
    ^APT interest: .*compound.*monthly  => A * (1 + P/1200)^(T * 12)
    ^APT interest: (?!.*monthly)<interest>.*compound  => A * (1 + P/100)^T - A
    ^APT interest: (?!.*monthly).*compound  => A * (1 + P/100)^T
    ^APT interest: <simple>.*\bsimple\b  => P% of A * T
    ^AMP interest: <simple>.*\bsimple\b  => P% of A * M/12
    ^APY interest: <simple>.*\binterest\b  => P% of A
    ^AB change: <percent>.*(?:\bnow A|A .*\bwas B)  => (A - B) / B * 100
    ^AB change: <percent>.*\b(?:from|was|were|costs?|earned) A.*\b(?:to|now) .*B  => (B - A) / A * 100
    ^A day week pay:  => A * 7
    ^A day year pay:  => A * 365
    ^A week month pay:  => A * 52 / 12
    ^A week year pay:  => A * 52
    ^A month year pay:  => A * 12
    ^A year month pay:  => A / 12
    ^A year week pay:  => A / 52
    ^AT month pay: .*\b(?:save|saving|put|set|earn|pay|spend|rent)\b  => A * 12 * T
    ^AM month pay: .*\b(?:save|saving|put|set|earn|pay|spend|rent)\b  => A * M
    ^AT week pay: .*\b(?:save|saving|put|set|earn|pay|spend|rent)\b  => A * 52 * T
  `,
  HOLES,
  'm',
);

const PERIOD = /(?:\b(?:an?|per|each|every)|\/) ?(day|week|month|year)\b/g;
/** "On coffee", "for my gym": what is paid for. */
const PURPOSE = /\b(?:on|for) (?:my )?(?!half|double|twice)[a-z]+(?=,| how|\s*$)/;

/** The expression of an everyday sum; null: the words say something else, or more. */
export function everydaySum(text: string): string | null {
  const periods = [...text.matchAll(PERIOD)].map(([, period = '']) => ` ${period}`);
  const figures = new Map<string, string>();
  // "300 a month for 2 years"; a rate a year is no such thing.
  const isPaid = periods.length === 2 || (periods.length === 1 && !/%|percent/.test(text));
  let plain = isPaid ? text.replace(PERIOD, ' ').replace(PURPOSE, ' ') : text;
  for (const [letter, pattern] of LETTERS)
    plain = plain.replace(pattern, (_, figure: string) => {
      const own = figures.has(letter) ? (letter === 'A' && !figures.has('B') ? 'B' : 'X') : letter;
      figures.set(own, figure);
      return ` ${own} `;
    });
  plain = withoutThing(plain.replace(/\s+/g, ' ').trim());
  const words = plain.replace(/\b[A-Z]\b/g, ' ').match(/[\p{L}’']+|[^\s,.:;]/gu) ?? [];
  const letters = [...figures.keys()].toSorted().join('') + (isPaid ? periods.join('') : '');
  const read = KINDS.filter(([, known]) => words.every((word) => known.has(word) || SAYS_NOTHING.has(word)))
    .map(([kind]) => `${letters} ${kind}: ${plain}`)
    .join('\n');
  const { to = '' } = RULES.find(({ pattern }) => pattern.test(read)) ?? {};
  return to === '' ? null : to.replace(/[A-Z]/g, (letter) => figures.get(letter) ?? '');
}

/** "The jacket costs 85" and "an $85 jacket at" are about its price, whatever it is. */
const withoutThing = (text: string): string =>
  text.replace(
    /(?<=^|\b(?:the|an?|my|this) (?:A )?)[a-z]+ (?=(?:at|with|is|was|now|went|costs?|rose|fell|dropped)\b)/g,
    (thing) =>
      [SAYS_NOTHING, ...KINDS.map(([, known]) => known)].some((known) => known.has(thing.trim()))
        ? thing
        : '',
  );
