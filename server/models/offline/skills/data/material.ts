/** Where the JSON or the table is that a request is about. */
import { attempt } from '../../../../../shared/attempt.ts';
import { columnsOf, type DataColumn } from '../../../../tools/data-columns.ts';
import { queryRows, queryTableTool, type TableQuery } from '../../../../tools/data-query.ts';
import { looksTabular, readTable, withoutTotals, type Table } from '../../../../tools/data-table.ts';
import { DATA_TOOLS } from '../../../../tools/index.ts';
import { textOf } from '../../../../lib/fields.ts';
import type { EarlierExchange, Request } from '../../skill.ts';
import { materialOf, previousCall, type PreviousCall } from '../../reading/history.ts';
import { takeFences } from '../../reading/marks.ts';
import { apart } from '../../reading/orders.ts';

/** Data a request is about, and the words that ask about it. */
export interface DataAsk {
  words: string;
  data: string;
  /** The call the data comes from, when the earlier conversation supplied it. */
  previous: PreviousCall | null;
  /** All of the table that the data is a part of. */
  whole: string;
}

const NAMES = DATA_TOOLS.map(({ name }) => name);

/** How many exchanges back data is searched for: people often ask several questions about one table. */
const MAX_BACK = 10;
const MAX_WORDS_LENGTH = 300;

/** The data a request is about, and what it asks; null: it is about none. */
export function readDataAsk(request: Request): DataAsk | null {
  const { text, material: below } = request;
  // JSON that starts beside the words goes on in the lines below.
  const isOpen =
    below !== null && !text.includes(below) && text.split(/[[{]/).length > text.split(/[\]}]/).length;
  const inline = inlineJson(isOpen ? `${text}\n${below}` : text);
  if (inline !== null) return { ...inline, previous: null, whole: inline.data };
  const { words, material } = apart(request, false);
  if (words.length > MAX_WORDS_LENGTH) return null;
  if (material !== null) {
    const data = withoutHeading(material);
    const isData = isJsonLike(data) || looksTabular(data) || /\bjson\b/i.test(words);
    return isData ? { words, data, previous: null, whole: data } : null;
  }
  const earlier = earlierData(request.history);
  return earlier && { words, ...earlier };
}

/** True for text that begins like a JSON object or list. */
export const isJsonLike = (text: string): boolean => /^\s*[[{]/.test(text);

/** JSON in the same line as the words: `is this valid JSON? {"a": 1}`. */
function inlineJson(text: string): { words: string; data: string } | null {
  const start = text.slice(0, 400).search(/\{|(?<![\w\]])\[\s*(?:[[{"\d]|-\d|true|false|null)/);
  if (start === -1) return null;
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1;
  const data = end > start ? text.slice(start, end) : text.slice(start);
  const words = `${text.slice(0, start)} ${end > start ? text.slice(end) : ''}`;
  // "Format [1,2" is broken JSON all the same; prose with brackets in it is not.
  return words.length <= MAX_WORDS_LENGTH
    ? { words: words.replace(/[\s:`"“”]+|(?<!\w)'|'(?!\w)/g, ' ').trim(), data }
    : null;
}

function earlierData(history: readonly EarlierExchange[]): Omit<DataAsk, 'words'> | null {
  for (const exchange of history.slice(-MAX_BACK).reverse()) {
    const call = previousCall([exchange], NAMES);
    const text = call?.input['text'];
    if (typeof text === 'string')
      return {
        data: text,
        previous: call,
        whole: textOf(originOf(text, history).at(-1)?.input['text']) ?? text,
      };
    const sources = [materialOf(exchange.question), takeFences(exchange.answer).code];
    const data = sources.find((each) => each !== null && (looksTabular(each) || isJsonLike(each)));
    if (typeof data === 'string') return { data: withoutHeading(data), previous: null, whole: data };
  }
  return null;
}

/** "Here is my table:" before the table itself. */
function withoutHeading(data: string): string {
  const end = data.indexOf('\n');
  if (end === -1 || !/[:.]\s*$/.test(data.slice(0, Math.min(end, MAX_WORDS_LENGTH)))) return data;
  const rest = data.slice(end).trim();
  return looksTabular(rest) || isJsonLike(rest) ? rest : data;
}

/** By the input of the call: several skills read the same request, and each of its readings may need it. */
const carriedTables = new WeakMap<object, string | null>();

/** The rows or groups that a call reported, as a table of their own; null: all of its table, or one row of it, unless that `isMeant`. */
export function carriedTable({ tool, input }: PreviousCall, isMeant = false): string | null {
  // "Which is the cheapest?" asks about one row, and the next request isn't about that alone.
  if (tool !== queryTableTool.name || (input['first'] === 1 && !isMeant)) return null;
  if (!carriedTables.has(input)) carriedTables.set(input, selectedRows(input as TableQuery));
  return carriedTables.get(input) ?? null;
}

function selectedRows({ columns: _columns, figure, of, ...rows }: TableQuery): string | null {
  const isPart = rows.where !== undefined || rows.first !== undefined || rows.groupBy !== undefined;
  if (!isPart) return null;
  const isGrouped = rows.groupBy !== undefined && figure !== undefined;
  const only = isGrouped ? { figure, ...(of !== undefined && { of }) } : {};
  const found = attempt(() => queryRows({ ...rows, ...only }, Infinity));
  return found === null || found.rows.length === 0 ? null : JSON.stringify([found.columns, ...found.rows]);
}

/** The calls by which a table came out of the one that was pasted, the last first; none: it was pasted itself. */
export function originOf(text: string, history: readonly EarlierExchange[]): PreviousCall[] {
  const at = history.findLastIndex((exchange) => {
    const call = previousCall([exchange], [queryTableTool.name]);
    return call !== null && call.input['text'] !== text && carriedTable(call, true) === text;
  });
  const call = previousCall(history.slice(0, at + 1), [queryTableTool.name]);
  return call === null ? [] : [call, ...originOf(String(call.input['text']), history.slice(0, at))];
}

/** What is in a table, rows that add others up left out. */
export interface Shape {
  columns: string[];
  cells: string[][];
  columnOf(at: number): DataColumn;
}
let lastRead: (Shape & { data: string }) | null = null;

/** Columns and cells of a table; the last is cached, since several skills read the same request. */
export function tableShapeOf(data: string): Shape {
  if (lastRead?.data === data) return lastRead;
  const none: Pick<Table, 'columns' | 'rows'> = { columns: [], rows: [] };
  const table = attempt(() => withoutTotals(readTable(data))) ?? none;
  const { columns, rows } = table;
  const cells = rows.map((row) => row.map(({ text }) => text.trim()));
  lastRead = { data, columns, cells, columnOf: columnsOf(table) };
  return lastRead;
}
