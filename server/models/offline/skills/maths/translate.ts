import { figures } from './number-words.ts';

/** A calculation read from words. */
export interface Translation {
  /** In the notation of the tool. */
  expression: string;
  decimals?: number;
  significantDigits?: number;
}

const N = String.raw`(?:-?(?:\d[\d,]*(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?%?(?![\d.])|[a-z0-9]*\([^()]*(?:\([^()]*\)[^()]*)*\)|pi\b)`;
const of = String.raw`(?:\s+of)?(?:\s+the)?`;

function rule(
  pattern: string,
  to: string | ((...parts: string[]) => string),
): [RegExp, string | ((...parts: string[]) => string)] {
  return [new RegExp(pattern.replaceAll('<N>', `(${N})`).replaceAll('<of>', of), 'gi'), to];
}

const LIST = String.raw`((?:the numbers?\s+|these numbers?:?\s+|my numbers?:?\s+)?${N}(?:\s*(?:,\s*and|,|&|\band\b|;|\s)\s*${N})+)`;

const LIST_FUNCTIONS = new Map([
  ['sum', 'sum'],
  ['total', 'sum'],
  ['mean', 'mean'],
  ['average', 'mean'],
  ['arithmetic mean', 'mean'],
  ['median', 'median'],
  ['mode', 'mode'],
  ['product', 'product'],
  ['minimum', 'min'],
  ['min', 'min'],
  ['smallest', 'min'],
  ['lowest', 'min'],
  ['maximum', 'max'],
  ['max', 'max'],
  ['largest', 'max'],
  ['biggest', 'max'],
  ['highest', 'max'],
  ['standard deviation', 'std'],
  ['variance', 'variance'],
  ['greatest common divisor', 'gcd'],
  ['highest common factor', 'gcd'],
  ['greatest common factor', 'gcd'],
  ['gcd', 'gcd'],
  ['hcf', 'gcd'],
  ['gcf', 'gcd'],
  ['least common multiple', 'lcm'],
  ['lowest common multiple', 'lcm'],
  ['lcm', 'lcm'],
]);

function listCall(name: string, numbers: string): string {
  const plain = numbers.replace(/^(?:the|these|my) numbers?:?\s+/i, '');
  const spaced = /,\s|\band\b|;|\d\s+\d/i.test(plain);
  const values = plain
    .split(spaced ? /\s*(?:,\s+(?:and\s+)?|\band\b|&|;|\s)\s*/i : /\s*[,;&]\s*/)
    .map((value) => value.replaceAll(',', '').trim())
    .filter((value) => value !== '');
  return `${LIST_FUNCTIONS.get(name.toLowerCase().replace(/\s+/g, ' ')) ?? name}(${values.join(', ')})`;
}

const names = [...LIST_FUNCTIONS.keys()].sort((a, b) => b.length - a.length).join('|');

/** From the second on. */
const ORDINALS = 'second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' ');

/** Words to notation, in order: what binds closest comes first. */
const RULES = [
  rule(String.raw`(?<!\b0)(?<=[\d)])\s*x\s*(?=[\d(])`, ' * '),
  rule(String.raw`(\d)\s*(?:percent|per cent|pct)\b`, '$1%'),
  rule(String.raw`\bto the nearest (?:whole number|integer)\b`, ''),
  rule(
    String.raw`\b(?:the )?(${names})(?: value)?(?: of| for| between)?:?\s+[([]?${LIST}[)\]]?$`,
    (_, name = '', list = '') => listCall(name, list),
  ),
  rule(
    String.raw`^(?:add(?: up| together)?|sum)\s+(?:up\s+)?${LIST}(?:\s+(?:up|together))?$`,
    (_, list = '') => listCall('sum', list),
  ),
  rule(String.raw`\b(?:the )?difference between <N> and <N>`, 'abs($1 - $2)'),
  rule(
    String.raw`\b(?:the )?(?:remainder|modulus)(?: of| when| if)? <N>(?: is)? (?:divided by|over|by|/) <N>`,
    'mod($1, $2)',
  ),
  rule(String.raw`\bwhat percent(?:age)?<of> <N> is <N>`, '$2 / $1 * 100'),
  rule(String.raw`^percent(?:age)?<of> <N> is <N>`, '$2 / $1 * 100'),
  rule(String.raw`<N> is what percent(?:age)?<of> <N>`, '$1 / $2 * 100'),
  rule(String.raw`(?:what )?percent(?:age)? is <N> (?:out )?of <N>`, '$1 / $2 * 100'),
  rule(String.raw`<N>(?: (?:out of|of|over) | ?/ ?)<N> (?:as a|in) percent(?:age)?`, '$1 / $2 * 100'),
  rule(String.raw`<N> as a percent(?:age)? of <N>`, '$1 / $2 * 100'),
  rule(
    String.raw`\b(?:the )?percent(?:age)? (?:change|increase|decrease|difference) (?:from|between) <N> (?:to|and) <N>`,
    '($2 - $1) / $1 * 100',
  ),
  rule(
    String.raw`\b(?:take |with )?<N> (?:off|discount on|less than)(?: of)? <N>`,
    (whole, a = '', b = '') => (a.endsWith('%') ? `${b} - ${a}` : whole),
  ),
  rule(
    String.raw`<N> (?:tip|tax|vat|interest|commission|service charge) (?:on|of) <N>`,
    (whole, a = '', b = '') => (a.endsWith('%') ? `${a} * ${b}` : whole),
  ),
  rule(
    String.raw`\b(?:an? |the )?(?:tip|tax|vat|interest|commission|service charge) of <N> (?:on|of|for) <N>`,
    (whole, a = '', b = '') => (a.endsWith('%') ? `${a} * ${b}` : whole),
  ),
  rule(
    String.raw`^(?:split|share) (?:(?:a|the) (?:bill|sum|total|cost) of )?<N>(?: equally| evenly)? (?:among|amongst|between|by|in|into|across) <N>(?: (?:people|persons|friends|of us|ways|parts|equal parts|shares))?$`,
    '$1 / $2',
  ),
  rule(
    String.raw`\bhow (?:many times|often) (?:does|do|will|can) <N> (?:go|fit|goes) in(?:to)? <N>`,
    '$2 / $1',
  ),
  rule(String.raw`^(?:is )?<N>(?: is)?(?: an?)? prime(?: number)?$`, (whole, n = '') =>
    /^\d+$/.test(n.replaceAll(',', '')) ? `factors(${n.replaceAll(',', '')})` : whole,
  ),
  rule(
    String.raw`^(?:the )?(?:find )?(?:the )?(?:factor(?:i[sz]e)?|(?:prime )?factor(?:i[sz]ation|s)?(?: of)?|prime factors of) <N>(?: into primes?)?$`,
    (whole, n = '') => (/^\d[\d,]*$/.test(n) ? `factors(${n.replaceAll(',', '')})` : whole),
  ),
  rule(String.raw`<N> with <N>(?: off| discount)`, '$1 - $2'),
  rule(String.raw`<N> (?:more than|on top of) <N>`, '$2 + $1'),
  rule(String.raw`\b(?:increase|raise) <N> by <N>`, '$1 + $2'),
  rule(String.raw`\b(?:decrease|reduce|lower) <N> by <N>`, '$1 - $2'),
  rule(String.raw`<N> (?:increased|raised) by <N>`, '$1 + $2'),
  rule(String.raw`<N> (?:decreased|reduced|lowered) by <N>`, '$1 - $2'),
  rule(String.raw`\badd <N> (?:to|and|plus) <N>`, '$2 + $1'),
  rule(String.raw`\b(?:subtract|take(?: away)?|deduct) <N> from <N>`, '$2 - $1'),
  rule(String.raw`\bmultiply <N> (?:by|and|with|times) <N>`, '$1 * $2'),
  rule(String.raw`\bdivide <N> by <N>`, '$1 / $2'),
  rule(String.raw`\b(?:the )?(?:cube root|cubic root|cbrt)<of> <N>`, 'cbrt($1)'),
  rule(String.raw`\b(?:the )?(\d+)(?:st|nd|rd|th) root<of> <N>`, 'nthRoot($2, $1)'),
  rule(String.raw`\b(?:the )?(?:square root|sqrt|root)<of> <N>`, 'sqrt($1)'),
  rule(String.raw`\b(?:the )?log(?:arithm)?(?: to)?(?: the)? base (\d+)<of> <N>`, 'log($2, $1)'),
  rule(String.raw`\b(?:the )?(?:natural log(?:arithm)?|ln)<of> <N>`, 'ln($1)'),
  rule(String.raw`\b(?:the )?log(?:arithm)?<of> <N>(?: (?:to|in) (?:the )?base (\d+))?`, (_, n = '', base) =>
    base && /^\d+$/.test(base) ? `log(${n}, ${base})` : `log(${n})`,
  ),
  rule(String.raw`\b(?:the )?log(2|10)<of> <N>`, 'log$1($2)'),
  rule(
    String.raw`\b(?:the )?(sin|cos|tan)(?:e|ine|gent)?<of> <N>\s*(?:°|degrees?|deg)(?![a-z])`,
    '$1($2 deg)',
  ),
  rule(
    String.raw`\b(?:the )?(sin|cos|tan)(?:e|ine|gent)?<of> <N>(?: rad(?:ian)?s?)?(?![a-z])`,
    (_, name = '', angle = '') => (angle.startsWith('(') ? `${name}${angle}` : `${name}(${angle})`),
  ),
  rule(String.raw`(\d)\s*(?:degrees?)\b`, '$1 deg'),
  rule(String.raw`\b(?:the )?factorial<of> <N>`, 'factorial($1)'),
  rule(String.raw`<N> factorial\b`, 'factorial($1)'),
  rule(String.raw`<N> choose <N>`, 'choose($1, $2)'),
  rule(String.raw`\b(?:the )?absolute value<of> <N>`, 'abs($1)'),
  rule(String.raw`\b(?:the )?(?:reciprocal|inverse)<of> <N>`, '1 / $1'),
  rule(
    String.raw`\b(?:the )?(square|cube) of <N>`,
    (_, name = '', n = '') => `${n}^${name === 'square' ? 2 : 3}`,
  ),
  rule(
    String.raw`^(-\d[\d.]*)\s+(squared|cubed)\b`,
    (_, n = '', name = '') => `(${n})^${name === 'squared' ? 2 : 3}`,
  ),
  rule(String.raw`<N>\s+squared\b`, '$1^2'),
  rule(String.raw`<N>\s+cubed\b`, '$1^3'),
  rule(String.raw`(?<=[\d)])\s+(?:raised )?to the power(?: of)?\s+`, '^'),
  rule(
    String.raw`(?<=[\d)])\s+(?:raised )?to the (${ORDINALS.join('|')})(?: power)?\b`,
    (_, name = '') => `^${ORDINALS.indexOf(name) + 2}`,
  ),
  rule(String.raw`(?<=[\d)])\s+(?:raised )?to the (\d+)(?:st|nd|rd|th)?(?: power)?\b`, '^$1'),
  rule(String.raw`\b(?:a |one )?half(?: of| a)?\s+(?=[\d(.])`, '1/2 * '),
  rule(String.raw`\b(?:a |one |1 )?third of\s+(?=[\d(.])`, '1/3 * '),
  rule(String.raw`\b(?:two |2 )thirds of\s+(?=[\d(.])`, '2/3 * '),
  rule(String.raw`\b(?:three |3 )quarters of\s+(?=[\d(.])`, '3/4 * '),
  rule(String.raw`\b(?:a |one |1 )?quarter of\s+(?=[\d(.])`, '1/4 * '),
  rule(String.raw`\b(?:a |one |1 )?(?:fifth|5th) of\s+(?=[\d(.])`, '1/5 * '),
  rule(String.raw`\b(?:a |one |1 )?(?:tenth|10th) of\s+(?=[\d(.])`, '1/10 * '),
  rule(String.raw`\b(?:twice|double)\s+(?=[\d(.])`, '2 * '),
  rule(String.raw`\b(?:triple|thrice)\s+(?=[\d(.])`, '3 * '),
  rule(String.raw`(\d\/\d+) of\s+(?=[\d(.])`, '$1 * '),
  rule(String.raw`%\s*of\s+`, '% * '),
  rule(String.raw`(?<=[\d)%!])\s*\b(?:is )?(?:greater|bigger|more|larger) than\b\s*`, ' > '),
  rule(String.raw`(?<=[\d)%!])\s*\b(?:is )?(?:less|smaller|fewer) than\b\s*`, ' < '),
  rule(String.raw`(?<=[\d)%!])\s*\b(?:plus|added to|add)\b\s*`, ' + '),
  rule(String.raw`(?<=[\d)%!])\s*\b(?:minus|less|take away|subtract)\b\s*`, ' - '),
  rule(String.raw`(?<=[\d)%!])\s*\b(?:times|multiplied (?:by|with))\b\s*`, ' * '),
  rule(String.raw`(?<=[\d)%!])\s*\b(?:divided by|over)\b\s*`, ' / '),
  rule(String.raw`(?<=[\d)%!])\s*\b(?:modulo|modulus)\b\s*`, ' mod '),
  rule(String.raw`(?<=[\d)%!])\s*\b(?:equal to|equals|the same as)\b\s*`, ' == '),
];

const ROUNDINGS: [RegExp, 'decimals' | 'significantDigits' | null][] = [
  [
    /,?\s*(?:rounded |correct |accurate )?to (\d{1,2}) (?:decimal places?|decimals?|d\.?p\.?|places)$/,
    'decimals',
  ],
  [
    /,?\s*(?:rounded |correct |accurate )?(?:to|with) (\d{1,2}) (?:significant (?:figures?|digits?)|sig\.? figs?|s\.?f\.?|digits?|figures?)$/,
    'significantDigits',
  ],
  [/,?\s*(?:rounded )?to the nearest (?:whole number|integer|whole)$/, null],
  [/,?\s*(?:as an? )?(?:exact |decimal |simple )?(?:fraction|decimal|exactly)$/, null],
];

/** Takes "to 10 digits" off the end of a request. */
export function takeRounding(text: string): {
  rest: string;
  rounding: Pick<Translation, 'decimals' | 'significantDigits'>;
} {
  let rest = figures(text);
  let rounding: Pick<Translation, 'decimals' | 'significantDigits'> = {};
  let found = false;
  for (let round = 0; round < 2; round++) {
    for (const [pattern, name] of ROUNDINGS) {
      const match = pattern.exec(rest);
      if (!match) continue;
      rest = rest.slice(0, match.index).trim();
      const digits = Math.min(Math.max(Number(match[1]), name === 'decimals' ? 0 : 1), 50);
      found = true;
      if (name) rounding = { ...rounding, [name]: digits };
      else if (match[0].includes('nearest')) rounding = { ...rounding, decimals: 0 };
      break;
    }
  }
  return { rest: found ? rest : text, rounding };
}

/** Puts a calculation told in words into notation; what it does not know stays as it is. */
export function translate(text: string): string {
  let words = figures(text.toLowerCase())
    .replace(/[£$€]\s?(?=\d)/g, '')
    .replace(/(?<=\d)\s*(?:dollars|euros|pounds|£|€|\$)(?=\s|$)/g, '');
  words = withVariables(words);
  for (let round = 0; round < 3; round++) {
    const before = words;
    for (const [pattern, to] of RULES)
      words = typeof to === 'string' ? words.replace(pattern, to) : words.replace(pattern, to);
    if (words === before) break;
  }
  return words.replace(/\s+/g, ' ').trim();
}

/** "x^2 + 1 where x = 3 and y = 4" and "if x = 3, what is x^2" to "x = 3; …". */
function withVariables(text: string): string {
  const given = String.raw`((?:[a-z]\s*(?:=|is)\s*-?[\d.]+(?:\s*(?:,|and)\s*(?=[a-z]\s*(?:=|is)))?)+)`;
  const after = new RegExp(`^(.+?),?\\s+(?:where|when|for|if|with|given)\\s+${given}$`).exec(text);
  const before = new RegExp(
    `^(?:if|with|given|let|when)\\s+${given},?\\s*(?:then\\s+)?(?:what(?:'s| is)\\s+)?(.+)$`,
  ).exec(text);
  const [values, body] = after ? [after[2], after[1]] : before ? [before[1], before[2]] : [];
  if (!values || !body) return text;
  const settings = values
    .split(/\s*(?:,|\band\b)\s*/)
    .map((each) => each.replace(/\s*(?:=|\bis\b)\s*/, ' = '));
  return `${settings.join('; ')}; ${body}`;
}
