import { Fraction } from 'fraction.js';
import type { Decimal } from 'decimal.js';
import { ToolError } from '../tool.ts';

/** Most digits an exact whole number may have, and either part of an exact fraction. */
export const MAX_INTEGER_DIGITS = 5_000;
export const MAX_FRACTION_DIGITS = 1_000;
/** Digits that inexact calculation works with, and the most that are shown of it. */
export const WORKING_DIGITS = 80;
export const MAX_SHOWN_DIGITS = 60;
/** Digits shown of a number that has no end, unless asked otherwise. */
export const DEFAULT_DIGITS = 12;

/** A number: exact as a fraction, else to {@link WORKING_DIGITS} digits. */
export type Num = Fraction | Decimal;

/** How many digits to show. At most one is set. */
export interface Rounding {
  decimals?: number | undefined;
  significantDigits?: number | undefined;
}

export interface Shown {
  /** In digits, without grouping; with an exponent ("1.5e+300") only when far from 1. */
  text: string;
  /** Whether the text is the number itself, not a rounding of it. */
  exact: boolean;
}

export function isExact(value: Num): value is Fraction {
  return value instanceof Fraction;
}

export function isWhole(value: Num): value is Fraction {
  return isExact(value) && value.d === 1n;
}

/** How many decimal digits a whole number has. */
export function digitCount(value: bigint): number {
  const hex = (value < 0n ? -value : value).toString(16).length;
  return Math.ceil(hex * Math.log10(16));
}

/** Writes a number out, whole when it ends within reason, else rounded half away from zero. */
export function showNumber(value: Num, rounding: Rounding = {}): Shown {
  return isExact(value) ? showExact(value, rounding) : showApproximate(value, rounding);
}

function showExact(value: Fraction, rounding: Rounding): Shown {
  const natural = decimalsOf(value.d);
  let decimals = rounding.decimals;
  if (rounding.significantDigits !== undefined && magnitude(value) < -15)
    return scientific(value, rounding.significantDigits);
  if (decimals === undefined && rounding.significantDigits !== undefined)
    decimals = Math.max(0, rounding.significantDigits - 1 - magnitude(value));
  if (decimals === undefined && natural !== null && natural <= 40) decimals = natural;
  if (decimals === undefined && magnitude(value) < -15) return scientific(value, DEFAULT_DIGITS);
  decimals ??= Math.max(0, DEFAULT_DIGITS - 1 - magnitude(value));
  const exact = natural !== null && natural <= decimals;
  const text = fixed(value, decimals);
  return { text: rounding.decimals === undefined ? trimZeros(text) : text, exact };
}

function showApproximate(value: Decimal, rounding: Rounding): Shown {
  if (value.isZero()) return { text: '0', exact: false };
  if (value.e > 40 || value.e < -20)
    return {
      text: value.toSignificantDigits(rounding.significantDigits ?? DEFAULT_DIGITS).toString(),
      exact: false,
    };
  const places = rounding.decimals;
  if (places === undefined) {
    const digits = rounding.significantDigits ?? DEFAULT_DIGITS;
    return { text: value.toSignificantDigits(digits).toFixed(), exact: false };
  }
  return {
    text: value.toFixed(Math.max(0, Math.min(places, MAX_SHOWN_DIGITS - Math.max(0, value.e)))),
    exact: false,
  };
}

/** The number with `decimals` digits after the point. */
function fixed(value: Fraction, decimals: number): string {
  const scaled = value.n * 10n ** BigInt(decimals);
  const rounded = (2n * scaled + value.d) / (2n * value.d);
  const digits = rounded.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const sign = value.s < 0n && rounded !== 0n ? '-' : '';
  return sign + (decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`);
}

function trimZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** The power of ten of the first digit. */
function magnitude(value: Fraction): number {
  if (value.n === 0n) return 0;
  const guess = value.n.toString().length - value.d.toString().length;
  const smaller =
    guess >= 0 ? value.n < value.d * 10n ** BigInt(guess) : value.n * 10n ** BigInt(-guess) < value.d;
  return smaller ? guess - 1 : guess;
}

function scientific(value: Fraction, digits: number): Shown {
  const power = magnitude(value);
  const shift = new Fraction(10n ** BigInt(Math.abs(power)));
  const mantissa = power < 0 ? value.mul(shift) : value.div(shift);
  const natural = decimalsOf(mantissa.d);
  return {
    text: `${trimZeros(fixed(mantissa, digits - 1))}e${power < 0 ? '' : '+'}${power}`,
    exact: natural !== null && natural < digits,
  };
}

/** Digits after the point until a fraction with this denominator ends; null when it never does. */
function decimalsOf(denominator: bigint): number | null {
  let rest = denominator;
  let twos = 0;
  let fives = 0;
  for (; rest % 2n === 0n; rest /= 2n) twos++;
  for (; rest % 5n === 0n; rest /= 5n) fives++;
  return rest === 1n ? Math.max(twos, fives) : null;
}

/**
 * Keeps exact numbers to a size that is quick to work with.
 * @throws ToolError when a whole number is too long to write out.
 * @returns false when a fraction is too long and should go on as an approximation.
 */
export function fits(value: Fraction): boolean {
  const digits = digitCount(value.n);
  if (value.d === 1n) {
    if (digits > MAX_INTEGER_DIGITS) throw tooLong(digits);
    return true;
  }
  return digits <= MAX_FRACTION_DIGITS && digitCount(value.d) <= MAX_FRACTION_DIGITS;
}

/** The refusal of a result with this many digits. */
export function tooLong(digits: number): ToolError {
  const size =
    digits < 1e15
      ? `about ${Math.round(digits).toLocaleString('en')} digits`
      : 'more digits than could ever be written';
  return new ToolError(
    `The result would have ${size}; I stop at ${MAX_INTEGER_DIGITS.toLocaleString('en')}.`,
  );
}
