import { ORDINAL_WORDS } from '../../../../tools/number-words.ts';
import { rules } from '../../reading/rules.ts';
import { withoutCurrency } from './number-words.ts';

const N = String.raw`(?:-?(?:\d[\d,]*(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?%?(?![\d.])|[a-z0-9]*\([^()]*(?:\([^()]*\)[^()]*)*\)|pi\b)`;

const HOLES = {
  N: `(${N})`,
  P: String.raw`(-?(?:\d[\d,]*(?:\.\d+)?|\.\d+)%)`,
  I: String.raw`(\d[\d,]*)`,
  of: String.raw`(?:\s+of)?(?:\s+the)?`,
  then: String.raw`(?<=[\d)%!])\s*\b`,
};

/** Words to notation, in order: what binds closest comes first. `<P>` is a number of per cent, `<I>` a whole number. */
const RULES = rules(
  String.raw`
    (?<=\d) ?(?:percent|per cent|pct)\b  => %
    ^is (?=[\d(])(.+?) (?:more|greater|bigger|larger|higher) than  => $1_>
    ^is (?=[\d(])(.+?) (?:less|fewer|smaller|lower) than  => $1_<
    ^is (?=[\d(])(.+?) (?:equal to|the same as)  => $1_==
    ^round <N> to (?:the )?nearest <I>$  => round($1 / $2) * $2
    ^(?:if )?<P> (?:of (?:it|something|a number) )?is <N>,? what(?:'s|s| is) (?:100%|the whole|the total|all of it)$  => $2 / $1
    ^<I> ([a-z]+) (?:costs?|are|is|for) <N>,? (?:so |then )?how much (?:do|does|would|is|are|for) <I>(?: \2)?(?: costs?| be)?$  => $3 / $1 * $4
    ^<N> is <P> of (?:what|which)(?: number| amount)?$  => $1 / $2
    ^<P> of what(?: number| amount)? is <N>$  => $2 / $1
    ^(?:what )?percent(?:age)?<of> <N> is <N>$  => $2 / $1 * 100
    ^(?=.*\bpercent)(?:(?:what )?percent(?:age)? is )?<N>(?:(?: is what| as a) percent(?:age)?)?(?: (?:out )?of(?: the)?| over| ?/) ?<N>(?: (?:as a|in) percent(?:age)?)?$  => $1 / $2 * 100
    ^<P> off(?: of)? <N>,? (?:and )?then (?:another|an? (?:extra|further)|an additional) <P> off(?: that| it)?$  => $2 - $1 - $3
    <P> off(?: of)? <N>  => ($2 - $1)
    ^(?:is )?<I>(?: is)?(?: an?)? prime(?: number)?$  => factors($1)
    ^(?:the )?(?:find )?(?:the )?(?:factor(?:i[sz]e)?|prime factor(?:i[sz]ation|s)?(?: of)?) <I>(?: into primes?)?$  => factors($1)
    ^(?:the )?area of a circle (?:with|of) (?:a )?radius (?:of )?<N>$  => pi * $1^2
    ^(?:the )?area of a (?:rectangle|room) (?:of |with )?(?:sides )?<N> (?:by|x|and) <N>$  => $1 * $2
    \b(?:the )?(?:cube root|cbrt)<of> <N>  => cbrt($1)
    \b(?:the )?(\d+)(?:st|nd|rd|th) root<of> <N>  => nthRoot($2, $1)
    \b(?:the )?(?:square root|sqrt|root)<of> <N>  => sqrt($1)
    \b(?:the )?log(?:arithm)?(?: to)?(?: the)?(?: base)? ?(\d+) of <N>  => log($2, $1)
    \b(?:the )?(?:natural log(?:arithm)?|ln)<of> <N>  => ln($1)
    \b(?:the )?log(?:arithm)?<of> <N>  => log($1)
    (?<=\d)\s*(?:degrees?\b|°)  => _deg
    \b(?:the )?(sin|cos|tan)(?:e|ine|gent)?<of> (?!\()<N>( deg)?(?: rad(?:ian)?s?)?(?![a-z])  => $1($2$3)
    \b(?:the )?factorial<of> <N>  => factorial($1)
    <N> factorial\b  => factorial($1)
    <N> choose <N>  => choose($1, $2)
    \b(?:the )?square of <N>  => $1^2
    \b(?:the )?cube of <N>  => $1^3
    ^(-\d[\d.]*)(?= (?:squared|cubed)\b)  => ($1)
    (?<=[\d)]) squared\b  => ^2
    (?<=[\d)]) cubed\b  => ^3
    (?<=[\d)]) (?:raised )?to the power(?: of)?\s+  => ^
    (?<=[\d)]) (?:raised )?to the (\d+)(?:st|nd|rd|th)?(?: power)?\b  => ^$1
    \b(?:twice|double)\s+(?=[\d(.])  => 2_*_
    \b(?:triple|thrice)\s+(?=[\d(.])  => 3_*_
    (?<=\d\/\d+) of (?=[\d(.])  => _*_
    \b(?:the )?difference between <N> and <N>  => abs($1 - $2)
    \b(?:the )?(?:remainder|modulus)(?: of| when| if)? <N>(?: is)? (?:divided by|over|by|/) <N>  => mod($1, $2)
    <N> (?:more than|on top of) <N>  => $2 + $1
    ^<N> (?:less|fewer) than <N>$  => $2 - $1
    \b(?:increase|raise) <N> by <N>  => $1 + $2
    \b(?:decrease|reduce|lower) <N> by <N>  => $1 - $2
    \badd <N> (?:to|and|plus) <N>  => $2 + $1
    \b(?:subtract|take(?: away)?|deduct) <N> from <N>  => $2 - $1
    \bmultiply <N> (?:by|and|with|times) <N>  => $1 * $2
    \bdivide <N> by <N>  => $1 / $2
    <then>(?:plus|added to|add|(?:increased|raised) by)\b\s*  => _+_
    <then>(?:minus|less|take away|subtract|(?:decreased|reduced|lowered) by)\b\s*  => _-_
    <then>(?:times|multiplied (?:by|with)|multiply by)\b\s*  => _*_
    <then>(?:divided by|divide by|over)\b\s*  => _/_
    <then>double$  => _*_2
    <then>triple$  => _*_3
    <then>(?:half|halve)$  => _/_2
    <then>square$  => ^2
    <then>(?:modulo|modulus)\b\s*  => _mod_
  `,
  HOLES,
  'gi',
);

const PART = new RegExp(
  `\\b(?:an? |(\\d+) )?(half|quarter|${ORDINAL_WORDS.slice(2).join('|')})s?(?: of|(?<=half)(?: a)?) (?=[\\d(.]|half)`,
  'g',
);

/** "Half of 7", "two thirds of 90" with figures: a fraction times what follows. */
const fractions = (text: string): string =>
  text.replace(PART, (_, count = '1', part: string) => {
    const size = { half: 2, quarter: 4 }[part] ?? ORDINAL_WORDS.indexOf(part) + 1;
    return `${String(count)}/${size} * `;
  });

/** Turns a calculation in words into notation; words it does not know stay. `_` in a rule is a space. */
export const translate = (text: string): string =>
  RULES.reduce(
    (words, { pattern, to }) => words.replace(pattern, to.replaceAll('_', ' ')),
    fractions(withoutCurrency(text.toLowerCase())),
  )
    .replace(/\s+/g, ' ')
    .trim();

/** As the tool takes them; no significant digits are none. */
const MAX_DIGITS = 50;
/** To how many decimals or digits; those that name no number of their own have it at the end. */
const ROUNDINGS = rules(
  String.raw`
    \s(?:to|with) (\d{1,2}) (?:decimal places?|decimals?|d\.?p\.?|places)$  => decimals
    \s(?:to|with) (\d{1,2}) (?:significant (?:figures?|digits?)|sig\.? figs?|s\.?f\.?|digits?|figures?)$  => significantDigits
    \sto (?:the nearest |a )?(?:whole number|integer)$  => decimals 0
    \sto (?:the (?:nearest )?)?(?:cents?|penny|hundredth)$  => decimals 2
    \sas an? (?:exact |simple )?(?:fraction|decimal)$  =>
    \s(?:in|as) (?:numbers|figures|digits)$  =>
  `,
  {},
  '',
);

/** Takes "to 10 digits" and "as a decimal" off the end of a request; `rounding` is null where the request names none. */
export function takeRounding(text: string): { rest: string; rounding: Record<string, number> | null } {
  for (const { pattern, to } of ROUNDINGS) {
    const match = pattern.exec(text);
    const [name = '', usual] = to.split(' ');
    const digits = Number(match?.[1] ?? usual);
    if (match === null || digits > MAX_DIGITS || (digits === 0 && name !== 'decimals')) continue;
    const before = text.slice(0, match.index).replace(/,?(?: rounded| correct| accurate)?$/, '');
    const { rest, rounding } = takeRounding(before);
    return {
      rest: rest.replace(/^round (?=\S+$)/, ''),
      rounding: { ...(name !== '' && { [name]: digits }), ...rounding },
    };
  }
  return { rest: text, rounding: null };
}
