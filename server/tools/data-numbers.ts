/**
 * The number a table cell holds, or null. Understands currency signs, percent signs, spaces, and thousands separators
 * ("$1,234.50", "1 234", "12%"); with `decimalComma`, "1.234,50".
 */
export function numberIn(cell: string, decimalComma: boolean): number | null {
  const bare = cell
    .trim()
    .replace(/^\((.{1,40})\)$/, '-$1')
    .replace(/[\s\u00a0\u202f'’]/g, '')
    .replace(/^([-+\u2212]?)\p{Sc}([-+\u2212]?)/u, '$1$2')
    .replace(/(?:\p{Sc}|%|[A-Z]{3})$/u, '')
    .replace('\u2212', '-');
  if (bare.length === 0 || bare.length > 60) return null;
  const plain = decimalComma ? bare.replaceAll('.', '').replace(',', '.') : withoutThousands(bare);
  return /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d{1,3})?$/.test(plain) ? Number(plain) : null;
}

function withoutThousands(number: string): string {
  return /^[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(number) ? number.replaceAll(',', '') : number;
}

/** True when the numbers of a column are written with a decimal comma: some have one that can be nothing else, and none a decimal point. */
export function hasDecimalComma(cells: string[]): boolean {
  const commas = cells.filter((cell) => /\d,(?:\d{1,2}|\d{4,})(?!\d)/.test(cell) || /\.\d{3},\d/.test(cell));
  return (
    commas.length > 0 &&
    !cells.some((cell) => /\d,\d{3}\.\d|^\D{0,4}\d+\.(?:\d{1,2}|\d{4,})(?!\d)[^,]*$/.test(cell))
  );
}

/** The sum without the dust of binary fractions: 0.1 and 0.2 give 0.3. */
export function exactSum(numbers: number[]): number {
  const decimals = numbers.reduce((most, number) => Math.max(most, decimalsOf(number)), 0);
  const sum = numbers.reduce((total, number) => total + number, 0);
  return rounded(sum, decimals);
}

/** `number` rounded to `decimals`, at most what its precision allows. */
export function rounded(number: number, decimals: number): number {
  return Math.abs(number) < 1e15 ? Number(number.toFixed(Math.min(decimals, 20))) : number;
}

function decimalsOf(number: number): number {
  const [digits = '', exponent = '0'] = String(number).split('e');
  const [, fraction = ''] = digits.split('.');
  return Math.max(0, fraction.length - Number(exponent));
}
