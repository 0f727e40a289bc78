/** From the way people write calculations (×, ÷, √, ½, 1,234.5, "15% of 80") to what evaluate.ts reads. */

/** Fractions in one character. */
export const VULGAR = new Map([
  ['½', '1/2'],
  ['¼', '1/4'],
  ['¾', '3/4'],
  ['⅓', '1/3'],
  ['⅔', '2/3'],
]);

const SIGNS: [RegExp, string][] = [
  [/[×✕⋅·∙]/g, '*'],
  [/÷/g, '/'],
  [/[−–—]/g, '-'],
  [/\*\*/g, '^'],
  [/π/g, ' pi '],
  [/°/g, ' deg '],
  [/≤/g, '<='],
  [/≥/g, '>='],
  [/≠/g, '!='],
  // 2½ is a sum.
  [/(?<![\d.,])(\d[\d.,]*)\s?([½¼¾⅓⅔])/g, '($1+$2)'],
  ...Array.from(VULGAR, ([sign, plain]): [RegExp, string] => [new RegExp(sign, 'g'), `(${plain})`]),
  [/√\s*(\d[\d.]*|\()/g, ' sqrt $1'],
];

/** Brings ordinary typography and a few words ("15% of 80", "3 x 4") to the operators of a calculation. */
export function tidyExpression(text: string): string {
  let tidy = text;
  for (const [sign, plain] of SIGNS) tidy = tidy.replace(sign, plain);
  tidy = tidy
    .replace(/⁻?[⁰¹²³⁴-⁹]+/g, (power) => `^${power.normalize('NFKC').replace('−', '-')}`)
    .replace(/\bsqrt\s+(\d[\d.]*)/gi, 'sqrt($1)')
    .replace(/\bsqrt\s+\(/gi, 'sqrt(')
    .replace(/(\d)\s*(?:percent|per cent|pct)\b/gi, '$1%')
    .replace(/%\s*of\b/gi, '% *')
    // "3 x 4", but not 0x20.
    .replace(/(?<=[\d)])(?!(?<=(?<![\d.])0)x)\s*x\s*(?=[\d(.])/gi, ' * ')
    .replace(/=\s*(?:\?\s*)?$/, '');
  return dropThousands(tidy).replace(/\s+/g, ' ').trim();
}

/** Removes thousands separators, except between arguments: `mean(1,234)` has two of them. */
function dropThousands(text: string): string {
  let depthOfArguments = 0;
  const opened: boolean[] = [];
  let plain = '';
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === '(' || character === '[') {
      const takesArguments = character === '[' || /[a-z_]/i.test(plain.at(-1) ?? '');
      opened.push(takesArguments);
      if (takesArguments) depthOfArguments++;
    } else if (character === ')' || character === ']') {
      if (opened.pop()) depthOfArguments--;
    } else if (character === ',' && depthOfArguments === 0 && isSeparator(text, index)) continue;
    plain += character;
  }
  return plain;
}

function isSeparator(text: string, index: number): boolean {
  return (
    /(?:^|[^\d.])\d{1,3}(?:,\d{3})*$/.test(text.slice(Math.max(0, index - 60), index)) &&
    /^\d{3}(?!\d)/.test(text.slice(index + 1))
  );
}
