import { Fraction } from 'fraction.js';
import { ToolError } from '../tool.ts';
import {
  add,
  ceil,
  compare,
  divide,
  factorial,
  floor,
  isZero,
  modulo,
  multiply,
  ONE,
  power,
  round,
  subtract,
  toInteger,
  ZERO,
} from './arithmetic.ts';
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

/** How functions work. */
export interface Calculation {
  /** Whether bare angles are degrees. */
  degrees: boolean;
}

interface MathsFunction {
  /** Fewest and most numbers it takes; lists count by their members. */
  takes: [number, number];
  apply(values: Num[], calculation: Calculation): Num | Num[];
}

const MANY = 1_000;
/** Half a million divisions at most: a few milliseconds. */
const MAX_FACTORED = 1e12;
const HALF = new Fraction(1n, 2n);

/** The functions a calculation may use, by lower-case name. Nothing else can be called. */
export const FUNCTIONS: ReadonlyMap<string, MathsFunction> = new Map<string, MathsFunction>([
  ...one('abs', (x) => x.abs()),
  ...one('sign', (x) => new Fraction(Math.sign(compare(x, ZERO)))),
  ...one('floor', (x) => floor(x)),
  ...one('ceil', (x) => ceil(x)),
  ...one('factorial', (x) => factorial(x)),
  ...one('square', (x) => multiply(x, x)),
  ...one('cube', (x) => multiply(multiply(x, x), x)),
  ...one('sqrt', (x) => nthRoot(x, new Fraction(2))),
  ...one('cbrt', (x) => nthRoot(x, new Fraction(3))),
  ...one('exp', (x) => power(e(), x)),
  ...one('ln', (x) => logarithm(x, null)),
  ...one('log10', (x) => logarithm(x, new Fraction(10))),
  ...one('log2', (x) => logarithm(x, new Fraction(2))),
  ['log', { takes: [1, 2], apply: ([x = ZERO, base = new Fraction(10)]) => logarithm(x, base) }],
  ...two(['nthroot', 'root'], (x, degree) => nthRoot(x, degree)),
  ...two(['pow', 'power'], (x, y) => power(x, y)),
  ...two(['mod'], (x, y) => modulo(x, y)),
  ...two(['choose', 'combinations', 'ncr'], (n, k) => choose(n, k)),
  ...two(['permutations', 'npr'], (n, k) => permute(n, k)),
  [
    'round',
    {
      takes: [1, 2],
      apply: ([x = ZERO, decimals = ZERO]) => round(x, Math.max(0, toInteger(decimals, 'Rounding', 50))),
    },
  ],
  ...list(['sum', 'total'], sum),
  ...list(['product'], (values) => values.reduce((a, b) => multiply(a, b), ONE)),
  ...list(['mean', 'average', 'avg'], mean),
  ...list(['median'], median),
  ...list(['mode'], mode),
  ...list(['min'], (values) => sorted(values)[0] ?? ZERO),
  ...list(['max'], (values) => sorted(values).at(-1) ?? ZERO),
  ...list(['variance'], variance),
  ...list(['std', 'stdev'], (values) => power(variance(values), HALF)),
  ...list(['gcd', 'gcf', 'hcf'], (values) => values.map(whole).reduce((a, b) => a.gcd(b))),
  ...list(['lcm'], (values) => values.map(whole).reduce((a, b) => bounded(a.lcm(b)))),
  [
    'factors',
    { takes: [1, 1], apply: ([x = ZERO]) => primeFactors(x).map((factor) => new Fraction(factor)) },
  ],
  ...turning('sin', (x) => x.sin()),
  ...turning('cos', (x) => x.cos()),
  ...turning('tan', (x) => {
    if (x.cos().abs().lt('1e-60')) throw new ToolError('The tangent of a right angle is not defined.');
    return x.tan();
  }),
  ...turningBack('asin', ['arcsin'], (x) => x.asin()),
  ...turningBack('acos', ['arccos'], (x) => x.acos()),
  ...turningBack('atan', ['arctan'], (x) => x.atan()),
  ...nearly('sinh', (x) => x.sinh()),
  ...nearly('cosh', (x) => x.cosh()),
  ...nearly('tanh', (x) => x.tanh()),
]);

type Entries = [string, MathsFunction][];

function one(name: string, apply: (x: Num, calculation: Calculation) => Num): Entries {
  return [[name, { takes: [1, 1], apply: ([x = ZERO], calculation) => apply(x, calculation) }]];
}

function two(names: string[], apply: (x: Num, y: Num, calculation: Calculation) => Num): Entries {
  return names.map((name) => [
    name,
    { takes: [2, 2], apply: ([x = ZERO, y = ZERO], calculation) => apply(x, y, calculation) },
  ]);
}

function list(names: string[], apply: (values: Num[], calculation: Calculation) => Num): Entries {
  return names.map((name) => [name, { takes: [1, MANY], apply }]);
}

/** A function of any real number that is worked out to the working digits. */
function nearly(name: string, apply: (x: Decimal) => Decimal): Entries {
  return one(name, (x) => {
    const big = toDecimal(x);
    if (big.abs().gt(10_000)) throw new ToolError(`That is too large a number for ${name}.`);
    return checked(apply(big), `${name} is not defined there.`);
  });
}

/** A function of an angle. Its rational values (0, ±1/2, ±1) come out exact. */
function turning(name: string, apply: (x: Decimal) => Decimal): Entries {
  return one(name, (x, { degrees }) => {
    let angle = toDecimal(x);
    if (angle.abs().gt(1e15)) throw new ToolError(`That angle is too large for ${name}.`);
    if (degrees) angle = toDecimal(multiply(x, degree()));
    return settle(checked(apply(angle), `${name} is not defined there.`));
  });
}

/** A function that gives an angle. */
function turningBack(name: string, aliases: string[], apply: (x: Decimal) => Decimal): Entries {
  return [name, ...aliases].flatMap((each) =>
    one(each, (x, { degrees }) => {
      const angle = checked(apply(toDecimal(x)), `${name} takes a number from -1 to 1.`);
      return degrees ? settle(angle.div(toDecimal(degree()))) : angle;
    }),
  );
}

/** What differs from a half or a whole by no more than the rounding of the working digits is that number. */
function settle(value: Decimal): Num {
  const doubled = value.times(2);
  const near = doubled.round();
  return doubled.minus(near).abs().lt('1e-60') && near.e < 20 ? new Fraction(near.toFixed()).div(2) : value;
}

export function pi(): Decimal {
  return new Decimal(-1).acos();
}

export function e(): Decimal {
  return new Decimal(1).exp();
}

/** One degree, in radians. */
export function degree(): Decimal {
  return pi().div(180);
}

function nthRoot(value: Num, degreeOfRoot: Num): Num {
  if (isZero(degreeOfRoot)) throw new ToolError('There is no zeroth root.');
  const odd = isWhole(degreeOfRoot) && degreeOfRoot.n % 2n === 1n;
  if (odd && compare(value, ZERO) < 0) return nthRoot(value.neg(), degreeOfRoot).neg();
  if (compare(value, ZERO) < 0) throw new ToolError('That root of a negative number is not a real number.');
  return power(value, divide(ONE, degreeOfRoot));
}

/** The logarithm, natural when `base` is null; exact when it is whole. */
function logarithm(value: Num, base: Num | null): Num {
  if (compare(value, ZERO) <= 0) throw new ToolError('Logarithms are defined for positive numbers only.');
  if (base && (compare(base, ZERO) <= 0 || compare(base, ONE) === 0))
    throw new ToolError('The base of a logarithm is a positive number other than 1.');
  const natural = toDecimal(value).ln();
  if (!base) return isExact(value) && value.equals(1) ? ZERO : natural;
  const result = natural.div(toDecimal(base).ln());
  const near = result.round();
  if (!isExact(value) || !isExact(base) || result.minus(near).abs().gt('1e-60')) return result;
  const whole = new Fraction(near.toFixed());
  return compare(power(base, whole), value) === 0 ? whole : result;
}

function sum(values: Num[]): Num {
  return values.reduce((a, b) => add(a, b), ZERO);
}

function mean(values: Num[]): Num {
  return divide(sum(values), new Fraction(values.length));
}

function sorted(values: Num[]): Num[] {
  return values.toSorted((a, b) => compare(a, b));
}

function median(values: Num[]): Num {
  const inOrder = sorted(values);
  const upper = inOrder[Math.floor(inOrder.length / 2)] ?? ZERO;
  const lower = inOrder[Math.floor((inOrder.length - 1) / 2)] ?? ZERO;
  return multiply(add(lower, upper), HALF);
}

function mode(values: Num[]): Num {
  const counts = values.map((value) => values.filter((other) => compare(value, other) === 0).length);
  const most = counts.reduce((highest, count) => Math.max(highest, count), 0);
  const winners = values.filter(
    (value, index) => counts[index] === most && values.findIndex((v) => compare(v, value) === 0) === index,
  );
  const [winner] = winners;
  if (!winner || winners.length > 1) throw new ToolError('No single number occurs most often there.');
  return winner;
}

/** The sample variance (n − 1). */
function variance(values: Num[]): Num {
  if (values.length < 2) throw new ToolError('A deviation needs at least two numbers.');
  const middle = mean(values);
  const squares = values.map((value) => power(subtract(value, middle), new Fraction(2)));
  return divide(sum(squares), new Fraction(values.length - 1));
}

function whole(value: Num): Fraction {
  if (!isWhole(value)) throw new ToolError('Common divisors and multiples are for whole numbers.');
  return value.abs();
}

/** The prime factors of a whole number, smallest first; 0 and 1, which have none, by themselves. */
function primeFactors(value: Num): number[] {
  let rest = toInteger(value, 'Factoring', MAX_FACTORED);
  if (rest < 0) throw new ToolError('I factor whole numbers from 0 up.');
  const factors: number[] = [];
  for (let factor = 2; factor * factor <= rest; factor += factor === 2 ? 1 : 2) {
    while (rest % factor === 0) {
      factors.push(factor);
      rest /= factor;
    }
  }
  return rest > 1 || factors.length === 0 ? [...factors, rest] : factors;
}

function choose(n: Num, k: Num): Num {
  const [total, picked] = counts(n, k);
  let result = 1n;
  const smaller = Math.min(picked, total - picked);
  for (let i = 1; i <= smaller; i++) {
    result = (result * BigInt(total - smaller + i)) / BigInt(i);
    if (i % 128 === 0 && digitCount(result) > MAX_INTEGER_DIGITS)
      throw new ToolError('The result would have more than 5,000 digits, where I stop.');
  }
  return bounded(new Fraction(result));
}

function permute(n: Num, k: Num): Num {
  const [total, picked] = counts(n, k);
  let result = 1n;
  for (let i = 0; i < picked; i++) result *= BigInt(total - i);
  return bounded(new Fraction(result));
}

function counts(n: Num, k: Num): [number, number] {
  const total = toInteger(n, 'Choosing', 1e9);
  const picked = toInteger(k, 'Choosing', 1e9);
  if (picked < 0 || total < picked)
    throw new ToolError('I can only choose from 0 up to as many as there are.');
  if (Math.min(picked, total - picked) > 5_000) throw tooLong(Math.min(picked, total - picked));
  return [total, picked];
}

function bounded(value: Fraction): Fraction {
  fits(value);
  return value;
}
