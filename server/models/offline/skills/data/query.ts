/**
 * Reads questions about the rows of a table: "the total where city is Rome", "average price per city", "top 3 by price", "which one
 * is the cheapest?". Each clause that is understood is taken out of the words; what is left over is named and nothing is done.
 */
import { looksTabular } from '../../../../tools/data-table.ts';
import type { Wish } from '../../skill.ts';
import { isJsonLike, shapeOf, type DataAsk } from './material.ts';
import { readQuery, type Query } from './query-clauses.ts';
import { TableWords } from './table-words.ts';

const MAX_CHARACTERS = 200;
const FORM = '(?<form>(?:markdown |nice )?table|csv|tsv|json|markdown)';
const INTO_FORM = `(?:(?:as|to|into|in) (?:an? )?|(?:(?:make|create|build)(?: me)?|show(?: this \\S+)? as) (?:an? )?)${FORM}|${FORM} (?:from|of|out of)`;

/** Recognises a question about the rows of a table, or that it is wanted in another form. */
export function recogniseQuery(ask: DataAsk): Wish | null {
  const { words, data } = ask;
  const { columns, cells } = shapeOf(data);
  if (!looksTabular(data) && !(isJsonLike(data) && columns.length > 0)) return null;
  if (words.length > MAX_CHARACTERS || columns.length === 0 || columns.length > 100) return null;
  const asked = new TableWords(words, columns, cells);
  const form = formIn(asked, ask);
  const query = readQuery(asked);
  const wish = form === null ? queryWish(query, asked, ask) : formWish(form, query, asked, ask);
  if (wish === null) return null;
  asked.takeAll(
    'each|every|csv|tsv|json|table|data|markdown|column|columns|where|whose|which|who|with|rows|only|list|all|me|by|sorted|order',
  );
  const unused = asked.unused();
  return { ...wish, ...(unused !== null && { unused }) };
}

function formIn(asked: TableWords, { words, previous }: DataAsk): string | null {
  const name = asked.take(INTO_FORM)?.['form']?.toLowerCase();
  if (name !== undefined) return /^(?:csv|tsv|json)$/.test(name) ? name : 'markdown';
  return previous === null && /^(?:show|display)\b.*\b(?:csv|table|data|this)$/i.test(words)
    ? 'markdown'
    : null;
}

/** What the rows were sorted by when they were told last. */
function sortOf({ sortBy, descending }: Record<string, unknown>): Query['sortBy'] {
  if (typeof sortBy === 'string') return [{ column: sortBy, ...(descending === true && { descending }) }];
  return Array.isArray(sortBy) ? (sortBy as Query['sortBy']) : [];
}

/** The table in another form, in the order in which it was told last; that tool leaves no row and no column out. */
function formWish(
  form: string,
  query: Query,
  asked: TableWords,
  { data: text, previous }: DataAsk,
): Wish | null {
  const { where, sortBy, ...rest } = query;
  const before = previous?.input ?? {};
  // "As csv" after the cheapest was told means that row.
  if (['where', 'first', 'columns', 'groupBy'].some((name) => name in before)) return null;
  // To show the table and to tell a figure of it are two requests.
  if (query.figure !== undefined) return null;
  if (where.length > 0 || sortBy.length > 1 || Object.keys(rest).length > 0)
    return form === 'markdown'
      ? queryWish(query, asked, { words: '', data: text, previous })
      : refused(asked);
  const [sorted] = sortBy.length > 0 ? sortBy : sortOf(before);
  const order = sorted && { sortBy: sorted.column, ...(sorted.descending && { descending: true }) };
  return { tool: 'convert_table', input: { text, to: form, ...order } };
}

const refused = ({ said }: TableWords): Wish => ({ tool: 'convert_table', input: {}, unused: said });

function queryWish(query: Query, asked: TableWords, { data: text, previous }: DataAsk): Wish | null {
  const { where, sortBy, ...rest } = query;
  if (where.length + sortBy.length + Object.keys(rest).length === 0) return null;
  // To sort the table and to tell a figure of it are two requests.
  if (query.figure !== undefined && sortBy.length > 0) return null;
  const before = previous?.input ?? {};
  const isFigure = query.figure !== undefined && query.figure !== 'count';
  if (isFigure && query.of === undefined && where.length === 0 && typeof before['of'] === 'string') {
    // "And the average?" is of what was asked about before.
    const { figure } = query;
    return { tool: 'query_table', input: { ...before, text, figure } };
  }
  if (isFigure && query.of === undefined) asked.refuse(asked.said);
  // "Only the first 2" is of the table as it was sorted or filtered.
  const isMore = query.first !== undefined && sortBy.length === 0;
  const conditions = [
    ...(isMore && Array.isArray(before['where']) ? (before['where'] as Query['where']) : []),
    ...where,
  ];
  const order = isMore ? sortOf(before) : sortBy;
  // Rows in no order have no top.
  if (order.length === 0 && /\btop\b/i.test(asked.said)) asked.refuse(asked.said);
  return {
    tool: 'query_table',
    input: {
      text,
      ...(conditions.length > 0 && { where: conditions }),
      ...(order.length > 0 && { sortBy: order }),
      ...rest,
    },
  };
}
