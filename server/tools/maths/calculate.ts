import { Type } from 'typebox';
import { choice } from '../../../shared/api/common.ts';
import { attempt } from '../../../shared/attempt.ts';
import { shorten } from '../../lib/plain-text.ts';
import { defineTool, ToolError } from '../tool.ts';
import { readCalculation, type Value } from './evaluate.ts';
import type { Calculation } from './functions.ts';
import { tidyExpression } from './notation.ts';
import { isExact, showNumber, type Rounding } from './numbers.ts';

const MAX_EXPRESSION_CHARACTERS = 1_000;

/** Exact calculation. */
export const calculate = defineTool({
  name: 'calculate',
  description:
    'Calculates exactly: arithmetic, percentages, roots, logarithms (log is base 10, ln natural), trigonometry, statistics of ' +
    'a list (mean, median, std …), gcd, combinations, prime factors. Use it for every calculation.',
  input: Type.Object({
    expression: Type.String({
      minLength: 1,
      maxLength: MAX_EXPRESSION_CHARACTERS,
      description:
        'E.g. "(3 + 4) * 2^5", "15% of 80", "80 + 15%", "median(3, 1, 2)", "30!", "x = 3; x^2 + 1".',
    }),
    decimals: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 50, description: 'Digits after the point.' }),
    ),
    significantDigits: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 60, description: 'Significant digits.' }),
    ),
    angles: Type.Optional(choice(['radians', 'degrees'], 'What bare angles are; radians when absent.')),
  }),
  run(input) {
    const expression = tidyExpression(input.expression);
    const rounding: Rounding = { decimals: input.decimals, significantDigits: input.significantDigits };
    const work = read(expression, { degrees: input.angles === 'degrees' });
    return { expression, ...describe(work(), rounding) };
  },
});

function read(expression: string, calculation: Calculation): () => Value {
  if (expression === '') throw new ToolError('There is nothing to calculate.');
  if (/\d\s+\d/.test(expression)) throw new ToolError('There is an operator missing between two numbers.');
  const work = attempt(() => readCalculation(expression, calculation));
  if (work === null) throw new ToolError(`I can't read "${shorten(expression, 60)}" as a calculation.`);
  return work;
}

interface Description {
  kind: 'number' | 'truth' | 'list';
  result: string;
  exact: boolean;
  fraction?: string;
}

function describe(value: Value, rounding: Rounding): Description {
  if (typeof value === 'boolean') return { kind: 'truth', result: String(value), exact: true };
  if (Array.isArray(value)) {
    const parts = value.map((item) => describe(item, rounding));
    return {
      kind: 'list',
      result: parts.map((part) => part.result).join(', '),
      exact: parts.every((part) => part.exact),
    };
  }
  const shown = showNumber(value, rounding);
  const description: Description = { kind: 'number', result: shown.text, exact: shown.exact };
  if (isExact(value) && value.d > 1n && value.d < 1_000_000n) description.fraction = value.toFraction();
  return description;
}
