import { rules, type Rule } from '../../reading/rules.ts';
import { figures } from './number-words.ts';

/** How a result is to be rounded. */
type Rounding = {
  decimals?: number;
  significantDigits?: number;
};

const N = String.raw`(?:-?(?:\d[\d,]*(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?%?(?![\d.])|[a-z0-9]*\([^()]*(?:\([^()]*\)[^()]*)*\)|pi\b)`;
const LIST = String.raw`((?:the numbers?\s+|these numbers?:?\s+|my numbers?:?\s+)?${N}(?:\s*(?:,\s*and|,|&|\band\b|;|\s)\s*${N})+)`;

/** The functions of a list, by what they are called. */
const LIST_FUNCTIONS = new Map(
  Object.entries({
    sum: 'sum|total',
    mean: 'mean|average|arithmetic mean',
    median: 'median',
    mode: 'mode',
    product: 'product',
    min: 'minimum|min|smallest|lowest',
    max: 'maximum|max|largest|biggest|highest',
    std: 'standard deviation',
    variance: 'variance',
    gcd: 'greatest common divisor|highest common factor|greatest common factor|gcd|hcf|gcf',
    lcm: 'least common multiple|lowest common multiple|lcm',
  }).flatMap(([name, words]) => words.split('|').map((word) => [word, name] as const)),
);

function listCall(whole: string, name: string, numbers: string): string {
  const plain = numbers.replace(/^(?:the|these|my) numbers?:?\s+/i, '');
  const spaced = /,\s|\band\b|;|\d\s+\d/i.test(plain);
  const values = plain
    .split(spaced ? /\s*(?:,\s+(?:and\s+)?|\band\b|&|;|\s)\s*/i : /\s*[,;&]\s*/)
    .map((value) => value.trim())
    .filter((value) => value !== '');
  // "3,5 and 4,5" may be two numbers or four.
  if (values.some((value) => value.includes(',') && !/^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(value)))
    return whole;
  return `${LIST_FUNCTIONS.get(name.toLowerCase().replace(/\s+/g, ' ')) ?? name}(${values.map((value) => value.replaceAll(',', '')).join(', ')})`;
}

const names = [...LIST_FUNCTIONS.keys()].sort((a, b) => b.length - a.length).join('|');

const IS_LIST = new RegExp(`\\b(?:${[...new Set(LIST_FUNCTIONS.values())].join('|')})\\(`);
const LISTS = [
  new RegExp(String.raw`\b(?:the )?(${names})(?: value)?(?: of| for| between)?:?\s+[([]?${LIST}[)\]]?$`, 'i'),
  new RegExp(String.raw`^(?:add(?: up| together)?|(sum))\s+(?:up\s+)?${LIST}(?:\s+(?:up|together))?$`, 'i'),
];

const HOLES = {
  N: `(${N})`,
  P: String.raw`(-?(?:\d[\d,]*(?:\.\d+)?|\.\d+)%)`,
  I: String.raw`(\d[\d,]*)`,
  of: String.raw`(?:\s+of)?(?:\s+the)?`,
};

/** Before lists are read. */
const SIGNS = rules(
  String.raw`
    (?<!\b0)(?<=[\d)])\s*x\s*(?=[\d(])  => _*_
    (\d)\s*(?:percent|per cent|pct)\b  => $1%
    \bto the nearest (?:whole number|integer)\b
  `,
  HOLES,
  'gi',
);

/** Words to notation, in order: what binds closest comes first. `<P>` is a number of per cent, `<I>` a whole number. */
const RULES = rules(
  String.raw`
    ^round <N> to (?:the )?nearest <I>$  => round($1 / $2) * $2
    ^(?:what(?:'s| is) )?<N> is <P> of (?:what|which)(?: number| amount)?$  => $1 / $2
    ^<P> of what(?: number| amount)? is <N>$  => $2 / $1
    \b(?:the )?difference between <N> and <N>  => abs($1 - $2)
    \b(?:the )?(?:remainder|modulus)(?: of| when| if)? <N>(?: is)? (?:divided by|over|by|/) <N>  => mod($1, $2)
    (?:\bwhat |^)percent(?:age)?<of> <N> is <N>  => $2 / $1 * 100
    <N> is what percent(?:age)?<of> <N>  => $1 / $2 * 100
    (?:what )?percent(?:age)? is <N> (?:out )?of <N>  => $1 / $2 * 100
    <N>(?: (?:out of|of|over) | ?/ ?)<N> (?:as a|in) percent(?:age)?  => $1 / $2 * 100
    <N> as a percent(?:age)? of <N>  => $1 / $2 * 100
    \b(?:the )?percent(?:age)? (?:change|increase|decrease|difference) (?:from|between) <N> (?:to|and) <N>  => ($2 - $1) / $1 * 100
    ^<P> off(?: of)? <N>,? (?:and )?then (?:another|an? (?:extra|further)|an additional) <P> off(?: that| it)?$  => $2 - $1 - $3
    \b(?:take |with )?<P> (?:off|discount on|less than)(?: of)? <N>  => $2 - $1
    <P> (?:tip|tax|vat|interest|commission|service charge) (?:on|of) <N>  => $1 * $2
    \b(?:an? |the )?(?:tip|tax|vat|interest|commission|service charge) of <P> (?:on|of|for) <N>  => $1 * $2
    ^(?:is )?<I>(?: is)?(?: an?)? prime(?: number)?$  => factors($1)
    ^(?:the )?(?:find )?(?:the )?(?:factor(?:i[sz]e)?|prime factor(?:i[sz]ation|s)?(?: of)?) <I>(?: into primes?)?$  => factors($1)
    ^simplify (?:the fraction )?(\d+) ?/ ?(\d+)$  => $1/$2
    ^(?:the )?area of a circle (?:with|of) (?:a )?radius (?:of )?<N>$  => pi * $1^2
    ^(?:the )?area of a (?:rectangle|room) (?:of |with )?(?:sides |length )?<N> (?:by|\*|and)(?: width)? <N>$  => $1 * $2
    <N> (?:more than|on top of) <N>  => $2 + $1
    ^<N> (?:less|fewer) than <N>$  => $2 - $1
    \b(?:increase|raise) <N> by <N>  => $1 + $2
    \b(?:decrease|reduce|lower) <N> by <N>  => $1 - $2
    <N> (?:increased|raised) by <N>  => $1 + $2
    <N> (?:decreased|reduced|lowered) by <N>  => $1 - $2
    \badd <N> (?:to|and|plus) <N>  => $2 + $1
    \b(?:subtract|take(?: away)?|deduct) <N> from <N>  => $2 - $1
    \bmultiply <N> (?:by|and|with|times) <N>  => $1 * $2
    \bdivide <N> by <N>  => $1 / $2
    \b(?:the )?(?:cube root|cubic root|cbrt)<of> <N>  => cbrt($1)
    \b(?:the )?(\d+)(?:st|nd|rd|th) root<of> <N>  => nthRoot($2, $1)
    \b(?:the )?(?:square root|sqrt|root)<of> <N>  => sqrt($1)
    \b(?:the )?log(?:arithm)?(?: to)?(?: the)? base (\d+)<of> <N>  => log($2, $1)
    \b(?:the )?log ?(2|10) of <N>  => log($2, $1)
    \b(?:the )?(?:natural log(?:arithm)?|ln)<of> <N>  => ln($1)
    \b(?:the )?log(?:arithm)?<of> <N>  => log($1)
    \b(?:the )?(sin|cos|tan)(?:e|ine|gent)?<of> <N>\s*(?:°|degrees?|deg)(?![a-z])  => $1($2 deg)
    \b(?:the )?(sin|cos|tan)(?:e|ine|gent)?<of> (?!\()<N>(?: rad(?:ian)?s?)?(?![a-z])  => $1($2)
    \b(?:the )?(sin|cos|tan)(?:e|ine|gent)?<of> (?=\()<N>(?: rad(?:ian)?s?)?(?![a-z])  => $1$2
    (\d)\s*(?:degrees?)\b  => $1 deg
    \b(?:the )?factorial<of> <N>  => factorial($1)
    <N> factorial\b  => factorial($1)
    <N> choose <N>  => choose($1, $2)
    \b(?:the )?square of <N>  => $1^2
    \b(?:the )?cube of <N>  => $1^3
    ^(-\d[\d.]*)\s+squared\b  => ($1)^2
    ^(-\d[\d.]*)\s+cubed\b  => ($1)^3
    <N>\s+squared\b  => $1^2
    <N>\s+cubed\b  => $1^3
    (?<=[\d)])\s+(?:raised )?to the power(?: of)?\s+  => ^
    (?<=[\d)])\s+(?:raised )?to the (\d+)(?:st|nd|rd|th)?(?: power)?\b  => ^$1
    \b(?:a |one )?half(?: of| a)?\s+(?=[\d(.])  => 1/2_*_
    \b(?:a |one |1 )?third of\s+(?=[\d(.])  => 1/3_*_
    \b(?:two |2 )thirds of\s+(?=[\d(.])  => 2/3_*_
    \b(?:three |3 )quarters of\s+(?=[\d(.])  => 3/4_*_
    \b(?:a |one |1 )?quarter of\s+(?=[\d(.])  => 1/4_*_
    \b(?:a |one |1 )?(?:fifth|5th) of\s+(?=[\d(.])  => 1/5_*_
    \b(?:a |one |1 )?(?:tenth|10th) of\s+(?=[\d(.])  => 1/10_*_
    \b(?:twice|double)\s+(?=[\d(.])  => 2_*_
    \b(?:triple|thrice)\s+(?=[\d(.])  => 3_*_
    (\d\/\d+) of\s+(?=[\d(.])  => $1_*_
    %\s*of\s+  => %_*_
    (?<=[\d)%!])\s*\bis (?:greater|bigger|more|larger) than\b\s*  => _>_
    (?<=[\d)%!])\s*\bis (?:less|smaller|fewer) than\b\s*  => _<_
    (?<=[\d)%!])\s*\b(?:plus|added to|add)\b\s*  => _+_
    (?<=[\d)%!])\s*\b(?:minus|less|take away|subtract)\b\s*  => _-_
    (?<=[\d)%!])\s*\b(?:times|multiplied (?:by|with))\b\s*  => _*_
    (?<=[\d)%!])\s*\b(?:divided by|over)\b\s*  => _/_
    (?<=[\d)%!])\s*\b(?:modulo|modulus)\b\s*  => _mod_
    (?<=[\d)%!])\s*\b(?:equal to|equals|the same as)\b\s*  => _==_
  `,
  HOLES,
  'gi',
);

const CENTS = 2;
/** As the tool takes them. */
const MAX_DIGITS = 50;
const ROUNDINGS: [RegExp, keyof Rounding | null][] = [
  [
    /,?\s*(?:rounded |correct |accurate )?to (\d{1,2}) (?:decimal places?|decimals?|d\.?p\.?|places)$/,
    'decimals',
  ],
  [
    /,?\s*(?:rounded |correct |accurate )?(?:to|with) (\d{1,2}) (?:significant (?:figures?|digits?)|sig\.? figs?|s\.?f\.?|digits?|figures?)$/,
    'significantDigits',
  ],
  [/,?\s*(?:rounded )?to (?:the nearest |a )?(?:whole number|integer|whole)$/, null],
  [/,?\s*(?:rounded )?to (?:the (?:nearest )?)?(?:cents?|penny|pennies|hundredth)$/, 'decimals'],
  [/,?\s*(?:as an? )?(?:exact |decimal |simple )?(?:fraction|decimal|exactly)$/, null],
];

/** Takes "to 10 digits" off the end of a request. */
export function takeRounding(text: string): { rest: string; rounding: Rounding } {
  let rest = figures(text);
  let rounding: Rounding = {};
  let found = false;
  for (let round = 0; round < 2; round++) {
    for (const [pattern, name] of ROUNDINGS) {
      const match = pattern.exec(rest);
      const digits = Number(match?.[1] ?? CENTS);
      if (!match || digits > MAX_DIGITS || (digits < 1 && name !== 'decimals')) continue;
      rest = rest.slice(0, match.index).trim();
      found = true;
      if (name) rounding = { ...rounding, [name]: digits };
      else if (match[0].includes('nearest')) rounding = { ...rounding, decimals: 0 };
      break;
    }
  }
  return { rest: found ? rest : text, rounding };
}

/** "Is 5 less than 7" compares; "5 less than 7" is a sum. */
export function compared(text: string): string {
  return /^is\s+(?=[\d(])/i.test(text)
    ? text
        .slice(3)
        .replace(/\b(?:more|greater|bigger|larger|higher) than\b/i, '>')
        .replace(/\b(?:less|fewer|smaller|lower) than\b/i, '<')
    : text;
}

/** Puts a calculation told in words into notation; what it does not know stays as it is. */
export function translate(text: string): string {
  let words = figures(text.toLowerCase())
    .replace(/[£$€]\s?(?=\d)/g, '')
    .replace(/(?<=\d)\s*(?:dollars|euros|pounds|£|€|\$)(?=\s|$)/g, '');
  for (let round = 0; round < 3; round++) {
    const before = words;
    words = replaceAll(words, SIGNS);
    for (const list of LISTS)
      words = words.replace(list, (whole, name: string | undefined, of: string) =>
        // "The average of 4 and 6 and the sum of 1 and 2" are two.
        IS_LIST.test(of) ? whole : listCall(whole, name ?? 'sum', of),
      );
    words = replaceAll(words, RULES);
    if (words === before) break;
  }
  return words
    .replace(/(?<=\bfactors\()[\d,]+/, (number) => number.replaceAll(',', ''))
    .replace(/\s+/g, ' ')
    .trim();
}

/** `_` is a space in what a rule puts in the place of words. */
const replaceAll = (text: string, table: readonly Rule[]): string =>
  table.reduce((words, { pattern, to }) => words.replace(pattern, to.replaceAll('_', ' ')), text);
