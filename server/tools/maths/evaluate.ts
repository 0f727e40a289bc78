import { Fraction } from 'fraction.js';
import { ToolError } from '../tool.ts';
import { add, compare, divide, factorial, modulo, multiply, power, subtract } from './arithmetic.ts';
import { degree, e, FUNCTIONS, pi, type Calculation } from './functions.ts';
import { Decimal, toFraction, type Num } from './numbers.ts';

/** What a calculation can come to. */
export type Value = Num | boolean | Value[];

/** A part of a calculation that has been read; `value` works it out. */
interface Part {
  value: () => Value;
  /** "80 + 15%" adds 15% of the 80, "50% + 15%" is 65%. */
  isPercentage?: true;
}

type Operator = (a: Num, b: Num) => Num;

const TOKEN =
  /0x[\da-f]+|0b[01]+|0o[0-7]+|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|[\p{L}_][\p{L}\d_]*|[=!<>]=|\S/giu;
const NUMBER = /^\.?\d/;
const NAME = /^[\p{L}_]/u;

const CONSTANTS: ReadonlyMap<string, () => Value> = new Map<string, () => Value>([
  ['pi', pi],
  ['tau', () => pi().times(2)],
  ['e', e],
  ['phi', () => new Decimal(5).sqrt().plus(1).div(2)],
  ['deg', degree],
  ['rad', () => new Fraction(1)],
  ['true', () => true],
  ['false', () => false],
]);
const NOT_NUMBERS = new Set(['NaN', 'Infinity', 'null', 'undefined']);

const COMPARISONS = new Map<string, (order: number) => boolean>([
  ['==', (order) => order === 0],
  ['!=', (order) => order !== 0],
  ['<', (order) => order < 0],
  ['<=', (order) => order <= 0],
  ['>', (order) => order > 0],
  ['>=', (order) => order >= 0],
]);
const SUMS = new Map<string, Operator>([
  ['+', add],
  ['-', subtract],
]);
const PRODUCTS = new Map<string, Operator>([
  ['*', multiply],
  ['/', divide],
  ['%', modulo],
  ['mod', modulo],
]);
const PERCENT = new Fraction(1n, 100n);

/**
 * Reads a whole calculation; the function it returns works it out. Only the operators, functions and names listed here exist, and
 * each step checks the size of its result. Throws SyntaxError where it isn't a calculation; the function throws ToolError.
 */
export function readCalculation(text: string, calculation: Calculation): () => Value {
  return new Reader(text, calculation).all();
}

/** From loose to tight: `=`; comparisons; `+ -`; `* / % mod`; multiplication that isn't written (`2 pi`); `%`; signs; `^`; `!`. */
class Reader {
  readonly #tokens: readonly string[];
  readonly #calculation: Calculation;
  readonly #variables = new Map<string, Value>();
  #at = 0;

  constructor(text: string, calculation: Calculation) {
    this.#tokens = text.match(TOKEN) ?? [];
    this.#calculation = calculation;
  }

  /** Several are separated by semicolons; the last one is the result. */
  all(): () => Value {
    const parts: Part[] = [];
    while (this.#at < this.#tokens.length) {
      if (this.#skip(';')) continue;
      parts.push(this.#assignment());
      if (this.#at < this.#tokens.length) this.#need(';');
    }
    if (parts.length === 0) throw new SyntaxError('nothing there');
    return () => parts.reduce<Value>((_, part) => part.value(), []);
  }

  /** A token further on; empty after the last one. */
  #peek(further = 0): string {
    return this.#tokens[this.#at + further] ?? '';
  }

  #skip(token: string): boolean {
    const isThere = this.#peek() === token;
    if (isThere) this.#at += 1;
    return isThere;
  }

  #need(token: string): void {
    if (!this.#skip(token)) throw new SyntaxError(`${token} is missing`);
  }

  #assignment(): Part {
    const name = this.#peek();
    if (!NAME.test(name) || this.#peek(1) !== '=') return this.#comparison();
    this.#at += 2;
    const { value: work } = this.#assignment();
    return {
      value: () => {
        if (CONSTANTS.has(name)) throw new ToolError(`"${name}" already has a meaning.`);
        const value = work();
        this.#variables.set(name, value);
        return value;
      },
    };
  }

  /** `1 < x <= 3` holds if each two sides do. */
  #comparison(): Part {
    let left = this.#sum();
    const pairs: (() => boolean)[] = [];
    for (let holds = COMPARISONS.get(this.#peek()); holds; holds = COMPARISONS.get(this.#peek())) {
      this.#at += 1;
      const right = this.#sum();
      pairs.push(compared(holds, left, right));
      left = right;
    }
    return pairs.length === 0 ? left : { value: () => pairs.every((pair) => pair()) };
  }

  #sum(): Part {
    return this.#row(SUMS, () => this.#row(PRODUCTS, () => this.#factors()));
  }

  #row(operators: ReadonlyMap<string, Operator>, next: () => Part): Part {
    let left = next();
    for (let apply = operators.get(this.#peek()); apply; apply = operators.get(this.#peek())) {
      this.#at += 1;
      left = applied(apply, left, next());
    }
    return left;
  }

  /** `2 pi`, `(1 + 2)(3 + 4)`; in `1/2 pi`, the fraction comes first. */
  #factors(): Part {
    const isFraction = this.#isFraction();
    let left = this.#percentage();
    if (isFraction && this.#skip('/')) left = applied(divide, left, this.#primary());
    while (this.#isFactor()) left = applied(multiply, left, this.#percentage());
    return left;
  }

  #isFraction(): boolean {
    const first = this.#peek() === '-' ? 1 : 0;
    const isNumberBy = NUMBER.test(this.#peek(first)) && this.#peek(first + 1) === '/';
    return isNumberBy && NUMBER.test(this.#peek(first + 2)) && this.#startsFactor(first + 3);
  }

  /** Two numbers beside each other are a slip, no product. */
  #isFactor(): boolean {
    return this.#startsFactor() || (NUMBER.test(this.#peek()) && !NUMBER.test(this.#peek(-1)));
  }

  #startsFactor(further = 0): boolean {
    const token = this.#peek(further);
    return token === '(' || (NAME.test(token) && token !== 'mod');
  }

  /** `%` is a percentage unless something follows that it could be the remainder by; a sign isn't such a thing. */
  #percentage(): Part {
    const of = this.#signed();
    const isRemainder = NUMBER.test(this.#peek(1)) || this.#peek(1) === '[' || this.#startsFactor(1);
    if (isRemainder || !this.#skip('%')) return of;
    return { value: () => multiply(numberOf(of), PERCENT), isPercentage: true };
  }

  #signed(): Part {
    const isNegative = this.#skip('-');
    if (!isNegative && !this.#skip('+')) return this.#power();
    const of = this.#signed();
    return { value: () => (isNegative ? numberOf(of).neg() : numberOf(of)) };
  }

  #power(): Part {
    const base = this.#factorial();
    return this.#skip('^') ? applied(power, base, this.#signed()) : base;
  }

  #factorial(): Part {
    const of = this.#primary();
    if (!this.#skip('!')) return of;
    // "4!!" isn't the factorial of one, but goes in steps of two.
    if (this.#peek() === '!') throw new SyntaxError('one factorial too many');
    return { value: () => factorial(numberOf(of)) };
  }

  #primary(): Part {
    if (this.#skip('(')) {
      const { value } = this.#assignment();
      this.#need(')');
      return { value };
    }
    if (this.#skip('[')) {
      const items = this.#items(']');
      return { value: () => items.map((item) => item.value()) };
    }
    const token = this.#peek();
    this.#at += 1;
    if (NUMBER.test(token)) return { value: () => toFraction(token) };
    if (!NAME.test(token)) throw new SyntaxError('a number is missing');
    if (!this.#skip('(')) return { value: () => this.#named(token) };
    const args = this.#items(')');
    return { value: () => this.#call(token, args) };
  }

  /** What stands between brackets. */
  #items(end: ')' | ']'): Part[] {
    const items: Part[] = [];
    while (!this.#skip(end)) {
      if (items.length > 0) this.#need(this.#peek() === ';' && end === ']' ? ';' : ',');
      items.push(this.#assignment());
    }
    return items;
  }

  #named(name: string): Value {
    if (NOT_NUMBERS.has(name)) throw new ToolError('I can only calculate with numbers.');
    const constant = CONSTANTS.get(name) ?? CONSTANTS.get(name.toLowerCase());
    const value = this.#variables.get(name) ?? constant?.();
    if (value === undefined) throw new ToolError(`I don't know what "${name}" stands for in a calculation.`);
    return value;
  }

  #call(name: string, args: readonly Part[]): Value {
    const known = FUNCTIONS.get(name.toLowerCase());
    if (!known) throw new ToolError(`I don't know a function called "${name}".`);
    const values = args.flatMap((arg) => numbersIn(arg.value()));
    const [fewest, most] = known.takes;
    if (values.length < fewest || values.length > most) {
      const wanted = fewest === most ? String(fewest) : `${fewest} to ${most}`;
      throw new ToolError(`"${name}" takes ${wanted} number${most === 1 ? '' : 's'}, not ${values.length}.`);
    }
    return known.apply(values, this.#calculation);
  }
}

const compared =
  (holds: (order: number) => boolean, left: Part, right: Part): (() => boolean) =>
  () =>
    holds(compare(numberOf(left), numberOf(right)));

function applied(apply: Operator, left: Part, right: Part): Part {
  const isSum = right.isPercentage === true && (apply === add || apply === subtract);
  const areShares = isSum && left.isPercentage === true;
  return {
    ...(areShares && { isPercentage: true }),
    value: () => {
      const [first, second] = [numberOf(left), numberOf(right)];
      return apply(first, isSum && !areShares ? multiply(first, second) : second);
    },
  };
}

function numberOf(part: Part): Num {
  const value = part.value();
  if (typeof value === 'boolean' || Array.isArray(value))
    throw new ToolError('I need a single number there, not a list, true or false.');
  return value;
}

function numbersIn(value: Value): Num[] {
  if (Array.isArray(value)) return value.flatMap(numbersIn);
  if (typeof value === 'boolean') throw new ToolError('I need numbers there, not true or false.');
  return [value];
}
