import { Fraction } from 'fraction.js';
import type { BigNumber, MathJsInstance } from 'mathjs';
import { ToolError } from '../tool.ts';
import { isExact, WORKING_DIGITS, type Num } from './numbers.ts';

/**
 * mathjs, cut down to its parser and its big numbers. It is loaded when the first calculation asks for it: it costs
 * some 100 MB. Its evaluator is never used on what people write: evaluate.ts walks the parsed tree and knows only what it
 * lists itself, so none of mathjs's other functions can be reached.
 */
export type Engine = Pick<
  MathJsInstance,
  | 'parse'
  | 'bignumber'
  | 'isConstantNode'
  | 'isParenthesisNode'
  | 'isSymbolNode'
  | 'isOperatorNode'
  | 'isFunctionNode'
  | 'isArrayNode'
  | 'isAssignmentNode'
  | 'isBlockNode'
  | 'isRelationalNode'
>;

let loading: Promise<Engine> | undefined;

/** Loads mathjs once. */
export function loadEngine(): Promise<Engine> {
  loading ??= import('mathjs').then(({ create, parseDependencies = {}, bignumberDependencies = {} }) =>
    create({ parseDependencies, bignumberDependencies }, { number: 'BigNumber', precision: WORKING_DIGITS }),
  );
  return loading;
}

/** The number as mathjs's BigNumber. */
export function toBig(engine: Engine, value: Num): BigNumber {
  if (!isExact(value)) return value;
  return engine.bignumber((value.s * value.n).toString()).div(engine.bignumber(value.d.toString()));
}

/** The exact fraction a BigNumber stands for. */
export function toFraction(value: BigNumber): Fraction {
  if (!value.isFinite() || Math.abs(value.e) > 5_000)
    throw new ToolError('That has a number too large or too small for me to calculate with.');
  return new Fraction(value.toFixed());
}

/**
 * Passes a calculated number on.
 * @throws ToolError in words when it is not a real, finite number.
 */
export function checked(value: BigNumber, problem: string): BigNumber {
  if (value.isNaN()) throw new ToolError(problem);
  if (!value.isFinite()) throw new ToolError('That result is too large for me to calculate.');
  return value;
}
