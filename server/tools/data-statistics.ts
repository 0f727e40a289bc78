import { Type } from 'typebox';
import { columnAt, filledCells } from './data-convert.ts';
import { exactSum, hasDecimalComma, numberIn, rounded } from './data-numbers.ts';
import { readTable } from './data-table.ts';
import { defineTool } from './tool.ts';

/** Digits after the point of an average. */
const AVERAGE_DECIMALS = 10;

/** What there is to tell of a column; what it sums up to only where there are numbers. */
interface ColumnFigures {
  /** Cells that are not empty. */
  filled: number;
  /** Cells that hold a number; the rest is left out of the figures. */
  numbers: number;
  sum?: number;
  average?: number;
  median?: number;
  minimum?: number;
  maximum?: number;
}

/** Counts the rows of a table and adds up its columns. */
export const tableStatisticsTool = defineTool({
  name: 'table_statistics',
  description:
    'Counts the rows of a table (CSV, TSV, a Markdown table or a JSON list of objects) and gives sum, average, median, minimum and ' +
    'maximum of a column, or of every column.',
  input: Type.Object({
    text: Type.String({ description: 'The table.' }),
    column: Type.Optional(
      Type.String({ description: 'Name of a column, or its number from 1. Default: all columns.' }),
    ),
  }),
  run({ text, column }) {
    const table = readTable(text);
    const wanted = column === undefined ? [...table.columns.keys()] : [columnAt(table.columns, column)];
    return {
      rows: table.rows.length,
      columns: wanted.map((index) => ({
        name: table.columns[index] ?? '',
        ...figuresOf(filledCells(table, index)),
      })),
    };
  },
});

/** The figures of cells that are not empty; only counts where there is no number among them. */
export function figuresOf(cells: string[], decimalComma = hasDecimalComma(cells)): ColumnFigures {
  const numbers = cells.map((cell) => numberIn(cell, decimalComma)).filter((number) => number !== null);
  const counts = { filled: cells.length, numbers: numbers.length };
  if (numbers.length === 0) return counts;
  const ordered = numbers.toSorted((a, b) => a - b);
  const upper = ordered[Math.floor(ordered.length / 2)] ?? 0;
  const lower = ordered[Math.ceil(ordered.length / 2) - 1] ?? upper;
  const sum = exactSum(numbers);
  const figures = {
    sum,
    average: rounded(sum / numbers.length, AVERAGE_DECIMALS),
    median: rounded((lower + upper) / 2, AVERAGE_DECIMALS),
    minimum: ordered[0] ?? 0,
    maximum: ordered.at(-1) ?? 0,
  };
  return { ...counts, ...figures };
}
