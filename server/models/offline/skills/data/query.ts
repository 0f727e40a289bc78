/**
 * Reads questions about the rows of a table: "the total where city is Rome", "average price per city", "top 3 by price", "which one
 * is the cheapest?". Each clause that is understood is taken out of the words; what is left over is named and nothing is done.
 */
import type { Static } from 'typebox';
import type { queryTableTool, RowCondition, RowSelection } from '../../../../tools/data-query.ts';
import { looksTabular } from '../../../../tools/data-table.ts';
import type { OutputOf } from '../../../../tools/tool.ts';
import { isElliptical } from '../../reading/courtesy.ts';
import type { ToolRequest } from '../../skill.ts';
import { readQuery, type Query } from './clauses.ts';
import { isJsonLike, shapeOf, type DataAsk } from './material.ts';
import { TableWords } from './table-words.ts';

const MAX_CHARACTERS = 200;
const FORM = '(?<form>(?:markdown |nice )?table|csv|tsv|json|markdown)';
const INTO_FORM = `(?:(?:as|to|into|in) (?:an? )?|(?:(?:make|create|build)(?: me)?|show(?: this \\S+)? as) (?:an? )?)${FORM}|${FORM} (?:from|of|out of)`;
const FILLERS =
  'each|every|csv|tsv|json|table|data|markdown|column|columns|where|whose|which|who|with|rows|only|list|all|me|by|sorted|order|people|live|lives|filter(?! out)|filtered|keep|left';
/** Of the table again, not of what was told last. */
const OF_ALL =
  '(?:(?:of|in|for|from) )?(?:all (?:of )?(?:the )?rows|the (?:whole|entire|full|original) (?:table|list|data)|overall|everything)';

/** Recognises a question about the rows of a table, or that it is wanted in another form. */
export function recogniseQuery(ask: DataAsk): ToolRequest | null {
  const groups = groupsOf(ask);
  const ofGroups = groups === null ? null : readAsk(groups);
  // "The average of hours" by itself is of the table, as "and the average?" isn't.
  const isOfGroups =
    ofGroups?.unused === undefined && (isElliptical(ask.words) || !('figure' in (ofGroups?.input ?? {})));
  return isOfGroups && ofGroups !== null ? ofGroups : readAsk(ask);
}

/** Figures of groups that were told last, as a table of their own; null where the words name another column of the table. */
function groupsOf({ words, data, previous }: DataAsk): DataAsk | null {
  const { groupBy, of } = previous?.input ?? {};
  const { columns, rows, found } = (previous?.output ?? {}) as Partial<OutputOf<typeof queryTableTool>>;
  if (typeof groupBy !== 'string' || columns === undefined || rows === undefined || rows.length !== found)
    return null;
  const others = new TableWords(words, {
    ...shapeOf(data),
    columns: shapeOf(data).columns.filter((name) => name !== columns[0] && name !== of),
  });
  if (others.take(others.column) !== null) return null;
  const objects = rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])));
  return { words, data: JSON.stringify(objects), previous: null };
}

function readAsk(ask: DataAsk): ToolRequest | null {
  const { words, data, previous } = ask;
  const shape = shapeOf(data);
  const { columns } = shape;
  if (!looksTabular(data) && !(isJsonLike(data) && columns.length > 0)) return null;
  if (words.length > MAX_CHARACTERS || columns.length === 0 || columns.length > 100) return null;
  const asked = new TableWords(words, shape);
  const isShown = previous === null && /^(?:show|display)\b.*\b(?:csv|table|data|this)$/i.test(words);
  const form = asked.take(INTO_FORM)?.['form']?.toLowerCase() ?? (isShown ? 'markdown' : null);
  const view =
    asked.take(OF_ALL) === null && previous !== null ? viewOf(previous.input, isElliptical(words)) : [];
  const query = readQuery(asked, shape);
  const input =
    form === null ? queryInput(query, view, asked, ask) : formInput(form, query, view, asked, ask);
  if (input === null) return null;
  asked.takeAll(FILLERS);
  const unused = asked.unused();
  const tool = 'to' in input ? 'convert_table' : 'query_table';
  return { tool, input: { text: data, ...input }, ...(unused !== null && { unused }) };
}

type Input = Record<string, unknown>;

/** What was told last, as selections one after the other, which a follow-up works on. */
function viewOf(before: Input, isFollowUp: boolean): RowSelection[] {
  const {
    within = [],
    where,
    sortBy,
    descending,
    skip,
    first,
    figure,
  } = before as Partial<Static<typeof queryTableTool.input>> & { descending?: boolean };
  const order =
    typeof sortBy === 'string' ? [{ column: sortBy, ...(descending === true && { descending }) }] : sortBy;
  if (figure !== undefined) return isFollowUp && where ? [...within, { where }] : within;
  // "Which is the cheapest?" asks about one row, and the next request isn't of that alone.
  if (first === 1) return within;
  const last = {
    ...(where && { where }),
    ...(order && { sortBy: order }),
    ...(skip && { skip }),
    ...(first && { first }),
  };
  return Object.keys(last).length === 0 ? within : [...within, last];
}

/** The table in another form, in the order in which it was told last; that tool leaves no row and no column out. */
function formInput(
  name: string,
  query: Query,
  view: RowSelection[],
  asked: TableWords,
  ask: DataAsk,
): Input | null {
  const form = /^(?:csv|tsv|json)$/.test(name) ? name : 'markdown';
  const { where, sortBy, ...rest } = query;
  const before = ask.previous?.input ?? {};
  // "As csv" after the cheapest was told means that row.
  if (['within', 'where', 'first', 'columns', 'groupBy'].some((field) => field in before)) return null;
  // To show the table and to tell a figure of it are two requests.
  if (query.figure !== undefined) return null;
  const isPicked = where.length > 0 || sortBy.length > 1 || Object.keys(rest).length > 0;
  if (isPicked && form === 'markdown') return queryInput(query, view, asked, ask);
  if (isPicked) asked.refuse(asked.said);
  const [sorted] = sortBy.length > 0 ? sortBy : (view[0]?.sortBy ?? []);
  return {
    to: form,
    ...(sorted && { sortBy: sorted.column, ...(sorted.descending && { descending: true }) }),
  };
}

function queryInput(
  query: Query,
  view: RowSelection[],
  asked: TableWords,
  { words, previous }: DataAsk,
): Input | null {
  const { where, sortBy, ...rest } = query;
  if (where.length + sortBy.length + Object.keys(rest).length === 0) return null;
  // To sort the table and to tell a figure of it are two requests.
  if (query.figure !== undefined && sortBy.length > 0) return null;
  const before = previous?.input ?? {};
  // "And the average?", "and for France?", "and per month?" leave out what was asked for before.
  const isFollowUp = isElliptical(words) && before['figure'] !== undefined;
  const isBare = query.first === undefined && query.columns === undefined && sortBy.length === 0;
  // "Now only France" asks for its rows.
  if (
    isFollowUp &&
    query.figure === undefined &&
    isBare &&
    !/\b(?:only|just|show|list|filter|rows)\b/i.test(words)
  )
    Object.assign(rest, {
      figure: before['figure'],
      of: before['of'],
      groupBy: rest.groupBy ?? before['groupBy'],
    });
  if (rest.figure !== undefined && rest.figure !== 'count')
    if (isFollowUp && typeof before['of'] === 'string') rest.of ??= before['of'];
  const isWhole =
    rest.figure === 'count'
      ? true
      : rest.figure === undefined
        ? rest.groupBy === undefined
        : rest.of !== undefined;
  if (!isWhole) asked.refuse(asked.said);
  const { steps, sorted } = narrowed(view, query);
  const order = sortBy.length > 0 ? sortBy : sorted;
  // Rows in no order have no top.
  if (order.length === 0 && /\btop\b/i.test(asked.said)) asked.refuse(asked.said);
  const hidden =
    query.figure === undefined && query.columns === undefined && isOnlyColumns(before)
      ? before['columns']
      : undefined;
  return {
    ...(steps.length > 0 && { within: steps }),
    ...(where.length > 0 && { where }),
    ...(order.length > 0 && { sortBy: order }),
    ...(hidden !== undefined && { columns: hidden }),
    ...Object.fromEntries(Object.entries<unknown>(rest).filter(([, value]) => value !== undefined)),
    ...(before['dates'] !== undefined && { dates: before['dates'] }),
    ...(before['decimal'] !== undefined && { decimal: before['decimal'] }),
  };
}

/** Whether only some columns were told, of all rows. */
const isOnlyColumns = (before: Input): boolean =>
  !['where', 'within', 'first', 'groupBy', 'figure'].some((field) => field in before);

/** What a request works on: "only the first 2" is of the order told last, and "only France" replaces "only Germany". */
function narrowed(
  view: RowSelection[],
  { where, first, sortBy, figure }: Query,
): { steps: RowSelection[]; sorted: Query['sortBy'] } {
  const isReplaced = (old: RowCondition): boolean =>
    where.some(({ column, is }) => column === old.column && is === 'equals' && old.is === 'equals');
  const kept = view.map(({ where: old = [], ...others }) => ({
    ...others,
    where: old.filter((each) => !isReplaced(each)),
  }));
  const isChanged = kept.some(({ where: left }, at) => left.length < (view[at]?.where?.length ?? 0));
  // The first two of something else would be other rows.
  const steps = (isChanged && kept.some((each) => each.first !== undefined) ? [] : kept).filter(
    (each) =>
      each.where.length > 0 ||
      each.first !== undefined ||
      (each.sortBy !== undefined && figure === undefined && sortBy.length === 0),
  );
  const last = steps.at(-1);
  if (first === undefined || sortBy.length > 0 || last?.sortBy === undefined || last.first !== undefined)
    return { steps: steps.map(compact), sorted: [] };
  const { sortBy: sorted, ...rest } = last;
  return {
    steps: [...steps.slice(0, -1), ...(rest.where.length > 0 ? [rest] : [])].map(compact),
    sorted,
  };
}

const compact = ({ where = [], ...rest }: RowSelection): RowSelection => ({
  ...(where.length > 0 && { where }),
  ...rest,
});
