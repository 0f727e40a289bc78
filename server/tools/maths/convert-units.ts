import { Fraction } from 'fraction.js';
import { Type } from 'typebox';
import { defineTool, ToolError } from '../tool.ts';
import { showNumber } from './numbers.ts';
import { readQuantity, type Amount } from './quantity.ts';
import type { Unit } from './unit-table.ts';
import { findUnits, isCurrency, type KnownUnit } from './unit-names.ts';

/** π to 40 digits; the only irrational factor among the units. */
const PI = new Fraction('3.141592653589793238462643383279502884197');
const SHOWN_DIGITS = 6;
const MAX_EXACT_DIGITS = 10;
const AVERAGE_NOTE = 'A year is counted as 365.2425 days and a month as a twelfth of it.';

/** Zones where "gallon", "pint" and "ton" are the imperial ones. */
const BRITISH_ZONES = /^(?:Europe\/(?:London|Dublin|Belfast|Jersey|Guernsey|Isle_of_Man)|GB|Eire)/;

export const ConvertUnitsInput = Type.Object({
  quantity: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'Number and unit to convert, e.g. "10 km", "100 °F", "5 ft 11 in", "1 1/2 cups".',
  }),
  to: Type.String({
    minLength: 1,
    maxLength: 60,
    description: 'Unit to convert to, e.g. "miles"; two of them for a split answer: "feet and inches".',
  }),
});

/** Conversion between units of measure. */
export const convertUnits = defineTool({
  name: 'convert_units',
  description:
    'Converts between units of length, mass, volume, temperature, speed, area, time, data size and rate, energy, power, pressure, angle, ' +
    'force, frequency and fuel economy, metric, US and imperial. Not for currencies: exchange rates need the network.',
  input: ConvertUnitsInput,
  run(input, context) {
    const british = BRITISH_ZONES.test(context.timeZone);
    const amounts = readQuantity(input.quantity);
    const first = amounts?.[0];
    if (!amounts || !first) throw new ToolError(`I can't find a number with a unit in "${input.quantity}".`);
    const targets = splitTargets(input.to, british);
    refuseMoney(amounts, targets);
    const candidates = amounts.map((amount) => known(amount.unit, british));
    const wanted = targets.map((target) => known(target, british));
    const dimension = commonDimension([...candidates, ...wanted], first.unit, input.to);
    const sources = candidates.map((units) => pick(units, dimension));
    const ends = wanted.map((units) => pick(units, dimension));
    const base = amounts.reduce(
      (sum, amount, index) => sum.add(toBase(amount.value, sources[index])),
      new Fraction(0),
    );
    if (dimension === 'temperature' && base.s < 0n)
      throw new ToolError('That is below absolute zero (−273.15 °C).');
    const apart = !isSplit(ends);
    const split = apart ? ends.flatMap((unit) => splitOver(base, [unit])) : splitOver(base, ends);
    const rational = [...sources, ...ends].every((unit) => !unit.timesPi) || sources[0] === ends[0];
    const units = new Set([...sources, ...ends]);
    const isAverage = units.size > 1 && [...units].some(({ average }) => average);
    return {
      from: amounts.map((amount, index) => measure(showNumber(amount.value).text, sources[index])),
      to: split.map(({ text, unit }) => measure(text, unit)),
      dimension,
      exact: rational && split.every((part) => part.exact),
      ...(apart && { apart }),
      ...(isAverage && { note: AVERAGE_NOTE }),
    };
  },
});

function splitTargets(text: string, british: boolean): string[] {
  const plain = text
    .trim()
    .replace(/\bper 100\s*km\b/gi, 'per 100km')
    .replace(/\/\s*100\s*km\b/gi, '/100km');
  if (findUnits(plain, british).length > 0) return [plain];
  const parts = plain.split(/\s*(?:,|\+|&|\band\b)\s*|\s+/i).filter((part) => part !== '');
  return parts.length > 1 && parts.length <= 4 && parts.every((part) => findUnits(part, british).length > 0)
    ? parts
    : [plain];
}

function refuseMoney(amounts: Amount[], targets: string[]): void {
  if ([...amounts.map((amount) => amount.unit), ...targets].some(isCurrency))
    throw new ToolError(
      "I can't convert currencies: exchange rates change all the time and I have no network to look them up.",
    );
}

function known(name: string, british: boolean): KnownUnit[] {
  const units = findUnits(name, british);
  if (name === '') throw new ToolError('Which unit is the number in?');
  if (units.length === 0) throw new ToolError(`I don't know the unit "${name}".`);
  return units;
}

function commonDimension(candidates: KnownUnit[][], from: string, to: string): string {
  const [first = []] = candidates;
  for (const { dimension } of first) {
    if (candidates.every((units) => units.some((unit) => unit.dimension === dimension)))
      return dimension.name;
  }
  const names = [first[0]?.dimension.name ?? from, candidates.at(-1)?.[0]?.dimension.name ?? to];
  throw new ToolError(
    `"${from}" is a unit of ${names[0] ?? ''} and "${to}" of ${names[1] ?? ''}: one can't be converted to the other.`,
  );
}

function pick(units: KnownUnit[], dimension: string): Unit {
  const found = units.find((unit) => unit.dimension.name === dimension);
  if (!found) throw new Error(`no ${dimension} among the units`);
  return found.unit;
}

function factorOf(unit: Unit): Fraction {
  const factor = new Fraction(unit.factor);
  return unit.timesPi ? factor.mul(PI) : factor;
}

function toBase(value: Fraction, unit: Unit | undefined): Fraction {
  if (!unit) return value;
  if (unit.inverse) return factorOf(unit).div(nonZero(value));
  return value.mul(factorOf(unit)).add(new Fraction(unit.offset ?? 0));
}

function fromBase(base: Fraction, unit: Unit): Fraction {
  if (unit.inverse) return factorOf(unit).div(nonZero(base));
  return base.sub(new Fraction(unit.offset ?? 0)).div(factorOf(unit));
}

function nonZero(value: Fraction): Fraction {
  if (value.n === 0n) throw new ToolError('A fuel economy of zero has no counterpart.');
  return value;
}

interface Part {
  text: string;
  exact: boolean;
  unit: Unit;
}

/** Whether units can share an answer, as feet and inches do: each is some whole number of the next smaller one. */
function isSplit(units: Unit[]): boolean {
  const factors = units.map(factorOf).toSorted((one, other) => other.compare(one));
  if (units.length < 2 || units.some(({ inverse, offset }) => inverse || offset !== undefined))
    return units.length < 2;
  return factors.every((factor, index) => index === 0 || (factors[index - 1]?.div(factor).d ?? 1n) === 1n);
}

/** The whole answer in one unit, or whole numbers of the larger units and the rest in the smallest. */
function splitOver(base: Fraction, units: Unit[]): Part[] {
  const ordered = units.toSorted((a, b) => factorOf(b).compare(factorOf(a)));
  const smallest = ordered.at(-1);
  if (!smallest) return [];
  const total = fromBase(base, smallest);
  if (ordered.length === 1) return [{ ...rounded(total), unit: smallest }];
  const shown = total.abs().round(2);
  let rest = shown.mul(factorOf(smallest));
  const parts: Part[] = [];
  for (const unit of ordered.slice(0, -1)) {
    const count = rest.div(factorOf(unit)).floor();
    rest = rest.sub(count.mul(factorOf(unit)));
    const sign = base.s < 0n && parts.length === 0 && count.n > 0n ? '-' : '';
    parts.push({ text: sign + showNumber(count).text, exact: true, unit });
  }
  parts.push({
    text: showNumber(rest.div(factorOf(smallest))).text,
    exact: shown.equals(total.abs()),
    unit: smallest,
  });
  return parts;
}

function rounded(value: Fraction): { text: string; exact: boolean } {
  const whole = showNumber(value);
  const digits = whole.text.replace(/^[-0.]+|\./g, '').length;
  if (whole.exact && (value.d === 1n || digits <= MAX_EXACT_DIGITS)) return whole;
  const beforePoint = value.abs().floor().toString().length;
  return showNumber(value, { significantDigits: Math.max(SHOWN_DIGITS, beforePoint) });
}

function measure(value: string, unit: Unit | undefined): { value: string; unit: string } {
  if (!unit) return { value, unit: '' };
  return { value, unit: /^-?1$/.test(value) ? unit.singular : unit.plural };
}
