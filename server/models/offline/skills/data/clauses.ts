/** The clauses of a request about rows: "where city is Rome", "per city", "top 3 by price". Understood ones are taken out of the words. */
import { attempt } from '../../../../../shared/attempt.ts';
import { valueIn, type DataColumn } from '../../../../tools/data-columns.ts';
import type { RowCondition, TableQuery } from '../../../../tools/data-query.ts';
import type { Groups } from '../../reading/rules.ts';
import { AS_TEXT, COUNT, countIn } from '../../reading/words.ts';
import type { Shape } from './material.ts';
import {
  anyText,
  ASCENDING,
  BEST,
  DESCENDING,
  FIGURES,
  HOW_MANY,
  ORDINAL,
  ordinalOf,
  unquoted,
  TESTS,
  type TableWords,
} from './table-words.ts';

/** A question about rows, as far as it is read: the fields of the tool. */
export type Query = Required<Pick<TableQuery, 'where' | 'sortBy'>> &
  Pick<TableQuery, 'figure' | 'of' | 'groupBy' | 'skip' | 'first' | 'columns'>;

/** What the words ask of the rows; each clause that is understood is taken out of them. */
export function readQuery(asked: TableWords, shape: Shape): Query {
  const query: Query = { where: [], sortBy: [] };
  readConditions(asked, query, shape);
  readOrder(asked, query);
  readFigure(asked, query);
  readBest(asked, query);
  readMembers(asked, query);
  if (query.figure === undefined) readColumns(asked, query);
  return query;
}

/** "price over 2", "where city is Rome or Oslo", "between 1 and 3", "status open", "before 20 January". */
function readConditions(asked: TableWords, { where }: Query, shape: Shape): void {
  // "The table above" and "a name" say nothing; "above that", "column names" and "an a in the name" do.
  asked.refuseAny(
    '(?:above|below) (?:that|it|this|those|these)|column names?|(?:has|have|with) an? [a-z] in',
  );
  const lead = '(?:(?:where|whose|with|having|when|and|if|that have|have|has) )?(?:an? )?';
  const named = `(?<column>${asked.column})`;
  const add = (column: string, is: RowCondition['is'], values: string[]): void => {
    // "What city is pear in?" doesn't ask for a city called pear.
    if (values.some((value) => (asked.columnOfValue.get(value.toLowerCase()) ?? column) !== column))
      asked.refuse(asked.text);
    // "Regions above 100" is about a figure of theirs, not about their names.
    if (/^(?:above|below|at_)/.test(is) && !asked.ordered().includes(column)) asked.refuse(asked.text);
    where.push({ column, is, values });
  };
  const ranges = asked.takeAll(
    `${lead}${named} (?:is |are |of )?(?:between|from) (?<low>${asked.value}) (?:and|to) (?<high>${asked.value})`,
  );
  for (const { column, low, high } of ranges) {
    add(asked.nameOf(column), 'at_least', [unquoted(low)]);
    add(asked.nameOf(column), 'at_most', [unquoted(high)]);
  }
  for (const [is, words] of TESTS) {
    const isText = is === 'contains' || is === 'starts' || is === 'ends';
    const value = isText
      ? `(?:${asked.value}|(?!(?:the|an?|more|most|less)\\b)[\\p{L}\\p{N}][\\p{L}\\p{N}'-]*|(?:the|an?)(?= *$))`
      : asked.value;
    const test = ` ?(?:${words})(?: |(?<=[<>=≠≤≥:]))(?<values>${value}(?:(?:,? or |, ?)${value}){0,20})`;
    const valuesIn = (phrase = ''): string[] => (phrase.match(new RegExp(value, 'giu')) ?? []).map(unquoted);
    for (const { column, values } of asked.takeAll(`${lead}${named}${test}`))
      add(asked.nameOf(column), is, valuesIn(values));
    if (isText || is === 'equals' || is === 'not') continue;
    // "Rows before 20 January" where one column holds dates.
    for (const { values } of asked.takeAll(
      `(?:only )?(?:rows|those|ones|dates|only)(?: that are| which are| where| with)?${test}`,
    )) {
      const fitting = shape.columns.filter((_, at) =>
        valuesIn(values).every((each) => isIn(shape.columnOf(at), each)),
      );
      const [only = '', ...others] = fitting;
      if (only === '' || others.length > 0) asked.refuse(values ?? '');
      else add(only, is, valuesIn(values));
    }
  }
  for (const [value, column] of asked.columnOfValue)
    if (column !== null && asked.take(`${lead}${anyText([column])} ${anyText([value])}`) !== null)
      where.push({ column, is: 'equals', values: [value] });
}

/** Whether a value may stand in a column. Of one that may be two things, the tool asks. */
const isIn = (column: DataColumn, value: string): boolean =>
  attempt(() => valueIn(column, value) !== null) ?? true;

/** Sorting by a column. */
const orderBy = (column: string, isDescending: boolean): Query['sortBy'][number] =>
  isDescending ? { column, descending: true } : { column };

/** "sort by city, then price descending", "sort this table", "top 3 by price". */
function readOrder(asked: TableWords, query: Query): void {
  const named = `(?<column>${asked.column})(?:(?<down>${DESCENDING})|(?<up>${ASCENDING}))?`;
  const orderOf = ({ column: phrase, down, up = '' }: Groups) => {
    const column = asked.nameOf(phrase);
    // The oldest day is the smallest, the oldest person has the largest age.
    return orderBy(column, down !== undefined || (/\bage\b/i.test(column) && /\bold/i.test(up)));
  };
  let next = asked.take(
    `(?:sort(?:ed)?|order(?:ed)?|rank(?:ed)?)(?: (?:it|this|the|table|csv|data|rows))*(?: by)? ${named}`,
    ' § ',
  );
  // Further columns follow the first.
  for (; next !== null; next = asked.take(`§\\s*(?:,|and|then|and then|,? ?then) (?:by )?${named}`, ' § '))
    query.sortBy.push(orderOf(next));
  if (query.sortBy.length > 0) asked.refuseAny(AS_TEXT);
  const [first] = asked.columns;
  if (first !== undefined && asked.take('sort(?= (?:this|the|my) (?:table|csv|data|rows)\\b)') !== null)
    query.sortBy.push(orderBy(first, asked.take(DESCENDING) !== null));
  const top = asked.take(
    `(?<end>top|bottom) (?<count>${COUNT})(?: \\S+)?(?: by|,? sorted by) (?<column>${asked.column})`,
  );
  if (top === null) return;
  if (query.sortBy.length > 0) asked.refuse(asked.text);
  query.first = countIn(top['count'], 1);
  query.sortBy = [orderBy(asked.nameOf(top['column']), /top/i.test(top['end'] ?? ''))];
}

/** "average price per city", "how many by city", "the total of price". */
function readFigure(asked: TableWords, query: Query): void {
  const isCounted = asked.take(HOW_MANY) !== null;
  const group = asked.takeColumn('(?:per|by|for each|for every|in each|grouped by|group by|each) ');
  if (group !== null) query.groupBy = group;
  if (isCounted) {
    readCount(asked, query);
    return;
  }
  for (const [figure, words] of FIGURES) {
    // "The highest price" is a row's matter where it isn't one of a group.
    const isEnd = figure.endsWith('imum');
    if (isEnd && group === null && !/\b(?:max|min|maximum|minimum)\b/i.test(asked.left)) continue;
    // A figure, not whose it is.
    if (isEnd) asked.refuseAny(group === null ? 'who|whose|row|which(?! is)' : 'who|whose');
    const of =
      asked.takeColumn(`(?:${words})(?: (?:of|for|in|all))* `) ?? asked.takeColumn('', ` (?:${words})`);
    if (of === null && asked.take(`(?:${words})(?: (?:of|for))?`) === null) continue;
    query.figure = figure;
    if (of !== null) query.of = of;
    break;
  }
  const [only, ...others] = asked.numeric().filter((name) => name !== query.groupBy);
  if (query.figure !== undefined && only !== undefined && others.length === 0) query.of ??= only;
}

const ROWS =
  '(?:columns|rows|records|entries|elements|objects|items|data points|(?:of (?:them|those) )?are (?:there|left))';

/** "How many rows", "how many orders are open", where each row is one of them. */
function readCount(asked: TableWords, query: Query): void {
  if (asked.take('unique|different|distinct') !== null) {
    const of = asked.takeColumn('(?:(?:values?|entries) (?:of|in|for|are in|are there in) )?');
    if (of === null) asked.refuse('how many');
    Object.assign(query, { figure: 'unique', ...(of !== null && { of }) });
    return;
  }
  const isRows = asked.take(ROWS) !== null;
  const known = [...asked.columnOfValue.keys()];
  // "How many words" of a table that is a text asks something else.
  if (!isRows && query.groupBy === undefined && query.where.length === 0 && known.length === 0) {
    asked.refuse('how many');
    return;
  }
  // Rows are counted, not what their cells are made of.
  asked.refuseAny('letters|characters|words|sentences|keys|fields|cells');
  query.figure = 'count';
  const [first = ''] = asked.columns;
  asked.take(anyText([first, `${first}s`]));
  if (known.length > 0)
    asked.take(`(?!${asked.column}|${anyText(known)})\\p{L}+s(?= (?:are|is|have|has|in|with|where)\\b)`);
}

/** "the second highest price", "which one is the cheapest", "the first 5 rows". */
function readBest(asked: TableWords, query: Query): void {
  if (query.figure !== undefined || query.first !== undefined) return;
  const rows = asked.take(`(?:first|top) (?<count>${COUNT})(?: (?:rows|records|entries|items|lines))?`);
  if (rows !== null) query.first = countIn(rows['count'], 1);
  const lead = `(?:(?!an? )(?<count>${COUNT}) |(?<ordinal>${ORDINAL})[ -])?`;
  for (const [words, names, isDescending] of BEST) {
    const isAny = !(names instanceof RegExp);
    const named = isAny ? asked.take(`${lead}(?:${words}) (?<column>${asked.column})`) : null;
    const phrase = named ?? asked.take(`${lead}(?:${words})`);
    if (phrase === null) continue;
    const usual = isAny && names !== null ? asked.ordered(names, 'clock') : asked.numeric();
    const able = named === null ? usual : asked.ordered();
    const [only, ...others] = able.filter((name) => isAny || names.test(name));
    const column = named === null ? (others.length === 0 ? only : undefined) : asked.nameOf(named['column']);
    // Words have no highest; and "the cheapest, only the top 2" asks for one row and for two.
    if (column === undefined || !able.includes(column) || rows !== null || query.sortBy.length > 0) {
      asked.refuse(rows === null ? (words.split('|')[0] ?? '') : asked.text);
      return;
    }
    query.sortBy = [orderBy(column, isDescending)];
    query.first = countIn(phrase['count'], 1);
    if (phrase['ordinal'] !== undefined) query.skip = ordinalOf(phrase['ordinal']) - 1;
    return;
  }
}

/** "in Rome", "for pear and fig", "only Rome", "except Oslo": what stands in the cells of one column. */
function readMembers(asked: TableWords, query: Query): void {
  if (asked.columnOfValue.size === 0) return;
  const known = anyText([...asked.columnOfValue.keys()]);
  const { not, values: phrase } =
    asked.take(
      `(?:in|from|for|of|only|(?<=(?:rows|ones|those|entries) )with|at|just|are|is|(?<not>except(?: for)?|excluding|but not|not|without|(?:filter|leave|leaving) out)) (?:the )?(?<values>(?:${known})(?:(?:,| and| or|, and|, or) (?:${known})){0,20})`,
    ) ?? {};
  if (phrase === undefined) return;
  const values = phrase.match(new RegExp(known, 'giu')) ?? [];
  const [column = null, ...others] = new Set(
    values.map((value) => asked.columnOfValue.get(value.toLowerCase()) ?? null),
  );
  if (column === null || others.length > 0) asked.refuse(phrase);
  else query.where.push({ column, is: not === undefined ? 'equals' : 'not', values });
}

/** "only the name and price columns", "without the city column", "get all names where …". */
function readColumns(asked: TableWords, query: Query): void {
  const without = asked.takeColumn('(?:without|except|excluding|delete|remove|drop|hide) ', '(?<=column)');
  if (without !== null) {
    query.columns = asked.columns.filter((name) => name !== without);
    return;
  }
  const isOnly = /\b(?:only|just)\b/i.test(asked.left);
  const named = asked.takeAll(`(?<column>${asked.column})`).map(({ column }) => asked.nameOf(column));
  if (named.length === 0) return;
  // The column that "which city is the cheapest?" asks for is shown with its row.
  const sorted = isOnly ? [] : query.sortBy.map(({ column }) => column);
  query.columns = [...new Set([...named, ...sorted])];
}
