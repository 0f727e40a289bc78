import type { MathNode } from 'mathjs';
import { Fraction } from 'fraction.js';
import { ToolError } from '../tool.ts';
import { add, compare, divide, factorial, modulo, multiply, negate, power, subtract } from './arithmetic.ts';
import { toFraction, type Engine } from './engine.ts';
import { degree, e, FUNCTIONS, pi, type Calculation } from './functions.ts';
import type { Num } from './numbers.ts';

/** What a calculation can come to. */
export type Value = Num | boolean | Value[];

const CONSTANTS = new Map<string, (engine: Engine) => Num>([
  ['pi', pi],
  ['tau', (engine) => pi(engine).times(2)],
  ['e', e],
  ['phi', (engine) => engine.bignumber(5).sqrt().plus(1).div(2)],
  ['deg', degree],
  ['rad', () => new Fraction(1)],
]);

const NO_VARIABLES: ReadonlySet<string> = new Set(CONSTANTS.keys());

type Binary = (engine: Engine, a: Num, b: Num) => Num | boolean;

const BINARY = new Map<string, Binary>([
  ['add', add],
  ['subtract', subtract],
  ['multiply', multiply],
  ['divide', divide],
  ['mod', modulo],
  ['pow', power],
  ['equal', (engine, a, b) => compare(engine, a, b) === 0],
  ['unequal', (engine, a, b) => compare(engine, a, b) !== 0],
  ['smaller', (engine, a, b) => compare(engine, a, b) < 0],
  ['smallerEq', (engine, a, b) => compare(engine, a, b) <= 0],
  ['larger', (engine, a, b) => compare(engine, a, b) > 0],
  ['largerEq', (engine, a, b) => compare(engine, a, b) >= 0],
]);

/**
 * Works out a parsed expression, exactly as far as it goes. Only the kinds of node, operators, functions and names
 * listed here exist; each step checks the size of its result before and after.
 * @throws ToolError in words for the person.
 */
export function evaluate(tree: MathNode, calculation: Calculation): Value {
  return new Walk(calculation).value(tree);
}

class Walk {
  readonly #calculation: Calculation;
  readonly #engine: Engine;
  readonly #variables = new Map<string, Value>();

  constructor(calculation: Calculation) {
    this.#calculation = calculation;
    this.#engine = calculation.engine;
  }

  value(node: MathNode): Value {
    const engine = this.#engine;
    if (engine.isConstantNode(node)) return constant(node.value);
    if (engine.isParenthesisNode(node)) return this.value(node.content);
    if (engine.isSymbolNode(node)) return this.#named(node.name);
    if (engine.isOperatorNode(node)) return this.#operator(node.fn, node.op, node.args);
    if (engine.isFunctionNode(node)) return this.#call(node.fn, node.args);
    if (engine.isArrayNode(node)) return node.items.map((item: MathNode) => this.value(item));
    if (engine.isRelationalNode(node)) return this.#chain(node.conditionals, node.params);
    if (engine.isAssignmentNode(node)) return this.#assign(node.object, node.index, node.value);
    if (engine.isBlockNode(node)) {
      let last: Value = [];
      for (const block of node.blocks) last = this.value(block.node);
      return last;
    }
    throw new ToolError(`I can't calculate with "${node.toString()}".`);
  }

  #number(node: MathNode): Num {
    const value = this.value(node);
    if (typeof value === 'boolean' || Array.isArray(value))
      throw new ToolError(`I need a number where it says "${node.toString()}".`);
    return value;
  }

  #named(name: string): Value {
    const value =
      this.#variables.get(name) ??
      CONSTANTS.get(name)?.(this.#engine) ??
      CONSTANTS.get(name.toLowerCase())?.(this.#engine);
    if (value === undefined) throw new ToolError(`I don't know what "${name}" stands for in a calculation.`);
    return value;
  }

  #operator(fn: string, sign: string, args: MathNode[]): Value {
    const [left, right] = args;
    if (left && !right) {
      if (fn === 'unaryMinus') return negate(this.#number(left));
      if (fn === 'unaryPlus') return this.#number(left);
      if (fn === 'factorial') return factorial(this.#number(left));
    }
    const apply = BINARY.get(fn);
    if (!apply || !left || !right) throw new ToolError(`I don't calculate with "${sign}".`);
    return apply(this.#engine, this.#number(left), this.#number(right));
  }

  #call(called: MathNode, args: MathNode[]): Value {
    const name = this.#engine.isSymbolNode(called) ? called.name : called.toString();
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

  #chain(conditions: string[], params: MathNode[]): boolean {
    const values = params.map((param) => this.#number(param));
    return conditions.every((condition, index) => {
      const [left, right] = [values[index], values[index + 1]];
      return (
        left !== undefined &&
        right !== undefined &&
        BINARY.get(condition)?.(this.#engine, left, right) === true
      );
    });
  }

  #assign(object: MathNode, index: MathNode | null, value: MathNode): Value {
    if (index || !this.#engine.isSymbolNode(object))
      throw new ToolError('I can only give a value to a plain name.');
    if (NO_VARIABLES.has(object.name)) throw new ToolError(`"${object.name}" already has a meaning.`);
    const result = this.value(value);
    this.#variables.set(object.name, result);
    return result;
  }
}

function flatten(value: Value): Num[] {
  if (Array.isArray(value)) return value.flatMap(flatten);
  if (typeof value === 'boolean') throw new ToolError('I need numbers there, not true or false.');
  return [value];
}

function constant(value: unknown): Value {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return new Fraction(value);
  if (typeof value === 'object' && value !== null && 'toFixed' in value)
    return toFraction(value as Parameters<typeof toFraction>[0]);
  throw new ToolError('I can only calculate with numbers.');
}
