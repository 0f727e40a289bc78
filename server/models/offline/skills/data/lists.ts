/** Lists of amounts with units, currencies or names, which are tables of one or two columns: "add these up: 3 kg, 2.5 kg". */
import { readColumn } from '../../../../tools/data-columns.ts';
import { readNumber } from '../../../../tools/data-numbers.ts';
import { queryTableTool } from '../../../../tools/data-query.ts';
import { plainQuotes, stripAsking } from '../../reading/phrases.ts';
import type { Request, ToolRequest } from '../../skill.ts';
import { listAsked, listSum } from '../maths/lists.ts';

const FIGURES: Readonly<Record<string, string>> = {
  sum: 'sum',
  mean: 'average',
  median: 'median',
  min: 'minimum',
  max: 'maximum',
};
const MAX_CHARACTERS = 600;

/** "Rent: 500", "Rent 500 €": a name without digits, and an amount. */
const NAMED =
  /^(?<name>\p{L}[^\d:]{0,60}?)(?:: ?| [-–=] | )(?<amount>(?:(?:\p{Sc}|[A-Z]{3}|Rs\.?)\s?)?[-−]?\d.*)$/u;

/** What a list comes to. */
export function readList(request: Request): ToolRequest | null {
  const text = stripAsking(plainQuotes(request.text));
  if (text.length > MAX_CHARACTERS || listSum(text, request) !== null) return null;
  const { name = '', items = [] } = listAsked(text, request) ?? {};
  const figure = FIGURES[name];
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
  return isIn(amounts)
    ? done(
        'Amount',
        named.map(({ name: label, amount }) => ({ Item: label, Amount: amount })),
      )
    : null;
}
