import { Fraction } from 'fraction.js';
import { ToolError } from '../tool.ts';
import { add, compare, divide, factorial, modulo, multiply, negate, power, subtract } from './arithmetic.ts';
import { Decimal, toFraction } from './decimal.ts';
import { degree, e, FUNCTIONS, pi, type Calculation } from './functions.ts';
import type { Num } from './numbers.ts';
import type { Tree } from './parse.ts';

/** What a calculation can come to. */
export type Value = Num | boolean | Value[];

const CONSTANTS: ReadonlyMap<string, () => Num> = new Map<string, () => Num>([
  ['pi', pi],
  ['tau', () => pi().times(2)],
  ['e', e],
  ['phi', () => new Decimal(5).sqrt().plus(1).div(2)],
  ['deg', degree],
  ['rad', () => new Fraction(1)],
]);
const TRUTHS = new Map([
  ['true', true],
  ['false', false],
]);
const NOT_NUMBERS = new Set(['NaN', 'Infinity', 'null', 'undefined']);

const OPERATORS = new Map<string, (a: Num, b: Num) => Num>([
  ['+', add],
  ['-', subtract],
  ['*', multiply],
  ['/', divide],
  ['mod', modulo],
  ['^', power],
]);

const COMPARISONS = new Map<string, (order: number) => boolean>([
  ['==', (order) => order === 0],
  ['!=', (order) => order !== 0],
  ['<', (order) => order < 0],
  ['<=', (order) => order <= 0],
  ['>', (order) => order > 0],
  ['>=', (order) => order >= 0],
]);
const PERCENT = new Fraction(1n, 100n);

/**
 * Works out a parsed expression, exactly as far as it goes. Only the operators, functions and names
 * listed here exist; each step checks the size of its result before and after.
 * @throws ToolError in words for the person.
 */
export function evaluate(tree: Tree, calculation: Calculation): Value {
  return new Walk(calculation).value(tree);
}

class Walk {
  readonly #calculation: Calculation;
  readonly #variables = new Map<string, Value>();

  constructor(calculation: Calculation) {
    this.#calculation = calculation;
  }

  value(tree: Tree): Value {
    switch (tree.kind) {
      case 'number':
        return toFraction(tree.text);
      case 'name':
        return this.#named(tree.text);
      case 'prefix':
        return tree.sign === '-' ? negate(this.#number(tree.of)) : this.#number(tree.of);
      case 'postfix':
        return tree.sign === '!'
          ? factorial(this.#number(tree.of))
          : multiply(this.#number(tree.of), PERCENT);
      case 'binary':
        return this.#operator(tree.sign, tree.left, tree.right);
      case 'call':
        return this.#call(tree.name, tree.args);
      case 'list':
        return tree.items.map((item) => this.value(item));
      case 'comparison':
        return this.#compare(tree.signs, tree.sides);
      case 'assignment':
        return this.#assign(tree.name, tree.value);
      case 'sequence':
        return tree.parts.reduce<Value>((_, part) => this.value(part), []);
    }
  }

  #number(tree: Tree): Num {
    const value = this.value(tree);
    if (typeof value === 'boolean' || Array.isArray(value))
      throw new ToolError(`I need a number where it says "${tree.text}".`);
    return value;
  }

  #named(name: string): Value {
    if (NOT_NUMBERS.has(name)) throw new ToolError('I can only calculate with numbers.');
    const value =
      this.#variables.get(name) ??
      TRUTHS.get(name) ??
      CONSTANTS.get(name)?.() ??
      CONSTANTS.get(name.toLowerCase())?.();
    if (value === undefined) throw new ToolError(`I don't know what "${name}" stands for in a calculation.`);
    return value;
  }

  #operator(sign: string, left: Tree, right: Tree): Num {
    const apply = OPERATORS.get(sign);
    if (!apply) throw new ToolError(`I don't calculate with "${sign}".`);
    const first = this.#number(left);
    const second = this.#number(right);
    // "80 + 15%" means 15% of the 80.
    const isShare = (sign === '+' || sign === '-') && right.kind === 'postfix' && right.sign === '%';
    return apply(first, isShare ? multiply(first, second) : second);
  }

  #call(name: string, args: Tree[]): Value {
    const known = FUNCTIONS.get(name.toLowerCase());
    if (!known) throw new ToolError(`I don't know a function called "${name}".`);
    const values = args.flatMap((arg) => flatten(this.value(arg)));
    const [fewest, most] = known.takes;
    if (values.length < fewest || values.length > most) {
      const wanted = fewest === most ? String(fewest) : `${fewest} to ${most}`;
      throw new ToolError(`"${name}" takes ${wanted} number${most === 1 ? '' : 's'}, not ${values.length}.`);
    }
    return known.apply(values, this.#calculation);
  }

  #compare(signs: string[], sides: Tree[]): boolean {
    const values = sides.map((side) => this.#number(side));
    return signs.every((sign, index) => {
      const [left, right] = [values[index], values[index + 1]];
      return (
        left !== undefined && right !== undefined && COMPARISONS.get(sign)?.(compare(left, right)) === true
      );
    });
  }

  #assign(name: string, tree: Tree): Value {
    if (CONSTANTS.has(name)) throw new ToolError(`"${name}" already has a meaning.`);
    const value = this.value(tree);
    this.#variables.set(name, value);
    return value;
  }
}

function flatten(value: Value): Num[] {
  if (Array.isArray(value)) return value.flatMap(flatten);
  if (typeof value === 'boolean') throw new ToolError('I need numbers there, not true or false.');
  return [value];
}
