import { Type, type Static } from 'typebox';
import { columnAt, filledCells, sortedBy } from './data-convert.ts';
import { hasDecimalComma, numberIn } from './data-numbers.ts';
import { figuresOf } from './data-statistics.ts';
import { readTable, type Cell, type Table } from './data-table.ts';
import { collator } from './text-units.ts';
import { defineTool, ToolError } from './tool.ts';

/** How a cell may be held against values. */
export const TESTS = [
  'equals',
  'not',
  'contains',
  'starts',
  'ends',
  'above',
  'below',
  'at_least',
  'at_most',
] as const;
export type CellTest = (typeof TESTS)[number];

/** What may be worked out of many rows. */
export const ROW_FIGURES = ['count', 'sum', 'average', 'median', 'minimum', 'maximum'] as const;
export type RowFigure = (typeof ROW_FIGURES)[number];

/** Rows that are told; the rest is counted. */
const MAX_ROWS = 100;

const Condition = Type.Object({
  column: Type.String({ description: 'Its name, or number from 1.' }),
  is: Type.Enum([...TESTS]),
  values: Type.Array(Type.String(), {
    minItems: 1,
    description: 'Any of these; with `not`, none. Case is ignored.',
  }),
});
/** What a row must fulfil. */
export type RowCondition = Static<typeof Condition>;

/** What a question about rows comes to. */
interface RowsFound {
  /** When one was asked for, and not per group. */
  figure?: number;
  columns: string[];
  rows: string[][];
  /** Rows, or groups, before the first few were taken. */
  found: number;
  /** Rows that fulfil the conditions. */
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

/** Reads the numbers of a column as they are written in it. */
function numbersIn(table: Table, column: number): (text: string) => number | null {
  const decimalComma = hasDecimalComma(filledCells(table, column));
  return (text) => numberIn(text, decimalComma);
}

function testOf(table: Table, { column: asked, is, values }: RowCondition): (row: Cell[]) => boolean {
  const column = columnAt(table.columns, asked);
  const number = numbersIn(table, column);
  const wanted = values.map((value) => ({ text: value.trim().toLowerCase(), number: number(value) }));
  const isEqual = (text: string): boolean =>
    wanted.some(
      (one) => one.text === text.toLowerCase() || (one.number !== null && one.number === number(text)),
    );
  switch (is) {
    case 'equals':
      return (row) => isEqual(textAt(row, column));
    case 'not':
      return (row) => !isEqual(textAt(row, column));
    case 'contains':
      return (row) => wanted.some(({ text }) => textAt(row, column).toLowerCase().includes(text));
    case 'starts':
      return (row) => wanted.some(({ text }) => textAt(row, column).toLowerCase().startsWith(text));
    case 'ends':
      return (row) => wanted.some(({ text }) => textAt(row, column).toLowerCase().endsWith(text));
    default:
      return (row) => wanted.some((one) => isBeyond(is, textAt(row, column), one, number));
  }
}

type Beyond = Exclude<CellTest, 'equals' | 'not' | 'contains' | 'starts' | 'ends'>;

/** By number; dates that are written year first compare as text. Empty cells are neither above nor below. */
function isBeyond(
  test: Beyond,
  cell: string,
  wanted: { text: string; number: number | null },
  number: (text: string) => number | null,
): boolean {
  if (cell === '') return false;
  const own = number(cell);
  const isDate = /^\d{4}-\d{2}(?:-\d{2})?/.test(wanted.text) && /^\d{4}-\d{2}/.test(cell);
  const order = isDate
    ? Math.sign(cell.localeCompare(wanted.text))
    : own === null || wanted.number === null
      ? null
      : Math.sign(own - wanted.number);
  if (order === null) return false;
  return test === 'above'
    ? order > 0
    : test === 'below'
      ? order < 0
      : test === 'at_least'
        ? order >= 0
        : order <= 0;
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
