import { calculate } from '../../../../tools/maths/calculate.ts';
import { tidyExpression } from '../../../../tools/maths/notation.ts';
import { previousCall, type PreviousCall } from '../../reading/history.ts';
import { fieldsOf, listOf, textOf, type Fields } from '../../../../lib/fields.ts';
import { plainQuotes, stripAsking } from '../../reading/phrases.ts';
import type { Request, OfflineSkill, ToolRequest } from '../../skill.ts';
import { formatting, formatEach } from '../../wording/formatting.ts';
import { everydaySum } from './everyday.ts';
import { listSum } from './lists.ts';
import { currenciesIn, figures } from './number-words.ts';
import { withOtherFigure } from './other-figure.ts';
import { isCalculation, isSomethingElse } from './shape.ts';
import { formatCalculation } from './format.ts';
import { takeRounding, translate } from './translate.ts';

const MAX_CHARACTERS = 600;

/** Calculation. */
export const mathsSkill: OfflineSkill = {
  needs: 'the calculator',
  summary: 'calculate: arithmetic, percentages, fractions, powers, roots, statistics',
  examples: `what's 12.5% of 1,840? | (3 + 4) * 2^5 | square root of 2 to 20 digits | average of 3, 5 and 10`,
  tools: ['calculate'],
  parse(request) {
    if (request.text.length > MAX_CHARACTERS || currenciesIn(request.text).size > 1) return null;
    const text = figures(plainQuotes(request.text))
      .trim()
      .replace(/(?<![\w.,])(\d+(?:\.\d+)?)k\b(?! to | in )/gi, (_, thousands: string) =>
        String(Number(thousands) * 1000),
      );
    const { rest, rounding } = takeRounding(stripAsking(text));
    const listed = listSum(rest, request);
    return listed === null ? (followUp(text, request) ?? fresh(text)) : toolRequest(listed, rounding);
  },
  format: formatEach(
    formatting(calculate, (result, input, { text }) => formatCalculation(result, input, text)),
  ),
};

const CENTS = 2;
/** "6 at $4.50", "12 notebooks at 3.20 each". */
const AT_PRICE =
  /^(\d{1,3}(?:,\d{3})*|\d+)(?: [a-z]+){0,2} (?:at|@) (?:[$€£₹] ?(\d+(?:\.\d+)?)(?: each| apiece)?|(\d+(?:\.\d+)?) (?:each|apiece))$/;

function fresh(text: string): ToolRequest | null {
  const asked = stripAsking(text).toLowerCase();
  if (!/[\d½¼¾π]|\bpi\b/.test(asked) || isSomethingElse(asked)) return null;
  const everyday = everydaySum(asked);
  if (everyday !== null) return toolRequest(everyday, { decimals: CENTS });
  const [, times, price, each] = AT_PRICE.exec(asked) ?? [];
  if (times !== undefined) return toolRequest(`${times} * ${price ?? each ?? ''}`, { decimals: CENTS });
  const { rest, rounding } = takeRounding(asked.replace(/^simplify (?:the fraction )?/, ''));
  const isNumber = rounding !== null && /^(?:-?(?:[\d,]*\.)?\d+|-?[\d,]*\d|pi|e|phi)$/.test(rest);
  return isNumber ? toolRequest(rest, rounding) : whenCalculation(inSteps(rest), rounding);
}

const STEP =
  /,?(?<!\s)\s*\b(?:and then|then|and)\s+(?=(?:add|subtract|take away|multiply|divide|double|triple|halve|square|times|plus|minus)\b)/i;

/** "12 * 7, then add 5", "add 5 to 17 and double the result": each step works on the result of the one before. */
function inSteps(text: string): string {
  const [first = '', ...steps] = text.split(STEP);
  if (steps.some(isOwnSum)) return '';
  return steps.reduce((before, step) => translate(`(${before}) ${step.replace(IT, '')}`), translate(first));
}

/** "Multiply 5 by 6" works on no result before it. */
const isOwnSum = (step: string): boolean => /^[a-z]/i.test(step) && isCalculation(translate(step));

const IT = / ?\b(?:that|it|this|(?:the|your) (?:last )?(?:result|answer|total|sum)|ans)\b/i;

const toolRequest = (expression: string, rounding: Fields | null = null): ToolRequest => ({
  tool: calculate.name,
  input: { expression: tidyExpression(expression), ...rounding },
});

const whenCalculation = (expression: string, rounding: Fields | null = null): ToolRequest | null =>
  isCalculation(expression) ? toolRequest(expression, rounding) : null;

const LEAD = /^(?:(?:and|then|now|ok|okay|so|but|what about|how about)\b,?\s+)+/i;
const CONTINUES =
  /^(?:add|plus|subtract|minus|take away|times|multipl|divide|over|to the power|double|triple|half$|halve|squared?$|cubed$|[-+*/×÷^%]\s*[\d(])/i;

/** Tools whose results can be worked on. */
const WITH_VALUE = ['calculate', 'convert_units', 'date_difference', 'query_table'];

/** "Times 3", "double it", "and of 300?", "to 20 digits", "and the average?": continues from the last result, or repeats the sum with a change. */
function followUp(text: string, { history }: Request): ToolRequest | null {
  const answered = history.slice(-2).findLast(({ steps }) => steps.length > 0);
  const last = answered ? previousCall([answered], WITH_VALUE) : null;
  // What was rounded on request is taken as it was shown.
  const isRounded = /\bround/i.test(answered?.question ?? '') && last?.input['decimals'] !== undefined;
  const value = isRounded ? bracketed(textOf(last.output['result'])) : last && valueOf(last);
  if (last === null || value === null) return null;
  const plain = text.replace(/(?<![?.!])[?.!]+$/, '').replace(LEAD, '');
  const step = plain.replace(IT, '').trim();
  const isOther = isOtherMoney(text, history);
  if (CONTINUES.test(step) && !isOwnSum(step))
    return isOther ? null : whenCalculation(translate(`${value} ${step}`));
  const before = last.tool === calculate.name ? String(last.input['expression']) : '';
  const exchange = history.at(-1);
  const question = exchange?.steps.length === 1 ? figures(plainQuotes(exchange.question)) : '';
  const again = before === '' ? null : withOtherFigure(text, question);
  const other = withOtherFigure(text, before);
  const anew = (again === null ? null : fresh(again)) ?? (other === null ? null : whenCalculation(other));
  if (anew !== null) return anew;
  if (/^round(?: (?:it|that|this|the result))?(?: off)?$/i.test(plain))
    return toolRequest(before === '' ? value : before, { decimals: 0 });
  const { rest, rounding } = takeRounding(` ${stripAsking(plain)}`);
  const about = rest.replace(/\bround(?:ed)?\b/, '').trim();
  if (before !== '' && rounding !== null && about.replace(IT, '') === '')
    return toolRequest(before, rounding);
  if (!IT.test(about) || isOther) return null;
  return whenCalculation(translate(about.replace(IT, ` ${value}`).trim()), rounding);
}

/** Whether a text names another currency than the last amount had: dollars can't be added to euros. */
function isOtherMoney(text: string, history: Request['history']): boolean {
  const [own] = currenciesIn(text);
  const before = history
    .map(({ question, answer }) =>
      [currenciesIn(answer), currenciesIn(question)].find(({ size }) => size > 0),
    )
    .findLast((found) => found !== undefined);
  return own !== undefined && before !== undefined && !(before.size === 1 && before.has(own));
}

/** What "that" stands for: a number, exactly. */
function valueOf({ tool, input, output }: PreviousCall): string | null {
  if (tool === 'date_difference')
    return typeof output['days'] === 'number' ? String(Math.abs(output['days'])) : null;
  if (tool === 'query_table') {
    const { figure } = output;
    // A longer figure was rounded.
    const isWhole =
      typeof figure === 'number' && (Number.isSafeInteger(figure) || /^[-.\d]{1,16}$/.test(String(figure)));
    return isWhole ? bracketed(String(figure)) : null;
  }
  if (tool === 'convert_units') {
    const [only, ...others] = listOf(output['to']) ?? [];
    return others.length > 0 ? null : bracketed(textOf(fieldsOf(only)['value']));
  }
  const { kind = 'number', exact, result, fraction } = output;
  const number = textOf(result);
  if (kind !== 'number') return null;
  if (exact === true && number !== null && !/e/i.test(number)) return bracketed(number);
  // What an earlier request of the same message gives isn't known yet.
  const sum = textOf(fraction) ?? textOf(input['expression']);
  return sum !== null && !sum.includes(';') ? `(${sum})` : bracketed(number);
}

const bracketed = (number: string | null): string | null =>
  number?.startsWith('-') === true ? `(${number})` : number;
