/** Sums over a list: "average of 3, 5 and 10", "add these up: 12, 7", "the total of these" over lines of numbers. */
import { readColumn } from '../../../../tools/data-columns.ts';
import { readNumber } from '../../../../tools/data-numbers.ts';
import { queryTableTool, ROW_FIGURES } from '../../../../tools/data-query.ts';
import { previousCall } from '../../reading/history.ts';
import { plainQuotes, stripAsking } from '../../reading/phrases.ts';
import type { Request, ToolRequest } from '../../skill.ts';
import { withoutCurrency } from './number-words.ts';

/** The calculator's functions of a list: the name in answers first, then other names for it. */
const FUNCTIONS: Readonly<Record<string, readonly [title: string, ...called: string[]]>> = {
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

/** A list function's name in answers; null for other functions. */
export const listName = (name: string): string | null => FUNCTIONS[name]?.[0] ?? null;

/** The function that "add these up: 12, 7" names, and the items in the words, else beside or before them; null: it says something else. */
function listAsked(text: string, { material, history }: Request): { name: string; items: string[] } | null {
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
        : plain.split(/[\s,()[\]]+|:(?!\d\d)/);
  return parts.map((part) => part.trim().replace(/^[([]|[)\]]$/g, '')).filter((part) => part !== '');
}

/** The numbers of the last list or list calculation. */
function earlierList(history: Request['history']): string {
  const last = previousCall(history, ['extract_from_text', 'sort_list', 'remove_duplicates', 'calculate'], 2);
  const items = last?.output['items'];
  return Array.isArray(items)
    ? items.join('\n')
    : (/^[a-z]+\((.+)\)$/.exec(String(last?.input['expression']))?.[1] ?? '');
}

const MAX_CHARACTERS = 600;

/** "Rent: 500", "Rent 500 €": a name without digits, and an amount. */
const NAMED =
  /^(?!.*\b(?:is|are|was|were|has|have)\b)(?<name>\p{L}[^\d:]{0,60}?)(?:: ?| [-–=] | )(?<amount>(?:(?:\p{Sc}|[A-Z]{3}|Rs\.?)\s?)?[-−]?\d.*)$/u;

/** What a list comes to. */
export function readList(request: Request): ToolRequest | null {
  const text = stripAsking(plainQuotes(request.text));
  if (text.length > MAX_CHARACTERS || listSum(text, request) !== null) return null;
  const { name = '', items = [] } = listAsked(text, request) ?? {};
  const figure = ROW_FIGURES.find((each) => FUNCTIONS[name]?.includes(each));
  if (figure === undefined) return null;
  const done = (of: string, rows: unknown[]): ToolRequest => ({
    tool: queryTableTool.name,
    input: { text: JSON.stringify(rows), figure, of },
  });
  const isIn = (cells: string[]): boolean => {
    const { kind, keys, problem } = readColumn(cells);
    const isAmounts = kind === 'number' || kind === 'duration' || kind === 'clock';
    // Of what may be read in two ways, the tool asks.
    const areRead =
      !keys.includes(null) || (problem !== null && cells.every((cell) => readNumber(cell) !== null));
    return isAmounts && areRead;
  };
  // "3,5 and 4,5" may be two numbers or four.
  const isOpen =
    !/[;\n]/.test(request.text + (request.material ?? '')) &&
    items.some((item) => /\d,\d{1,2}(?!\d)/.test(item));
  if (isOpen && !items.some((item) => /\p{Sc}/u.test(item))) return null;
  if (isIn(items)) return done('Value', items);
  const named = items.map((item) => NAMED.exec(item)?.groups ?? {});
  const amounts = named.map(({ amount = '' }) => amount);
  const rows = named.map(({ name: label, amount }) => ({ Item: label, Amount: amount }));
  return isIn(amounts) ? done('Amount', rows) : null;
}
