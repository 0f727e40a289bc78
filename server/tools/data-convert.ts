import Papa from 'papaparse';
import { Type } from 'typebox';
import { hasDecimalComma, numberIn } from './data-numbers.ts';
import { findColumn } from './data-columns.ts';
import { readTable, type Cell, type Table } from './data-table.ts';
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
    to: Type.Enum([...TABLE_FORMATS]),
    sortBy: Type.Optional(
      Type.String({ description: 'Name of the column to sort by, or its number from 1.' }),
    ),
    descending: Type.Optional(Type.Boolean({ description: 'Largest or last first. Default false.' })),
  }),
  run({ text, to, sortBy, descending = false }) {
    const table = readTable(text);
    const rows =
      sortBy === undefined ? table.rows : sortedBy(table, table.rows, [{ column: sortBy, descending }]);
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

/** The position of the column `asked` for. Throws ToolError that lists the columns when there is none. */
export function columnAt(columns: string[], asked: string): number {
  const found = findColumn(columns, asked);
  if (found === null) {
    const names = columns.slice(0, 20).join(', ');
    throw new ToolError(
      `There is no column “${asked.slice(0, 60)}”. The columns are: ${names.slice(0, 500)}.`,
    );
  }
  return found;
}

/** What a column says in each row; empty cells are left out. */
export function filledCells(table: Table, column: number): string[] {
  return table.rows.map((row) => row[column]?.text ?? '').filter((text) => text.trim() !== '');
}

/** How rows are put in order: by which column, the smallest first unless told otherwise. */
export interface RowOrder {
  /** Its name, or its number from 1. */
  column: string;
  descending?: boolean;
}

/** Rows of a table in order; the first column counts most, and one of numbers goes by value. Throws ToolError for a column that isn't there. */
export function sortedBy(table: Table, rows: Cell[][], orders: readonly RowOrder[]): Cell[][] {
  const comparisons = orders.map(({ column: asked, descending = false }) => {
    const column = columnAt(table.columns, asked);
    const decimalComma = hasDecimalComma(filledCells(table, column));
    const filled = filledCells({ ...table, rows }, column);
    const numeric = filled.length > 0 && filled.every((text) => numberIn(text, decimalComma) !== null);
    const keyOf = (row: Cell[]): { text: string; number: number } => {
      const text = row[column]?.text.trim() ?? '';
      return { text, number: numeric ? (numberIn(text, decimalComma) ?? 0) : 0 };
    };
    const keys = new Map(rows.map((row) => [row, keyOf(row)]));
    const sign = descending ? -1 : 1;
    return (one: Cell[], other: Cell[]): number => {
      const [a, b] = [keys.get(one) ?? keyOf(one), keys.get(other) ?? keyOf(other)];
      // Empty cells come last either way: they are neither large nor small.
      if (a.text === '' || b.text === '') return Number(a.text === '') - Number(b.text === '');
      return sign * (numeric ? a.number - b.number : collator.compare(a.text, b.text));
    };
  });
  return rows.toSorted((one, other) => {
    for (const compare of comparisons) {
      const order = compare(one, other);
      if (order !== 0) return order;
    }
    return 0;
  });
}

function written(columns: string[], rows: Cell[][], to: TableFormat): string {
  if (to === 'json') return writtenAsJson(columns, rows);
  const texts = rows.map((row) => row.map(({ text }) => text));
  if (to === 'markdown') {
    const numeric = columns.map((_, index) => rows.length > 0 && rows.every((row) => isNumeric(row[index])));
    return markdownTable(columns, texts, numeric);
  }
  return Papa.unparse([columns, ...texts], { delimiter: to === 'tsv' ? '\t' : ',', newline: '\n' });
}

function isNumeric(cell: Cell | undefined): boolean {
  return cell !== undefined && (cell.text === '' || numberIn(cell.text, false) !== null);
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
