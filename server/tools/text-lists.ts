import { Type } from 'typebox';
import { choice } from '../../shared/api/common.ts';
import { certain, readColumn } from './data-columns.ts';
import { Decimal as Exact } from './maths/numbers.ts';
import { defineTool } from './tool.ts';
import { collator, graphemeCount } from './text-units.ts';

/** What items are compared by; those with the same go by the alphabet. */
const SORT_KEYS = {
  alphabet: (item: string) => item,
  // Of "Amy Adams" and of "Adams, Amy".
  last_name: (item: string) => /(?<!\S)\S+(?=,)|(?<!\S)\S+$/.exec(item.trim())?.[0] ?? '',
  number: numberIn,
  // Each by what all of them are: set for the items together.
  value: numberIn,
  length: graphemeCount,
};

const items = Type.Array(Type.String(), { description: 'The items or lines, one entry each.' });

/** Puts the items of a list in order. */
export const sortListTool = defineTool({
  name: 'sort_list',
  description:
    'Puts a list of items or lines in order: by the alphabet (digits inside count as numbers, so "file 2" comes ' +
    'before "file 10"), by last name, by the number each item starts with or holds, by value (amounts with units or currencies, dates, times, months) or by length.',
  input: Type.Object({
    items,
    by: Type.Optional(choice(Object.keys(SORT_KEYS) as (keyof typeof SORT_KEYS)[], 'Default alphabet.')),
    descending: Type.Optional(
      Type.Boolean({ description: 'Z to A, largest or longest first. Default false.' }),
    ),
    removeDuplicates: Type.Optional(Type.Boolean({ description: 'Keep equal items once. Default false.' })),
  }),
  run({ items, by = 'alphabet', descending = false, removeDuplicates = false }) {
    const source = removeDuplicates ? withoutDuplicates(items, false) : items;
    const { keys } = by === 'value' ? certain(readColumn(source)) : { keys: [] };
    const keyed = source.map((item, at) => ({
      item,
      key: by === 'value' ? (keys[at] ?? new Exact(Infinity)) : SORT_KEYS[by](item),
    }));
    keyed.sort(descending ? (a, b) => compare(b, a) : compare);
    return { items: keyed.map(({ item }) => item), removed: items.length - source.length };
  },
});

/** Removes items of a list that were there before. */
export const removeDuplicatesTool = defineTool({
  name: 'remove_duplicates',
  description: 'Removes repeated items or lines from a list. The first of each stays, and so does the order.',
  input: Type.Object({
    items,
    ignoreCase: Type.Optional(
      Type.Boolean({ description: 'Treat "Anna" and "anna" as equal. Default false.' }),
    ),
  }),
  run({ items, ignoreCase = false }) {
    const kept = withoutDuplicates(items, ignoreCase);
    return { items: kept, removed: items.length - kept.length };
  },
});

function withoutDuplicates(items: string[], ignoreCase: boolean): string[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const trimmed = item.trim().normalize();
    const key = ignoreCase ? trimmed.toLowerCase() : trimmed;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

interface Keyed {
  item: string;
  key: string | number | Exact;
}

function compare(a: Keyed, b: Keyed): number {
  const byKey =
    typeof a.key === 'string' ? collator.compare(a.key, String(b.key)) : new Exact(a.key).cmp(b.key);
  return byKey || collator.compare(a.item, b.item);
}

/** The number that an item holds; those without one come last. */
function numberIn(item: string): number {
  const found = /-?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?|-?\.\d+/.exec(item.replaceAll('\u2212', '-'));
  return found === null ? Infinity : Number(found[0].replaceAll(',', ''));
}
