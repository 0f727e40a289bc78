/** Numbers that are no fractions: decimals of so many digits, and the way between the two. */
import { Decimal as Any } from 'decimal.js';
import { Fraction } from 'fraction.js';
import { ToolError } from '../tool.ts';
import { isExact, WORKING_DIGITS, type Num } from './numbers.ts';

/** A decimal number to {@link WORKING_DIGITS} digits. */
export type Decimal = Any;
export const Decimal = Any.clone({ precision: WORKING_DIGITS, defaults: true });

/** The number as a decimal. */
export function toDecimal(value: Num): Decimal {
  if (!isExact(value)) return value;
  return new Decimal((value.s * value.n).toString()).div(value.d.toString());
}

/** The exact fraction that digits stand for, such as "2.5e3". */
export function toFraction(digits: string): Fraction {
  const value = new Decimal(digits);
  if (!value.isFinite() || Math.abs(value.e) > 5_000)
    throw new ToolError('That has a number too large or too small for me to calculate with.');
  return new Fraction(value.toFixed());
}

/**
 * Passes a calculated number on.
 * @throws ToolError in words when it is not a real, finite number.
 */
export function checked(value: Decimal, problem: string): Decimal {
  if (value.isNaN()) throw new ToolError(problem);
  if (!value.isFinite()) throw new ToolError('That result is too large for me to calculate.');
  return value;
}
