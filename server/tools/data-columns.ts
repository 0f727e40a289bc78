/**
 * What the columns of a table hold. A column is read once, as a whole, before anything sorts, compares or adds: what one cell leaves
 * open ("03/04/2026", "1.234") its other cells decide, else other columns. Where nothing does, `problem` asks.
 */
import { isUnit, readNumber, showAmount, worth } from './data-numbers.ts';
import type { Cell } from './data-table.ts';
import { Decimal as Exact } from './maths/numbers.ts';
import { DAY_ORDERS, readDay } from './data-times.ts';
import { numberWays, TEXT, waysFor, type CellReading, type Way } from './data-ways.ts';
import { ToolError } from './tool.ts';

/** What a column holds. */
export interface DataColumn extends Way {
  /** What each cell is worth, in their order; null: it is empty or can't be read. */
  keys: (Exact | null)[];
  /** Cells that aren't empty. */
  filled: number;
  /** What has to be known before anything is done with the column; null: nothing. */
  problem: string | null;
}

const MISSING = /^(?:[-–—?]+|n\.?\/?a\.?|null|none|tbd|tba)?$/i;

/** How many of the cells a way can read. */
const readBy = (way: Way, cells: readonly string[]): number =>
  cells.reduce((count, cell) => count + Number(way.read(cell) !== null), 0);

/** What decides how a column is read, besides its cells. */
interface Clues {
  name?: string;
  /** Values that the request compares its cells with. */
  values?: readonly string[];
  reading?: CellReading;
  /** The table comes from where decimals have a comma: then "1,250" is open, too. */
  hasCommas?: boolean | undefined;
}

/** Cells at the start of a column by which kinds are ruled out that none of them is of. */
const SAMPLE = 50;
const HAS_YEAR = /\d{4}|\d([-/.])\d{1,2}\1\d\d|\p{L}-'?\d\d\b/u;

/** Reads a column. */
export function readColumn(cells: readonly string[], clues: Clues = {}): DataColumn {
  const filled = cells.filter((cell) => cell.trim() !== '');
  const present = filled.filter((cell) => !MISSING.test(cell.trim()));
  const numbers = numberWays(present);
  const most = (ways: readonly Way[], of: readonly string[] = present): number =>
    Math.max(...ways.map((way) => readBy(way, of)));
  const [best = []] = [...waysFor(clues.name ?? '', present), numbers.ways]
    .filter((ways) => most(ways, present.slice(0, SAMPLE)) > 0)
    .toSorted((one, other) => most(other) - most(one));
  const [{ kind } = TEXT] = best;
  const isWhole = most(best) === present.length;
  // A word among numbers or dates is left out; one among times or months makes them text. Amounts in several units are none.
  const areAmounts = present.every((cell) => isUnit(readNumber(cell)?.unit ?? ''));
  const isRead =
    isWhole || areAmounts || ((kind === 'number' || kind === 'date') && most(best) * 2 >= present.length);
  const fitting =
    isRead && present.length > 0 ? best.filter((way) => readBy(way, present) === most(best)) : [TEXT];
  const decided = decide(fitting, best.length > fitting.length, present, clues);
  const isNumbers = kind === 'number' && isRead;
  const isOdd = (cell: string): boolean => /\d/.test(cell) && decided.way.read(cell) === null;
  const odd = isRead && !isWhole ? present.find(isOdd) : undefined;
  const problem =
    kind === 'date' && new Set(present.map((cell) => HAS_YEAR.test(cell))).size > 1 && isWhole
      ? 'Some of these dates have a year and some have none. Which year is meant?'
      : isNumbers && !isWhole && present.every((cell) => readNumber(cell) !== null)
        ? 'The numbers are written in two styles, so I can’t tell what they are worth. Which sign stands before their decimals?'
        : null;
  return {
    ...decided.way,
    keys: cells.map((cell) => (MISSING.test(cell.trim()) ? null : decided.way.read(cell))),
    filled: filled.length,
    problem:
      (isNumbers ? numbers.problem : null) ??
      problem ??
      (odd === undefined
        ? decided.problem
        : `I can’t read “${odd}” like the rest of its column. What is it?`),
  };
}

const ZERO = new Exact(0);
const isSame = (one: Exact | null, other: Exact | null): boolean =>
  one === null || other === null ? one === other : one.eq(other);

type Decision = { way: Way; problem: string | null };

/** The one of several ways that is meant. */
function decide(fitting: Way[], isDecided: boolean, cells: readonly string[], clues: Clues): Decision {
  const { values = [], reading = {}, hasCommas = false } = clues;
  const [first = TEXT, other] = fitting;
  const open = other && cells.find((cell) => !isSame(first.read(cell), other.read(cell)));
  if (other === undefined || open === undefined)
    return { way: isDecided ? first : { ...first, reading: {} }, problem: null };
  const named = fitting.find((way) =>
    way.kind === 'date' ? way.reading.dates === reading.dates : way.reading.decimal === reading.decimal,
  );
  const readable = fitting.filter((way) => readBy(way, values) === values.length);
  const [only = named] = readable.length === 1 ? readable : [];
  if (only !== undefined) return { way: only, problem: null };
  if (first.kind === 'clock') {
    const isScaled = cells.every((cell) => isSame(first.read(cell), other.read(cell)?.times(60) ?? ZERO));
    const problem = isScaled ? null : `Is “${open}” hours and minutes, or minutes and seconds?`;
    return { way: first, problem };
  }
  const twoDates = `“${open}” can be read as two dates. Which comes first in this table, the day or the month?`;
  if (first.kind === 'date') return { way: first, problem: twoDates };
  // In English, "1,250" is more than a thousand.
  const isEnglish = !hasCommas && !cells.some((cell) => /\d\.\d{3}|\d,\d{3} ?€/.test(cell));
  const problem = `“${open}” can be read as ${showAmount(first.read(open) ?? ZERO, '')} or as ${showAmount(other.read(open) ?? ZERO, '')}. Which sign stands before the decimals, the point or the comma?`;
  return { way: first, problem: isEnglish ? null : problem };
}

/** A column that leaves nothing open; else throws ToolError with what has to be known. */
export function certain(column: DataColumn): DataColumn {
  if (column.problem !== null) throw new ToolError(column.problem);
  return column;
}

/** What a value in a request is worth in a column; null: it isn't of its kind. Throws ToolError where it may be two things. */
export function valueIn(column: DataColumn, value: string): Exact | null {
  if (column.kind === 'number') {
    const number = readNumber(value);
    const own = column.read(value);
    if (number === null) return null;
    if (own === null && number.unit !== '' && column.read(value.replace(/[^\d.,]/g, '')) !== null)
      throw new ToolError(`${value} isn’t in the unit of that column.`);
    const [point, comma] = [worth(number, '.'), worth(number, ',')];
    const isOpen = column.reading.decimal === ',' && point !== null && comma !== null && !point.eq(comma);
    if (isOpen) throw new ToolError(`Is “${value}” ${showAmount(point, '')} or ${showAmount(comma, '')}?`);
    return own ?? point ?? comma;
  }
  if (column.kind === 'date' && column.reading.dates === undefined) {
    const [day = null, month = null] = DAY_ORDERS.map((order) => readDay(value, order));
    if (day !== null && month !== null && day !== month)
      throw new ToolError(`Which comes first in “${value}”, the day or the month?`);
    const seconds = day ?? month;
    return seconds === null ? null : new Exact(seconds);
  }
  return column.read(value);
}

/** The columns of a table by their position, each read when it is first asked for. */
export function columnsOf(
  { columns, rows, hasCommas }: { columns: string[]; rows: Cell[][]; hasCommas?: boolean },
  given: CellReading = {},
  values: (at: number) => readonly string[] = () => [],
): (at: number) => DataColumn {
  const read = new Map<number, DataColumn>();
  const cellsOf = (at: number): string[] => rows.map((row) => row[at]?.text ?? '');
  const clues = (at: number, reading: CellReading): Clues => ({
    name: columns[at] ?? '',
    values: values(at),
    reading,
    hasCommas,
  });
  return (at) => {
    let column = read.get(at) ?? readColumn(cellsOf(at), clues(at, given));
    if (column.problem !== null && !read.has(at)) {
      // People write all of a table in one style.
      const found: CellReading = {};
      for (const other of columns.keys())
        if (other !== at) Object.assign(found, readColumn(cellsOf(other), clues(other, given)).reading);
      column = readColumn(cellsOf(at), clues(at, { ...found, ...given }));
    }
    read.set(at, column);
    return column;
  };
}

/**
 * The position of the column meant by `asked`: its name, without regard to case, or a looser likeness ("price" for
 * "Unit price" when only one fits), or its number from 1. Null when there is none.
 */
export function findColumn(columns: string[], asked: string): number | null {
  const exact = columns.indexOf(asked);
  if (exact !== -1) return exact;
  const wanted = normalised(asked);
  if (wanted === '') return null;
  const names = columns.map(normalised);
  const tests: ((name: string) => boolean)[] = [
    (name) => name === wanted,
    (name) => singular(name) === singular(wanted),
    (name) => ` ${name} `.includes(` ${singular(wanted)} `) || ` ${name} `.includes(` ${wanted} `),
  ];
  const test = tests.find((each) => names.filter(each).length === 1);
  if (test !== undefined) return names.findIndex(test);
  const position = /^\d{1,6}$/.test(wanted) ? Number(wanted) - 1 : -1;
  return columns[position] === undefined ? null : position;
}

/** The position of the column `asked` for. Throws ToolError that lists the columns when there is none. */
export function columnAt(columns: string[], asked: string): number {
  const found = findColumn(columns, asked);
  const names = columns.slice(0, 20).join(', ').slice(0, 500);
  if (found === null)
    throw new ToolError(`There is no column “${asked.slice(0, 60)}”. The columns are: ${names}.`);
  return found;
}

const normalised = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const singular = (name: string): string => (name.length > 3 && name.endsWith('s') ? name.slice(0, -1) : name);
