import type { calculate } from '../../../../tools/maths/calculate.ts';
import { currencyOf, showAmount } from '../../../../tools/data-numbers.ts';
import { Decimal as Exact } from '../../../../tools/maths/numbers.ts';
import { count, withThousands } from '../../../../../shared/numbers.ts';
import { listed, type OutputOf } from '../../wording/formatting.ts';
import { listName } from './lists.ts';

type Result = OutputOf<typeof calculate>;

/** Longest result shown within the sentence; longer ones get a block of their own. */
const MAX_INLINE = 100;

/** Formats a calculation as Markdown, with ≈ where something was rounded. */
export function formatCalculation(result: Result, input: Record<string, unknown>, question: string): string {
  const { expression, kind, exact } = result;
  const written = pretty(expression);
  if (kind === 'truth')
    return result.result === 'true' ? `**Yes**: ${written}.` : `**No**: ${written} does not hold.`;
  const primes = /^factors\((\d+)\)$/.exec(expression)?.[1];
  if (primes !== undefined) return formatFactors(primes, result.result.split(', '), question);
  const isPercent = /\/ \S+ \* 100$/.test(expression) && /percent|%/i.test(question);
  const currency = isPercent ? null : currencyAsked(question, expression);
  const figure = currency === null ? number(result.result) : money(currency, result.result);
  if (figure.length > MAX_INLINE)
    return `${written}${exact ? ' =' : ' ≈'}\n\n\`\`\`text\n${result.result}\n\`\`\`\n\n(${count(result.result.replace(/\D/g, '').length, 'digit')})`;
  // Amounts of money are shown with two decimals.
  const isExact = exact && !(currency !== null && /\.\d{3}/.test(result.result));
  const [, name = '', list = ''] = /^([a-z]+)\(([^()]+)\)$/.exec(expression) ?? [];
  const called = listName(name);
  if (called !== null) return `The ${called} of ${series(list)} is ${isExact ? '' : '≈ '}**${figure}**.`;
  const { fraction } = result;
  const isShown = fraction !== undefined && fraction !== expression.replace(/\s/g, '');
  const isRounded = input['decimals'] !== undefined || input['significantDigits'] !== undefined;
  if (fraction !== undefined && /\b(?:fraction|simplify)\b/i.test(question))
    return `${written} = **${fraction}**`;
  if (isShown && !isRounded && currency === null) {
    if (!exact) return `${written} = **${fraction}** ≈ ${figure}`;
    if (/\d\s*\/\s*\d.*\d\s*\/\s*\d/.test(expression)) return `${written} = **${figure}** (${fraction})`;
  }
  return `${isPercent ? pretty(expression.slice(0, -' * 100'.length)) : written} ${isExact ? '=' : '≈'} **${figure}${isPercent ? '%' : ''}**`;
}

/** "91 = 7 × 13", and whether it is prime where that is asked. */
function formatFactors(whole: string, factors: string[], question: string): string {
  const isPrime = factors.length === 1 && Number(whole) > 1;
  const factored = isPrime ? 'is a prime number.' : `= **${factors.map(number).join(' × ')}**`;
  const answer = /\bprime\b(?! fact)/i.test(question) ? `**${isPrime ? 'Yes' : 'No'}**: ` : '';
  return `${answer}${number(whole)} ${factored}`;
}

/** "1, 2" as "1 and 2"; a long list by its length. */
function series(list: string): string {
  const values = list.split(',').map((value) => number(value.trim()));
  return values.length > 12 ? `those ${values.length} numbers` : listed(values);
}

/** The currency a sum was asked in, when its result is an amount of it: not a ratio of two, nor a power. */
function currencyAsked(question: string, expression: string): string | null {
  const found = (question.match(/\p{Sc}|\b(?:euros?|dollars?)\b/giu) ?? []).map(currencyOf);
  const isSum = /^(?:(?:sum|mean|median|min|max)\([^()]*\)|[\d\s.+\-*/%()]+)$/.test(expression);
  const isRatio = found.length > 1 && /[*/]/.test(expression.replace(/% \* |\* \d+%/g, ''));
  return new Set(found).size === 1 && isSum && !isRatio ? (found[0] ?? null) : null;
}

/** With cents, where there are any: "£12.50". */
const money = (currency: string, amount: string): string =>
  showAmount(new Exact(amount), currency).replace('-', '−');

/** With thousands separators; a whole amount in cents without them. */
function number(text: string): string {
  const [mantissa = '', exponent] = text.replace(/^(-?\d+)\.00$/, '$1').split('e');
  const grouped = withThousands(mantissa).replace(/^-/, '−');
  return exponent === undefined ? grouped : `${grouped} × 10^${exponent.replace('+', '').replace('-', '−')}`;
}

/** The calculation as people write it. Markdown's own signs in it are escaped. */
export function pretty(expression: string): string {
  const written = expression
    .replace(/\(sum\(([\d., ]+)\)\)/g, (_, list: string) => `(${list.replaceAll(', ', ' + ')})`)
    .replace(/\bfactorial\((\d+)\)/g, '$1!')
    .replace(/\bsqrt\((\d[\d.]*)\)/g, '√$1')
    .replace(/\bcbrt\((\d[\d.]*)\)/g, '∛$1')
    .replace(/\bpi\b/g, 'π')
    .replace(/ ?\bdeg\b/g, '°')
    .replace(/(\d)\.0*(?=\D|$)/g, '$1')
    .replace(/% \* (?=\d)/g, '% of ')
    .replace(/(?<!\s)\s*\*\s*/g, ' × ')
    .replace(/(?<!\s|\de(?=\+\d))\s*([+<>]|==|!=|<=|>=)\s*/g, ' $1 ')
    .replace(/(?<=[\w)%!])(?<!\de(?=-\d))\s*-\s*/g, ' − ')
    .replace(/ == /g, ' = ')
    .replace(/\d+(?:\.\d+)?/g, (figures) => (/[a-z]\(/i.test(expression) ? figures : withThousands(figures)))
    .trim();
  const short = written.length > 200 ? `${written.slice(0, 200)}…` : written;
  return short.replace(/[<>[\]_`]/g, (sign) => `\\${sign}`);
}
