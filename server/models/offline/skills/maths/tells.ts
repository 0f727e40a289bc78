import type { calculate } from '../../../../tools/maths/calculate.ts';
import { groupDigits } from '../../reading/phrases.ts';
import { listed, type OutputOf } from '../../wording/telling.ts';

type Result = OutputOf<typeof calculate>;

/** Longest result told within the sentence; longer ones get a block of their own. */
const MAX_INLINE = 100;

/** Tells a calculation as Markdown, with ≈ where something was rounded. */
export function tellCalculation(result: Result, input: Record<string, unknown>, question: string): string {
  const written = pretty(result.expression);
  if (result.kind === 'truth')
    return result.result === 'true' ? `**Yes**: ${written}.` : `**No**: ${written} does not hold.`;
  const primes = /^factors\((\d+)\)$/.exec(result.expression)?.[1];
  if (primes !== undefined) return tellFactors(primes, result.result.split(', '), question);
  if (result.kind === 'list') return `${written} ${result.exact ? '=' : '≈'} **${result.result}**`;
  const currency = currencyOf(question, result.expression);
  const figure = currency === null ? number(result.result) : money(currency, result);
  if (figure.length > MAX_INLINE)
    return `${written}${result.exact ? ' =' : ' ≈'}\n\n\`\`\`text\n${result.result}\n\`\`\`\n\n(${digits(result.result)} digits)`;
  const percentage = /^(\S+) \/ (\S+) \* 100$/.exec(result.expression);
  if (percentage && /percent/i.test(question))
    return `${pretty(percentage[1] ?? '')} is ${about(result)}**${figure}%** of ${pretty(percentage[2] ?? '')}.`;
  if (/percent/i.test(question) && /^\(\S+ - \S+\) \/ \S+ \* 100$/.test(result.expression))
    return `The change is ${about(result)}**${figure}%**.`;
  const part = /^([\d.]+)% \* ([\d.]+)$/.exec(result.expression);
  if (part)
    return `${number(part[1] ?? '')}% of ${currency ?? ''}${number(part[2] ?? '')} is ${isRounded(currency, result) ? '≈ ' : ''}**${figure}**.`;
  const listed = /^([a-z]+)\(([^()]+)\)$/.exec(result.expression);
  const name = LIST_NAMES.get(listed?.[1] ?? '');
  if (name) return `The ${name} of ${series(listed?.[2] ?? '')} is ${about(result)}**${figure}**.`;
  if (currency !== null) return `${written} ${isRounded(currency, result) ? '≈' : '='} **${figure}**`;
  if (result.fraction !== undefined && isFractionItself(result) && /\bfraction\b/i.test(question))
    return `${written} is a fraction in lowest terms already, ${result.exact ? '' : 'about '}**${figure}**.`;
  const told = `${written} ${equation(result, figure, input)}`;
  const isNone =
    /\bas an? (?:exact )?fraction\b/i.test(question) && result.fraction === undefined && !result.exact;
  return isNone ? `${told}; no fraction is exactly that.` : told;
}

function tellFactors(whole: string, factors: string[], question: string): string {
  const shown = number(whole);
  const product = factors.map(number).join(' × ');
  const isPrime = factors.length === 1 && Number(whole) > 1;
  if (/\bprime\b(?! fact)/i.test(question)) {
    if (Number(whole) < 2) return `**No**: ${shown} is not a prime number; the smallest is 2.`;
    return isPrime ? `**Yes**: ${shown} is a prime number.` : `**No**: ${shown} = ${product}.`;
  }
  return isPrime ? `${shown} is a prime number: it has no smaller factors.` : `${shown} = **${product}**`;
}

const LIST_NAMES = new Map([
  ['sum', 'sum'],
  ['mean', 'mean'],
  ['median', 'median'],
  ['mode', 'mode'],
  ['product', 'product'],
  ['min', 'smallest'],
  ['max', 'largest'],
  ['std', 'sample standard deviation'],
  ['variance', 'sample variance'],
  ['gcd', 'greatest common divisor'],
  ['lcm', 'least common multiple'],
]);

/** "1, 2" as "1 and 2"; a long list by its length. */
function series(list: string): string {
  const values = list.split(/\s*,\s*/).map(number);
  return values.length > 12 ? `those ${values.length} numbers` : listed(values);
}

function about(result: Result): string {
  return result.exact ? '' : '≈ ';
}

const SIGNS: readonly (readonly [string, RegExp])[] = [
  ['€', /€|\beuros?\b/i],
  ['$', /\$|\bdollars?\b/i],
  ['£', /£/],
  ['¥', /¥/],
];

/** The currency a sum was asked in, when its result is an amount of it: not a ratio of two, nor a power. */
function currencyOf(question: string, expression: string): string | null {
  const found = SIGNS.filter(([, pattern]) => pattern.test(question));
  const [sign] = found[0] ?? [];
  if (sign === undefined || found.length > 1) return null;
  const amounts = question.match(/[€$£¥]|\b(?:euros?|dollars?)\b/gi)?.length ?? 0;
  const keeps =
    /^[\d\s.+\-*/%()]+$/.test(expression) || /^(?:sum|mean|median|min|max)\([^()]*\)$/.test(expression);
  if (!keeps || expression.includes('**')) return null;
  return amounts > 1 && /[*/]/.test(expression.replace(/% \* |\* \d+%/g, '')) ? null : sign;
}

/** Cents, where there are any: "£12.50". */
function money(sign: string, result: Result): string {
  const value = Number(result.result);
  if (Math.abs(value) >= 1e12)
    return `${value < 0 ? '−' : ''}${sign}${number(result.result.replace('-', ''))}`;
  const size = Math.abs(value).toFixed(Number.isInteger(value) ? 0 : 2);
  return `${value < 0 ? '−' : ''}${sign}${groupDigits(size)}`;
}

/** Whether what is told is not all of the result. */
function isRounded(currency: string | null, result: Result): boolean {
  return !result.exact || (currency !== null && /\.\d{3}/.test(result.result));
}

function isFractionItself({ expression, fraction }: Result): boolean {
  return expression.replace(/\s/g, '') === fraction;
}

/** The right-hand side; a fraction stands beside its decimals where it says more than they do. */
function equation(result: Result, figure: string, input: Record<string, unknown>): string {
  const asked = input['decimals'] !== undefined || input['significantDigits'] !== undefined;
  const { fraction } = result;
  if (!fraction || isFractionItself(result) || asked) return `${result.exact ? '=' : '≈'} **${figure}**`;
  if (!result.exact) return `= **${fraction}** ≈ ${figure}`;
  const ofFractions = (result.expression.match(/\d\s*\/\s*\d/g) ?? []).length > 1;
  return ofFractions ? `= **${figure}** (${fraction})` : `= **${figure}**`;
}

function number(text: string): string {
  const [mantissa = '', exponent] = text.split('e');
  const grouped = groupDigits(mantissa).replace(/^-/, '−');
  return exponent === undefined ? grouped : `${grouped} × 10^${exponent.replace('+', '').replace('-', '−')}`;
}

function digits(text: string): string {
  return groupDigits(String(text.replace(/\D/g, '').length));
}

/** The calculation as people write it. Markdown's own signs in it are escaped. */
function pretty(expression: string): string {
  const written = expression
    .replace(/\(sum\(([\d., ]+)\)\)/g, (_, list: string) => `(${list.replaceAll(', ', ' + ')})`)
    .replace(/\bfactorial\((\d+)\)/g, '$1!')
    .replace(/\bsqrt\((\d[\d.]*)\)/g, '√$1')
    .replace(/\bcbrt\((\d[\d.]*)\)/g, '∛$1')
    .replace(/\bpi\b/g, 'π')
    .replace(/ ?\bdeg\b/g, '°')
    .replace(/(\d)\.0*(?=\D|$)/g, '$1')
    .replace(/% \* (?=\d)/g, '% of ')
    .replace(/\s*\*\s*/g, ' × ')
    .replace(/\s*([+<>]|==|!=|<=|>=)\s*/g, ' $1 ')
    .replace(/(?<=[\w)%!])\s*-\s*/g, ' − ')
    .replace(/ == /g, ' = ')
    .replace(/\d+(?:\.\d+)?/g, (figures) => (/[a-z]\(/i.test(expression) ? figures : groupDigits(figures)))
    .trim();
  const short = written.length > 200 ? `${written.slice(0, 200)}…` : written;
  return short.replace(/[<>]/g, (sign) => `\\${sign}`).replace(/[[\]_`]/g, (sign) => `\\${sign}`);
}
