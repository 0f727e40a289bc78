import { Type } from 'typebox';
import { columnAt, columnsOf, type Column } from './data-columns.ts';
import { exactSum, rounded } from './data-numbers.ts';
import { readTable, withoutTotals } from './data-table.ts';
import { defineTool } from './tool.ts';

/** Digits after the point of an average. */
const AVERAGE_DECIMALS = 10;

/** What there is to tell of a column; what it sums up to only where there are numbers. */
interface ColumnFigures {
  /** Cells that are not empty. */
  filled: number;
  /** Cells that hold a number; the rest is left out of the figures. */
  numbers: number;
  /** Why there are no figures, though there are numbers. */
  problem?: string;
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
    const table = withoutTotals(readTable(text));
    const columnOf = columnsOf(table);
    const wanted = column === undefined ? [...table.columns.keys()] : [columnAt(table.columns, column)];
    return {
      rows: table.rows.length,
      columns: wanted.map((at) => ({ name: table.columns[at] ?? '', ...columnFigures(columnOf(at)) })),
    };
  },
});

function columnFigures(column: Column): ColumnFigures {
  const { filled, problem, keys, kind } = column;
  const numbers = kind === 'number' ? keys.filter((key) => key !== null) : [];
  if (numbers.length > 0 && problem !== null) return { filled, numbers: 0, problem };
  return { filled, numbers: numbers.length, ...figuresOf(numbers) };
}

/** The figures of numbers; none where there is no number. */
export function figuresOf(
  numbers: number[],
): Partial<Record<'sum' | 'average' | 'median' | 'minimum' | 'maximum', number>> {
  if (numbers.length === 0) return {};
  const ordered = numbers.toSorted((a, b) => a - b);
  const upper = ordered[Math.floor(ordered.length / 2)] ?? 0;
  const lower = ordered[Math.ceil(ordered.length / 2) - 1] ?? upper;
  const sum = exactSum(numbers);
  return {
    sum,
    average: rounded(sum / numbers.length, AVERAGE_DECIMALS),
    median: rounded((lower + upper) / 2, AVERAGE_DECIMALS),
    minimum: ordered[0] ?? 0,
    maximum: ordered.at(-1) ?? 0,
  };
}
