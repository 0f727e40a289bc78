import { describe, expect, it } from 'vitest';
import { converse, recognise } from '../../../../support/skills.ts';

/** Phrase, tool, its input, and what is told of the result. */
const PHRASES: [string, string, Record<string, unknown>, string][] = [
  ['what is -3 squared', 'calculate', { expression: '(-3)^2' }, '(-3)^2 = **9**'],
  ['calculate 12*7 and then times 3', 'calculate', { expression: '(12*7) * 3' }, '(12 × 7) × 3 = **252**'],
  ['12 * 7, then add 5', 'calculate', { expression: '(12 * 7) + 5' }, '(12 × 7) + 5 = **89**'],
  [
    "what's 2/3 as a decimal to 5 places",
    'calculate',
    { expression: '2/3', decimals: 5 },
    '2/3 ≈ **0.66667**',
  ],
  ['15% tip on 80', 'calculate', { expression: '15% * 80' }, '15% of 80 is **12**.'],
  ["what's 12.5% of 1840?", 'calculate', { expression: '12.5% * 1840' }, '12.5% of 1,840 is **230**.'],
  ["What's 12.5% of 1,840?", 'calculate', { expression: '12.5% * 1840' }, '12.5% of 1,840 is **230**.'],
  ['calculate (3+4)*2^5', 'calculate', { expression: '(3+4)*2^5' }, '(3 + 4) × 2^5 = **224**'],
  ['12 * 7', 'calculate', { expression: '12 * 7' }, '12 × 7 = **84**'],
  ['12*7=', 'calculate', { expression: '12*7' }, '12 × 7 = **84**'],
  ['how much is 3/8 + 1/4', 'calculate', { expression: '3/8 + 1/4' }, '3/8 + 1/4 = **0.625** (5/8)'],
  [
    'sqrt of 2 to 10 digits',
    'calculate',
    { expression: 'sqrt(2)', significantDigits: 10 },
    '√2 ≈ **1.414213562**',
  ],
  ['square root of 144', 'calculate', { expression: 'sqrt(144)' }, '√144 = **12**'],
  ['what is the square root of 144?', 'calculate', { expression: 'sqrt(144)' }, '√144 = **12**'],
  ['what is 17 squared', 'calculate', { expression: '17^2' }, '17^2 = **289**'],
  ['what is 2 to the power of 10', 'calculate', { expression: '2^10' }, '2^10 = **1,024**'],
  ['2**10', 'calculate', { expression: '2^10' }, '2^10 = **1,024**'],
  ['3 × 4 ÷ 2', 'calculate', { expression: '3 * 4 / 2' }, '3 × 4 / 2 = **6**'],
  ['7 − 3', 'calculate', { expression: '7 - 3' }, '7 − 3 = **4**'],
  ['half of seven', 'calculate', { expression: '1/2 * 7' }, '1/2 × 7 = **3.5**'],
  ['half of 7', 'calculate', { expression: '1/2 * 7' }, '1/2 × 7 = **3.5**'],
  ['a third of 90', 'calculate', { expression: '1/3 * 90' }, '1/3 × 90 = **30**'],
  ['three quarters of 200', 'calculate', { expression: '3/4 * 200' }, '3/4 × 200 = **150**'],
  ['what is twenty-five times four', 'calculate', { expression: '25 * 4' }, '25 × 4 = **100**'],
  ['two hundred and fifty divided by 5', 'calculate', { expression: '250 / 5' }, '250 / 5 = **50**'],
  ['what is 15 percent of 80', 'calculate', { expression: '15% * 80' }, '15% of 80 is **12**.'],
  ['80 + 15%', 'calculate', { expression: '80 + 15%' }, '80 + 15% = **92**'],
  ['15% off 80', 'calculate', { expression: '80 - 15%' }, '80 − 15% = **68**'],
  ['increase 80 by 15%', 'calculate', { expression: '80 + 15%' }, '80 + 15% = **92**'],
  ['what percentage of 80 is 12', 'calculate', { expression: '12 / 80 * 100' }, '12 is **15%** of 80.'],
  ['12 is what percent of 80?', 'calculate', { expression: '12 / 80 * 100' }, '12 is **15%** of 80.'],
  ['12 out of 80 as a percentage', 'calculate', { expression: '12 / 80 * 100' }, '12 is **15%** of 80.'],
  [
    'percentage change from 80 to 92',
    'calculate',
    { expression: '(92 - 80) / 80 * 100' },
    'The change is **15%**.',
  ],
  [
    'average of 3, 5 and 10',
    'calculate',
    { expression: 'mean(3, 5, 10)' },
    'The mean of 3, 5 and 10 is **6**.',
  ],
  [
    'mean of 1,234 and 5,678',
    'calculate',
    { expression: 'mean(1234, 5678)' },
    'The mean of 1,234 and 5,678 is **3,456**.',
  ],
  [
    'median of 1,2,3,4',
    'calculate',
    { expression: 'median(1, 2, 3, 4)' },
    'The median of 1, 2, 3 and 4 is **2.5**.',
  ],
  [
    'what is the sum of 1, 2 and 3?',
    'calculate',
    { expression: 'sum(1, 2, 3)' },
    'The sum of 1, 2 and 3 is **6**.',
  ],
  ['add up 3, 5 and 9', 'calculate', { expression: 'sum(3, 5, 9)' }, 'The sum of 3, 5 and 9 is **17**.'],
  [
    'standard deviation of 2 4 4 4 5 5 7 9',
    'calculate',
    { expression: 'std(2, 4, 4, 4, 5, 5, 7, 9)' },
    'The sample standard deviation of 2, 4, 4, 4, 5, 5, 7 and 9 is ≈ **2.1380899353**.',
  ],
  ['sum of 1,2,3', 'calculate', { expression: 'sum(1, 2, 3)' }, 'The sum of 1, 2 and 3 is **6**.'],
  ['sin of 30 degrees', 'calculate', { expression: 'sin(30 deg)' }, 'sin(30°) = **0.5**'],
  ['sin 30°', 'calculate', { expression: 'sin(30 deg)' }, 'sin(30°) = **0.5**'],
  ['cos(60 degrees)', 'calculate', { expression: 'cos(60 deg)' }, 'cos(60°) = **0.5**'],
  ["what's sin(pi/6)", 'calculate', { expression: 'sin(pi/6)' }, 'sin(π/6) = **0.5**'],
  ['log of 1000', 'calculate', { expression: 'log(1000)' }, 'log(1000) = **3**'],
  ['ln 2', 'calculate', { expression: 'ln(2)' }, 'ln(2) ≈ **0.69314718056**'],
  ['log base 2 of 1024', 'calculate', { expression: 'log(1024, 2)' }, 'log(1024, 2) = **10**'],
  ['natural log of 10', 'calculate', { expression: 'ln(10)' }, 'ln(10) ≈ **2.30258509299**'],
  ['5 factorial', 'calculate', { expression: 'factorial(5)' }, '5! = **120**'],
  ['factorial of 10', 'calculate', { expression: 'factorial(10)' }, '10! = **3,628,800**'],
  ['30!', 'calculate', { expression: '30!' }, '30! = **265,252,859,812,191,058,636,308,480,000,000**'],
  [
    '2^200',
    'calculate',
    { expression: '2^200' },
    '2^200 = **1,606,938,044,258,990,275,541,962,092,341,162,602,522,202,993,782,792,835,301,376**',
  ],
  ['49 choose 6', 'calculate', { expression: 'choose(49, 6)' }, 'choose(49, 6) = **13,983,816**'],
  ['17 mod 5', 'calculate', { expression: '17 mod 5' }, '17 mod 5 = **2**'],
  ['remainder of 17 divided by 5', 'calculate', { expression: 'mod(17, 5)' }, 'mod(17, 5) = **2**'],
  [
    'what is the remainder when 17 is divided by 5',
    'calculate',
    { expression: 'mod(17, 5)' },
    'mod(17, 5) = **2**',
  ],
  [
    'gcd of 12 and 18',
    'calculate',
    { expression: 'gcd(12, 18)' },
    'The greatest common divisor of 12 and 18 is **6**.',
  ],
  [
    'greatest common divisor of 12 and 18',
    'calculate',
    { expression: 'gcd(12, 18)' },
    'The greatest common divisor of 12 and 18 is **6**.',
  ],
  ['is 2^10 bigger than 1000?', 'calculate', { expression: '2^10 > 1000' }, '**Yes**: 2^10 \\> 1,000.'],
  ['is 3/7 less than 0.43', 'calculate', { expression: '3/7 < 0.43' }, '**Yes**: 3/7 \\< 0.43.'],
  ['x^2 + 1 where x = 3', 'calculate', { expression: 'x = 3; x^2 + 1' }, 'x = 3; x^2 + 1 = **10**'],
  ['if x = 3, what is x^2 + 1?', 'calculate', { expression: 'x = 3; x^2 + 1' }, 'x = 3; x^2 + 1 = **10**'],
  ['x = 3; x^2+1', 'calculate', { expression: 'x = 3; x^2+1' }, 'x = 3; x^2 + 1 = **10**'],
  ['2/3', 'calculate', { expression: '2/3' }, '2/3 ≈ **0.666666666667**'],
  ["what's 2/3", 'calculate', { expression: '2/3' }, '2/3 ≈ **0.666666666667**'],
  ['what is 1/0', 'calculate', { expression: '1/0' }, "(refused) I can't divide by zero."],
  [
    '9^9^9^9',
    'calculate',
    { expression: '9^9^9^9' },
    '(refused) The result would have about 369,693,100 digits; I stop at 5,000.',
  ],
  [
    '10000000!',
    'calculate',
    { expression: '10000000!' },
    '(refused) The result would have about 65,657,059 digits; I stop at 5,000.',
  ],
  ['0.1 + 0.2', 'calculate', { expression: '0.1 + 0.2' }, '0.1 + 0.2 = **0.3**'],
  ['what is 1,234.5 * 2', 'calculate', { expression: '1234.5 * 2' }, '1,234.5 × 2 = **2,469**'],
  ['£1,840 * 12%', 'calculate', { expression: '1840 * 12%' }, '1,840 × 12% = **220.8**'],
  ['12.5% of £1,840', 'calculate', { expression: '12.5% * 1840' }, '12.5% of 1,840 is **230**.'],
  ['multiply 6 by 7', 'calculate', { expression: '6 * 7' }, '6 × 7 = **42**'],
  ['add 5 to 20', 'calculate', { expression: '20 + 5' }, '20 + 5 = **25**'],
  ['subtract 5 from 20', 'calculate', { expression: '20 - 5' }, '20 − 5 = **15**'],
  ['divide 100 by 8', 'calculate', { expression: '100 / 8' }, '100 / 8 = **12.5**'],
  ['5 plus 6 minus 2', 'calculate', { expression: '5 + 6 - 2' }, '5 + 6 − 2 = **9**'],
  ['twice 21', 'calculate', { expression: '2 * 21' }, '2 × 21 = **42**'],
  ['cube root of 27', 'calculate', { expression: 'cbrt(27)' }, '∛27 = **3**'],
  [
    'pi to 30 digits',
    'calculate',
    { expression: 'pi', significantDigits: 30 },
    'π ≈ **3.14159265358979323846264338328**',
  ],
  ['what is pi to 5 decimal places', 'calculate', { expression: 'pi', decimals: 5 }, 'π ≈ **3.14159**'],
  [
    'round 3.14159 to 2 decimal places',
    'calculate',
    { expression: '3.14159', decimals: 2 },
    '3.14159 ≈ **3.14**',
  ],
  ['I have 3 boxes with 12*7 apples each, how many?', 'calculate', { expression: '12*7' }, '12 × 7 = **84**'],
  ['difference between 10 and 4', 'calculate', { expression: 'abs(10 - 4)' }, 'abs(10 − 4) = **6**'],
  ['product of 3 and 4', 'calculate', { expression: 'product(3, 4)' }, 'The product of 3 and 4 is **12**.'],
  ["what's 10 times 10?", 'calculate', { expression: '10 * 10' }, '10 × 10 = **100**'],
  [
    'could you please work out 45 * 45 for me?',
    'calculate',
    { expression: '45 * 45' },
    '45 × 45 = **2,025**',
  ],
  ['3 million divided by 4', 'calculate', { expression: '3000000 / 4' }, '3,000,000 / 4 = **750,000**'],
  ['what is 2+2?', 'calculate', { expression: '2+2' }, '2 + 2 = **4**'],
  ['2+2', 'calculate', { expression: '2+2' }, '2 + 2 = **4**'],
  ["what's 5!", 'calculate', { expression: '5!' }, '5! = **120**'],
  ['how much is 20% of 50?', 'calculate', { expression: '20% * 50' }, '20% of 50 is **10**.'],
  ['50% of a hundred', 'calculate', { expression: '50% * 100' }, '50% of 100 is **50**.'],
  [
    'what is 100 divided by 3 to 2 decimal places',
    'calculate',
    { expression: '100 / 3', decimals: 2 },
    '100 / 3 ≈ **33.33**',
  ],
  ['what is 7 x 8', 'calculate', { expression: '7 * 8' }, '7 × 8 = **56**'],
  ['7x8', 'calculate', { expression: '7 * 8' }, '7 × 8 = **56**'],
  ['(1 + 2) * 3', 'calculate', { expression: '(1 + 2) * 3' }, '(1 + 2) × 3 = **9**'],
  ['-5 + 3', 'calculate', { expression: '-5 + 3' }, '-5 + 3 = **−2**'],
  ['e^2', 'calculate', { expression: 'e^2' }, 'e^2 ≈ **7.38905609893**'],
  ['√2', 'calculate', { expression: 'sqrt(2)' }, '√2 ≈ **1.41421356237**'],
  ['5 squared plus 3 cubed', 'calculate', { expression: '5^2 + 3^3' }, '5^2 + 3^3 = **52**'],
  ['what is 3 to the 4th power', 'calculate', { expression: '3^4' }, '3^4 = **81**'],
  ['3/8 + 1/4', 'calculate', { expression: '3/8 + 1/4' }, '3/8 + 1/4 = **0.625** (5/8)'],
  ['what does 12 * 3 equal?', 'calculate', { expression: '12 * 3' }, '12 × 3 = **36**'],
  ['how much is 5% off 200', 'calculate', { expression: '200 - 5%' }, '200 − 5% = **190**'],
  ["what's 3 cubed", 'calculate', { expression: '3^3' }, '3^3 = **27**'],
];

/** Conversations: each phrase with its answer. */
const CONVERSATIONS: [string, string][][] = [
  [
    ["what's 12.5% of 1840?", '12.5% of 1,840 is **230**.'],
    ['times 3', '230 × 3 = **690**'],
    ['and divided by 4?', '690 / 4 = **172.5**'],
    ['half of that', '1/2 × 172.5 = **86.25**'],
    ['to 2 decimal places', '1/2 × 172.5 = **86.25**'],
  ],
  [
    ['2/3 + 1/7', '2/3 + 1/7 = **17/21** ≈ 0.809523809524'],
    ['times 21', '(17/21) × 21 = **17**'],
  ],
  [
    ['sqrt(2)', '√2 ≈ **1.41421356237**'],
    ['to 20 digits', '√2 ≈ **1.4142135623730950488**'],
    ['squared', '(√2)^2 ≈ **2**'],
  ],
  [
    ['15% of 80', '15% of 80 is **12**.'],
    ['what about 120?', '15% of 120 is **18**.'],
    ['and 20%?', '20% of 120 is **24**.'],
  ],
  [
    ['square root of 16', '√16 = **4**'],
    ['and 25?', '√25 = **5**'],
  ],
  [
    ['12 * 7', '12 × 7 = **84**'],
    ['add 5', '84 + 5 = **89**'],
    ['double', '2 × 89 = **178**'],
    ['square root of that', '√178 ≈ **13.3416640641**'],
  ],
  [
    ['10 km in miles', '10 kilometres ≈ **6.21371 miles**'],
    ['times 3', '6.21371 × 3 = **18.64113**'],
  ],
  [
    ['12 * 7', '12 × 7 = **84**'],
    ['thanks', '(not recognised)'],
    ['times 3', '84 × 3 = **252**'],
  ],
];

describe('the maths skill', () => {
  it.each(PHRASES)('understands "%s"', async (phrase, tool, input, answer) => {
    const found = recognise(phrase);
    expect(found?.skill.name).toBe('maths');
    expect(found?.intent).toMatchObject({ tool, input });
    expect(Object.keys(found?.intent.input ?? {})).toEqual(Object.keys(input));
    expect(found?.intent.confidence).toBeGreaterThanOrEqual(0.5);
    expect(await converse(phrase)).toEqual([answer]);
  });

  it.each(CONVERSATIONS.map((exchanges) => ({ first: exchanges[0]?.[0] ?? '', exchanges })))(
    'keeps to the conversation after "$first"',
    async ({ exchanges }) => {
      expect(await converse(...exchanges.map(([phrase]) => phrase))).toEqual(
        exchanges.map(([, answer]) => answer),
      );
    },
  );
});
