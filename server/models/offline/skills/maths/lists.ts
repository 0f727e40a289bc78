/** Sums over a list: "average of 3, 5 and 10", "add these up: 12, 7", "the total of these" over lines of numbers. */
import { readColumn } from '../../../../tools/data-columns.ts';
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
  'is',
);
const NUMBER = /^[-−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?$/;

/** How the calculator's function of a list is told; null where it is none. */
export const listName = (name: string): string | null => FUNCTIONS[name]?.[0] ?? null;

/** A function of a list, and its items: those in the words, else those beside or before them. */
export interface ListAsk {
  name: string;
  items: string[];
}

/** Reads "add these up: 12, 7", "average of the following"; null: the words say something else, or more. */
export function listAsked(text: string, { material, history }: Request): ListAsk | null {
  const [, called = '', rest = ''] = ASKED.exec(text) ?? [];
  const name = BY_NAME.get(called.toLowerCase());
  if (name === undefined) return null;
  const words = rest.replace(
    /^(?:[\s:,]*\b(?:up|all|together|the|these|those|them|it|of|for|that|is|are|between|numbers?|values?|amounts?|following|list)\b)*[\s:,]*/i,
    '',
  );
  const listed = itemsOf(name === 'sum' ? words.replaceAll(' + ', ', ') : words);
  const items = listed.length > 0 ? listed : itemsOf(material ?? earlierList(history));
  return items.length < 2 ? null : { name, items };
}

/** The expression over plain numbers. */
export function listSum(text: string, request: Request): string | null {
  const { name, items } = listAsked(text, request) ?? {};
  const plain = items?.map((item) => withoutCurrency(item.toLowerCase()).trim());
  if (name === undefined || items === undefined || !plain?.every((item) => NUMBER.test(item))) return null;
  // "1.234; 2.500" and "$10, €20" are no plain numbers.
  if (readColumn(items).problem !== null) return null;
  return `${name}(${plain.map((item) => item.replaceAll(',', '').replace('−', '-')).join(', ')})`;
}

/** Lines without their bullets, else parts at semicolons, else at commas and spaces; at commas alone, "1,234" is two parts. */
function itemsOf(list: string): string[] {
  const plain = list.trim();
  const isSpaced = /,\s|\band\b/.test(plain);
  // "1 200 1 300" may be two numbers or four.
  if (!/[\n;]/.test(plain) && !isSpaced && /(?<!\d)\d{1,2} \d{3}(?!\d)/.test(plain)) return [];
  const parts = /\n/.test(plain)
    ? plain.split('\n').map((line) => line.replace(/^\s*(?:[-*•] |\d{1,2}\) )/, ''))
    : plain.includes(';')
      ? plain.split(';')
      : isSpaced
        ? plain.replace(/\s+/g, ' ').split(/, (?:and )?| and /i)
        : plain.split(/[\s,:()[\]]+/);
  return parts.map((part) => part.trim().replace(/^[([]|[)\]]$/g, '')).filter((part) => part !== '');
}

/** The numbers told last, as they were listed or calculated with. */
function earlierList(history: Request['history']): string {
  const last = previousCall(history, ['extract_from_text', 'sort_list', 'remove_duplicates', 'calculate'], 2);
  const items = last?.output['items'];
  return Array.isArray(items)
    ? items.join('\n')
    : (/^[a-z]+\((.+)\)$/.exec(String(last?.input['expression']))?.[1] ?? '');
}
