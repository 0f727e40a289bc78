import { Type, type Static } from 'typebox';
import { columnAt, filledCells, sortedBy } from './data-convert.ts';
import { hasDecimalComma, numberIn } from './data-numbers.ts';
import { figuresOf } from './data-statistics.ts';
import { readTable, type Cell, type Table } from './data-table.ts';
import { collator } from './text-units.ts';
import { defineTool, ToolError } from './tool.ts';

/** A cell, or a value it is compared with; `text` is in small letters, `number` null if it is none. */
interface Comparable {
  text: string;
  number: number | null;
}

const isEqual = (cell: Comparable, wanted: Comparable): boolean =>
  cell.text === wanted.text || (wanted.number !== null && cell.number === wanted.number);

const TESTS = {
  equals: isEqual,
  /** None of the values equals the cell. */
  not: isEqual,
  contains: (cell: Comparable, { text }: Comparable) => cell.text.includes(text),
  starts: (cell: Comparable, { text }: Comparable) => cell.text.startsWith(text),
  ends: (cell: Comparable, { text }: Comparable) => cell.text.endsWith(text),
  above: (cell: Comparable, wanted: Comparable) => orderOf(cell, wanted) > 0,
  below: (cell: Comparable, wanted: Comparable) => orderOf(cell, wanted) < 0,
  at_least: (cell: Comparable, wanted: Comparable) => orderOf(cell, wanted) >= 0,
  at_most: (cell: Comparable, wanted: Comparable) => orderOf(cell, wanted) <= 0,
};
/** How a cell may be compared with values. */
export type CellTest = keyof typeof TESTS;

/** What may be worked out of many rows. */
const ROW_FIGURES = ['count', 'sum', 'average', 'median', 'minimum', 'maximum'] as const;
export type RowFigure = (typeof ROW_FIGURES)[number];

/** Most rows of an answer; the rest is counted. */
const MAX_ROWS = 100;

const Condition = Type.Object({
  column: Type.String({ description: 'Its name, or number from 1.' }),
  is: Type.Enum(Object.keys(TESTS) as CellTest[]),
  values: Type.Array(Type.String(), {
    minItems: 1,
    description: 'Any of these; with `not`, none. Case is ignored.',
  }),
});
/** What must hold for a row. */
export type RowCondition = Static<typeof Condition>;

/** The answer to a question about rows. */
interface RowsFound {
  /** Only if one was asked for, and not per group. */
  figure?: number;
  columns: string[];
  rows: string[][];
  /** Rows, or groups, in all. */
  found: number;
  /** Rows for which the conditions hold. */
  fitting: number;
  /** Rows of the table. */
  all: number;
  /** Cells left out of a figure, since they hold no number. */
  notNumbers: number;
}

/** Answers questions about the rows of a table. */
export const queryTableTool = defineTool({
  name: 'query_table',
  description:
    'Picks rows of a table (CSV, TSV, Markdown or a JSON list of objects), sorts, counts, adds up or averages them, also per group.',
  input: Type.Object({
    text: Type.String({ description: 'The table.' }),
    where: Type.Optional(Type.Array(Condition, { description: 'All must hold.' })),
    figure: Type.Optional(Type.Enum([...ROW_FIGURES])),
    of: Type.Optional(Type.String({ description: 'The column of the figure; `count` needs none.' })),
    groupBy: Type.Optional(Type.String({ description: 'Column: a figure for each of its values.' })),
    sortBy: Type.Optional(
      Type.Array(Type.Object({ column: Type.String(), descending: Type.Optional(Type.Boolean()) }), {
        description: 'Only without a figure.',
      }),
    ),
    skip: Type.Optional(Type.Integer({ minimum: 0, description: 'Rows left out first.' })),
    first: Type.Optional(Type.Integer({ minimum: 1, description: 'Most rows.' })),
    columns: Type.Optional(Type.Array(Type.String(), { description: 'Only these columns.' })),
  }),
  run(input): RowsFound {
    const table = readTable(input.text);
    const tests = (input.where ?? []).map((condition) => testOf(table, condition));
    const fitting = table.rows.filter((row) => tests.every((test) => test(row)));
    const counts = { fitting: fitting.length, all: table.rows.length };
    const cut = <Row>(rows: Row[]): Row[] =>
      rows.slice(input.skip ?? 0, (input.skip ?? 0) + Math.min(input.first ?? MAX_ROWS, MAX_ROWS));
    if (input.figure === undefined) {
      const sorted = sortedBy(table, fitting, input.sortBy ?? []);
      const shown = (input.columns ?? table.columns).map((column) => columnAt(table.columns, column));
      return {
        columns: shown.map((column) => table.columns[column] ?? ''),
        rows: cut(sorted).map((row) => shown.map((column) => textAt(row, column))),
        found: sorted.length,
        ...counts,
        notNumbers: 0,
      };
    }
    const { figure, of } = input;
    const column = of === undefined ? null : columnAt(table.columns, of);
    if (column === null && figure !== 'count')
      throw new ToolError('I need the name of a column to work that out.');
    if (input.groupBy === undefined) {
      const { value, notNumbers } = figureOf(table, fitting, figure, column);
      if (value === null) throw new ToolError(`There is no number to take the ${figure} of.`);
      return { figure: value, columns: [], rows: [], found: 0, ...counts, notNumbers };
    }
    const by = columnAt(table.columns, input.groupBy);
    const groups = Map.groupBy(fitting, (row) => textAt(row, by));
    let left = 0;
    const rows = [...groups]
      .sort(([one], [other]) => collator.compare(one, other))
      .map(([name, members]) => {
        const { value, notNumbers } = figureOf(table, members, figure, column);
        left += notNumbers;
        return [name, value === null ? '' : String(value)];
      });
    const name = column === null ? figure : `${figure} of ${table.columns[column] ?? ''}`;
    return {
      columns: [table.columns[by] ?? '', name],
      rows: cut(rows),
      found: rows.length,
      ...counts,
      notNumbers: left,
    };
  },
});

const textAt = (row: Cell[], column: number): string => row[column]?.text.trim() ?? '';

function testOf(table: Table, { column: asked, is, values }: RowCondition): (row: Cell[]) => boolean {
  const column = columnAt(table.columns, asked);
  const decimalComma = hasDecimalComma(filledCells(table, column));
  const comparable = (text: string): Comparable => ({
    text: text.trim().toLowerCase(),
    number: numberIn(text, decimalComma),
  });
  const wanted = values.map(comparable);
  return (row) => {
    const cell = comparable(textAt(row, column));
    return wanted.some((value) => TESTS[is](cell, value)) !== (is === 'not');
  };
}

/** Dates that are written year first compare as text, all else by number; NaN: they can't be compared. */
function orderOf(cell: Comparable, wanted: Comparable): number {
  const areDates = [cell, wanted].every(({ text }) => /^\d{4}-\d{2}/.test(text));
  return areDates ? cell.text.localeCompare(wanted.text) : (cell.number ?? NaN) - (wanted.number ?? NaN);
}

/** A figure of some rows; null: there is no number among them. */
function figureOf(
  table: Table,
  rows: Cell[][],
  figure: RowFigure,
  column: number | null,
): { value: number | null; notNumbers: number } {
  if (figure === 'count' || column === null) return { value: rows.length, notNumbers: 0 };
  const figures = figuresOf(
    filledCells({ ...table, rows }, column),
    hasDecimalComma(filledCells(table, column)),
  );
  return {
    value: figures[figure] ?? (figure === 'sum' ? 0 : null),
    notNumbers: figures.filled - figures.numbers,
  };
}
