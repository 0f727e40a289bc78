/** Sums over a list: "average of 3, 5 and 10", "add these up: 12, 7", "the total of these" over lines of numbers. */
import { previousCall } from '../../reading/history.ts';
import type { Request } from '../../skill.ts';
import { withoutCurrency } from './number-words.ts';

/** The calculator's functions of a list: how each is told, and what else it is called. */
const FUNCTIONS: Readonly<Record<string, readonly [told: string, ...called: string[]]>> = {
  sum: ['sum', 'total', 'add'],
  mean: ['mean', 'arithmetic mean', 'average'],
  median: ['median'],
  mode: ['mode'],
  product: ['product'],
  min: ['smallest', 'minimum', 'min', 'lowest'],
  max: ['largest', 'maximum', 'max', 'biggest', 'highest'],
  std: ['sample standard deviation', 'standard deviation'],
  variance: ['sample variance', 'variance'],
  gcd: ['greatest common divisor', 'highest common factor', 'greatest common factor', 'gcd', 'hcf', 'gcf'],
  lcm: ['least common multiple', 'lowest common multiple', 'lcm'],
};
const BY_NAME = new Map(
  Object.entries(FUNCTIONS).flatMap(([name, called]) => called.map((words) => [words, name])),
);
const ASKED = new RegExp(
  `^(?:(?:and|now|then|find|the) )*(${[...BY_NAME.keys()].toSorted((one, other) => other.length - one.length).join('|')})\\b(.*)$`,
  's',
);
const SAYS_NOTHING = new Set(
  'the of for between and all up together it them these those that is are number numbers value values following list'.split(
    ' ',
  ),
);
const NUMBER = /^[-−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?$/;

/** How the calculator's function of a list is told; null where it is none. */
export const listName = (name: string): string | null => FUNCTIONS[name]?.[0] ?? null;

/** The sum over the numbers in the words, else over those beside or before them; null: the words say something else, or more. */
export function listSum(text: string, { material, history }: Request): string | null {
  const [, called = '', rest = ''] = ASKED.exec(withoutCurrency(text.toLowerCase())) ?? [];
  const name = BY_NAME.get(called);
  if (name === undefined) return null;
  const items = itemsOf(name === 'sum' ? rest.replaceAll(' + ', ', ') : rest);
  const said = items.filter((item) => /\d/.test(item));
  if (items.some((item) => !said.includes(item) && !SAYS_NOTHING.has(item))) return null;
  const numbers = said.length > 0 ? said : itemsOf(material ?? earlierList(history));
  // "3,5 and 4,5" may be two numbers or four.
  if (numbers.length < 2 || !numbers.every((item) => NUMBER.test(item))) return null;
  return `${name}(${numbers.map((item) => item.replaceAll(',', '').replace('−', '-')).join(', ')})`;
}

/** Parts at commas and spaces; at commas alone, "1,234" is two parts. */
function itemsOf(list: string): string[] {
  const isSpaced = /,\s|\band\b|;|\d\s+\d/.test(list);
  return list.split(isSpaced ? /,?\s+|[;:()[\]]/ : /[\s,;:()[\]]+/).filter((item) => item !== '');
}

/** The numbers told last, as they were listed or calculated with. */
function earlierList(history: Request['history']): string {
  const last = previousCall(history, ['extract_from_text', 'sort_list', 'remove_duplicates', 'calculate'], 2);
  const items = last?.output['items'];
  return Array.isArray(items)
    ? items.join('\n')
    : (/^[a-z]+\((.+)\)$/.exec(String(last?.input['expression']))?.[1] ?? '');
}
