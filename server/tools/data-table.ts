import Papa from 'papaparse';
import { csvText } from '../../shared/csv-text.ts';
import { ToolError } from './tool.ts';
import { isContainer, parseJsonInput } from './data-json-value.ts';
import { linesOf } from './text-units.ts';

/** A value in a table: as it reads, and as JSON. */
export type Cell = { text: string; json: string };

/** Rows under named columns. Each row has a cell for every column. */
export interface Table {
  columns: string[];
  rows: Cell[][];
  /** Rows that had more or fewer cells than there are columns; they were filled up or cut. */
  unevenRows: number;
  /** Its cells are separated by semicolons, as where decimals have a comma. */
  hasCommas?: boolean;
}

/** Most cells a table may have: a few long ragged rows could otherwise ask for billions. */
const MAX_CELLS = 250_000;

const NO_TABLE =
  'I see no table there. I can read CSV (with commas, semicolons, tabs or bars), Markdown tables and JSON lists.';

/**
 * Reads a table from CSV (the delimiter is found out), a Markdown table, or JSON (a list of objects, of lists or of
 * values, an object that holds such a list, or an object of values). Throws ToolError when there is none.
 */
export function readTable(text: string): Table {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  if (trimmed === '') throw new ToolError(NO_TABLE);
  if (/^[[{]/.test(trimmed)) return tableOfJson(parseJsonInput(trimmed));
  const lines = linesOf(trimmed);
  if (isMarkdownTable(lines)) {
    const cells = lines.filter((line) => line.trim() !== '' && !isMarkdownRule(line)).map(cellsOfMarkdownRow);
    return tableOfRows(cells, true);
  }
  const { rows, delimiter } = csvText(trimmed);
  const { data, errors, meta } = Papa.parse<string[]>(rows, { skipEmptyLines: 'greedy', delimiter });
  const broken = errors.find(({ type }) => type === 'Quotes');
  const row = (broken?.row ?? 0) + 1;
  if (broken !== undefined)
    throw new ToolError(`A quotation mark is not closed or out of place in row ${row} of the CSV.`);
  return { ...tableOfRows(data, null), hasCommas: meta.delimiter === ';' };
}

/** True when `text` is likely to be a table: CSV or Markdown with at least two lines and two columns, or a JSON list. */
export function looksTabular(text: string): boolean {
  const trimmed = csvText(text.trim()).rows;
  if (/^\[\s*[[{]|^\{\s*"/.test(trimmed)) return true;
  const lines = linesOf(trimmed.slice(0, 4000))
    .filter((line) => line.trim() !== '')
    .slice(0, 5);
  if (lines.length < 2) return false;
  if (isMarkdownTable(lines)) return true;
  // The last of these lines may be cut off.
  const whole = trimmed.length > 4000 && lines.length > 2 ? lines.slice(0, -1) : lines;
  return [',', '\t', ';', '|'].some((delimiter) => {
    const counts = whole.map((line) => fieldCount(line, delimiter));
    return counts.every((count) => count > 1 && count === counts[0]);
  });
}

const fieldCount = (line: string, delimiter: string): number =>
  line.replace(/"[^"]*"/g, '').split(delimiter).length;
const isMarkdownRule = (line: string): boolean =>
  line.includes('|') && line.includes('--') && /^[\s|:-]+$/.test(line);
const isMarkdownTable = ([header = '', rule = '']: string[]): boolean =>
  header.includes('|') && isMarkdownRule(rule);

const cellsOfMarkdownRow = (line: string): string[] =>
  line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.replace(/\\([\\`*[\]<>~|_&#+.-])/g, '$1'));

/** `hasHeader` null: the first row is one unless a number stands in it; years behind a name ("region, 2024, 2025") are names too. */
function tableOfRows(rows: string[][], hasHeader: boolean | null): Table {
  const [first = []] = rows;
  const isHeader =
    hasHeader ?? !first.some((cell, index) => isNumberLike(cell) && (index === 0 || !isYear(cell)));
  const body = (isHeader ? rows.slice(1) : rows).map((row) => row.map((cell) => cell.trim()));
  const width = isHeader ? first.length : widest(body);
  const cells = body.map((row) => row.map(cellOfText));
  return fitted(columnNames(isHeader ? first : [], width), cells);
}

const widest = (rows: readonly (readonly unknown[])[]): number =>
  rows.reduce((width, row) => Math.max(width, row.length), 0);

function columnNames(header: string[], width: number): string[] {
  const used = new Map<string, number>();
  return Array.from({ length: width }, (_, index) => {
    const name = header[index]?.trim() ?? '';
    const named = name === '' ? `Column ${index + 1}` : name;
    const times = (used.get(named) ?? 0) + 1;
    used.set(named, times);
    return times === 1 ? named : `${named} (${times})`;
  });
}

function fitted(columns: string[], rows: Cell[][]): Table {
  if (columns.length === 0) throw new ToolError(NO_TABLE);
  if (columns.length * rows.length > MAX_CELLS) throw new ToolError('That table has too many cells.');
  const empty: Cell = { text: '', json: 'null' };
  let unevenRows = 0;
  const even = rows.map((row) => {
    if (row.length === columns.length) return row;
    unevenRows += 1;
    return columns.map((_, index) => row[index] ?? empty);
  });
  return { columns, rows: even, unevenRows };
}

const TOTAL =
  /^(?:(?:(?:grand|sub|overall)[ -]?)?(?:totals?|sums?)|gesamt(?:summe)?|(?:zwischen)?summe|sous-total|totale|average|mean)(?: (?<of>.+?))?[:.]?$/i;

const SUBTOTAL = /^(?:sub|zwischen|sous)/i;

/** A table without the rows that add others up, such as “Total” and “Total Germany”, and what those are called. */
export function withoutTotals(table: Table): Table & { totals: string[] } {
  const rows = table.columns.length < 2 ? [] : table.rows;
  const known = new Set(table.rows.flatMap((row) => row.map(({ text }) => text.trim().toLowerCase())));
  const names = rows.map((row) => row.find(({ text }) => text.trim() !== '')?.text.trim() ?? '');
  const last = names.findLastIndex((name) => !TOTAL.test(name));
  const totals = new Map<Cell[], string>();
  for (const [index, row] of rows.entries()) {
    const name = names[index] ?? '';
    const { of } = TOTAL.exec(name)?.groups ?? {};
    // “Total cost” may be a row like any other; “Total Germany” below rows of Germany isn't. Among others, “Total” is a name.
    const isPlaced = SUBTOTAL.test(name) ? index > 0 : index === 0 || index > last;
    if (TOTAL.test(name) && (of === undefined ? isPlaced : known.has(of.toLowerCase())))
      totals.set(row, name);
  }
  if (totals.size === 0 || totals.size === table.rows.length) return { ...table, totals: [] };
  return { ...table, rows: table.rows.filter((row) => !totals.has(row)), totals: [...totals.values()] };
}

function cellOfText(text: string): Cell {
  const isLiteral = /^(?:-?(?:0|[1-9]\d{0,300})(?:\.\d{1,300})?|true|false)$/.test(text);
  return { text, json: isLiteral ? text : JSON.stringify(text) };
}

function cellOfValue(value: unknown): Cell {
  const json = JSON.stringify(value);
  if (value === null || value === undefined) return { text: '', json: 'null' };
  return { text: typeof value === 'string' ? value : json, json };
}

const isNumberLike = (text: string): boolean => /^[-+]?[.,]*\d[\d.,]*%?$/.test(text.trim());
const isYear = (text: string): boolean => /^(?:19|20)\d\d$/.test(text.trim());

function tableOfJson(value: unknown): Table {
  const list = listIn(value);
  if (list === null) {
    if (!isContainer(value) || Array.isArray(value)) throw new ToolError(NO_TABLE);
    const entries = Object.entries(value).map((entry) => entry.map(cellOfValue));
    return fitted(['Key', 'Value'], entries);
  }
  if (list.length === 0) throw new ToolError('The list is empty: there is nothing to make a table of.');
  if (list.every((item): item is unknown[] => Array.isArray(item))) {
    const [first = []] = list;
    const isHeader = list.length > 1 && first.every((item) => typeof item === 'string');
    const rows = (isHeader ? list.slice(1) : list).map((items) => items.map(cellOfValue));
    const width = isHeader ? first.length : widest(list);
    return fitted(columnNames(isHeader ? first.map(String) : [], width), rows);
  }
  const objects = list.map((item) =>
    isContainer(item) && !Array.isArray(item) ? (item as Record<string, unknown>) : null,
  );
  const names = [...new Set(objects.flatMap((item) => Object.keys(item ?? {})))];
  const values = list.map((item) => [cellOfValue(item)]);
  if (names.length === 0) return fitted(['Value'], values);
  if (names.length * list.length > MAX_CELLS) throw new ToolError('That table has too many cells.');
  const rows = objects.map((item) =>
    names.map((name) => cellOfValue(item && Object.hasOwn(item, name) ? item[name] : null)),
  );
  return fitted(names, rows);
}

/** The list to show: the value itself, or the only list of objects that an object holds. */
function listIn(value: unknown): unknown[] | null {
  if (Array.isArray(value)) return value as unknown[];
  const held: unknown[] = isContainer(value) ? Object.values(value) : [];
  const [only, ...others] = held.filter((item) => Array.isArray(item) && isContainer(item[0])) as unknown[][];
  return only !== undefined && others.length === 0 ? only : null;
}
