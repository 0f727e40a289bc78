/** Sums of everyday life as expressions: tips, shared bills, discounts, sales tax, interest, loans, pay per month and year. */
import { NUMBER_WORDS } from '../../../../tools/number-words.ts';

/** An expression, and to how many decimals its result is told. */
export interface EverydaySum {
  expression: string;
  decimals?: number;
}

const CENTS = 2;
const AMOUNT =
  /(?:[$€£¥] ?)?(\d[\d,]*(?:\.\d+)?)(?! ?(?:%|percent|ways|people|years?|months?))(?: ?(?:dollars|euros|pounds|usd|eur|gbp|bucks|[$€£¥]))?/gi;
const PERCENT = /(\d+(?:\.\d+)?) ?(?:%|percent\b)(?: (?=tip))?/gi;
const SMALL = `(?:\\d{1,3}|${NUMBER_WORDS.slice(2, 13).join('|')})`;
const SHARED = new RegExp(
  `(?:split|shared?|divided?)(?: it| that| evenly| equally)*(?: (?:between|among|by|over))? (?<count>${SMALL})(?: (?:ways|people|persons|friends|of us))?|(?<ways>${SMALL}) ways?|(?:between|among|for) (?<people>${SMALL}) (?:people|persons|friends|of us)`,
  'i',
);
const TERM = /(\d+(?:\.\d+)?) ?(years?|yrs?|months?)/i;
const TIMES_A_YEAR = { yearly: 1, annually: 1, quarterly: 4, monthly: 12, weekly: 52, daily: 365 } as const;

/** How many of the one make the other. */
const PERIODS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  day: { week: '* 7' },
  week: { year: '* 52', day: '/ 7' },
  month: { year: '* 12' },
  year: { month: '/ 12', week: '/ 52' },
};
const PER =
  /^(?:(?:if )?i (?:earn|make|get|pay|spend|save) )?(?:[$€£¥] ?)?(\d[\d,]*(?:\.\d+)?)(?: ?(?:dollars|euros|pounds|usd|eur|gbp|[$€£¥]))? ?(?:a|per|each|every|\/) ?(day|week|month|year),? (?:is |in |makes? |comes to |equals? |= ?|as )?(?:how much |what )?(?:(?:is|does) (?:it|that) (?:make )?)?(?:a|per|each|every|in a) (day|week|month|year)$/i;

const NUMBER = String.raw`(?:[$€£¥] ?)?(\d(?:[\d,]*\d)?(?:\.\d+)?)`;
const CHANGE = new RegExp(
  `^(?:(?:by )?(?:how many|what) percent(?:age)? (?:did it |does it )?(?:change|rise|increase|grow|go up|fall|drop|decrease|go down) )?from ${NUMBER} to ${NUMBER}(?:,? (?:what|how much)(?:'s| is)?(?: the)? (?:percent|percentage|%) (?:change|increase|decrease|rise|drop|growth))?$`,
);
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
  'a an the on for of with and or to at in by is are be it that this what whats how much many would will do does i we you my our if then each per person pay costs cost price bill amount total rate year annual annually years money calculate compute work out find',
);
const KINDS = {
  tip: words(
    'tip tips meal dinner lunch check restaurant taxi plus including include add adding leave should gratuity everyone split divide divided share shared evenly equally',
  ),
  discount: words('discount discounts off after final new reduced reduction sale item from original'),
  tax: words(
    'vat gst tax sales plus including incl inclusive add adding added gross net without excluding excl exclusive before remove minus take off from',
  ),
  compound: words(
    'compound compounded interest invested invest deposit after over yearly annually quarterly monthly weekly daily worth grow grows balance value future earn earned',
  ),
  loan: words('loan mortgage monthly payment payments repayment repayments month over interest borrow'),
};

/** The expression of an everyday sum; null: the words say something else, or more. */
export function everydaySum(text: string): EverydaySum | null {
  const plain = text
    .toLowerCase()
    .replace(/[?!.]+$/, '')
    .trim();
  return (
    perPeriod(plain) ??
    change(plain) ??
    servings(plain) ??
    (/%|percent/.test(plain) ? withPercent(plain) : null)
  );
}

function perPeriod(text: string): EverydaySum | null {
  const [, amount, from = '', to = ''] = PER.exec(text) ?? [];
  const change = PERIODS[from]?.[to];
  return amount === undefined || change === undefined ? null : { expression: `${amount} ${change}` };
}

function change(text: string): EverydaySum | null {
  const [, before, after] = /percent|%/.test(text) ? (CHANGE.exec(text) ?? []) : [];
  return before === undefined || after === undefined
    ? null
    : { expression: `(${after} - ${before}) / ${before} * 100` };
}

/** An amount of a recipe for so many, for others. */
function servings(text: string): EverydaySum | null {
  const [, from, amount, to] = RECIPE.exec(text) ?? [];
  if (amount !== undefined) return { expression: `${amount} / ${from ?? ''} * ${to ?? ''}` };
  const [, scaled, of, others] = SCALED.exec(text) ?? [];
  return scaled === undefined ? null : { expression: `${scaled} / ${of ?? ''} * ${others ?? ''}` };
}

function withPercent(text: string): EverydaySum | null {
  const shared = SHARED.exec(text);
  const unshared = shared === null ? text : text.replace(shared[0], ' ');
  const [percent, ...percents] = [...unshared.matchAll(PERCENT)];
  const term = TERM.exec(unshared);
  const rest = unshared.replace(PERCENT, ' ').replace(TERM, ' ');
  const [amount, ...amounts] = [...rest.matchAll(AMOUNT)];
  if (percent?.[1] === undefined || amount?.[1] === undefined || percents.length + amounts.length > 0)
    return null;
  const left: readonly string[] = rest.replace(AMOUNT, ' ').match(/[\p{L}’']+|\d/gu) ?? [];
  const says = (...any: string[]): boolean => any.some((word) => left.includes(word));
  const isAbout = (kind: keyof typeof KINDS): boolean =>
    left.every((word) => SAYS_NOTHING.has(word) || KINDS[kind].has(word));
  const [a, p] = [amount[1], percent[1]];
  const groups = shared?.groups;
  const sharers = sharersOf(groups?.['count'] ?? groups?.['ways'] ?? groups?.['people']);

  if (says('tip', 'gratuity') && term === null && isAbout('tip')) {
    if (sharers !== null) return { expression: `(${a} + ${p}%) / ${sharers}`, decimals: CENTS };
    return {
      expression: says('total', 'plus', 'including', 'add', 'with') ? `${a} + ${p}%` : `${p}% of ${a}`,
    };
  }
  if (shared !== null) return null;
  if (term === null && says('discount', 'off') && isAbout('discount')) return { expression: `${a} - ${p}%` };
  if (term === null && says('vat', 'gst', 'tax') && isAbout('tax')) {
    const isNet = says(
      'net',
      'without',
      'excluding',
      'excl',
      'exclusive',
      'before',
      'remove',
      'minus',
      'take',
    );
    if (isNet) return { expression: `${a} / (1 + ${p}/100)`, decimals: CENTS };
    return says('add', 'adding', 'added', 'plus', 'with', 'gross', 'including', 'incl', 'inclusive')
      ? { expression: `${a} + ${p}%` }
      : null;
  }
  if (term?.[1] === undefined) return null;
  const isMonths = term[2]?.startsWith('m') === true;
  if (says('compound', 'compounded') && isAbout('compound')) {
    const [, times] = Object.entries(TIMES_A_YEAR).find(([word]) => says(word)) ?? ['', 1];
    const years = isMonths ? `${term[1]}/12` : term[1];
    const grown =
      times === 1
        ? `${a} * (1 + ${p}/100)^(${years})`
        : `${a} * (1 + ${p}/${100 * times})^(${years} * ${times})`;
    const isWorth = says('worth', 'grow', 'grows', 'balance', 'value', 'total');
    return { expression: isWorth ? grown : `${grown} - ${a}`, decimals: CENTS };
  }
  if (says('loan', 'mortgage') && says('monthly', 'month') && isAbout('loan')) {
    const months = isMonths ? term[1] : `(${term[1]} * 12)`;
    return { expression: `${a} * ${p}/1200 / (1 - (1 + ${p}/1200)^(-${months}))`, decimals: CENTS };
  }
  return null;
}

function sharersOf(said: string | undefined): number | null {
  if (said === undefined) return null;
  return /^\d+$/.test(said) ? Number(said) : NUMBER_WORDS.indexOf(said.toLowerCase());
}
