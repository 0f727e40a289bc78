import Papa from 'papaparse';
import { Type } from 'typebox';
import { choice } from '../../shared/api/common.ts';
import { certain, columnAt, columnsOf, readColumn, type DataColumn } from './data-columns.ts';
import type { TableQuery } from './data-query.ts';
import { readTable, withoutTotals, type Cell, type Table } from './data-table.ts';
import { markdownTable } from './text-markdown.ts';
import { collator } from './text-units.ts';
import { defineTool, ToolError } from './tool.ts';

/** The forms a table can be given. */
const TABLE_FORMATS = ['markdown', 'csv', 'tsv', 'json'] as const;
type TableFormat = (typeof TABLE_FORMATS)[number];

/** Rows of a Markdown table, which is for reading; the other forms are whole. */
export const MAX_MARKDOWN_ROWS = 100;

/** Longest text a table may become, in UTF-16 units. */
const MAX_TEXT_LENGTH = 1_000_000;

/** Turns a table from one form into another, sorted by a column on request. */
export const convertTableTool = defineTool({
  name: 'convert_table',
  description:
    'Turns a table (CSV, TSV, a Markdown table, or JSON such as a list of objects) into a Markdown table, CSV, TSV or JSON, and ' +
    `sorts its rows by a column on request. A Markdown table shows ${MAX_MARKDOWN_ROWS} rows at most.`,
  input: Type.Object({
    text: Type.String({ description: 'The table.' }),
    to: choice([...TABLE_FORMATS]),
    sortBy: Type.Optional(
      Type.String({ description: 'Name of the column to sort by, or its number from 1.' }),
    ),
    descending: Type.Optional(Type.Boolean({ description: 'Largest or last first. Default false.' })),
  }),
  run({ text, to, sortBy, descending = false }) {
    const table = readTable(text);
    const rows = sortBy === undefined ? table.rows : sortedBy(table, { column: sortBy, descending });
    const shown = to === 'markdown' ? rows.slice(0, MAX_MARKDOWN_ROWS) : rows;
    return {
      text: written(table.columns, shown, to),
      rows: rows.length,
      shownRows: shown.length,
      columns: table.columns,
      unevenRows: table.unevenRows,
    };
  },
});

/** How rows are sorted: by the name of a column, or its number from 1; the smallest first by default. */
type RowOrder = NonNullable<TableQuery['sortBy']>[number];
type Comparison = (one: NumberedRow, other: NumberedRow) => number;
/** The columns of a table, and what each holds. */
export type Sheet = { columns: string[]; columnOf: (at: number) => DataColumn };

/** A row with its position in the table. */
export type NumberedRow = { cells: Cell[]; at: number };

/** The rows of a table, each with its position. */
export const rowsOf = ({ rows }: Pick<Table, 'rows'>): NumberedRow[] =>
  rows.map((cells, at) => ({ cells, at }));

/** How two rows stand to each other; the first order counts most. Throws ToolError for a column that isn't there, or that leaves open what it says. */
export function comparison({ columns, columnOf }: Sheet, orders: readonly RowOrder[]): Comparison {
  const comparisons = orders.map(({ column: asked, descending = false }) => {
    const at = columnAt(columns, asked);
    const { kind, keys } = certain(columnOf(at));
    const sign = descending ? -1 : 1;
    return (one: NumberedRow, other: NumberedRow): number => {
      const [a, b] = [one, other].map(({ cells, at: row }) => {
        const text = cells[at]?.text.trim() ?? '';
        const key = keys[row] ?? null;
        return { text, key, isEmpty: kind === 'text' ? text === '' : key === null };
      });
      if (a === undefined || b === undefined) return 0;
      // Empty cells come last either way: they are neither large nor small.
      if (a.isEmpty || b.isEmpty) return Number(a.isEmpty) - Number(b.isEmpty);
      return sign * (a.key !== null && b.key !== null ? a.key.cmp(b.key) : collator.compare(a.text, b.text));
    };
  });
  return (one, other) => comparisons.reduce((order, compare) => order || compare(one, other), 0);
}

/** The table's rows in order of a column; those that add others up, at the end. */
function sortedBy(table: Table, order: RowOrder): Cell[][] {
  const body = withoutTotals(table);
  const sheet = { columns: table.columns, columnOf: columnsOf(body) };
  const sorted = rowsOf(body).toSorted(comparison(sheet, [order]));
  return [...new Set([...sorted.map(({ cells }) => cells), ...table.rows])];
}

function written(columns: string[], rows: Cell[][], to: TableFormat): string {
  if (to === 'json') return writtenAsJson(columns, rows);
  const texts = rows.map((row) => row.map(({ text }) => text));
  if (to === 'markdown') {
    const numeric = columns.map(
      (_, at) => readColumn(rows.map((row) => row[at]?.text ?? '')).kind === 'number',
    );
    return markdownTable(columns, texts, numeric);
  }
  return Papa.unparse([columns, ...texts], { delimiter: to === 'tsv' ? '\t' : ',', newline: '\n' });
}

function writtenAsJson(columns: string[], rows: Cell[][]): string {
  const keys = columns.map((column) => JSON.stringify(column));
  const keysLength = keys.reduce((total, key) => total + key.length + 8, 0);
  if (keysLength * rows.length > MAX_TEXT_LENGTH)
    throw new ToolError('As JSON, that table would be too long.');
  const objects = rows.map((row) => {
    const entries = row.map(({ json }, index) => `    ${keys[index] ?? '""'}: ${json}`);
    return `  {\n${entries.join(',\n')}\n  }`;
  });
  return objects.length === 0 ? '[]' : `[\n${objects.join(',\n')}\n]`;
}
