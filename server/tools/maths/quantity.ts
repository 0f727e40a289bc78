import { Fraction } from 'fraction.js';

/** A number with the words of its unit; the unit is empty when none was given. */
export interface Amount {
  value: Fraction;
  unit: string;
}

const NUMBER =
  /^([-+−]?)\s*(?:((?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+)(?:e([-+]?\d{1,3}))?(?:\s+(\d{1,4})\/(\d{1,4})|\s*([½¼¾⅓⅔]))?(?:\/(\d{1,6})(?=\s|[a-z]|$))?|([½¼¾⅓⅔]))\s*/i;

const VULGAR = new Map([
  ['½', '1/2'],
  ['¼', '1/4'],
  ['¾', '3/4'],
  ['⅓', '1/3'],
  ['⅔', '2/3'],
]);

/**
 * Reads "10 km", "5 ft 11 in", "5'11\"", "1 1/2 cups" or "1,234.5 lb" into amounts; null when it has no number or
 * something other than amounts.
 */
export function readQuantity(text: string): Amount[] | null {
  const money = /^([-+]?)([$€£¥₹])\s*(\d[\d,.]*)$/.exec(text.trim());
  if (money) return readQuantity(`${money[1] ?? ''}${money[3] ?? ''} ${money[2] ?? ''}`);
  const pieces = text
    .trim()
    .replace(/\bper 100\s*km\b/gi, 'per 100km')
    .replace(/\/\s*100\s*km\b/gi, '/100km')
    .split(/(?<=[a-z'"′″’”])\s*(?:,\s*|\band\s+)?(?=\d+(?:[.,]\d+)?\s*(?:[a-z"'″′’”]|$))(?<!\b(?:e|per)\s*)/i)
    .map((piece) => piece.replace(/\s+and\s*$/i, '').trim());
  const amounts: Amount[] = [];
  for (const piece of mergeExponents(pieces)) {
    const amount = readAmount(piece);
    if (!amount) return null;
    amounts.push(amount);
  }
  const last = amounts.at(-1);
  const before = amounts.at(-2);
  if (last?.unit === '' && before && /^(?:'|′|’|ft|feet|foot)$/i.test(before.unit)) last.unit = 'in';
  return amounts.length > 0 ? amounts : null;
}

/** Keeps "3e5 m" and "m2" together where the split was too keen. */
function mergeExponents(pieces: string[]): string[] {
  const merged: string[] = [];
  for (const piece of pieces) {
    const before = merged.at(-1);
    if (
      before !== undefined &&
      (/\de$/i.test(before) ||
        (/^[23](?:\s|$)/.test(piece) &&
          /(?:^|[\s\d])(?:m|cm|km|mm|ft|in|yd|mi)$/i.test(before) &&
          piece.length === 1))
    )
      merged[merged.length - 1] = before + piece;
    else merged.push(piece);
  }
  return merged;
}

function readAmount(piece: string): Amount | null {
  const match = NUMBER.exec(piece);
  if (!match) return null;
  const [whole, sign, digits, exponent, top, bottom, vulgar, over, vulgarAlone] = match;
  let value = new Fraction((digits ?? '0').replaceAll(',', ''));
  if (exponent) value = value.mul(new Fraction(10).pow(Number(exponent)));
  if (top && bottom) value = bottom === '0' ? value : value.add(new Fraction(`${top}/${bottom}`));
  const extra = VULGAR.get(vulgar ?? vulgarAlone ?? '');
  if (extra) value = value.add(new Fraction(extra));
  if (over) {
    if (/^0+$/.test(over)) return null;
    value = value.div(new Fraction(over));
  }
  if (sign === '-' || sign === '−') value = value.neg();
  return { value, unit: piece.slice(whole.length).trim() };
}
