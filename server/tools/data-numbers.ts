/** Numbers as people write them: grouping, decimals, currencies, units and multipliers. A column of them has one style. */
import { Fraction } from 'fraction.js';
import { Decimal as Exact, toDecimal } from './maths/numbers.ts';
import { findUnits } from './maths/unit-names.ts';
import { LARGE_NUMBERS } from './number-words.ts';

/** A number as it is written: its style decides what the digits are worth. */
interface WrittenNumber {
  digits: string;
  /** Sign and multiplier ("1.2k", "3 lakh"). */
  times: number;
  /** ISO code of a currency, `%`, or the unit's own word; empty: none. */
  unit: string;
}

const SIGNS: Readonly<Record<string, string>> = {
  '$': 'USD', 'us$': 'USD', 'dollar': 'USD', 'dollars': 'USD', '€': 'EUR', 'euro': 'EUR', 'euros': 'EUR', '£': 'GBP',
  '₹': 'INR', 'rs': 'INR', 'rs.': 'INR', 'rupees': 'INR', '¥': 'JPY', '₩': 'KRW', '₽': 'RUB', '₺': 'TRY', 'zł': 'PLN',
  'kr': 'kr', 'kr.': 'kr', 'fr.': 'CHF', 'sfr.': 'CHF', 'r$': 'BRL', 'a$': 'AUD', 'c$': 'CAD', 'ca$': 'CAD',
}; // oxfmt-ignore
const MULTIPLES = new Map([
  ...LARGE_NUMBERS,
  ...Object.entries({ k: 1e3, m: 1e6, mn: 1e6, cr: 1e7, b: 1e9, bn: 1e9 }),
]);
const CODES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** The currency that a sign, code or word stands for; null: none. */
export const currencyOf = (word: string): string | null =>
  CODES.has(word) ? word : (SIGNS[word.toLowerCase()] ?? (/^\p{Sc}$/u.test(word) ? word : null));
/** Whether a unit is a currency, or one that can be converted. */
export const isUnit = (unit: string): boolean => unit === '%' || isMoney(unit) || findUnits(unit).length > 0;
const isMoney = (unit: string): boolean => unit === 'kr' || currencyOf(unit) === unit;

const PARTS =
  /^(?<sign>[-+\u2212]?) ?(?<before>\p{Sc}|[A-Za-z]{1,3}(?:\$|\.)?)? ?(?<inner>[-+\u2212]?)(?<digits>\d(?:[\d.,'’ ]{0,30}\d)?|[.,]\d{1,30})(?<exponent>e[+-]?\d{1,3})?(?<gap> ?)(?<after>(?:[^\d\s].{0,30})?)$/u;

/** Reads one number and nothing else; null where there is more, or none. */
export function readNumber(cell: string): WrittenNumber | null {
  const plain = cell
    .trim()
    .replace(/[\u00a0\u202f\u2009]/g, ' ')
    .replace(/^\((.{1,40})\)$/, '-$1')
    .replace(/\/-$/, '');
  const parts = (plain.length > 60 ? null : PARTS.exec(plain))?.groups ?? {};
  const { sign, before = '', inner, digits = '', exponent = '', gap, after = '' } = parts;
  if (digits === '' || (sign && inner)) return null;
  const money = before === '' ? '' : currencyOf(before);
  const [, multiple = '', rest = after] = /^([a-z]{1,12})\.?(?: | ?(?=\p{Sc})|$)([^]*)$/iu.exec(after) ?? [];
  // Without a currency, "m" and "b" are metres and bytes.
  const isSize = multiple.length > 1 || money !== '' || /^[kKM]$/.test(multiple);
  const size = isSize ? MULTIPLES.get(multiple.toLowerCase()) : undefined;
  const unit = unitOf(size === undefined ? after : rest, gap !== '');
  if (money === null || unit === null || (money !== '' && unit !== '' && unit !== money)) return null;
  const times = (sign || inner) && (sign || inner) !== '+' ? -1 : 1;
  return { digits: digits + exponent, times: times * (size ?? 1), unit: money || unit };
}

/** What stands after a number; null: something else than a unit. A word that isn't known needs a gap before it. */
function unitOf(word: string, hasGap: boolean): string | null {
  const plain = word.trim().replace(/^per ?cent$/i, '%');
  if (plain === '' || plain === '%') return plain;
  const money = currencyOf(plain);
  if (money !== null || findUnits(plain).length > 0) return money ?? plain;
  return hasGap && /^\p{L}{2,12}\.?$/u.test(plain) && !/^(?:am|pm|st|nd|rd|th)$/i.test(plain) ? plain : null;
}

const WHOLE = String.raw`\d+|[1-9]\d{0,2}(?:[ '’]\d{3})+`;
const STYLES = {
  '.': new RegExp(
    String.raw`^(?:(?:${WHOLE}|[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d?(?:,\d\d)+,\d{3})(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?$`,
  ),
  ',': new RegExp(String.raw`^(?:(?:${WHOLE}|[1-9]\d{0,2}(?:\.\d{3})+)(?:,\d+)?|,\d+)(?:e[+-]?\d+)?$`),
};
/** The sign before the decimals. */
export type DecimalSign = keyof typeof STYLES;

/** What digits are worth in a style; null: they aren't written in it. */
export function worth({ digits, times }: WrittenNumber, decimal: DecimalSign): Exact | null {
  if (!STYLES[decimal].test(digits)) return null;
  const plain = digits.replace(decimal === '.' ? /[, '’]/g : /[. '’]/g, '').replace(',', '.');
  return new Exact(plain).times(times);
}

/** How many of `to` one of `unit` is; null: one can't be turned into the other. */
export function unitRatio(unit: string, to: string): Exact | null {
  if (unit === to) return new Exact(1);
  if (isMoney(unit) || isMoney(to)) return null;
  const [one, other] = [unit, to].map((each) => findUnits(each)[0]);
  const [name, ofOther] = [unit, to].map((each) => each.toLowerCase().replace(/s$/, ''));
  if (one === undefined || other === undefined)
    return !one && !other && name === ofOther ? new Exact(1) : null;
  const isPlain = [one, other].every(({ unit: each }) => !each.inverse && each.offset === undefined);
  const isAlike = one.dimension === other.dimension && one.unit.timesPi === other.unit.timesPi;
  return isPlain && isAlike
    ? toDecimal(new Fraction(one.unit.factor).div(new Fraction(other.unit.factor)))
    : null;
}

/** Ten digits after the point, or of a number that starts later. */
export const rounded = (value: Exact): Exact => value.toDecimalPlaces(Math.max(10, 9 - value.e));
/** More digits after the point than anybody wrote: the number has no end. */
const ENDLESS = 30;

/** A number with its unit as it is shown: "€1,250.50", "₹1,25,000", "6.5 kg", "12%". */
export function showAmount(value: Exact, unit: string): string {
  const number = value.decimalPlaces() > ENDLESS ? rounded(value) : value;
  const digits = number.toFixed() as `${number}`;
  if (CODES.has(unit)) {
    const money = { style: 'currency', currency: unit } as const;
    const isTiny = number.abs().lt(0.01) && !number.isZero();
    const size = isTiny ? { maximumSignificantDigits: 12 } : { maximumFractionDigits: 2 };
    const how = { ...money, ...size, trailingZeroDisplay: 'stripIfInteger' } as const;
    return new Intl.NumberFormat(unit === 'INR' ? 'en-IN' : 'en', how)
      .format(digits)
      .replaceAll('\u00a0', ' ');
  }
  const plain = new Intl.NumberFormat('en', { maximumFractionDigits: ENDLESS }).format(digits);
  return unit === '' || unit === '%' ? plain + unit : `${plain} ${unit}`;
}
