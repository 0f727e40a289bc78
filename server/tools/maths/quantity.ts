import { Fraction } from 'fraction.js';
import { VULGAR } from './notation.ts';

/** A number with the words of its unit; the unit is empty when none was given. */
export interface Amount {
  value: Fraction;
  unit: string;
}

const NUMBER = String.raw`([-+−]?)\s*(?:((?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+)(?:e([-+]?\d{1,3}))?(?:\s+(\d{1,4})\/(\d{1,4})|\s*([½¼¾⅓⅔]))?(?:\/(\d{1,6})(?=\s|[a-z]|$))?|([½¼¾⅓⅔]))`;
/** Up to the next number; the digits of "m2" and "L/100 km" belong to the unit. */
const UNIT = String.raw`(?:[^\d.,½¼¾⅓⅔]|\.(?!\d)|(?<=(?:m|ft|in|yd|mi)\^?)[23](?=[\s/]|$)|(?<=per |\/ ?)100(?= ?km))*`;
const AMOUNT = new RegExp(`${NUMBER}(${UNIT}),?\\s*`, 'iy');

/**
 * Reads "10 km", "5 ft 11 in", "5'11\"", "1 1/2 cups" or "1,234.5 lb" into amounts; null when it has no number or
 * something other than amounts.
 */
export function readQuantity(text: string): Amount[] | null {
  const plain = text.trim().replace(/^([-+]?)([$€£¥₹])\s*(\d[\d,.]*)$/, '$1$3 $2');
  const amounts: Amount[] = [];
  for (AMOUNT.lastIndex = 0; AMOUNT.lastIndex < plain.length;) {
    const match = AMOUNT.exec(plain);
    const amount = match && amountOf(match);
    if (!amount) return null;
    amounts.push(amount);
  }
  const [before, last] = amounts.slice(-2);
  if (last?.unit === '' && /^(?:'|′|’|ft|feet|foot)$/i.test(before?.unit ?? '')) last.unit = 'in';
  return amounts.length > 0 ? amounts : null;
}

function amountOf(match: RegExpExecArray): Amount | null {
  const [, sign, digits, exponent, top, bottom, vulgar, over, vulgarAlone, unit = ''] = match;
  let value = new Fraction((digits ?? '0').replaceAll(',', ''));
  if (exponent) value = value.mul(new Fraction(10).pow(Number(exponent)));
  if (top && bottom && bottom !== '0') value = value.add(new Fraction(`${top}/${bottom}`));
  const extra = VULGAR.get(vulgar ?? vulgarAlone ?? '');
  if (extra) value = value.add(new Fraction(extra));
  if (over) {
    if (/^0+$/.test(over)) return null;
    value = value.div(new Fraction(over));
  }
  if (sign === '-' || sign === '−') value = value.neg();
  return { value, unit: unit.replace(/(?<!\s)\s+and\s*$/i, '').trim() };
}
