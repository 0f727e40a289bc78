import { Type, type Static } from 'typebox';
import { columnAt, filledCells } from './data-convert.ts';
import { exactSum, hasDecimalComma, numberIn, rounded } from './data-numbers.ts';
import { readTable } from './data-table.ts';
import { defineTool } from './tool.ts';

/** Digits after the point of an average. */
const AVERAGE_DECIMALS = 10;

const ColumnStatistics = Type.Object({
  name: Type.String(),
  filled: Type.Integer({ description: 'Cells that are not empty.' }),
  numbers: Type.Integer({ description: 'Cells that hold a number; the rest is left out of the figures.' }),
  sum: Type.Optional(Type.Number({ description: 'This and the figures below only when there are numbers.' })),
  average: Type.Optional(Type.Number()),
  median: Type.Optional(Type.Number()),
  minimum: Type.Optional(Type.Number()),
  maximum: Type.Optional(Type.Number()),
});

type ColumnFigures = Static<typeof ColumnStatistics>;

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
  output: Type.Object({
    rows: Type.Integer({ description: 'Without the header.' }),
    columns: Type.Array(ColumnStatistics),
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
export function figuresOf(
  cells: string[],
  decimalComma = hasDecimalComma(cells),
): Pick<ColumnFigures, 'filled' | 'numbers'> & Partial<ColumnFigures> {
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
