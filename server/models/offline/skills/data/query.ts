/**
 * Reads questions about rows: "the total where city is Rome", "average price per city", "top 3 by price", "which one is the cheapest?".
 * Each clause that is understood is taken out of the words; what is left over must say nothing, or the request isn't understood.
 */
import type { RowCondition } from '../../../../tools/data-query.ts';
import { looksTabular } from '../../../../tools/data-table.ts';
import type { Wish } from '../../skill.ts';
import { orderBy, readSubject, readTop, type Query } from './query-subject.ts';
import { TableWords } from './table-words.ts';
import { shapeOf, type DataAsk } from './material.ts';
import { ASCENDING, DESCENDING } from '../../reading/order-words.ts';
import {
  anyOf,
  COUNT,
  FIGURES,
  LEAST,
  MOST,
  ORDINAL,
  SMALL,
  TELLING,
  TESTS,
  numberOf,
  placeOf,
  plain,
} from './query-words.ts';

/** The tool tells rows as a table only. */
const IN_A_FORM = /\b(?:to|as|into|in) (?:an? )?(?:csv|tsv|json|html)\b/i;

const MAX_CHARACTERS = 200;

/** Recognises a question about the rows of a table. */
export function recogniseQuery(ask: DataAsk): Wish | null {
  if (
    !looksTabular(ask.data) ||
    ask.data.trimStart().startsWith('{') ||
    ask.words.length > MAX_CHARACTERS ||
    IN_A_FORM.test(ask.words)
  )
    return null;
  const { columns, cells } = shapeOf(ask.data);
  if (columns.length === 0 || columns.length > 100) return null;
  const query = readQuery(new TableWords(ask.words, columns, cells));
  if (query === null) return null;
  const { where, sortBy, ...rest } = afterEarlier(query, ask);
  return {
    tool: 'query_table',
    input: {
      text: ask.data,
      ...(where.length > 0 && { where }),
      ...(sortBy.length > 0 && { sortBy }),
      ...rest,
    },
  };
}

/** "Only the top 1" after a table was sorted or filtered: of that, and not of the whole. */
function afterEarlier(query: Query, { previous }: DataAsk): Query {
  const { where, sortBy, descending } = previous?.input ?? {};
  if (query.first === undefined || query.sortBy.length > 0) return query;
  const sorted =
    typeof sortBy === 'string' ? [orderBy(sortBy, descending === true)] : Array.isArray(sortBy) ? sortBy : [];
  const fitting = Array.isArray(where) ? where : [];
  return {
    ...query,
    where: [...(fitting as RowCondition[]), ...query.where],
    sortBy: sorted as Query['sortBy'],
  };
}

/** The question that the words ask; null where they say more, or less. */
function readQuery(asked: TableWords): Query | null {
  const query: Query = { where: [], sortBy: [] };
  readConditions(asked, query);
  readPairs(asked, query);
  readOrder(asked, query);
  readTop(asked, query);
  readSubject(asked, query);
  readFigure(asked, query);
  readBest(asked, query);
  readMembers(asked, query);
  readColumns(asked, query);
  const isMore =
    query.where.length > 0 ||
    query.groupBy !== undefined ||
    query.first !== undefined ||
    query.columns !== undefined ||
    query.sortBy.length > 1;
  return isMore && asked.saysNothingElse() && isWhole(query) ? query : null;
}

/** "price over 2", "where city is Rome or Oslo", "between 1 and 3". */
function readConditions(asked: TableWords, query: Query): void {
  const lead =
    '(?:(?:where|whose|with|having|when|and|if|for which|in which|that have|which have|that has|have|has) )?(?:an? )?';
  const named = `(?<column>${asked.column})`;
  const ranges = asked.takeAll(
    `${lead}${named} (?:is |are |of )?(?:between|from) (?<low>${asked.value}) (?:and|to) (?<high>${asked.value})`,
  );
  for (const { column: said, low, high } of ranges) {
    const column = asked.nameOf(said);
    query.where.push(
      { column, is: 'at_least', values: [plain(low)] },
      { column, is: 'at_most', values: [plain(high)] },
    );
  }
  for (const [is, words] of TESTS) {
    const isText = is === 'contains' || is === 'starts' || is === 'ends';
    const value = isText
      ? `(?:${asked.value}|(?!(?:the|an?|more|most|less)\\b)[\\p{L}\\p{N}]+)`
      : asked.value;
    const tests = asked.takeAll(
      `${lead}${named} ?(?:${words}) ?(?<values>${value}(?:(?:,? or |, ?)${value}){0,20})`,
    );
    for (const found of tests) {
      const values = [...(found['values'] ?? '').matchAll(new RegExp(value, 'giu'))].map(([one]) =>
        plain(one),
      );
      const column = asked.nameOf(found['column']);
      // "What city is pear in?" doesn't ask for a city called pear.
      if (values.some((value) => (asked.columnOfValue.get(value.toLowerCase()) ?? column) !== column))
        asked.left += ' elsewhere ';
      query.where.push({ column, is, values });
    }
  }
}

/** "status open", where that stands in the column. */
function readPairs(asked: TableWords, query: Query): void {
  for (const [value, column] of asked.columnOfValue) {
    if (column === null) continue;
    const found = asked.take(
      `(?:(?:where|whose|with|having|have|has) )?(?:an? )?${anyOf([column])} ${anyOf([value])}`,
    );
    if (found !== null) query.where.push({ column, is: 'equals', values: [value] });
  }
}

/** "sort by city, then price descending". */
function readOrder(asked: TableWords, query: Query): void {
  const named = `(?<column>${asked.column})(?: (?<down>${DESCENDING})| ${ASCENDING})?`;
  const start = asked.take(
    `(?:sort(?:ed)?|order(?:ed)?|rank(?:ed)?|arranged?)(?: (?:it|them|this|these|the|table|csv|data|rows))* by ${named}`,
  );
  if (start === null) return;
  const add = (groups: Record<string, string | undefined>): void => {
    query.sortBy.push({
      column: asked.nameOf(groups['column']),
      ...(groups['down'] !== undefined && { descending: true }),
    });
  };
  add(start);
  asked.takeAll(`(?:,|and|then|and then|,? ?then) (?:by )?${named}`).forEach(add);
}

/** "average price per city", "how many by city", "the total of price". */
function readFigure(asked: TableWords, query: Query): void {
  const isCounted = COUNT.test(asked.left);
  if (isCounted) asked.left = asked.left.replace(COUNT, ' ').replace(/\b(?:people|persons)\b/i, ' ');
  const group = asked.take(
    `(?:per|by|for each|for every|in each|grouped by|group by|each) (?<column>${asked.column})`,
  );
  if (isCounted) query.figure = 'count';
  else
    for (const [figure, words] of FIGURES) {
      // "The highest price" is a row's matter where it isn't one of a group.
      if (
        group === null &&
        (figure === 'minimum' || figure === 'maximum') &&
        !/\b(?:max|min|maximum|minimum)\b/i.test(asked.left)
      )
        continue;
      const found =
        asked.take(`(?:${words})(?: (?:of|for|in|all))* (?<column>${asked.column})`) ??
        asked.take(`(?<column>${asked.column}) (?:${words})`);
      if (found === null) continue;
      query.figure = figure;
      query.of = asked.nameOf(found['column']);
      break;
    }
  if (group === null) return;
  const column = asked.nameOf(group['column']);
  const [only, ...others] = asked.columns.filter((name, index) => name !== column && asked.isNumeric(index));
  if (query.figure === undefined && only !== undefined && others.length === 0)
    for (const [figure, words] of FIGURES)
      if (query.figure === undefined && asked.take(`(?:${words})`) !== null)
        [query.figure, query.of] = [figure, only];
  if (query.figure === undefined) asked.left += ` ${group['column'] ?? ''} `;
  query.groupBy = column;
}

/** "the second highest price", "which one is the cheapest", "the first 5 rows". */
function readBest(asked: TableWords, query: Query): void {
  if (query.figure !== undefined || query.first !== undefined) return;
  const rows = asked.take(`(?:first|top) (?<count>${SMALL})(?: (?:rows|records|entries|items|lines))?`);
  if (rows !== null) query.first = numberOf(rows['count']);
  const lead = `(?:(?<count>${SMALL}) |(?<place>${ORDINAL})[ -])?`;
  for (const [, words, names, isDescending] of TELLING) {
    const column = asked.columns.find((name) => names.test(name));
    const said = column === undefined ? null : asked.take(`${lead}(?:${words})`);
    if (column !== undefined && said !== null) {
      readPlace(query, said, column, isDescending);
      return;
    }
  }
  const named = asked.take(`${lead}(?:(?<most>${MOST})|(?:${LEAST})) (?<column>${asked.column})`);
  const bare = named ?? asked.take(`${lead}(?:(?<most>${MOST})|(?:${LEAST}))`);
  if (bare === null) return;
  const numeric = asked.columns.filter((_, index) => asked.isNumeric(index));
  const column =
    named === null ? (numeric.length === 1 ? numeric[0] : undefined) : asked.nameOf(named['column']);
  // What is the highest of words nobody can say.
  if (column === undefined || !numeric.includes(column)) asked.left += ' which-column ';
  else readPlace(query, bare, column, bare['most'] !== undefined);
}

function readPlace(
  query: Query,
  { count, place }: Record<string, string | undefined>,
  column: string,
  isDescending: boolean,
): void {
  query.sortBy = [orderBy(column, isDescending)];
  query.first = count === undefined ? 1 : numberOf(count);
  if (place !== undefined) query.skip = placeOf(place) - 1;
}

/** "in Rome", "for pear and fig", "only Rome", "except Oslo": what stands in the cells of one column. */
function readMembers(asked: TableWords, query: Query): void {
  if (asked.columnOfValue.size === 0) return;
  const known = anyOf([...asked.columnOfValue.keys()]);
  const list = `(?<values>(?:${known})(?:(?:,| and| or|, and|, or) (?:${known})){0,20})`;
  for (;;) {
    const found = asked.take(
      `(?<lead>in|from|for|of|only|with|at|just|except(?: for)?|excluding|but not|not|without) ${list}`,
    );
    if (found === null) return;
    const values = [...(found['values'] ?? '').matchAll(new RegExp(known, 'giu'))].map(([one]) => one);
    const columns = new Set(values.map((value) => asked.columnOfValue.get(value.toLowerCase()) ?? null));
    const [column = null] = columns;
    if (columns.size !== 1 || column === null) {
      asked.left += ` ${values.join(' ')} `;
      return;
    }
    const isLeftOut = /^(?:except|excluding|but|not|without)/i.test(found['lead'] ?? '');
    query.where.push({ column, is: isLeftOut ? 'not' : 'equals', values });
  }
}

/** "only the name and price columns", "without the city column", "get all names where …". */
function readColumns(asked: TableWords, query: Query): void {
  const without =
    asked.take(`(?:without|except|excluding|but not|minus) (?<column>${asked.column})`) ??
    asked.take(`(?:delete|remove|drop|hide|leave out) (?<column>${asked.column})(?<=column)`);
  if (without !== null) {
    const left = asked.columns.filter((name) => name !== asked.nameOf(without['column']));
    query.columns = left;
    return;
  }
  if (query.figure !== undefined) {
    // "How many employees" counts the rows, each of which is one of them.
    const [first] = asked.columns;
    if (query.figure === 'count' && first !== undefined) asked.take(`(?:${anyOf([first, `${first}s`])})`);
    return;
  }
  const isOnly = /\b(?:only|just)\b/i.test(asked.left);
  const named = asked.takeAll(`(?<column>${asked.column})`).map(({ column }) => asked.nameOf(column));
  // The column that "which city is the cheapest?" asks for is told with its row.
  if (named.length === 0) return;
  const sorted = isOnly ? [] : query.sortBy.map(({ column }) => column);
  query.columns = [...new Set([...named, ...sorted])];
}

/** Whether a query asks for something that can be worked out. */
const isWhole = ({ figure, of, groupBy }: Query): boolean =>
  figure === undefined ? groupBy === undefined : figure === 'count' || of !== undefined;
