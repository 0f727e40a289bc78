import { tidyExpression } from '../../../../tools/maths/notation.ts';
import { calculate, CalculateOutput } from '../../../../tools/maths/calculate.ts';
import { ConvertUnitsOutput } from '../../../../tools/maths/convert-units.ts';
import { DateDifferenceOutput } from '../../../../tools/dates/date-difference.ts';
import { narrow } from '../../reading/narrow.ts';
import type { Wish, Request, Skill } from '../../skill.ts';
import { telling, tellsEach } from '../../wording/telling.ts';
import { everydaySum } from './everyday.ts';
import { isCalculation, isSomethingElse } from './shape.ts';
import { tellCalculation } from './tells.ts';
import { compared, takeRounding, translate } from './translate.ts';
import { plainQuotes, stripAsking } from '../../reading/phrases.ts';
import { previousCall } from '../../reading/history.ts';
import { withOtherFigure } from '../../reading/other-figure.ts';

const MAX_CHARACTERS = 600;

/** Calculation. */
export const mathsSkill: Skill = {
  name: 'maths',
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
    return followUp(text, request) ?? fresh(text);
  },
  tells: tellsEach(
    telling(calculate, (result, input, { text }) => {
      const unit = everydaySum(stripAsking(text).text)?.unit;
      return tellCalculation(result, input, text) + (unit === undefined ? '' : ` ${unit}`);
    }),
  ),
};

function fresh(text: string): Wish | null {
  if (
    !/[\d½¼¾π]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|pi)\b/i.test(
      text,
    )
  )
    return null;
  const asked = stripAsking(text);
  const everyday = everydaySum(asked.text);
  if (everyday !== null) {
    const { expression, decimals } = everyday;
    return wish(expression, decimals === undefined ? {} : { decimals });
  }
  const { rest, rounding } = takeRounding(compared(asked.text.replace(SUM_OF_ALL, '')));
  const rounded = /^round(?:ed)?\s+(\S+)$/i.exec(rest);
  const expression = rounded ? (rounded[1] ?? '') : inSteps(rest);
  if (isSomethingElse(rest)) return null;
  if (
    isCalculation(expression) ||
    (Object.keys(rounding).length > 0 && /^-?[\d,]*\.?\d+$|^(?:pi|e|phi)$/.test(expression))
  )
    return wish(expression, rounding);
  return null;
}

/** "Sum 12 + 7": the signs say it already. */
const SUM_OF_ALL = /^(?:the )?(?:sum|total|add)(?: up)?(?: of)?:? (?=[\d.,]+ ?\+)/i;

/** "12 * 7, then add 5": each step works on the result of the one before. */
function inSteps(text: string): string {
  const [first = '', ...steps] = text.split(/,?\s*(?:\band\s+)?\bthen\s+/i);
  return steps.reduce((before, step) => {
    const words = step
      .replace(/^add\s+/i, 'plus ')
      .replace(/^(?:subtract|take away)\s+/i, 'minus ')
      .replace(/^(multipl|divid)[a-z]+\s+(?:it\s+)?by\s+/i, (_, verb: string) =>
        /^m/i.test(verb) ? 'times ' : 'divided by ',
      );
    return translate(`(${before}) ${words}`);
  }, translate(first));
}

function wish(expression: string, rounding: Record<string, unknown> = {}): Wish {
  return { tool: 'calculate', input: { expression: tidyExpression(expression), ...rounding } };
}

const CONTINUES =
  /^(?:(?:and|then|now|ok|okay|so|what about|how about|what's|what is|but)\b,?\s+)*(?:(?:that|it|this|the (?:result|answer))\s+)?((?:times|multiplied by|plus|minus|divided by|over|to the power(?: of)?|raised to|mod(?:ulo)?|squared|cubed)\b.*|[-+*/×÷^%]\s*[\d(.].*|x\s*\d.*|less \d.*)$/i;
const REFERS = /\b(?:that|it|this|the (?:result|answer|total|sum)|ans)\b/i;

function followUp(text: string, request: Request): Wish | null {
  const numbers = overNumbers(text, request);
  if (numbers) return numbers;
  const last = previousCall(request.history, ['calculate', 'convert_units', 'date_difference'], 2);
  const value = last && lastValue(last.tool, last.input, last.output);
  if (!last || !value) return null;
  const plain = text.trim().replace(/[?.!]+$/, '');
  const go = CONTINUES.exec(plain);
  if (go?.[1]) return whenCalculation(translate(`${value} ${go[1]}`));
  if (last.tool === 'calculate') {
    const said = request.history.at(-1);
    const anew = said?.steps.length === 1 ? withOtherFigure(plain, plainQuotes(said.question)) : null;
    const other = withOtherFigure(plain, String(last.input['expression']));
    const again =
      rounding(plain, last.input) ??
      (anew === null ? null : fresh(anew)) ??
      (other === null ? null : whenCalculation(other));
    if (again) return again;
  }
  if (!REFERS.test(plain))
    return /^(?:and |now |then )?(double|triple|half|halve|square|add \d\S*|subtract \d\S*|multiply by \S+|divide by \S+)$/i.test(
      plain,
    )
      ? shortCommand(plain, value)
      : null;
  const { rest, rounding: wanted } = takeRounding(stripAsking(plain).text);
  return whenCalculation(translate(compared(rest.replace(REFERS, value))), wanted);
}

const OVER_NUMBERS =
  /^(?:(?:and|now|then|please|what(?:'s| is| are)|can you|give me|calculate|work out|find|the)\s+)*(add|sum|total|average|mean|median|product|multiply|smallest|largest|biggest|highest|lowest|minimum|maximum|min|max)(?: up)?(?: of)?(?:\s+(?:them|these|those|that|it|all|of|all of|the|numbers|values|ones|list))*(?: (?:up|together|all))?$/i;
const NUMBER = /^[-−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?$/;
const MAX_LISTED_CHARACTERS = 900;

/** "Add these up: 12, 7"; "sum them", "and the average?" after numbers were pulled out of a text, or sorted. */
function overNumbers(text: string, request: Request): Wish | null {
  const colon = request.material === null ? /^([^:\n]{2,80}):\s+(?=\S)/.exec(text) : null;
  const plain = (colon?.[1] ?? text).trim().replace(/[\s?.!:]+$/, '');
  const given = colon ? text.slice(colon[0].length) : request.material;
  const name = plain.length > 80 ? undefined : OVER_NUMBERS.exec(plain)?.[1]?.toLowerCase();
  const previous = previousCall(
    request.history,
    ['extract_from_text', 'sort_list', 'remove_duplicates', 'calculate'],
    2,
  );
  if (name === undefined) return null;
  const told =
    given
      ?.trim()
      .replace(/[.;]$/, '')
      .split(/\s*[;\n]\s*|,?\s+|,(?!\d{3}\b)/) ??
    (previous?.tool === 'calculate' ? previous.input['expression'] : previous?.output['items']);
  const items = Array.isArray(told) ? told.map(String) : listedIn(told);
  if (items.length < 2 || !items.every((item) => NUMBER.test(item))) return null;
  const list = items.map((item) => item.replaceAll(',', '').replace('−', '-')).join(', ');
  const call = /^(?:add|total)$/.test(name) ? 'sum' : name === 'multiply' ? 'product' : name;
  return list.length > MAX_LISTED_CHARACTERS ? null : whenCalculation(translate(`${call} of ${list}`));
}

/** The numbers of "mean(3, 5)"; none for any other sum. */
function listedIn(expression: unknown): string[] {
  const list = typeof expression === 'string' ? /^[a-z]+\(([-\d., ]+)\)$/i.exec(expression)?.[1] : undefined;
  return list === undefined ? [] : list.split(/\s*,\s*/);
}

function shortCommand(text: string, value: string): Wish | null {
  const [verb = '', ...rest] = text
    .toLowerCase()
    .replace(/^(?:and|now|then) /, '')
    .split(' ');
  const operand = rest.at(-1) ?? '';
  const sums: Record<string, string> = {
    ...{ add: `${value} + ${operand}`, subtract: `${value} - ${operand}` },
    ...{ multiply: `${value} * ${operand}`, divide: `${value} / ${operand}`, square: `${value}^2` },
    ...{ double: `2 * ${value}`, triple: `3 * ${value}`, half: `${value} / 2`, halve: `${value} / 2` },
  };
  return whenCalculation(sums[verb] ?? '');
}

function whenCalculation(expression: string, rounding: Record<string, unknown> = {}): Wish | null {
  return isCalculation(expression) ? wish(expression, rounding) : null;
}

/** "to 20 digits", "and to 3 decimal places?", "as a fraction": the same again, shown otherwise. */
function rounding(text: string, input: Record<string, unknown>): Wish | null {
  const words = text
    .toLowerCase()
    .replace(
      /^(?:and|now|ok|what about|how about|round(?:ed)?(?: (?:it|that))?|(?:show |give )(?:me )?(?:it|that)|(?:it|that))\s+/,
      '',
    );
  const { rest, rounding: wanted } = takeRounding(` ${words}`);
  if (rest.trim() !== '' || !/^(?:to|with|as)\b/.test(words)) return null;
  return typeof input['expression'] === 'string' ? wish(input['expression'], wanted) : null;
}

/** What "that" stands for: a number, exactly. */
function lastValue(tool: string, input: Record<string, unknown>, output: unknown): string | null {
  if (tool === 'calculate') {
    const result = narrow(CalculateOutput, output);
    if (result !== null && result.kind !== 'number') return null;
    if (result?.exact === true && !/e/i.test(result.result)) return bracketed(result.result);
    if (result?.fraction) return `(${result.fraction})`;
    // What an earlier request of the same message gives isn't known yet.
    const own = input['expression'];
    return typeof own === 'string' && !own.includes(';') ? `(${own})` : result && bracketed(result.result);
  }
  if (tool === 'convert_units') {
    const result = narrow(ConvertUnitsOutput, output);
    return result?.to.length === 1 ? bracketed(result.to[0]?.value ?? '0') : null;
  }
  const days = narrow(DateDifferenceOutput, output)?.days;
  return days === undefined ? null : String(Math.abs(days));
}

function bracketed(number: string): string {
  return number.startsWith('-') ? `(${number})` : number;
}
