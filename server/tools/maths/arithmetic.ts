import { Fraction } from 'fraction.js';
import { ToolError } from '../tool.ts';
import {
  checked,
  Decimal,
  digitCount,
  fits,
  isExact,
  isWhole,
  MAX_INTEGER_DIGITS,
  toDecimal,
  tooLong,
  type Num,
} from './numbers.ts';

/** Largest power of ten inexact results may reach. */
const MAX_EXPONENT = 1_000_000;
/** 1,748! has fewer than 5,000 digits. */
const MAX_FACTORIAL = 1_748;

/** Combines exactly where both are exact and the result stays manageable, else to the working digits. */
const combine =
  (operation: 'add' | 'mul' | 'div') =>
  (a: Num, b: Num): Num => {
    if (isExact(a) && isExact(b)) {
      const result = a[operation](b);
      return fits(result) ? result : toDecimal(result);
    }
    const result = checked(toDecimal(a)[operation](toDecimal(b)), 'That has no defined result.');
    if (Math.abs(result.e) > MAX_EXPONENT) throw tooLong(result.e);
    // What is left of the rounding of both is nothing: the square of √2, less 2.
    const isDust = operation === 'add' && isNear(result, new Decimal(0), toDecimal(a));
    return isDust ? new Decimal(0) : result;
  };

export const add = combine('add');
export const multiply = combine('mul');
const quotient = combine('div');

export function subtract(a: Num, b: Num): Num {
  return add(a, b.neg());
}

export function divide(a: Num, b: Num): Num {
  if (isZero(b)) throw new ToolError("I can't divide by zero.");
  return quotient(a, b);
}

/** The remainder with the sign of the divisor, as in everyday clock arithmetic. */
export function modulo(a: Num, b: Num): Num {
  if (isZero(b)) throw new ToolError("I can't take a remainder by zero.");
  return subtract(a, multiply(b, floor(divide(a, b))));
}

export function floor(value: Num): Num {
  if (isExact(value)) return value.floor();
  const near = value.round();
  return toExactWhole(isNear(value, near, near) ? near : value.floor());
}

/** Whether two numbers differ by no more than rounding a number of that `size` makes them. */
const isNear = (value: Decimal, other: Decimal, size: Decimal): boolean =>
  value.minus(other).abs().lt(size.abs().times('1e-60'));

/** A rounded Decimal is exact again while its digits are known. */
function toExactWhole(value: Decimal): Num {
  return value.e < 60 ? new Fraction(value.toFixed()) : toDecimal(value);
}

export function ceil(value: Num): Num {
  return floor(value.neg()).neg();
}

/** Rounds half away from zero. */
export function round(value: Num, decimals: number): Num {
  const scale = new Fraction(10n ** BigInt(decimals));
  const size = floor(add(multiply(value.abs(), scale), new Fraction(1n, 2n)));
  const rounded = divide(size, scale);
  return compare(value, ZERO) < 0 ? rounded.neg() : rounded;
}

export const ZERO = new Fraction(0);
export const ONE = new Fraction(1);

export function isZero(value: Num): boolean {
  return isExact(value) ? value.n === 0n : value.isZero();
}

/** Negative, 0 or positive as `a` is less than, equal to or greater than `b`. */
export function compare(a: Num, b: Num): number {
  if (isExact(a) && isExact(b)) return a.compare(b);
  return toDecimal(subtract(a, b)).cmp(0);
}

/** The number, if it is whole and small enough for `what`; else throws ToolError. */
export function toInteger(value: Num, what: string, limit: number): number {
  if (!isWhole(value)) throw new ToolError(`${what} needs a whole number.`);
  if (value.n > BigInt(limit)) throw new ToolError(`${what} works up to ${limit.toLocaleString('en')} here.`);
  return Number(value.s * value.n);
}

export function factorial(value: Num): Fraction {
  if (!isWhole(value) || value.s < 0n)
    throw new ToolError('A factorial needs a whole number that is not negative.');
  if (value.n > BigInt(MAX_FACTORIAL)) {
    const n = Number(value.n);
    throw tooLong((n * Math.log(n / Math.E) + Math.log(2 * Math.PI * n) / 2) / Math.LN10);
  }
  let product = 1n;
  for (let factor = 2n; factor <= value.n; factor++) product *= factor;
  return new Fraction(product);
}

const NOT_REAL = 'A fractional power of a negative number is not a real number.';

/** The real power; exact when base and exponent allow it. */
export function power(base: Num, exponent: Num): Num {
  if (isExact(base) && isExact(exponent)) {
    const result = exponent.d === 1n ? wholePower(base, exponent) : rootPower(base, exponent);
    if (result) return result;
  }
  if (isZero(exponent)) return ONE;
  const x = toDecimal(base);
  const y = toDecimal(exponent);
  if (x.isZero()) return y.isNegative() ? divide(ONE, ZERO) : ZERO;
  if (x.isNegative() && !y.isInteger()) throw new ToolError(NOT_REAL);
  const exponentOfTen = (Math.log10(Math.abs(x.div(`1e${x.e}`).toNumber())) + x.e) * y.toNumber();
  if (!(Math.abs(exponentOfTen) <= MAX_EXPONENT)) throw tooLong(Math.abs(exponentOfTen));
  return checked(x.pow(y), 'That power is not a real number.');
}

function wholePower(base: Fraction, exponent: Fraction): Fraction | null {
  if (base.n === 0n && exponent.s < 0n) throw new ToolError("I can't divide by zero.");
  if (base.d === 1n && base.n <= 1n) {
    if (exponent.n === 0n) return ONE;
    return exponent.n % 2n === 0n ? base.abs() : base;
  }
  const times = Number(exponent.n);
  const digits = digitsOfPower(base.n, times);
  if (base.d === 1n && exponent.s > 0n && digits > MAX_INTEGER_DIGITS) throw tooLong(digits);
  if (digits > MAX_INTEGER_DIGITS || digitsOfPower(base.d, times) > MAX_INTEGER_DIGITS) return null;
  const result = base.pow(exponent);
  return fits(result) ? result : null;
}

function digitsOfPower(base: bigint, times: number): number {
  const digits = digitCount(base);
  const lead = Number(base.toString().slice(0, 15));
  const log10 = digits > 15 ? Math.log10(lead) + base.toString().length - 15 : Math.log10(lead);
  return log10 * times;
}

function rootPower(base: Fraction, exponent: Fraction): Num | null {
  if (exponent.d > 1_000n) return null;
  const degree = Number(exponent.d);
  if (base.s < 0n && degree % 2 === 0) throw new ToolError(NOT_REAL);
  const root = exactRoot(base.abs(), degree);
  const times = new Fraction(exponent.s * exponent.n);
  if (root) return wholePower(base.s < 0n ? root.neg() : root, times);
  return base.s < 0n ? power(power(base.abs(), new Fraction(1n, exponent.d)).neg(), times) : null;
}

/** The root when it is rational, else null. */
function exactRoot(value: Fraction, degree: number): Fraction | null {
  const numerator = wholeRoot(value.n, degree);
  const denominator = numerator === null ? null : wholeRoot(value.d, degree);
  return numerator === null || denominator === null ? null : new Fraction(numerator, denominator);
}

function wholeRoot(value: bigint, degree: number): bigint | null {
  if (value < 2n) return value;
  const guess = new Decimal(value.toString()).pow(new Decimal(1).div(degree)).round();
  if (guess.e > 2_500) return null;
  const root = BigInt(guess.toFixed());
  return root ** BigInt(degree) === value ? root : null;
}
