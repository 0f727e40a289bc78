import { Type, type Static } from 'typebox';
import { choice } from '../../shared/api/common.ts';
import { certain, columnAt, columnsOf, valueIn, type DataColumn } from './data-columns.ts';
import { comparison, rowsOf, type NumberedRow, type Sheet } from './data-convert.ts';
import { rounded } from './data-numbers.ts';
import { readTable, withoutTotals, type Cell } from './data-table.ts';
import { DAY_ORDERS } from './data-times.ts';
import { Decimal as Exact } from './maths/numbers.ts';
import { collator } from './text-units.ts';
import { defineTool, ToolError } from './tool.ts';

/** A cell, or a value it is compared with; `text` is in small letters, `key` what it is worth in its column, if anything. */
type Comparable = { text: string; key: Exact | null };

const isEqual = (cell: Comparable, wanted: Comparable): boolean =>
  cell.text === wanted.text || (wanted.key !== null && cell.key?.eq(wanted.key) === true);
/** NaN: they can't be compared. */
const orderOf = (cell: Comparable, wanted: Comparable): number =>
  cell.key && wanted.key ? cell.key.cmp(wanted.key) : NaN;

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
export const ROW_FIGURES = ['count', 'unique', 'sum', 'average', 'median', 'minimum', 'maximum'] as const;
export type RowFigure = (typeof ROW_FIGURES)[number];

/** Most rows of an answer; the rest is counted. */
const MAX_ROWS = 100;

const Condition = Type.Object({
  column: Type.String({ description: 'Its name, or number from 1.' }),
  is: choice(Object.keys(TESTS) as CellTest[]),
  values: Type.Array(Type.String(), {
    minItems: 1,
    description: 'Any of these; with `not`, none. Case is ignored.',
  }),
});
/** What must hold for a row. */
export type RowCondition = Static<typeof Condition>;

/** A question about rows. */
const Query = Type.Object({
  text: Type.String({ description: 'The table.' }),
  where: Type.Optional(Type.Array(Condition, { description: 'All must hold.' })),
  sortBy: Type.Optional(
    Type.Array(Type.Object({ column: Type.String(), descending: Type.Optional(Type.Boolean()) }), {
      description: 'Only without a figure.',
    }),
  ),
  skip: Type.Optional(Type.Integer({ minimum: 0, description: 'Rows left out first.' })),
  first: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Most rows; of sorted ones also those that tie with the last.' }),
  ),
  figure: Type.Optional(choice([...ROW_FIGURES])),
  of: Type.Optional(Type.String({ description: 'The column of the figure; `count` needs none.' })),
  groupBy: Type.Optional(Type.String({ description: 'Column: a figure for each of its values.' })),
  columns: Type.Optional(Type.Array(Type.String(), { description: 'Only these columns.' })),
  dates: Type.Optional(choice([...DAY_ORDERS], 'In dates such as 03/04/2026.')),
  decimal: Type.Optional(choice(['.', ','], 'The sign before decimals.')),
});
/** The input of {@link queryTableTool}. */
export type TableQuery = Static<typeof Query>;

/** The answer to a question about rows. */
interface RowsFound {
  /** Only if one was asked for, and not per group. */
  figure?: number;
  /** The figure with its unit. */
  shown?: string;
  columns: string[];
  rows: string[][];
  /** Rows, or groups, in all. */
  found: number;
  /** Rows for which the conditions hold. */
  fitting: number;
  /** Rows of the table. */
  all: number;
  /** Rows more than `first`, since they tie with the last. */
  tied: number;
  /** Cells left out of a figure, since they hold no number. */
  notNumbers: number;
  /** Names of rows left out because they add up others. */
  totals: string[];
}

/** Answers questions about the rows of a table. */
export const queryTableTool = defineTool({
  name: 'query_table',
  description:
    'Picks rows of a table (CSV, TSV, Markdown or a JSON list of objects), sorts, counts, adds up or averages them, also per group. ' +
    'Reads dates, times, durations, units and currencies; rows called Total are left out.',
  input: Query,
  run: (input) => queryRows(input, MAX_ROWS),
});

/** Answers a question about rows with at most so many of them. Throws ToolError. */
export function queryRows(input: TableQuery, maxRows: number): RowsFound {
  const table = withoutTotals(readTable(input.text));
  const { columns, totals } = table;
  const { dates, decimal, where = [], figure } = input;
  const columnOf = columnsOf(table, { ...(dates && { dates }), ...(decimal && { decimal }) }, (at) =>
    where.flatMap(({ column, values }) => (columnAt(columns, column) === at ? values : [])),
  );
  const sheet = { columns, columnOf };
  const all = { all: table.rows.length, totals };
  if (figure === undefined) {
    const { rows, found, fitting, tied } = selectRows(sheet, rowsOf(table), input);
    const shown = (input.columns ?? columns).map((column) => columnAt(columns, column));
    return {
      columns: shown.map((at) => columns[at] ?? ''),
      rows: rows.slice(0, maxRows).map(({ cells }) => shown.map((at) => textAt(cells, at))),
      ...{ found, fitting, tied, ...all, notNumbers: 0 },
    };
  }
  const { rows: fitting } = selectRows(sheet, rowsOf(table), { where });
  const at = input.of === undefined ? null : columnAt(columns, input.of);
  if (at === null && figure !== 'count') throw new ToolError('I need the name of a column to work that out.');
  const column = at === null ? null : columnOf(at);
  const counts = { ...all, fitting: fitting.length, tied: 0 };
  if (input.groupBy === undefined) {
    const { value, shown, notNumbers } = figureOf(fitting, figure, at, column);
    if (value === null)
      throw new ToolError(`There is no number in “${input.of ?? ''}” to take the ${figure} of.`);
    return { figure: value.toNumber(), shown, columns: [], rows: [], found: 0, ...counts, notNumbers };
  }
  const by = columnAt(columns, input.groupBy);
  const groups = [...Map.groupBy(fitting, ({ cells }) => textAt(cells, by))];
  const isOrdered = columnOf(by).kind !== 'text' && columnOf(by).problem === null;
  const order = isOrdered ? comparison(sheet, [{ column: columns[by] ?? '' }]) : null;
  const figures = groups
    .sort(([one, [a]], [other, [b]]) => (order && a && b && order(a, b)) || collator.compare(one, other))
    .map(([name, members]) => ({ name, ...figureOf(members, figure, at, column) }));
  const heading = at === null ? figure : `${figure} of ${columns[at] ?? ''}`;
  return {
    columns: [columns[by] ?? '', heading],
    rows: figures
      .slice(0, maxRows)
      .map(({ name, value, shown }) => [
        name,
        value === null ? '' : column?.kind === 'number' && /^[-\d.,]+$/.test(shown) ? value.toFixed() : shown,
      ]),
    found: figures.length,
    ...counts,
    notNumbers: figures.reduce((sum, { notNumbers }) => sum + notNumbers, 0),
  };
}

/** The rows of some that are selected; `found` counts those without `skip` and `first`. Where the last of the first ties with others, those are among them. */
function selectRows(
  sheet: Sheet,
  rows: NumberedRow[],
  { where = [], sortBy = [], ...part }: Omit<TableQuery, 'text'>,
) {
  const { skip = 0, first = Infinity } = part;
  const tests = where.map((condition) => testOf(sheet, condition));
  const fitting = rows.filter((row) => tests.every((test) => test(row)));
  const compare = comparison(sheet, sortBy);
  const sorted = fitting.toSorted(compare);
  const isTie = (at: number): boolean => {
    const [one, other] = [sorted[at - 1], sorted[at]];
    return sortBy.length > 0 && one !== undefined && other !== undefined && compare(one, other) === 0;
  };
  if (skip > 0 && isTie(skip))
    throw new ToolError('Several rows share that rank. Do you mean the next row, or the next value?');
  let end = skip + first;
  while (isTie(end)) end += 1;
  const counts = { found: sorted.length, fitting: fitting.length };
  return { rows: sorted.slice(skip, end), ...counts, tied: first === Infinity ? 0 : end - skip - first };
}

const textAt = (cells: Cell[], column: number): string => cells[column]?.text.trim() ?? '';

/** Tests that compare by size, which text has none of. */
const BY_SIZE: ReadonlySet<CellTest> = new Set(['above', 'below', 'at_least', 'at_most']);

function testOf({ columns, columnOf }: Sheet, { column: asked, is, values }: RowCondition) {
  const at = columnAt(columns, asked);
  const isText = is === 'contains' || is === 'starts' || is === 'ends';
  const column = isText || columnOf(at).kind === 'text' ? null : certain(columnOf(at));
  const wanted = values.map((value) => {
    const key = column && valueIn(column, value);
    if (key === null && BY_SIZE.has(is)) throw new ToolError(`I can’t compare “${asked}” with “${value}”.`);
    return { text: value.trim().toLowerCase(), key };
  });
  return ({ cells, at: row }: NumberedRow): boolean => {
    const cell = { text: textAt(cells, at).toLowerCase(), key: column?.keys[row] ?? null };
    return wanted.some((value) => TESTS[is](cell, value)) !== (is === 'not');
  };
}

type Figure = { value: Exact | null; shown: string; notNumbers: number };

/** A figure of some rows, and how it is shown; null: there is no number among them. */
function figureOf(
  rows: NumberedRow[],
  figure: RowFigure,
  at: number | null,
  column: DataColumn | null,
): Figure {
  const whole = (value: number): Figure => ({
    ...{ value: new Exact(value), shown: value.toLocaleString('en'), notNumbers: 0 },
  });
  if (figure === 'count' || at === null || column === null) return whole(rows.length);
  const filled = rows.filter(({ cells }) => textAt(cells, at) !== '');
  const keyed = filled.map((row) => ({ text: textAt(row.cells, at), key: column.keys[row.at] ?? null }));
  if (figure === 'unique')
    return whole(new Set(keyed.map(({ text, key }) => key?.toFixed() ?? text.toLowerCase())).size);
  const { show, kind } = certain(column);
  const numbers = keyed.map(({ key }) => key).filter((key) => key !== null);
  const notNumbers = filled.length - numbers.length;
  const isEnd = figure === 'minimum' || figure === 'maximum';
  if (numbers.length > 0 && show === null && !isEnd)
    throw new ToolError(
      `“${keyed[0]?.text ?? ''}” is a ${kind === 'clock' ? 'time of day' : kind}, which has no ${figure}.`,
    );
  const value =
    figuresOf(numbers)[figure] ?? (figure === 'sum' && column.kind === 'number' ? new Exact(0) : null);
  const own =
    isEnd && kind !== 'number' ? keyed.find(({ key }) => value !== null && key?.eq(value))?.text : undefined;
  return { value, shown: own ?? (value === null ? '' : (show?.(value) ?? '')), notNumbers };
}

/** The figures of numbers; none where there is no number. */
function figuresOf(numbers: Exact[]): Partial<Record<RowFigure, Exact>> {
  const ordered = numbers.toSorted((a, b) => a.cmp(b));
  const [minimum] = ordered;
  if (minimum === undefined) return {};
  const upper = ordered[Math.floor(ordered.length / 2)] ?? minimum;
  const lower = ordered[Math.ceil(ordered.length / 2) - 1] ?? upper;
  const sum = numbers.reduce((one, other) => one.plus(other));
  return {
    sum,
    average: rounded(sum.div(numbers.length)),
    median: rounded(lower.plus(upper).div(2)),
    minimum,
    maximum: ordered.at(-1) ?? minimum,
  };
}
