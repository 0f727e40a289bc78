/** Questions that name their row: "how old is Bo", "who is older, Ana or Bo"; and the top few by a column. */
import type { RowCondition, RowFigure } from '../../../../tools/data-query.ts';
import { anyOf, numberOf, OF_A_SUBJECT, SMALL, TELLING } from './query-words.ts';
import type { TableWords } from './table-words.ts';

/** A question about rows, as far as it is read. */
export interface Query {
  where: RowCondition[];
  figure?: RowFigure;
  of?: string;
  groupBy?: string;
  sortBy: { column: string; descending?: true }[];
  skip?: number;
  first?: number;
  columns?: string[];
}

/** Sorting by a column. */
export function orderBy(column: string, isDescending: boolean): { column: string; descending?: true } {
  return isDescending ? { column, descending: true } : { column };
}

/** "top 3 by price", before that is taken for groups. */
export function readTop(asked: TableWords, query: Query): void {
  const top = asked.take(
    `(?<end>top|bottom) (?<count>${SMALL})(?: \\S+)?(?: by|,? sorted by) (?<column>${asked.column})`,
  );
  if (top === null) return;
  query.first = numberOf(top['count']);
  query.sortBy = [orderBy(asked.nameOf(top['column']), /top/i.test(top['end'] ?? ''))];
}

/** "How old is Bo", "how much did Ana spend", "who is older, Ana or Bo": of the row that a cell names. */
export function readSubject(asked: TableWords, query: Query): void {
  const known = anyOf([...asked.columnOfValue.keys()]);
  if (known === '') return;
  const columnOf = (value: string): string | null => asked.columnOfValue.get(value.toLowerCase()) ?? null;
  const named = (pattern: RegExp): string | null => {
    const [only, ...others] = asked.columns.filter(
      (name, index) => pattern.test(name) && asked.isNumeric(index),
    );
    return only !== undefined && others.length === 0 ? only : null;
  };
  for (const [words, names, isTotal] of OF_A_SUBJECT) {
    const column = named(names);
    const found =
      column === null ? null : asked.take(words.replace('<who>', `(?:the |an? )?(?<who>${known})`));
    const who = found?.['who'];
    const where = who === undefined ? null : columnOf(who);
    if (column === null || who === undefined || where === null) continue;
    query.where.push({ column: where, is: 'equals', values: [who] });
    if (isTotal) [query.figure, query.of] = ['sum', column];
    else query.columns = [where, column];
    return;
  }
  for (const [words, , names, isDescending] of TELLING) {
    const column = named(names);
    const found =
      column === null
        ? null
        : asked.take(`(?:${words})[,:]? (?:the )?(?<one>${known}),? or (?:the )?(?<other>${known})`);
    const [one, other] = [found?.['one'], found?.['other']];
    if (column === null || one === undefined || other === undefined) continue;
    const where = columnOf(one);
    if (where === null || columnOf(other) !== where) asked.left += ' elsewhere ';
    else query.where.push({ column: where, is: 'equals', values: [one, other] });
    query.sortBy = [orderBy(column, isDescending)];
    query.first = 1;
    return;
  }
}
