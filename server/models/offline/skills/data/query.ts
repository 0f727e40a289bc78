/**
 * Reads questions about the rows of a table: "the total where city is Rome", "average price per city", "top 3 by price", "which one
 * is the cheapest?". Each clause that is understood is taken out of the words; what is left over is named and nothing is done.
 */
import type { RowCondition } from '../../../../tools/data-query.ts';
import { looksTabular } from '../../../../tools/data-table.ts';
import type { Wish } from '../../skill.ts';
import { isJsonLike, shapeOf, type DataAsk } from './material.ts';
import { orderBy, readQuery, type Query } from './query-clauses.ts';
import { TableWords } from './table-words.ts';

const MAX_CHARACTERS = 200;
const FORM = '(?<form>(?:markdown |nice )?table|csv|tsv|json|markdown)';
const INTO_FORM = `(?:(?:as|to|into|in) (?:an? )?|(?:(?:make|create|build)(?: me)?|show(?: this \\S+)? as) (?:an? )?)${FORM}|${FORM} (?:from|of|out of)`;
const ALL_FIGURES = 'statistics|stats|describe|column totals';

/** Recognises a question about the rows of a table, or that it is wanted in another form. */
export function recogniseQuery(ask: DataAsk): Wish | null {
  const { words, data } = ask;
  const { columns, cells } = shapeOf(data);
  if (!looksTabular(data) && !(isJsonLike(data) && columns.length > 0)) return null;
  if (words.length > MAX_CHARACTERS || columns.length === 0 || columns.length > 100) return null;
  const asked = new TableWords(words, columns, cells);
  const isAll = asked.take(ALL_FIGURES) !== null;
  const form = isAll ? undefined : formIn(asked, ask);
  const query = readQuery(asked);
  const wish = isAll ? { tool: 'table_statistics', input: { text: data } } : wishOf(query, form, asked, ask);
  if (wish === null) return null;
  asked.takeAll(
    'each|every|csv|tsv|json|table|data|markdown|column|columns|where|whose|which|who|with|rows|only|list|all|me|by|sorted|order',
  );
  const unused = asked.unused();
  return { ...wish, ...(unused !== null && { unused }) };
}

function formIn(asked: TableWords, { words, previous }: DataAsk): string | undefined {
  const name = asked.take(INTO_FORM)?.['form']?.toLowerCase();
  if (name !== undefined) return /^(?:csv|tsv|json)$/.test(name) ? name : 'markdown';
  return previous === null && /^(?:show|display|tabulate)\b.*\b(?:csv|table|data|this)$/i.test(words)
    ? 'markdown'
    : undefined;
}

/** The call for what was read; null: nothing was. */
function wishOf(
  query: Query,
  form: string | undefined,
  asked: TableWords,
  { data: text, previous }: DataAsk,
): Wish | null {
  const { where, sortBy, figures, of, isReversed, isTop, ...rest } = afterEarlier(
    query,
    previous?.input ?? {},
  );
  if ((isReversed === true || isTop === true) && sortBy.length === 0) return null;
  // "As csv" after the cheapest was told means that row, which the tool doesn't pick.
  const isOfFew = ['where', 'first', 'columns', 'groupBy'].some((name) => name in (previous?.input ?? {}));
  if (form !== undefined && isOfFew) return null;
  const [figure, ...others] = figures;
  const isQuery =
    where.length > 0 || sortBy.length > 1 || figure !== undefined || Object.keys(rest).length > 0;
  // To show the table, or to sort it, and to tell a figure of it are two requests.
  if (figure !== undefined && (form !== undefined || sortBy.length > 0)) return null;
  if (form !== undefined && (!isQuery || form !== 'markdown')) {
    // As it was told last.
    const [sorted] = sortBy.length > 0 ? sortBy : sortOf(previous?.input ?? {});
    // That tool leaves no row and no column out.
    if (isQuery) asked.refuse(asked.said);
    return {
      tool: 'convert_table',
      input: {
        text,
        to: form,
        ...(sorted && { sortBy: sorted.column, ...(sorted.descending && { descending: true }) }),
      },
    };
  }
  if (others.length > 0) {
    if (where.length + sortBy.length + Object.keys(rest).length > 0) asked.refuse(asked.said);
    return { tool: 'table_statistics', input: { text, ...(of !== undefined && { column: of }) } };
  }
  if (!isQuery && sortBy.length === 0) return null;
  if (figure !== undefined && figure !== 'count' && of === undefined) asked.refuse(asked.said);
  return {
    tool: 'query_table',
    input: {
      text,
      ...(where.length > 0 && { where }),
      ...(figure !== undefined && { figure }),
      ...(of !== undefined && { of }),
      ...(sortBy.length > 0 && { sortBy }),
      ...rest,
    },
  };
}

/** The order in which a call before told the rows. */
function sortOf({ sortBy, descending }: Record<string, unknown>): Query['sortBy'] {
  if (typeof sortBy === 'string') return [orderBy(sortBy, descending === true)];
  return Array.isArray(sortBy) ? (sortBy as Query['sortBy']) : [];
}

/** "Only the top 1" is of the table as it was sorted or filtered; "and the average?" of what was asked about before. */
function afterEarlier(query: Query, before: Record<string, unknown>): Query {
  const isMore = query.first !== undefined && query.sortBy.length === 0;
  const isOther = query.figures.length === 1 && query.of === undefined && query.where.length === 0;
  const where = Array.isArray(before['where']) ? (before['where'] as RowCondition[]) : [];
  const sortBy = sortOf(before);
  if (query.isReversed === true && query.sortBy.length === 0)
    return { ...query, where, sortBy: sortBy.map(({ column }) => orderBy(column, true)) };
  if (isMore) return { ...query, where: [...where, ...query.where], sortBy };
  if (!isOther || typeof before['of'] !== 'string' || query.figures[0] === 'count') return query;
  const groupBy = before['groupBy'];
  return { ...query, where, of: before['of'], ...(typeof groupBy === 'string' && { groupBy }) };
}
