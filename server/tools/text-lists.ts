import { Type } from 'typebox';
import { defineTool } from './tool.ts';
import { graphemeCount } from './text-units.ts';

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'variant' });

/** What items can be put in order by. */
export const SORT_KEYS = ['alphabet', 'last_name', 'number', 'length'] as const;
type SortKey = (typeof SORT_KEYS)[number];

const items = Type.Array(Type.String(), { description: 'The items or lines, one entry each.' });

/** Puts the items of a list in order. */
export const sortListTool = defineTool({
  name: 'sort_list',
  description:
    'Puts a list of items or lines in order: by the alphabet (digits inside count as numbers, so "file 2" comes ' +
    'before "file 10"), by last name, by the number each item starts with or holds, or by length.',
  input: Type.Object({
    items,
    by: Type.Optional(Type.Enum([...SORT_KEYS], { description: 'Default alphabet.' })),
    descending: Type.Optional(
      Type.Boolean({ description: 'Z to A, largest or longest first. Default false.' }),
    ),
    removeDuplicates: Type.Optional(Type.Boolean({ description: 'Keep equal items once. Default false.' })),
  }),
  run({ items, by = 'alphabet', descending = false, removeDuplicates = false }) {
    const source = removeDuplicates ? withoutDuplicates(items, false) : items;
    const compare = comparison(by);
    const keyed = source.map((item) => ({
      item,
      size: by === 'number' || by === 'length' ? sizeOf(item, by) : 0,
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
  size: number;
}

function comparison(by: SortKey): (a: Keyed, b: Keyed) => number {
  // Of "Amy Adams" and of "Adams, Amy".
  const last = ({ item }: Keyed): string => /\S+(?=,)|\S+$/.exec(item.trim())?.[0] ?? '';
  if (by === 'last_name')
    return (a, b) => collator.compare(last(a), last(b)) || collator.compare(a.item, b.item);
  return (a, b) => {
    if (a.size !== b.size) return a.size < b.size ? -1 : 1;
    return collator.compare(a.item, b.item);
  };
}

/** Items without a number come after all those with one. */
function sizeOf(item: string, by: 'number' | 'length'): number {
  if (by === 'length') return graphemeCount(item);
  const found = /-?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?|-?\.\d+/.exec(item.replaceAll('\u2212', '-'));
  return found === null ? Number.POSITIVE_INFINITY : Number(found[0].replaceAll(',', ''));
}
