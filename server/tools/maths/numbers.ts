/** The numbers of a calculation, and how they are written. Exact ones are fractions; the others are decimals of so many digits. */
import { Decimal as AnyDecimal } from 'decimal.js';
import { Fraction } from 'fraction.js';
import { ToolError } from '../tool.ts';

/** Most digits an exact whole number may have, and either part of an exact fraction. */
export const MAX_INTEGER_DIGITS = 5_000;
const MAX_FRACTION_DIGITS = 1_000;
/** Digits that inexact calculation works with. */
const WORKING_DIGITS = 80;
/** Digits shown of a number that has no end, unless asked otherwise. */
const DEFAULT_DIGITS = 12;
/** An exact number with at most so many digits after the point is shown in full. */
const MAX_DECIMALS = 40;

/** A decimal number to {@link WORKING_DIGITS} digits. */
export type Decimal = AnyDecimal;
export const Decimal = AnyDecimal.clone({ precision: WORKING_DIGITS, defaults: true });
/** For writing exact numbers: the longest ones with some digits after the point. */
const LongDecimal = AnyDecimal.clone({ precision: MAX_INTEGER_DIGITS + 100, defaults: true });

/** A number: exact as a fraction, else a decimal. */
export type Num = Fraction | Decimal;

export function isExact(value: Num): value is Fraction {
  return value instanceof Fraction;
}

export function isWhole(value: Num): value is Fraction {
  return isExact(value) && value.d === 1n;
}

/** The number as a decimal. */
export function toDecimal(value: Num, Kind = Decimal): Decimal {
  if (!isExact(value)) return value;
  return new Kind((value.s * value.n).toString()).div(value.d.toString());
}

/** The exact fraction that digits stand for, such as "2.5e3". */
export function toFraction(digits: string): Fraction {
  const value = new Decimal(digits);
  if (!value.isFinite() || Math.abs(value.e) > MAX_INTEGER_DIGITS)
    throw new ToolError('That has a number too large or too small for me to calculate with.');
  return new Fraction(value.toFixed());
}

/** The number itself. Throws ToolError when it isn't real (with `problem`) or isn't finite. */
export function checked(value: Decimal, problem: string): Decimal {
  if (value.isNaN()) throw new ToolError(problem);
  if (!value.isFinite()) throw new ToolError('That result is too large for me to calculate.');
  return value;
}

/** How many decimal digits a whole number has. */
export function digitCount(value: bigint): number {
  const hex = (value < 0n ? -value : value).toString(16).length;
  return Math.ceil(hex * Math.log10(16));
}

/** Whether an exact number is quick to work with; a fraction that isn't goes on as a decimal. Throws ToolError for a whole number that is too long. */
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

/** Writes a number, in full if it ends within reason, else rounded half away from zero. Unless asked otherwise, digits before the point are not rounded. */
export function showNumber(value: Num, rounding: Rounding = {}): Shown {
  const text = written(toDecimal(value, LongDecimal), isExact(value), rounding);
  return { text, exact: isExact(value) && toFraction(text).equals(value) };
}

function written(value: Decimal, exact: boolean, { decimals, significantDigits }: Rounding): string {
  const isHuge = !exact && value.e > MAX_DECIMALS;
  if (decimals !== undefined && !isHuge) return value.toDecimalPlaces(decimals).toFixed(decimals);
  if (exact && significantDigits === undefined && value.decimalPlaces() <= MAX_DECIMALS)
    return value.toFixed();
  const digits = significantDigits ?? (isHuge ? DEFAULT_DIGITS : Math.max(DEFAULT_DIGITS, value.e + 1));
  const rounded = value.toSignificantDigits(digits);
  return isHuge || value.e < -15 ? rounded.toString() : rounded.toFixed();
}
