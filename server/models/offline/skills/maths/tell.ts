import type { Static } from 'typebox';
import type { CalculateOutput } from '../../../../tools/maths/calculate.ts';
import { groupDigits } from '../phrases.ts';

type Result = Static<typeof CalculateOutput>;

/** Longest result told within the sentence; longer ones get a block of their own. */
const MAX_INLINE = 100;

/** Tells a calculation as Markdown, with ≈ where something was rounded. */
export function tellCalculation(result: Result, input: Record<string, unknown>, question: string): string {
  const written = pretty(result.expression);
  if (result.kind === 'truth')
    return result.result === 'true' ? `**Yes**: ${written}.` : `**No**: ${written} does not hold.`;
  if (result.kind === 'list') return `${written} ${result.exact ? '=' : '≈'} **${result.result}**`;
  const figure = number(result.result);
  if (figure.length > MAX_INLINE)
    return `${written}${result.exact ? ' =' : ' ≈'}\n\n\`\`\`text\n${result.result}\n\`\`\`\n\n(${digits(result.result)} digits)`;
  const percentage = /^(\S+) \/ (\S+) \* 100$/.exec(result.expression);
  if (percentage && /percent/i.test(question))
    return `${pretty(percentage[1] ?? '')} is ${about(result)}**${figure}%** of ${pretty(percentage[2] ?? '')}.`;
  if (/percent/i.test(question) && /^\(\S+ - \S+\) \/ \S+ \* 100$/.test(result.expression))
    return `The change is ${about(result)}**${figure}%**.`;
  const part = /^([\d.]+)% \* ([\d.]+)$/.exec(result.expression);
  if (part) return `${number(part[1] ?? '')}% of ${number(part[2] ?? '')} is ${about(result)}**${figure}**.`;
  const listed = /^([a-z]+)\(([^()]+)\)$/.exec(result.expression);
  const name = LIST_NAMES.get(listed?.[1] ?? '');
  if (name) return `The ${name} of ${series(listed?.[2] ?? '')} is ${about(result)}**${figure}**.`;
  return `${written} ${equation(result, figure, input)}`;
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
  if (values.length > 12) return `those ${values.length} numbers`;
  return values.length < 2 ? values.join('') : `${values.slice(0, -1).join(', ')} and ${values.at(-1) ?? ''}`;
}

function about(result: Result): string {
  return result.exact ? '' : '≈ ';
}

/** The right-hand side; a fraction stands beside its decimals where it says more than they do. */
function equation(result: Result, figure: string, input: Record<string, unknown>): string {
  const asked = input['decimals'] !== undefined || input['significantDigits'] !== undefined;
  const { fraction } = result;
  const isItself = fraction !== undefined && result.expression.replace(/\s/g, '') === fraction;
  if (!fraction || isItself || asked) return `${result.exact ? '=' : '≈'} **${figure}**`;
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
