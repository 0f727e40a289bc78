/** Sums of everyday life as expressions: tips, shared bills, discounts, sales tax, interest, loans, pay per month and year. */
import { figures } from './number-words.ts';
import { travelSum } from './travel.ts';

/** An expression, and to how many decimals its result is told. */
export interface EverydaySum {
  expression: string;
  decimals?: number;
  /** What the result counts, where the expression doesn't show it: "km/h". */
  unit?: string;
}

const CENTS = 2;
const MONEY = String.raw`(?:[$€£¥] ?)?(\d(?:[\d,]*\d)?(?:\.\d+)?)(?: ?(?:dollars?|euros?|pounds?|usd|eur|gbp|bucks|[$€£¥]))?`;
const AMOUNT = new RegExp(`${MONEY}(?! ?(?:%|percent|ways|people|years?|months?|hours?))(?![\\d.])`, 'gi');
const PERCENT = /(\d+(?:\.\d+)?) ?(?:%|percent\b|pct\b)/gi;
const SMALL = String.raw`\d{1,3}`;
const SHARERS = '(?:people|ppl|persons|friends|guests|of us)';
const SHARED = new RegExp(
  `(?:split|shared?|divided?)(?: it| that| evenly| equally)*(?: (?:between|among|by|over))? (${SMALL})(?: (?:ways|${SHARERS}))?(?![\\d.,])|(${SMALL}) ways?|(?:(?:between|among|for|we(?:['’]re| are| were)) )?(${SMALL}) ${SHARERS}|(?:between|among) (${SMALL})(?![\\d.,])`,
  'i',
);
const TERM = /(\d+(?:\.\d+)?) ?(years?|yrs?|months?)/i;
const TIMES_A_YEAR = { yearly: 1, annually: 1, quarterly: 4, monthly: 12, weekly: 52, daily: 365 } as const;

/** How many of the one make the other. */
const PERIODS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  day: { week: '* 7', year: '* 365' },
  week: { year: '* 52', month: '* 52 / 12', day: '/ 7' },
  month: { year: '* 12' },
  year: { month: '/ 12', week: '/ 52' },
};
const EACH = String.raw`(?:an?|per|each|every|in an?|\/)`;
const PER = new RegExp(
  `^(?:(?:if )?(?:i|we) (?:earn|make|get|pay|spend|save) )?${MONEY} ?${EACH} ?(day|week|month|year)(?: (?:on|for) (?:my )?[a-z]+)?,? (?:is |in |makes? |comes to |equals? |= ?|as )?(?:how much |what )?(?:(?:is|does) (?:it|that) (?:make )?)?${EACH} (day|week|month|year)$`,
  'i',
);
const PER_HOUR = new RegExp(
  `^(?:(?:if )?i (?:earn|make|get) )?${MONEY} ?${EACH} ?hour,? (?:(?:and|at|for) )?(?:i work )?(\\d{1,3}) hours ?${EACH} ?week,? (?:is |makes? )?(?:how much |what )?(?:(?:is|does) (?:it|that) (?:make )?)?${EACH} (week|month|year)$`,
  'i',
);

const NUMBER = String.raw`(?:[$€£¥] ?)?(\d(?:[\d,]*\d)?(?:\.\d+)?)`;
const SERVED = '(?: (?:people|persons|servings|portions|guests))?';
const STUFF = '(?: ?[a-z]+){0,5}';
const RECIPE = new RegExp(
  `^(?:(?:if )?(?:a|my|the|this) )?recipe (?:is )?(?:for|serves|serving) (\\d{1,3})${SERVED},? (?:and )?(?:needs|takes|uses|calls for|has|asks for) ${NUMBER}${STUFF},? (?:how much|how many|what)${STUFF} for (\\d{1,3})${SERVED}$`,
);
const SCALED = new RegExp(
  `^(?:scale|adjust|change) ${NUMBER}${STUFF}? (?:for|from) (\\d{1,3})${SERVED} (?:to|for) (\\d{1,3})${SERVED}$`,
);

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));
const SAYS_NOTHING = words(
  "a an the on for of with and or to at in by is are was were be it that this what whats what's how much many would will do does did should i we we're you my our me if then each per person pay pays costs cost price bill amount total rate year annual annually years money calculate compute work out find",
);
const BILL = words('bill pay pays everyone everybody owe owes each per share cost');
const KINDS = {
  tip: words(
    'tip tips meal dinner lunch check restaurant taxi plus including include add adding leave gratuity everyone everybody one split divide divided share shared evenly equally come comes have owe owes',
  ),
  discount: words('discount discounts off save after final new reduced reduction sale item from original'),
  tax: words(
    'vat gst tax sales plus including incl inclusive included contained add adding added gross net without excluding excl exclusive before remove minus take off from',
  ),
  interest: words(
    'interest simple compound compounded invested invest deposit put have get earn after over yearly annually quarterly monthly weekly daily worth grow grows balance value future earned savings',
  ),
  loan: words(
    'loan mortgage monthly payment payments repayment repayments month over interest borrow car house home student personal bank',
  ),
  change: words(
    'from to was were now fall grow went go goes gone up down off cheaper dearer more less rose risen fell fallen dropped grew increased decreased before percent percentage % change changed increase decrease rise drop growth reduction used',
  ),
};

/** The expression of an everyday sum; null: the words say something else, or more. */
export function everydaySum(text: string): EverydaySum | null {
  const plain = figures(
    text
      .toLowerCase()
      .replace(/[?!.]+$/, '')
      .trim(),
  );
  return (
    perPeriod(plain) ??
    bought(plain) ??
    change(plain) ??
    servings(plain) ??
    travelSum(plain) ??
    withAmount(plain)
  );
}

function perPeriod(text: string): EverydaySum | null {
  const [, pay, hours, into = ''] = PER_HOUR.exec(text) ?? [];
  if (pay !== undefined && hours !== undefined) {
    const rest = { week: '', month: ' * 52 / 12', year: ' * 52' }[into] ?? '';
    return { expression: `${pay} * ${hours}${rest}` };
  }
  const [, amount, from = '', to = ''] = PER.exec(text) ?? [];
  const change = PERIODS[from]?.[to];
  if (amount === undefined || change === undefined) return null;
  const [, times = '1', by = '1'] = /^(?:\* (\d+))?(?: ?\/ (\d+))?$/.exec(change) ?? [];
  const isWhole = (cents(amount) * Number(times)) % Number(by) === 0;
  return { expression: `${amount} ${change}`, ...(!isWhole && { decimals: CENTS }) };
}

/** "The jacket costs 85" is about its price, whatever it is. */
const withoutThing = (text: string): string =>
  text.replace(
    /^(?:(?:the|an?|my|this) )?(?!what|how|percent)[a-z]+ (?=was |is |went |costs? |rose |fell |dropped )/,
    '',
  );

/** "From 80 to 100, what percent increase", "the jacket was 120 and is now 90: how much percent off". */
function change(text: string): EverydaySum | null {
  if (!/percent|%/.test(text) || /\d ?(?:%|percent)/.test(text)) return null;
  const about = withoutThing(text);
  const [first, second, ...others] = [...about.matchAll(AMOUNT)];
  if (first?.[1] === undefined || second?.[1] === undefined || others.length > 0) return null;
  const left = wordsOf(about.replace(AMOUNT, ' '));
  const lead = wordsOf(about.slice(0, first.index));
  const middle = wordsOf(about.slice(first.index + first[0].length, second.index));
  const isBackwards = lead.includes('now') || middle.includes('was');
  const isChange =
    (lead.some((word) => /^(?:from|was|were|cost|costs|used)$/.test(word)) &&
      middle.some((word) => /^(?:to|now)$/.test(word))) ||
    isBackwards;
  if (!isChange || !left.every((word) => SAYS_NOTHING.has(word) || KINDS.change.has(word))) return null;
  const [before, after] = isBackwards ? [second[1], first[1]] : [first[1], second[1]];
  return { expression: `(${after} - ${before}) / ${before} * 100` };
}

/** An amount of a recipe for so many, for others. */
function servings(text: string): EverydaySum | null {
  const [, from, amount, to] = RECIPE.exec(text) ?? [];
  if (amount !== undefined) return { expression: `${amount} / ${from ?? ''} * ${to ?? ''}` };
  const [, scaled, of, others] = SCALED.exec(text) ?? [];
  return scaled === undefined ? null : { expression: `${scaled} / ${of ?? ''} * ${others ?? ''}` };
}

const BOUGHT = new RegExp(
  String.raw`(?<!\S)(\d{1,4})(?: [a-z]+){1,3} (?:(?:at|@) ${MONEY}(?: each| apiece)?|for ${MONEY} (?:each|apiece))`,
  'g',
);
const BUYING = words('bought buy buying got total altogether in all need want what does come');

/** "3 notebooks at 2.49 each and 5 pens at 0.89, what's the total". */
function bought(text: string): EverydaySum | null {
  const items = [...text.matchAll(BOUGHT)];
  const left = wordsOf(text.replace(BOUGHT, ' '));
  const isAsked = /\b(?:total|altogether|how much)\b/.test(text);
  if (items.length === 0 || !isAsked || !left.every((word) => SAYS_NOTHING.has(word) || BUYING.has(word)))
    return null;
  return {
    expression: items.map(([, count = '', at, each]) => `${count} * ${at ?? each ?? ''}`).join(' + '),
  };
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}’']+|\d|%/gu) ?? [];

/** What has one amount in it, and at most one rate, one term and one number of people. */
function withAmount(told: string): EverydaySum | null {
  const text = withoutThing(told);
  const shared = SHARED.exec(text);
  const unshared = shared === null ? text : text.replace(shared[0], ' ');
  const [percent, ...percents] = [...unshared.matchAll(PERCENT)];
  const term = TERM.exec(unshared);
  const rest = unshared.replace(PERCENT, ' ').replace(TERM, ' ');
  const [amount, ...amounts] = [...rest.matchAll(AMOUNT)];
  if (amount?.[1] === undefined || percents.length + amounts.length > 0) return null;
  const left = wordsOf(rest.replace(AMOUNT, ' '));
  const says = (...any: string[]): boolean => any.some((word) => left.includes(word));
  const isAbout = (kind: keyof typeof KINDS): boolean =>
    left.every((word) => SAYS_NOTHING.has(word) || KINDS[kind].has(word));
  const a = amount[1];
  const counts: readonly (string | undefined)[] = shared?.slice(1) ?? [];
  const sharers = counts.find((count) => count !== undefined);

  if (percent?.[1] === undefined) {
    const isShared = sharers !== undefined && Number(sharers) > 0 && term === null;
    const isBill = left.some((word) => BILL.has(word));
    return isShared && (isBill || /\b(?:split|share)\b/.test(text)) && isAbout('tip')
      ? {
          expression: `${a} / ${sharers}`,
          ...((cents(a) / Number(sharers)) % 1 !== 0 && { decimals: CENTS }),
        }
      : null;
  }
  const p = percent[1];
  if (says('tip', 'gratuity') && term === null && isAbout('tip')) {
    if (sharers !== undefined) return { expression: `(${a} + ${p}%) / ${sharers}`, decimals: CENTS };
    return {
      expression: says('total', 'plus', 'including', 'add', 'with') ? `${a} + ${p}%` : `${p}% of ${a}`,
    };
  }
  if (shared !== null) return null;
  if (term === null && says('discount', 'off', 'save') && isAbout('discount'))
    return says('save') ? { expression: `${p}% of ${a}` } : { expression: `${a} - ${p}%` };
  if (term === null && says('vat', 'gst', 'tax', 'net', 'gross') && isAbout('tax'))
    return taxed(rest, a, p, says);
  if (term?.[1] === undefined) return null;
  const isMonths = term[2]?.startsWith('m') === true;
  if (says('loan', 'mortgage') && says('monthly', 'month') && isAbout('loan')) {
    const months = isMonths ? term[1] : `(${term[1]} * 12)`;
    return { expression: `${a} * ${p}/1200 / (1 - (1 + ${p}/1200)^(-${months}))`, decimals: CENTS };
  }
  if (!isAbout('interest')) return null;
  const years = isMonths ? `${term[1]}/12` : term[1];
  if (says('compound', 'compounded')) {
    const [, times] = Object.entries(TIMES_A_YEAR).find(([word]) => says(word)) ?? ['', 1];
    const grown =
      times === 1
        ? `${a} * (1 + ${p}/100)^(${years})`
        : `${a} * (1 + ${p}/${100 * times})^(${years} * ${times})`;
    const isWorth = says('worth', 'grow', 'grows', 'balance', 'value', 'total', 'have');
    return { expression: isWorth ? grown : `${grown} - ${a}`, decimals: CENTS };
  }
  // Over more than a year it depends on whether the interest earns some itself.
  const isSimple = says('simple') || years === '1' || years === '12/12';
  return says('interest') && isSimple && !says('have', 'worth', 'total', 'balance')
    ? { expression: `${p}% of ${a}${years === '1' ? '' : ` * ${years}`}`, decimals: CENTS }
    : null;
}

const cents = (amount: string): number => Math.round(Number(amount.replaceAll(',', '')) * 100);

/** With the tax, without it, or the tax that is in it. */
function taxed(text: string, a: string, p: string, says: (...any: string[]) => boolean): EverydaySum | null {
  const [, given] = new RegExp(`${MONEY} (net|gross)`, 'i').exec(text)?.slice(1) ?? [];
  const isIn = /(?:vat|gst|tax) (?:is|are) (?:in|included in|contained in) /.test(text);
  if (/(?:vat|gst|tax) on /.test(text) && !says('net', 'gross')) return { expression: `${p}% of ${a}` };
  if (isIn) return { expression: `${a} - ${a} / (1 + ${p}/100)`, decimals: CENTS };
  const isNet =
    given === undefined
      ? says('net', 'without', 'excluding', 'excl', 'exclusive', 'before', 'remove', 'minus', 'take')
      : given === 'gross';
  if (isNet) return { expression: `${a} / (1 + ${p}/100)`, decimals: CENTS };
  const isGross = given === 'net' || says('add', 'adding', 'added', 'plus', 'with', 'gross');
  return isGross ? { expression: `${a} + ${p}%` } : null;
}
