import { calculate } from '../../../../tools/maths/calculate.ts';
import { tidyExpression } from '../../../../tools/maths/notation.ts';
import { previousCall, type PreviousCall } from '../../reading/history.ts';
import { fieldsOf, listOf, textOf } from '../../../../lib/fields.ts';
import { withOtherFigure } from './other-figure.ts';
import { plainQuotes, stripAsking } from '../../reading/phrases.ts';
import type { Request, Skill, Wish } from '../../skill.ts';
import { telling, tellsEach } from '../../wording/telling.ts';
import { everydaySum } from './everyday.ts';
import { isCalculation, isSomethingElse } from './shape.ts';
import { tellCalculation } from './tells.ts';
import { compared, takeRounding, translate } from './translate.ts';

const MAX_CHARACTERS = 600;
const HAS_NUMBER =
  /[\d½¼¾π]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|pi)\b/i;

/** Calculation. */
export const mathsSkill: Skill = {
  needs: 'the calculator',
  summary: 'calculate: arithmetic, percentages, fractions, powers, roots, statistics',
  examples: [
    "what's 12.5% of 1,840?",
    '(3 + 4) * 2^5',
    'square root of 2 to 20 digits',
    'average of 3, 5 and 10',
  ],
  tools: ['calculate'],
  reads(request) {
    if (request.text.length > MAX_CHARACTERS) return null;
    const text = plainQuotes(request.text);
    const listed = overNumbers(text, request);
    return (listed === null ? followUp(text, request) : null) ?? fresh(listed ?? text);
  },
  tells: tellsEach(telling(calculate, (result, input, { text }) => tellCalculation(result, input, text))),
};

const OVER_NUMBERS =
  /^(?:(?:and|now|then|what(?:'s| is)|give me|calculate|work out|the)\s+)*(add|sum|total|average|mean|median|product|minimum|maximum|min|max)(?:\s(?:up|of|them|these|those|that|it|all|the|following|numbers|values|list|together))*$/i;
const NUMBER = /^[-−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?$/;

/** "Add these up: 12, 7", "the average of these" over lines of numbers, "sum them" of numbers told last. */
function overNumbers(text: string, { material, history }: Request): string | null {
  const [, words = text, apart] = /^([^:\n]{2,80}):\s+(\S.*)$/s.exec(text) ?? [];
  const name = OVER_NUMBERS.exec(words.replace(/[\s?.!]+$/, ''))?.[1];
  const last = previousCall(history, ['extract_from_text', 'sort_list', 'remove_duplicates', 'calculate'], 2);
  const told =
    last?.tool === 'calculate' ? /^[a-z]+\((.+)\)$/.exec(String(last.input['expression']))?.[1] : null;
  const items = last?.output['items'];
  const list = apart ?? material ?? told ?? (Array.isArray(items) ? items.join('\n') : '');
  const numbers = list.trim().split(/\s*[;\n]\s*|,?\s+(?:and\s+)?|,(?!\d{3}\b)/);
  if (name === undefined || numbers.length < 2 || !numbers.every((item) => NUMBER.test(item))) return null;
  const plain = numbers.map((item) => item.replaceAll(',', '').replace('−', '-')).join(', ');
  return `${/^(?:add|total)$/i.test(name) ? 'sum' : name} of ${plain}`;
}

function fresh(text: string): Wish | null {
  if (!HAS_NUMBER.test(text)) return null;
  const asked = stripAsking(text);
  const everyday = everydaySum(asked);
  if (everyday !== null) {
    const { expression, ...rounding } = everyday;
    return wish(expression, rounding);
  }
  const { rest, rounding } = takeRounding(compared(asked.replace(SUM_OF_ALL, '')));
  if (isSomethingElse(rest)) return null;
  const bare = rest.replace(/^round(?:ed)?\s+(?=\S+$)/i, '');
  const isNumber = Object.keys(rounding).length > 0 && /^-?[\d,]*\.?\d+$|^(?:pi|e|phi)$/.test(bare);
  return isNumber ? wish(bare, rounding) : whenCalculation(inSteps(rest), rounding);
}

/** "Sum 12 + 7": the signs say it already. */
const SUM_OF_ALL = /^(?:the )?(?:sum|total|add)(?: up)?(?: of)?:? (?=[\d.,]+ ?\+)/i;
const STEP =
  /,?\s*\b(?:and then|then|and)\s+(?=(?:add|subtract|take away|multiply|divide|double|triple|halve|square|times|plus|minus)\b)/i;

/** "12 * 7, then add 5", "add 5 to 17 and double the result": each step works on the result of the one before. */
function inSteps(text: string): string {
  const [first = '', ...steps] = text.split(STEP);
  return steps.reduce((before, step) => translate(stepOn(`(${before})`, step)), translate(first));
}

const VERBS: readonly (readonly [RegExp, string])[] = [
  [/^(?:add|plus) (\S+)$/i, '{} + $1'],
  [/^(?:subtract|take away|minus) (\S+)$/i, '{} - $1'],
  [/^(?:multiply|times) (?:by )?(\S+)$/i, '{} * $1'],
  [/^divide by (\S+)$/i, '{} / $1'],
  [/^double$/i, '2 * {}'],
  [/^triple$/i, '3 * {}'],
  [/^(?:half|halve)$/i, '{} / 2'],
  [/^square$/i, '{}^2'],
];
const IT = /\b(?:that|it|this|(?:the|your) (?:last )?(?:result|answer|total|sum)|ans)\b/i;

/** What a step makes of a value; words that are no step stay, and then aren't a sum. */
function stepOn(value: string, words: string): string {
  const step = words.replace(IT, '').replace(/\s+/g, ' ').trim();
  const [pattern, to] = VERBS.find(([verb]) => verb.test(step)) ?? [];
  return pattern === undefined || to === undefined
    ? `${value} ${step}`
    : step.replace(pattern, to.replace('{}', value));
}

const wish = (expression: string, rounding: Record<string, unknown> = {}): Wish => ({
  tool: 'calculate',
  input: { expression: tidyExpression(expression), ...rounding },
});

const whenCalculation = (expression: string, rounding: Record<string, unknown> = {}): Wish | null =>
  isCalculation(expression) ? wish(expression, rounding) : null;

const LEAD = /^(?:(?:and|then|now|ok|okay|so|but|what about|how about)\b,?\s+)+/i;
const CONTINUES =
  /^(?:(?:that|it|this|the result)\s+)?(?:(?:times|multiplied by|plus|minus|divided by|over|to the power(?: of)?|squared|cubed)\b.*|[-+*/×÷^%]\s*[\d(].*)$/i;

/** "Times 3", "double it", "and of 300?", "to 20 digits", "and the average?": of the result told last, or the sum anew. */
function followUp(text: string, { history }: Request): Wish | null {
  const last = previousCall(history, ['calculate', 'convert_units', 'date_difference'], 2);
  const value = last && valueOf(last);
  if (last === null || value === null) return null;
  const plain = text
    .trim()
    .replace(/[?.!]+$/, '')
    .replace(LEAD, '');
  const before = last.tool === 'calculate' ? String(last.input['expression']) : '';
  if (CONTINUES.test(plain)) return whenCalculation(translate(`${value} ${plain.replace(IT, '')}`));
  if (VERBS.some(([verb]) => verb.test(plain.replace(IT, '').trim())))
    return whenCalculation(stepOn(value, plain));
  const question = history.at(-1)?.steps.length === 1 ? plainQuotes(history.at(-1)?.question ?? '') : '';
  const again = before === '' ? null : withOtherFigure(text.replace(/[?.!]+$/, ''), question);
  const anew = again === null ? null : fresh(again);
  if (anew !== null) return anew;
  const other = withOtherFigure(text.replace(/[?.!]+$/, ''), before);
  if (other !== null) return whenCalculation(other);
  const shown = takeRounding(` ${plain.replace(/^(?:round(?:ed)? )?(?:that|it) /i, '')}`);
  if (before !== '' && shown.rest.trim() === '') return wish(before, shown.rounding);
  const { rest, rounding } = takeRounding(stripAsking(plain));
  return IT.test(rest) ? whenCalculation(translate(compared(rest.replace(IT, value))), rounding) : null;
}

/** What "that" stands for: a number, exactly. */
function valueOf({ tool, input, output }: PreviousCall): string | null {
  const given = fieldsOf(output);
  if (tool === 'convert_units') {
    const to = listOf(given['to']);
    const value = to?.length === 1 ? textOf(fieldsOf(to[0])['value']) : null;
    return value && bracketed(value);
  }
  if (tool === 'date_difference') {
    const { days } = given;
    return typeof days === 'number' ? String(Math.abs(days)) : null;
  }
  const { kind = 'number', exact } = given;
  const result = textOf(given['result']);
  const fraction = textOf(given['fraction']);
  if (kind !== 'number') return null;
  if (exact === true && result !== null && !/e/i.test(result)) return bracketed(result);
  if (fraction !== null) return `(${fraction})`;
  // What an earlier request of the same message gives isn't known yet.
  const own = input['expression'];
  return typeof own === 'string' && !own.includes(';') ? `(${own})` : result && bracketed(result);
}

const bracketed = (number: string): string => (number.startsWith('-') ? `(${number})` : number);
