/**
 * Reads questions about the rows of a table: "the total where city is Rome", "average price per city", "top 3 by price", "which one
 * is the cheapest?". Each clause that is understood is taken out of the words; what is left over is named and nothing is done.
 */
import type { RowCondition, RowFigure } from '../../../../tools/data-query.ts';
import { looksTabular } from '../../../../tools/data-table.ts';
import { AS_TEXT, COUNT, countIn } from '../../reading/words.ts';
import type { Wish } from '../../skill.ts';
import { isJsonLike, shapeOf, type DataAsk } from './material.ts';
import {
  anyText,
  ASCENDING,
  BEST,
  DESCENDING,
  FIGURES,
  HOW_MANY,
  ORDINAL,
  placeOf,
  plain,
  TESTS,
} from './query-words.ts';
import { TableWords } from './table-words.ts';

/** A question about rows, as far as it is read: the fields of the tool. */
interface Query {
  where: RowCondition[];
  figure?: RowFigure;
  of?: string;
  groupBy?: string;
  sortBy: { column: string; descending?: true }[];
  skip?: number;
  first?: number;
  columns?: string[];
}

const MAX_CHARACTERS = 200;
const FORM = '(?<form>(?:markdown |nice )?table|csv|tsv|json|markdown)';
const INTO_FORM = `(?:(?:as|to|into|in) (?:an? )?|(?:(?:make|create|build)(?: me)?|show(?: this \\S+)? as) (?:an? )?)${FORM}|${FORM} (?:from|of|out of)`;
const FILLERS =
  'each|every|csv|tsv|json|table|data|markdown|column|columns|where|whose|which|who|with|rows|only|list|all|me|by|sorted|order|people|live|lives';

/** Recognises a question about the rows of a table, or that it is wanted in another form. */
export function recogniseQuery(ask: DataAsk): Wish | null {
  const { words, data, previous } = ask;
  const { columns, cells } = shapeOf(data);
  if (!looksTabular(data) && !(isJsonLike(data) && columns.length > 0)) return null;
  if (words.length > MAX_CHARACTERS || columns.length === 0 || columns.length > 100) return null;
  const asked = new TableWords(words, columns, cells);
  const isShown = previous === null && /^(?:show|display)\b.*\b(?:csv|table|data|this)$/i.test(words);
  const form = asked.take(INTO_FORM)?.['form']?.toLowerCase() ?? (isShown ? 'markdown' : null);
  const query = readQuery(asked);
  const input = form === null ? queryInput(query, asked, ask) : formInput(form, query, asked, ask);
  if (input === null) return null;
  asked.takeAll(FILLERS);
  const unused = asked.unused();
  const tool = 'to' in input ? 'convert_table' : 'query_table';
  return { tool, input: { text: data, ...input }, ...(unused !== null && { unused }) };
}

/** What the words ask of the rows; each clause that is understood is taken out of them. */
function readQuery(asked: TableWords): Query {
  const query: Query = { where: [], sortBy: [] };
  readConditions(asked, query);
  readOrder(asked, query);
  readFigure(asked, query);
  readBest(asked, query);
  readMembers(asked, query);
  if (query.figure === undefined) readColumns(asked, query);
  return query;
}

type Input = Record<string, unknown>;

/** What the rows were sorted by when they were told last. */
function sortOf({ sortBy, descending }: Input): Query['sortBy'] {
  if (typeof sortBy === 'string') return [{ column: sortBy, ...(descending === true && { descending }) }];
  return Array.isArray(sortBy) ? (sortBy as Query['sortBy']) : [];
}

/** The table in another form, in the order in which it was told last; that tool leaves no row and no column out. */
function formInput(name: string, query: Query, asked: TableWords, ask: DataAsk): Input | null {
  const form = /^(?:csv|tsv|json)$/.test(name) ? name : 'markdown';
  const { where, sortBy, ...rest } = query;
  const before = ask.previous?.input ?? {};
  // "As csv" after the cheapest was told means that row.
  if (['where', 'first', 'columns', 'groupBy'].some((field) => field in before)) return null;
  // To show the table and to tell a figure of it are two requests.
  if (query.figure !== undefined) return null;
  const isPicked = where.length > 0 || sortBy.length > 1 || Object.keys(rest).length > 0;
  if (isPicked && form === 'markdown') return queryInput(query, asked, ask);
  if (isPicked) asked.refuse(asked.said);
  const [sorted] = sortBy.length > 0 ? sortBy : sortOf(before);
  return {
    to: form,
    ...(sorted && { sortBy: sorted.column, ...(sorted.descending && { descending: true }) }),
  };
}

function queryInput(query: Query, asked: TableWords, { previous }: DataAsk): Input | null {
  const { where, sortBy, ...rest } = query;
  if (where.length + sortBy.length + Object.keys(rest).length === 0) return null;
  // To sort the table and to tell a figure of it are two requests.
  if (query.figure !== undefined && sortBy.length > 0) return null;
  const before = previous?.input ?? {};
  if (query.figure !== undefined && query.figure !== 'count' && query.of === undefined) {
    // "And the average?" is of what was asked about before.
    if (where.length === 0 && 'of' in before) return { ...before, figure: query.figure };
    asked.refuse(asked.said);
  }
  // "Only the first 2" is of the table as it was sorted or filtered.
  const isMore = query.first !== undefined && sortBy.length === 0;
  const told = isMore && Array.isArray(before['where']) ? (before['where'] as RowCondition[]) : [];
  const conditions = [...told, ...where];
  const order = isMore ? sortOf(before) : sortBy;
  // Rows in no order have no top.
  if (order.length === 0 && /\btop\b/i.test(asked.said)) asked.refuse(asked.said);
  return {
    ...(conditions.length > 0 && { where: conditions }),
    ...(order.length > 0 && { sortBy: order }),
    ...rest,
  };
}

/** "price over 2", "where city is Rome or Oslo", "between 1 and 3", "status open". */
function readConditions(asked: TableWords, { where }: Query): void {
  const lead = '(?:(?:where|whose|with|having|when|and|if|that have|have|has) )?(?:an? )?';
  const named = `(?<column>${asked.column})`;
  const add = (said: string | undefined, is: RowCondition['is'], values: string[]): void => {
    const column = asked.nameOf(said);
    // "What city is pear in?" doesn't ask for a city called pear.
    if (values.some((value) => (asked.columnOfValue.get(value.toLowerCase()) ?? column) !== column))
      asked.refuse(asked.said);
    // "Regions above 100" is about a figure of theirs, not about their names.
    if (/^(?:above|below|at_)/.test(is) && !asked.numeric().includes(column)) asked.refuse(asked.said);
    where.push({ column, is, values });
  };
  const ranges = asked.takeAll(
    `${lead}${named} (?:is |are |of )?(?:between|from) (?<low>${asked.value}) (?:and|to) (?<high>${asked.value})`,
  );
  for (const { column, low, high } of ranges) {
    add(column, 'at_least', [plain(low)]);
    add(column, 'at_most', [plain(high)]);
  }
  for (const [is, words] of TESTS) {
    const isText = is === 'contains' || is === 'starts' || is === 'ends';
    const value = isText
      ? `(?:${asked.value}|(?!(?:the|an?|more|most|less)\\b)[\\p{L}\\p{N}]+)`
      : asked.value;
    const found = asked.takeAll(
      `${lead}${named} ?(?:${words}) ?(?<values>${value}(?:(?:,? or |, ?)${value}){0,20})`,
    );
    for (const { column, values = '' } of found)
      add(column, is, (values.match(new RegExp(value, 'giu')) ?? []).map(plain));
  }
  for (const [value, column] of asked.columnOfValue)
    if (column !== null && asked.take(`${lead}${anyText([column])} ${anyText([value])}`) !== null)
      where.push({ column, is: 'equals', values: [value] });
}

/** Sorting by a column. */
const orderBy = (column: string, isDescending: boolean): Query['sortBy'][number] =>
  isDescending ? { column, descending: true } : { column };

/** "sort by city, then price descending", "sort this table", "top 3 by price". */
function readOrder(asked: TableWords, query: Query): void {
  const named = `(?<column>${asked.column})(?:(?<down>${DESCENDING})|(?<up>${ASCENDING}))?`;
  const orderOf = ({ column: said, down, up = '' }: Record<string, string | undefined>) => {
    const column = asked.nameOf(said);
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
  const { asText } = query.sortBy.length === 0 ? {} : (asked.take(AS_TEXT) ?? {});
  if (asText !== undefined) asked.refuse(asText);
  const [first] = asked.columns;
  if (first !== undefined && asked.take('sort(?= (?:this|the|my) (?:table|csv|data|rows)\\b)') !== null)
    query.sortBy.push(orderBy(first, asked.take(DESCENDING) !== null));
  const top = asked.take(
    `(?<end>top|bottom) (?<count>${COUNT})(?: \\S+)?(?: by|,? sorted by) (?<column>${asked.column})`,
  );
  if (top === null) return;
  if (query.sortBy.length > 0) asked.refuse(asked.said);
  query.first = countIn(top['count'], 1);
  query.sortBy = [orderBy(asked.nameOf(top['column']), /top/i.test(top['end'] ?? ''))];
}

/** "average price per city", "how many by city", "the total of price". */
function readFigure(asked: TableWords, query: Query): void {
  const isCounted = asked.take(HOW_MANY) !== null;
  const { column: group } =
    asked.take(`(?:per|by|for each|for every|in each|grouped by|group by|each) (?<column>${asked.column})`) ??
    {};
  if (group !== undefined) query.groupBy = asked.nameOf(group);
  if (isCounted) {
    readCount(asked, query);
    return;
  }
  for (const [figure, words] of FIGURES) {
    // "The highest price" is a row's matter where it isn't one of a group.
    const isRow =
      group === undefined && figure.endsWith('imum') && !/\b(?:max|min|maximum|minimum)\b/i.test(asked.left);
    const found = isRow
      ? null
      : (asked.take(`(?:${words})(?: (?:of|for|in|all))* (?<column>${asked.column})`) ??
        asked.take(`(?<column>${asked.column}) (?:${words})`) ??
        asked.take(`(?:${words})(?: (?:of|for))?`));
    if (found === null) continue;
    query.figure = figure;
    if (found['column'] !== undefined) query.of = asked.nameOf(found['column']);
    break;
  }
  const [only, ...others] = asked.numeric().filter((name) => name !== query.groupBy);
  if (query.figure !== undefined && only !== undefined && others.length === 0) query.of ??= only;
  if (group !== undefined && query.figure === undefined) asked.refuse(group);
}

/** "How many rows", "how many orders are open", where each row is one of them. */
function readCount(asked: TableWords, query: Query): void {
  const isRows = asked.take('(?:rows|records|entries|elements|objects|items|data points)') !== null;
  const known = [...asked.columnOfValue.keys()];
  // "How many words" of a table that is a text asks something else.
  if (!isRows && query.groupBy === undefined && query.where.length === 0 && known.length === 0) {
    asked.refuse('how many');
    return;
  }
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
  const lead = `(?:(?!an? )(?<count>${COUNT}) |(?<place>${ORDINAL})[ -])?`;
  for (const [words, names, isDescending] of BEST) {
    const named = names === null ? asked.take(`${lead}(?:${words}) (?<column>${asked.column})`) : null;
    const said = named ?? asked.take(`${lead}(?:${words})`);
    if (said === null) continue;
    const numeric = asked.numeric();
    const [only, ...others] = numeric.filter((name) => names?.test(name) ?? true);
    const column = named === null ? (others.length === 0 ? only : undefined) : asked.nameOf(named['column']);
    // Words have no highest; and "the cheapest, only the top 2" asks for one row and for two.
    if (column === undefined || !numeric.includes(column) || rows !== null || query.sortBy.length > 0) {
      asked.refuse(rows === null ? (words.split('|')[0] ?? '') : asked.said);
      return;
    }
    query.sortBy = [orderBy(column, isDescending)];
    query.first = countIn(said['count'], 1);
    if (said['place'] !== undefined) query.skip = placeOf(said['place']) - 1;
    return;
  }
}

/** "in Rome", "for pear and fig", "only Rome", "except Oslo": what stands in the cells of one column. */
function readMembers(asked: TableWords, query: Query): void {
  if (asked.columnOfValue.size === 0) return;
  const known = anyText([...asked.columnOfValue.keys()]);
  const { not, values: said } =
    asked.take(
      `(?:in|from|for|of|only|with|at|just|are|is|(?<not>except(?: for)?|excluding|but not|not|without)) (?:the )?(?<values>(?:${known})(?:(?:,| and| or|, and|, or) (?:${known})){0,20})`,
    ) ?? {};
  if (said === undefined) return;
  const values = said.match(new RegExp(known, 'giu')) ?? [];
  const [column = null, ...others] = new Set(
    values.map((value) => asked.columnOfValue.get(value.toLowerCase()) ?? null),
  );
  if (column === null || others.length > 0) asked.refuse(said);
  else query.where.push({ column, is: not === undefined ? 'equals' : 'not', values });
}

/** "only the name and price columns", "without the city column", "get all names where …". */
function readColumns(asked: TableWords, query: Query): void {
  const without = asked.take(
    `(?:without|except|excluding|delete|remove|drop|hide) (?<column>${asked.column})(?<=column)`,
  );
  if (without !== null) {
    query.columns = asked.columns.filter((name) => name !== asked.nameOf(without['column']));
    return;
  }
  const isOnly = /\b(?:only|just)\b/i.test(asked.left);
  const named = asked.takeAll(`(?<column>${asked.column})`).map(({ column }) => asked.nameOf(column));
  if (named.length === 0) return;
  // The column that "which city is the cheapest?" asks for is told with its row.
  const sorted = isOnly ? [] : query.sortBy.map(({ column }) => column);
  query.columns = [...new Set([...named, ...sorted])];
}
