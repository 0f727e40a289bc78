/**
 * Sums of everyday life as expressions: tips, shared bills, discounts, sales tax, interest, loans, pay per month and year. The figures in
 * the words are marked by what they are; a row of the table fits when it has the same marks, every other word is one of its words, and
 * its phrase is said.
 */

const NUMBER = String.raw`\d(?:[\d,]*\d)?(?:\.\d+)?`;
const PEOPLE = '(?:people|ppl|persons|friends|guests|of us|ways?)';

/** What figures are, the surest first, and the letters that stand for them in the table: a rate, years, months, people, amounts. */
const MARKS: readonly (readonly [letter: string, pattern: RegExp])[] = [
  ['P', new RegExp(`(${NUMBER}) ?(?:%|percent\\b|pct\\b)`, 'g')],
  ['Y', /\b(1) (?:year|yr)\b/g],
  ['T', new RegExp(`(${NUMBER}) ?(?:years?|yrs?)\\b`, 'g')],
  ['M', /(\d+) months?\b/g],
  ['N', new RegExp(`(?<!\\bwith )(?:(?:between|among|by|in|into|for) )?\\b(\\d{1,3}) ${PEOPLE}\\b`, 'g')],
  ['N', /(?<=\b(?:split|share)\b.*)\b(?:between|among|by|in|into) (\d{1,3})(?![\d.,]*\d)/g],
  [
    'A',
    new RegExp(
      `(?:[$€£¥] ?)?(${NUMBER})(?: ?(?:dollars?|euros?|pounds?|usd|eur|gbp|bucks|[$€£¥]))?(?![\\d.])`,
      'g',
    ),
  ],
];

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));
const SAYS_NOTHING = setOf(
  "a an the on for of with and or to at in by is are was were be it that this what whats what's how much many would will do does did should i we we're you my our me if then so each per person pay pays costs cost price bill amount total rate year years annual annually money calculate find get",
);
const TIP = setOf(
  'tip tips gratuity meal dinner lunch check restaurant taxi plus including include add leave everyone everybody one split divide divided share shared evenly equally come comes came have owe owes',
);
const DISCOUNT = setOf('discount discounts off save after final new reduced sale item from original');
const TAX = setOf(
  'vat gst tax sales plus including incl inclusive included add adding added gross net without excluding excl exclusive remove minus take off from',
);
const INTEREST = setOf(
  'interest simple compound compounded invested invest deposit put have earn after over yearly monthly quarterly daily worth grow grows balance value future',
);
const LOAN = setOf(
  'loan mortgage monthly payment payments repayment repayments month over interest borrow car house home',
);
const CHANGE = setOf(
  'from now fall go went gone up down off cheaper more less rose risen fell fallen dropped grew increased decreased before percent percentage % change increase decrease rise drop',
);
const PAY = setOf('earn make makes spend equals comes');
const KNOWN = new Set(
  [SAYS_NOTHING, TIP, DISCOUNT, TAX, INTEREST, LOAN, CHANGE, PAY].flatMap((words) => [...words]),
);

const COMPOUND = [
  ['monthly', 12],
  ['quarterly', 4],
  ['daily', 365],
] as const;
const NET = 'A / (1 + P/100)';
const REPAID = /^(?!.*total)(?=.*\bmonth)(?=.*pay).*\b(?:loan|mortgage)\b/;
const LOAN_PAYMENT = 'A * P/1200 / (1 - (1 + P/1200)^(-T))';

type Row = readonly [marks: string, words: ReadonlySet<string>, phrase: RegExp, expression: string];

/** Of interest that is asked for by itself, or of all that there is then. */
const compound = (said: string, grown: string): Row[] => [
  [
    'APT',
    INTEREST,
    new RegExp(`^(?=.*${said})(?!.*\\bworth\\b).*\\b(?:interest (?:on|of)|how much interest)\\b`),
    `${grown} - A`,
  ],
  ['APT', INTEREST, new RegExp(said), grown],
];

const ROWS: readonly Row[] = [
  [
    'AN',
    TIP,
    /\b(?:split|shared?|divided?|bill|pays?|owes?|each|per|costs?|came|everyone|dinner|lunch|meal|taxi)\b/,
    'A / N',
  ],
  ['ANP', TIP, /\b(?:tip|gratuity)\b/, '(A + P%) / N'],
  [
    'AP',
    TIP,
    /\b(?:tip|gratuity)\b.*\b(?:total|with)\b|\b(?:total|plus|including|add|with)\b.*\b(?:tip|gratuity)\b/,
    'A + P%',
  ],
  ['AP', TIP, /\b(?:tip|gratuity)\b/, 'P% of A'],
  ['AP', DISCOUNT, /\bsave\b/, 'P% of A'],
  ['AP', DISCOUNT, /\b(?:discount|off)\b/, 'A - P%'],
  ['AP', TAX, /A net\b/, 'A + P%'],
  ['AP', TAX, /A gross\b/, NET],
  ['AP', TAX, /(?:vat|gst|tax) on\b/, 'P% of A'],
  ['AP', TAX, /(?:vat|gst|tax) (?:is|are) (?:included )?in\b/, 'A - A / (1 + P/100)'],
  [
    'AP',
    TAX,
    /^(?!.*P of)(?=.*\b(?:vat|gst|tax|net)\b).*\b(?:net|without|excluding|excl|exclusive|remove|minus|take)\b/,
    NET,
  ],
  [
    'AP',
    TAX,
    /^(?!.*P of).*\b(?:add|adding|added|plus|with|gross|including)\b.*\b(?:vat|gst|tax)\b|\bgross\b/,
    'A + P%',
  ],
  ['APT', LOAN, REPAID, LOAN_PAYMENT.replace('T', 'T * 12')],
  ['AMP', LOAN, REPAID, LOAN_PAYMENT.replace('T', 'M')],
  ...COMPOUND.flatMap(([word, times]) =>
    compound(`compound.*${word}`, `A * (1 + P/${100 * times})^(T * ${times})`),
  ),
  ...compound('compound', 'A * (1 + P/100)^T'),
  ['APT', INTEREST, /^(?!.*\b(?:have|worth|total|balance)\b).*\bsimple\b/, 'P% of A * T'],
  ['AMP', INTEREST, /^(?!.*\b(?:have|worth|total|balance)\b).*\bsimple\b/, 'P% of A * M/12'],
  ['APY', INTEREST, /^(?!.*\b(?:compound\w*|have|worth|total|balance)\b).*\binterest\b/, 'P% of A'],
  ['AB', CHANGE, /^(?=.*(?:percent|%)).*(?:\bnow A|A .*\bwas B)/, '(A - B) / B * 100'],
  ['AB', CHANGE, /^(?=.*(?:percent|%)).*\b(?:from|was|were|costs?) A.*\b(?:to|now) .*B/, '(B - A) / A * 100'],
];

/** The expression of an everyday sum; null: the words say something else, or more. */
export function everydaySum(text: string): string | null {
  const factor = factorOf(text);
  const figures = new Map<string, string>();
  let marked = factor === null ? text : text.replace(PER, ' ').replace(PURPOSE, ' ');
  for (const [letter, pattern] of MARKS)
    marked = marked.replace(pattern, (_, figure: string) => {
      const mark = [letter, letter === 'A' ? 'B' : 'X'].find((each) => !figures.has(each)) ?? 'X';
      figures.set(mark, figure);
      return ` ${mark} `;
    });
  const plain = withoutThing(marked.replace(/\s+/g, ' ').trim());
  const marks = [...figures.keys()].toSorted().join('');
  const left = plain.replace(/\b[A-Z]\b/g, ' ').match(/[\p{L}’']+|[^\s,.:;]/gu) ?? [];
  const isAbout = (words: ReadonlySet<string>): boolean =>
    left.every((word) => words.has(word) || SAYS_NOTHING.has(word));
  const row = ROWS.find(([needs, words, phrase]) => needs === marks && isAbout(words) && phrase.test(plain));
  const expression = factor === null ? row?.[3] : marks === 'A' && isAbout(PAY) ? `A ${factor}` : undefined;
  return expression?.replace(/[A-Z]/g, (mark) => figures.get(mark) ?? '') ?? null;
}

/** How many of the one make the other. */
const PERIODS: Readonly<Record<string, string>> = {
  'day week': '* 7',
  'day year': '* 365',
  'week day': '/ 7',
  'week month': '* 52 / 12',
  'week year': '* 52',
  'month year': '* 12',
  'year month': '/ 12',
  'year week': '/ 52',
};
const PER = /(?:\b(?:an?|per|each|every)|\/) ?(day|week|month|year)\b/g;
/** "On coffee", "for my gym": what is paid for. */
const PURPOSE = /\b(?:on|for) (?:my )?(?!half|double|twice)[a-z]+(?=,| how|\s*$)/;

/** What an amount "a month" is multiplied by to be one "per year". */
const factorOf = (text: string): string | null =>
  PERIODS[[...text.matchAll(PER)].map(([, period]) => period).join(' ')] ?? null;

/** "The jacket costs 85" and "an $85 jacket at" are about its price, whatever it is. */
const withoutThing = (text: string): string =>
  text.replace(
    /(?<=^|\b(?:the|an?|my|this|A) )[a-z]+ (?=(?:at|with|is|was|now|went|costs?|rose|fell|dropped)\b)/g,
    (thing) => (KNOWN.has(thing.trim()) ? thing : ''),
  );
