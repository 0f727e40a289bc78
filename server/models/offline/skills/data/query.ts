/**
 * Reads questions about the rows of a table: "the total where city is Rome", "average price per city", "top 3 by price", "which one
 * is the cheapest?". Each clause that is understood is taken out of the words; what is left over is named and nothing is done.
 */
import { definedFields } from '../../../../lib/defined-fields.ts';
import { looksTabular } from '../../../../tools/data-table.ts';
import type { CellReading } from '../../../../tools/data-ways.ts';
import { isElliptical } from '../../reading/courtesy.ts';
import { Words } from '../../reading/words.ts';
import type { ToolRequest } from '../../skill.ts';
import { readQuery, type Query } from './clauses.ts';
import { carriedTable, isJsonLike, tableShapeOf, type DataAsk } from './material.ts';
import { TableWords } from './table-words.ts';

const MAX_CHARACTERS = 200;
const FORM = '(?<form>(?:markdown |nice )?table|csv|tsv|json|markdown)';
const INTO_FORM = `(?:(?:as|to|into|in) (?:an? )?|(?:(?:make|create|build)(?: me)?|show(?: this \\S+)? as) (?:an? )?)${FORM}|${FORM} (?:from|of|out of)`;
const FILLERS =
  'each|every|csv|tsv|json|table|data|markdown|column|columns|where|whose|which|who|with(?!(?: an?)+ *$)|rows|only|list|all|me|sorted|order|people|live|lives|filter(?! out)|filtered|keep|left';
/** Asks about the whole table again rather than the last result. */
const OF_ALL =
  '(?:(?:of|in|for|from) )?(?:all (?:of )?(?:the )?rows|the (?:whole|entire|full|original) (?:table|list|data)|overall|everything)';

/** Points at the one row that was the answer. */
const ONE_ROW =
  /\b(?:its|his|her|(?:that|this|the same) (?:row|one|record|entry)|(?:is|was|does|did|has) (?:it|he|she))\b/i;

/** Recognises a question about the rows of a table, or that it is wanted in another form. */
export function recogniseQuery(ask: DataAsk): ToolRequest | null {
  let partly: ToolRequest | null = null;
  for (const about of tablesOf(ask)) {
    const found = readAsk(about);
    // "The average of hours" by itself is of the table, as "and the average?" isn't.
    const isOfGroups = about.previous === null && ask.previous !== null;
    if (isOfGroups && found?.input['figure'] !== undefined && !isElliptical(ask.words)) continue;
    if (found !== null && found.unused === undefined) return found;
    partly ??= found;
  }
  return partly;
}

/** The tables a follow-up may be about: what was reported last, else the table it came from, else the one that was pasted; none after a JSON value. */
function tablesOf(ask: DataAsk): DataAsk[] {
  const { words, data, previous, whole } = ask;
  if (previous === null) return [ask];
  if (previous.tool === 'get_json_value') return [];
  if (new Words(words).take(OF_ALL) !== null) return [{ ...ask, data: whole }];
  const { figure, groupBy, first } = previous.input;
  const isSingle = data !== whole && tableShapeOf(data).cells.length === 1;
  if (ONE_ROW.test(words)) {
    const row = first === 1 ? carriedTable(previous, true) : isSingle ? data : null;
    return row === null ? [] : [carriedAsk(ask, previous.input, row)];
  }
  if (isSingle) return [{ ...ask, data: whole }];
  const isCarried = figure === undefined || groupBy !== undefined || isElliptical(words);
  const carried = isCarried ? carriedTable(previous) : null;
  return [
    ...(carried === null ? [] : [carriedAsk(ask, previous.input, carried)]),
    ...[...new Set([data, whole])].map((each) => ({ ...ask, data: each })),
  ];
}

/** The ask about a part of a table: what its other rows decide about dates and decimals still holds. */
function carriedAsk(ask: DataAsk, input: Input, carried: string): DataAsk {
  if (input['groupBy'] !== undefined || ask.previous === null)
    return { ...ask, data: carried, previous: null };
  const shape = tableShapeOf(ask.data);
  const reading = Object.assign(
    {},
    ...shape.columns.map((_, at) => shape.columnOf(at).reading),
  ) as CellReading;
  return { ...ask, data: carried, previous: { ...ask.previous, input: { ...reading, ...input } } };
}

function readAsk(ask: DataAsk): ToolRequest | null {
  const { words, data, previous } = ask;
  const shape = tableShapeOf(data);
  const { columns } = shape;
  if (!looksTabular(data) && !(isJsonLike(data) && columns.length > 0)) return null;
  if (words.length > MAX_CHARACTERS || columns.length === 0 || columns.length > 100) return null;
  const asked = new TableWords(words, shape);
  const isShown = previous === null && /^(?:show|display)\b.*\b(?:csv|table|data|this)$/i.test(words);
  const form = asked.take(INTO_FORM)?.['form']?.toLowerCase() ?? (isShown ? 'markdown' : null);
  asked.take(OF_ALL);
  const query = readQuery(asked, shape);
  const input = form === null ? queryInput(query, asked, ask) : formInput(form, query, asked, ask);
  if (input === null) return null;
  asked.takeAll(FILLERS);
  const unused = asked.unused();
  const tool = 'to' in input ? 'convert_table' : 'query_table';
  return { tool, input: { text: data, ...input }, ...(unused !== null && { unused }) };
}

type Input = Record<string, unknown>;

/** The order of what was reported last; of one row there is none. */
function orderOf({ sortBy, descending, first }: Input): Query['sortBy'] {
  if (first === 1 || sortBy === undefined) return [];
  return typeof sortBy === 'string'
    ? [{ column: sortBy, ...(descending === true && { descending }) }]
    : (sortBy as Query['sortBy']);
}

/** The table in another format, in the order it was last shown in. `convert_table` can’t leave out rows or columns. */
function formInput(name: string, query: Query, asked: TableWords, ask: DataAsk): Input | null {
  const form = /^(?:csv|tsv|json)$/.test(name) ? name : 'markdown';
  const { where, sortBy, ...rest } = query;
  const before = ask.previous?.input ?? {};
  // "As csv" after an answer with one row means that row.
  if (['where', 'first', 'columns', 'groupBy'].some((field) => field in before)) return null;
  // Showing the table and working out a figure are two requests.
  if (query.figure !== undefined) return null;
  const isPicked = where.length > 0 || sortBy.length > 1 || Object.keys(rest).length > 0;
  if (isPicked && form === 'markdown') return queryInput(query, asked, ask);
  if (isPicked) asked.refuse(asked.text);
  const [sorted] = sortBy.length > 0 ? sortBy : orderOf(before);
  return {
    to: form,
    ...(sorted && { sortBy: sorted.column, ...(sorted.descending && { descending: true }) }),
  };
}

function queryInput(query: Query, asked: TableWords, { words, previous }: DataAsk): Input | null {
  const { where, sortBy, ...rest } = query;
  if (where.length + sortBy.length + Object.keys(rest).length === 0) return null;
  // "Is the sum over 50" and "are all in Rome" want a yes or a no.
  const isOfAll = query.figure !== undefined || /\b(?:all|every|each)\b/i.test(words);
  if (isOfAll && /^(?:is|are|was|were|do|does|did)\b/i.test(words)) asked.refuse(words);
  // Sorting the table and working out a figure are two requests.
  if (query.figure !== undefined && sortBy.length > 0) return null;
  const before = previous?.input ?? {};
  const { figure, of, groupBy } = before;
  // "And the average?", "and for France?", "and per month?" leave out what was asked for before.
  const isFollowUp = isElliptical(words) && figure !== undefined;
  // "Now only France" asks for its rows.
  const isRows = /\b(?:only|just|show|list|filter|rows)\b/i.test(words);
  const isNew = query.figure !== undefined || query.first !== undefined || sortBy.length > 0;
  const isAgain = isFollowUp && !isNew && !isRows;
  const [other = '', ...more] = query.columns ?? [];
  if (isAgain && query.columns === undefined)
    Object.assign(rest, { figure, of, groupBy: rest.groupBy ?? groupBy });
  // "And of cost?" asks for the same figure of another column.
  else if (isAgain && of !== undefined && more.length === 0 && asked.numeric().includes(other))
    Object.assign(rest, { figure, of: other, groupBy, columns: undefined });
  if (isFollowUp && rest.figure !== undefined && rest.figure !== 'count' && typeof of === 'string')
    rest.of ??= of;
  // Columns are counted of the whole table only.
  const ofSome = where.length > 0 || rest.groupBy !== undefined;
  if (rest.figure === 'count' && ofSome && /\bcolumns\b/i.test(words)) asked.refuse('columns');
  const isWhole =
    rest.figure === 'count' ||
    (rest.figure === undefined ? rest.groupBy === undefined : rest.of !== undefined);
  if (!isWhole) asked.refuse(asked.text);
  const isFigure = rest.figure !== undefined;
  const order = sortBy.length > 0 || isFigure ? sortBy : orderOf(before);
  // Rows in no order have no top.
  if (order.length === 0 && /\btop\b/i.test(asked.text)) asked.refuse(asked.text);
  const isHidden = !isFigure && before['where'] === undefined && before['first'] === undefined;
  return {
    ...(where.length > 0 && { where }),
    ...(order.length > 0 && { sortBy: order }),
    ...(isHidden && before['columns'] !== undefined && { columns: before['columns'] }),
    ...Object.fromEntries(Object.entries<unknown>(rest).filter(([, value]) => value !== undefined)),
    ...definedFields(before, ['dates', 'decimal']),
  };
}
