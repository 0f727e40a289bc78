import { Fraction } from 'fraction.js';
import { Type } from 'typebox';
import { defineTool, ToolError } from '../tool.ts';
import { showNumber } from './numbers.ts';
import { readQuantity } from './quantity.ts';
import type { Unit } from './unit-table.ts';
import { findUnits, isCurrency } from './unit-names.ts';

/** π to 40 digits; the only irrational factor among the units. */
const PI = new Fraction('3.141592653589793238462643383279502884197');
const SHOWN_DIGITS = 6;
const MAX_EXACT_DIGITS = 10;
const AVERAGE_NOTE = 'A year is counted as 365.2425 days and a month as a twelfth of it.';

/** Zones where "gallon", "pint" and "ton" are the imperial ones. */
const BRITISH_ZONES = /^(?:Europe\/(?:London|Dublin|Belfast|Jersey|Guernsey|Isle_of_Man)|GB|Eire)/;

/** Conversion between units of measure. */
export const convertUnits = defineTool({
  name: 'convert_units',
  description:
    'Converts between units of length, mass, volume, temperature, speed, area, time, data size and rate, energy, power, pressure, angle, ' +
    'force, frequency and fuel economy, metric, US and imperial. Not for currencies: exchange rates need the network.',
  input: Type.Object({
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
  }),
  run(input, context) {
    const british = BRITISH_ZONES.test(context.timeZone);
    const amounts = readQuantity(input.quantity);
    if (!amounts) throw new ToolError(`I can't find a number with a unit in "${input.quantity}".`);
    const names = [...amounts.map(({ unit }) => unit), ...splitTargets(input.to, british)];
    const { dimension, units } = unitsNamed(names, british);
    const sources = units.slice(0, amounts.length);
    const ends = units.slice(amounts.length);
    const base = amounts.reduce(
      (sum, amount, index) => sum.add(toBase(amount.value, sources[index])),
      new Fraction(0),
    );
    if (dimension === 'temperature' && base.s < 0n)
      throw new ToolError('That is below absolute zero (−273.15 °C).');
    const apart = !isSplit(ends);
    const split = apart ? ends.flatMap((unit) => splitOver(base, [unit])) : splitOver(base, ends);
    const rational = units.every((unit) => !unit.timesPi) || sources[0] === ends[0];
    const isAverage = new Set(units).size > 1 && units.some(({ average }) => average);
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
  const plain = text.trim();
  if (findUnits(plain, british).length > 0) return [plain];
  const parts = plain.split(/(?<!\s)\s*(?:,|\+|&|\band\b)\s*|\s+/i).filter((part) => part !== '');
  return parts.length > 1 && parts.length <= 4 && parts.every((part) => findUnits(part, british).length > 0)
    ? parts
    : [plain];
}

/** The units that the names stand for, all of the first dimension that fits each of them. */
function unitsNamed(names: string[], british: boolean): { dimension: string; units: Unit[] } {
  if (names.some(isCurrency))
    throw new ToolError(
      "I can't convert currencies: exchange rates change all the time and I have no network to look them up.",
    );
  const known = names.map((name) => {
    const units = findUnits(name, british);
    if (name === '') throw new ToolError('Which unit is the number in?');
    if (units.length === 0) throw new ToolError(`I don't know the unit "${name}".`);
    return units;
  });
  const [first = []] = known;
  for (const { dimension } of first) {
    const units = known.flatMap((each) => each.find((one) => one.dimension === dimension)?.unit ?? []);
    if (units.length === names.length) return { dimension: dimension.name, units };
  }
  const [from = '', to = ''] = [first, known.at(-1)].map((units) => units?.[0]?.dimension.name);
  throw new ToolError(
    `"${names[0] ?? ''}" is a unit of ${from} and "${names.at(-1) ?? ''}" of ${to}: one can't be converted to the other.`,
  );
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
