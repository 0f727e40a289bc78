/**
 * Sums of everyday life as expressions: tips, shared bills, discounts, sales tax, interest, loans, pay per month and year. The figures are
 * taken out of the words; a kind of sum fits when every word that is left belongs to it.
 */
import { figures } from './number-words.ts';

/** An expression, and to how many decimals its result is told. */
interface EverydaySum {
  expression: string;
  decimals?: number;
}

const CENTS = 2;
const NUMBER = String.raw`\d(?:[\d,]*\d)?(?:\.\d+)?`;
const MONEY = `(?:[$€£¥] ?)?(${NUMBER})(?: ?(?:dollars?|euros?|pounds?|usd|eur|gbp|bucks|[$€£¥]))?`;
const AMOUNT = new RegExp(`${MONEY}(?! ?(?:%|percent|ways|people|years?|months?|hours?))(?![\\d.])`, 'gi');
const PERCENT = /(\d+(?:\.\d+)?) ?(?:%|percent\b|pct\b)/gi;
const SHARERS = '(?:people|ppl|persons|friends|guests|of us|ways?)';
/** Who shares, the surest first: "between 3", "4 people", "split 4". */
const SHARED = [
  `(?:between|among|by|in|into|over) (\\d{1,3})(?: ${SHARERS})?(?![\\d.,%])(?! ?(?:years?|months?))`,
  `(?:(?:for|we(?:['’]re| are| were)) )?(\\d{1,3}) ${SHARERS}`,
  `(?:split|shared?|divided?)(?: it| that| evenly| equally)* (\\d{1,3})(?![\\d.,]| \\d)`,
].map((source) => new RegExp(source, 'i'));
const TERM = /(\d+(?:\.\d+)?) ?(years?|yrs?|months?)/i;
const TIMES_A_YEAR = { yearly: 1, annually: 1, quarterly: 4, monthly: 12, weekly: 52, daily: 365 } as const;

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));
const SAYS_NOTHING = words(
  "a an the on for of with and or to at in by is are was were be it that this what whats what's how much many would will do does did should i we we're you my our me if then so each per person pay pays costs cost price bill amount total rate year annual annually years money calculate compute work out find get",
);
const TRIP = words('tip tips meal dinner lunch check restaurant taxi came');
const KINDS = {
  tip: words(
    'tip tips gratuity meal dinner lunch check restaurant taxi plus including include add leave everyone everybody one split divide divided share shared evenly equally come comes came have owe owes',
  ),
  discount: words('discount discounts off save after final new reduced sale item from original'),
  tax: words(
    'vat gst tax sales plus including incl inclusive included add adding added gross net without excluding excl exclusive before remove minus take off from',
  ),
  interest: words(
    'interest simple compound compounded invested invest deposit put have earn after over yearly quarterly monthly weekly daily worth grow grows balance value future',
  ),
  loan: words(
    'loan mortgage monthly payment payments repayment repayments month over interest borrow car house home',
  ),
  change: words(
    'from to was were now fall go went gone up down off cheaper more less rose risen fell fallen dropped grew increased decreased before percent percentage % change increase decrease rise drop',
  ),
} as const;

const wordsOf = (text: string): string[] => text.match(/[\p{L}’']+|\d|%/gu) ?? [];

/** The expression of an everyday sum; null: the words say something else, or more. */
export function everydaySum(text: string): EverydaySum | null {
  const plain = figures(
    text
      .toLowerCase()
      .replace(/[?!.]+$/, '')
      .replace(/[.?!] (?=\p{L})/gu, ', ')
      .trim(),
  );
  return perPeriod(plain) ?? change(plain) ?? withAmount(plain);
}

/** How many of the one make the other. */
const PERIODS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  day: { week: '* 7', year: '* 365' },
  week: { year: '* 52', month: '* 52 / 12', day: '/ 7' },
  month: { year: '* 12' },
  year: { month: '/ 12', week: '/ 52' },
};
const EACH = String.raw`(?:an?|per|each|every|in an?|\/)`;
const EARNING =
  '(?:(?:(?:if )?(?:i|we) (?:earn|make|get|pay|spend|save)|(?:(?:an?|the|my|our) )?(?!half|double|twice|each|every|it)[a-z]+ costs?(?: me| us)?) )?';
const AS =
  '(?:is |in |makes? |comes to |equals? |= ?|as )?(?:how much |what )?(?:(?:is|does) (?:it|that) (?:make )?)?';
const PER = new RegExp(
  `^${EARNING}${MONEY} ?${EACH} ?(day|week|month|year)(?: (?:on|for) (?:my )?[a-z]+)?,? ${AS}${EACH} (day|week|month|year)$`,
);

function perPeriod(text: string): EverydaySum | null {
  const [, amount, from = '', to = ''] = PER.exec(text) ?? [];
  const factor = PERIODS[from]?.[to];
  if (amount === undefined || factor === undefined) return null;
  return inCents({ expression: `${amount} ${factor}` }, Number(amount.replaceAll(',', '')), factor);
}

/** With its decimals where cents aren't enough for all of the result. */
function inCents(sum: EverydaySum, amount: number, factor: string): EverydaySum {
  const [, times = '1', by = '1'] = /^(?:\* (\d+))?(?: ?\/ (\d+))?$/.exec(factor) ?? [];
  return (Math.round(amount * 100) * Number(times)) % Number(by) === 0 ? sum : { ...sum, decimals: CENTS };
}

/** "The jacket costs 85" and "an $85 jacket at" are about its price, whatever it is. */
const withoutThing = (text: string): string =>
  text
    .replace(
      /^(?:(?:the|an?|my|this) )?(?!what|how|percent|dinner|lunch)[a-z]+ (?=was |is |went |costs? |rose |fell |dropped )/,
      '',
    )
    .replace(
      /^((?:an?|the|my|this) [$€£]?\d[\d.,]*(?: (?:dollar|euro|pound))?) (?!bill|loan|mortgage|people)[a-z]+ (?=(?:at|with) [\d.]+ ?(?:%|percent) (?:off|discount)$)/,
      '$1 ',
    );

/** "From 80 to 100, what percent increase", "the jacket was 120 and is now 90: how much percent off". */
function change(text: string): EverydaySum | null {
  if (!/percent|%/.test(text) || /\d ?(?:%|percent)/.test(text)) return null;
  const about = withoutThing(text);
  const [first, second, ...others] = [...about.matchAll(AMOUNT)];
  if (first?.[1] === undefined || second?.[1] === undefined || others.length > 0) return null;
  const left = wordsOf(about.replace(AMOUNT, ' '));
  const lead = about.slice(0, first.index);
  const middle = about.slice(first.index + first[0].length, second.index);
  const isBackwards = /\bnow\b/.test(lead) || /\bwas\b/.test(middle);
  const isChange =
    isBackwards || (/\b(?:from|was|were|costs?)\b/.test(lead) && /\b(?:to|now)\b/.test(middle));
  if (!isChange || !left.every((word) => SAYS_NOTHING.has(word) || KINDS.change.has(word))) return null;
  const [before, after] = isBackwards ? [second[1], first[1]] : [first[1], second[1]];
  return { expression: `(${after} - ${before}) / ${before} * 100` };
}

type Says = (...any: string[]) => boolean;

/** The number of people, where something is split or somebody pays. */
const sharedIn = (text: string): RegExpExecArray | null =>
  SHARED.map((each, at) =>
    at > 0 || /\b(?:split|share[ds]?|divided?)\b/.test(text) ? each.exec(text) : null,
  ).find((match) => match !== null) ?? null;

/** What has one amount in it, and at most one rate, one term and one number of people. */
function withAmount(told: string): EverydaySum | null {
  const text = withoutThing(told);
  const shared = sharedIn(text);
  const unshared = shared === null ? text : text.replace(shared[0], ' ');
  const [percent, ...percents] = [...unshared.matchAll(PERCENT)];
  const term = TERM.exec(unshared);
  const rest = unshared.replace(PERCENT, ' ').replace(TERM, ' ');
  const [amount, ...amounts] = [...rest.matchAll(AMOUNT)];
  if (amount?.[1] === undefined || percents.length + amounts.length > 0) return null;
  const left = wordsOf(rest.replace(AMOUNT, ' '));
  const says: Says = (...any) => any.some((word) => left.includes(word));
  const isAbout = (kind: keyof typeof KINDS): boolean =>
    left.every((word) => SAYS_NOTHING.has(word) || KINDS[kind].has(word));
  const [a, p] = [amount[1], percent?.[1]];
  const sharers = shared?.[1];

  if (p === undefined || (says('tip', 'gratuity') && term === null)) {
    if (term !== null || !isAbout('tip')) return null;
    const isBill =
      /\b(?:split|share)\b|\bdivided? (?:among|between)\b/.test(text) ||
      left.some((word) => TRIP.has(word) || /^(?:bill|pays?|owes?|each|per|costs?|everyone)$/.test(word));
    if (sharers !== undefined && Number(sharers) > 0 && isBill)
      return p === undefined
        ? inCents({ expression: `${a} / ${sharers}` }, Number(a.replaceAll(',', '')), `/ ${sharers}`)
        : { expression: `(${a} + ${p}%) / ${sharers}`, decimals: CENTS };
    if (p === undefined || shared !== null) return null;
    return {
      expression: says('total', 'plus', 'including', 'add', 'with') ? `${a} + ${p}%` : `${p}% of ${a}`,
    };
  }
  if (shared !== null) return null;
  if (term === null && says('discount', 'off', 'save') && isAbout('discount'))
    return { expression: says('save') ? `${p}% of ${a}` : `${a} - ${p}%` };
  const isPart = /(?:%|percent) of\b/.test(text);
  if (term === null && !isPart && says('vat', 'gst', 'tax', 'net', 'gross') && isAbout('tax'))
    return taxed(rest, a, p, says);
  const isOnlyInterest =
    /\b(?:interest (?:on|of)|how much interest)\b/.test(text) &&
    !says('worth', 'grow', 'grows', 'balance', 'value', 'total', 'have');
  return term?.[1] === undefined
    ? null
    : overTime(a, p, term[1], term[2]?.startsWith('m') === true, says, isAbout, isOnlyInterest);
}

/** With the tax, without it, or the tax that is in it. */
function taxed(text: string, a: string, p: string, says: Says): EverydaySum | null {
  const given = new RegExp(`${NUMBER}\\S* (net|gross)`).exec(text)?.[1];
  if (/(?:vat|gst|tax) on /.test(text) && !says('net', 'gross')) return { expression: `${p}% of ${a}` };
  if (/(?:vat|gst|tax) (?:is|are) (?:in|included in) /.test(text))
    return { expression: `${a} - ${a} / (1 + ${p}/100)`, decimals: CENTS };
  const isNet =
    given === undefined
      ? says('net', 'without', 'excluding', 'excl', 'exclusive', 'before', 'remove', 'minus', 'take')
      : given === 'gross';
  if (isNet) return { expression: `${a} / (1 + ${p}/100)`, decimals: CENTS };
  const isGross = given === 'net' || says('add', 'adding', 'added', 'plus', 'with', 'gross', 'including');
  return isGross ? { expression: `${a} + ${p}%` } : null;
}

/** Payments of a loan, and interest; over more than a year it must be said whether the interest earns some itself. */
function overTime(
  a: string,
  p: string,
  term: string,
  isMonths: boolean,
  says: Says,
  isAbout: (kind: keyof typeof KINDS) => boolean,
  isOnlyInterest: boolean,
): EverydaySum | null {
  if (says('loan', 'mortgage') && says('monthly', 'month') && isAbout('loan')) {
    const months = isMonths ? term : `(${term} * 12)`;
    return { expression: `${a} * ${p}/1200 / (1 - (1 + ${p}/1200)^(-${months}))`, decimals: CENTS };
  }
  if (!isAbout('interest')) return null;
  const years = isMonths ? `${term}/12` : term;
  const [named] = Object.entries(TIMES_A_YEAR).filter(([word]) => says(word));
  if (says('compound', 'compounded')) {
    const times = named?.[1] ?? 1;
    const grown =
      times === 1
        ? `${a} * (1 + ${p}/100)^(${years})`
        : `${a} * (1 + ${p}/${100 * times})^(${years} * ${times})`;
    // "Compound interest on 1000" is the interest; "1000 at 4% compound" is what it grows to.
    return { expression: isOnlyInterest ? `${grown} - ${a}` : grown, decimals: CENTS };
  }
  const isSimple = says('simple') || years === '1' || years === '12/12';
  return says('interest') && isSimple && !says('have', 'worth', 'total', 'balance')
    ? { expression: `${p}% of ${a}${years === '1' ? '' : ` * ${years}`}`, decimals: CENTS }
    : null;
}
