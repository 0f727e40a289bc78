/**
 * An entity of the store as one table of columns: its rows' type, its statements, and how values are stored in SQL all
 * follow from it. Statements are built once, when a module is loaded; reading a row changes only the columns that need
 * it.
 */
import type { Reader, RowLimit, SqlValue, Writer } from './types.ts';

/** One column. In SQL it has the field's name in snake case. */
export interface Column<T, Written = T> {
  /** Turns the SQL value into the field's value; absent: they are the same. */
  readonly read?: (stored: SqlValue) => T;
  /** Turns the field's value into the SQL value; absent: they are the same. */
  readonly write?: (value: Written) => SqlValue;
  /** The value for new rows that don't name it; absent: new rows have to name it. */
  readonly initial?: T;
}

/** A column of any type. */
export type AnyColumn = Column<unknown, never>;

/** A column that new rows need not name. */
export type Initialised<T> = Column<T> & { readonly initial: T };

export type Columns = Readonly<Record<string, AnyColumn>>;

/** The value that a column holds. */
type Value<C> = C extends { readonly read?: (stored: SqlValue) => infer T } ? T : never;

/** A row of such columns. */
export type RowOf<C extends Columns> = { -readonly [K in keyof C]: Value<C[K]> };

type InitialisedName<C extends Columns> = {
  [K in keyof C]: C[K] extends { readonly initial: unknown } ? K : never;
}[keyof C];

/** A row to store; what it doesn't name is as the columns say. */
export type NewRow<C extends Columns> = Omit<RowOf<C>, InitialisedName<C>> &
  Partial<Pick<RowOf<C>, InitialisedName<C>>>;

/** A text, a number or null, kept as it is. */
export function plain<T extends SqlValue>(): Column<T>;
export function plain<T extends SqlValue>(initial: T): Initialised<T>;
export function plain<T extends SqlValue>(initial?: T): Column<T> {
  return initial === undefined ? {} : { initial };
}

/** A text. */
export const text: { (): Column<string>; (initial: string): Initialised<string> } = plain<string>;

/** A yes or no, kept as 1 or 0. */
export function flag(): Column<boolean>;
export function flag(initial: boolean): Initialised<boolean>;
export function flag(initial?: boolean): Column<boolean> {
  const column: Column<boolean> = { read: (stored) => stored === 1, write: (value) => (value ? 1 : 0) };
  return initial === undefined ? column : { ...column, initial };
}

/** Anything structured, kept as JSON text; null stays null. */
export function json<T>(): Column<T>;
export function json<T>(initial: T): Initialised<T>;
export function json<T>(initial?: T): Column<T> {
  const column: Column<T> = {
    read: (stored) => (stored === null ? null : JSON.parse(stored as string)) as T,
    write: (value) => (value === null ? null : JSON.stringify(value)),
  };
  return initial === undefined ? column : { ...column, initial };
}

/* oxlint-disable typescript/no-unnecessary-type-parameters -- the caller knows what its SQL takes and yields */
/** The first value of a statement's first row; null: there is none. */
export const readValue = <T extends SqlValue>(
  reader: Reader,
  sql: string,
  params?: readonly SqlValue[],
): T | null => Object.values(reader.get<Record<string, T>>(sql, params) ?? {})[0] ?? null;

/**
 * Defines an entity stored in the SQL table `table`. Its statements take the part after the table's name, such as
 * `WHERE id = ?`, and return functions.
 */
export function defineTable<const C extends Columns>(table: string, columns: C) {
  type Name = keyof C & string;
  type Values = Readonly<Record<string, unknown>>;
  const all = Object.keys(columns) as Name[];
  const column = (name: Name): AnyColumn => columns[name] as AnyColumn;
  const valueOf = (row: Values, name: Name): unknown =>
    row[name] === undefined ? column(name).initial : row[name];
  /** Converts those fields to their SQL values. */
  const writerOf = (names: readonly Name[]) => {
    const writes = names.map((name) => ({ name, write: column(name).write }));
    return (row: Values): SqlValue[] =>
      writes.map(({ name, write }) => {
        const value = valueOf(row, name);
        return write === undefined ? (value as SqlValue) : write(value as never);
      });
  };

  /** The same rows with only some of the columns. */
  function only<K extends Name>(...names: K[]) {
    type Some = Pick<RowOf<C>, K>;
    const selected = names.map((name) => (sqlName(name) === name ? name : `${sqlName(name)} AS ${name}`));
    const select = `SELECT ${selected.join(', ')} FROM ${table}`;
    const reads = names.flatMap((name) => {
      const { read } = column(name);
      return read === undefined ? [] : [{ name, read }];
    });
    const toRow = (row: Record<string, SqlValue>): Some => {
      // Nobody else has seen the row yet.
      const values: Record<string, unknown> = row;
      for (const { name, read } of reads) values[name] = read(row[name] ?? null);
      return values as Some;
    };
    return readers(select, toRow);
  }

  function readers<R>(select: string, toRow: (row: Record<string, SqlValue>) => R) {
    return {
      /** The same rows, each as this function gives it. */
      as: <T>(change: (row: R) => T) => readers(select, (row) => change(toRow(row))),
      /** Finds the first row; null: there is none. */
      first<P extends SqlValue[] = []>(rest: string) {
        const sql = `${select} ${rest}`;
        return (reader: Reader, ...params: P): R | null => {
          const row = reader.get<Record<string, SqlValue>>(sql, params);
          return row && toRow(row);
        };
      },
      /** All rows, in the statement's order. */
      list<P extends SqlValue[] = []>(rest: string) {
        const piece = this.piece<P>(rest);
        return (reader: Reader, ...params: P): R[] => piece(reader, undefined, ...params);
      },
      /** The first rows, in the statement's order. */
      piece<P extends SqlValue[] = []>(rest: string) {
        const sql = `${select} ${rest}`;
        return (reader: Reader, most: RowLimit | undefined, ...params: P): R[] =>
          reader.all<Record<string, SqlValue>>(sql, params, most).map(toRow);
      },
    };
  }

  const into = `INTO ${table} (${all.map(sqlName).join(', ')}) VALUES (${all.map(() => '?').join(', ')})`;
  const writeAll = writerOf(all);
  const store = (verb: string) => {
    const sql = `${verb} ${into}`;
    return (writer: Writer, row: NewRow<C>): void => {
      writer.run(sql, writeAll(row));
    };
  };
  return {
    ...only(...all),
    only,
    /** The values of one column, in the statement's order. */
    values<P extends SqlValue[], K extends Name = 'id' & Name>(rest: string, name: K = 'id' as K) {
      const list = only(name).list<P>(rest);
      return (reader: Reader, ...params: P): RowOf<C>[K][] => list(reader, ...params).map((row) => row[name]);
    },
    /** The value of one column in the first row; null: there is none. */
    value<P extends SqlValue[], K extends Name = 'id' & Name>(rest: string, name: K = 'id' as K) {
      const first = only(name).first<P>(rest);
      return (reader: Reader, ...params: P): RowOf<C>[K] | null => first(reader, ...params)?.[name] ?? null;
    },
    columns,
    /** Its columns' names, in order. */
    names: all as readonly Name[],
    /** How many rows there are; all without a `rest`. */
    count<P extends SqlValue[] = []>(rest = '') {
      const sql = `SELECT count(*) AS total FROM ${table} ${rest}`;
      return (reader: Reader, ...params: P): number => readValue<number>(reader, sql, params) ?? 0;
    },
    /** Whether there is such a row. */
    has<P extends SqlValue[]>(rest: string) {
      const sql = `SELECT 1 FROM ${table} ${rest}`;
      return (reader: Reader, ...params: P): boolean => reader.get(sql, params) !== null;
    },
    /** Removes rows; returns whether there were any. */
    delete<P extends SqlValue[]>(rest: string) {
      const sql = `DELETE FROM ${table} ${rest}`;
      return (writer: Writer, ...params: P): boolean => writer.run(sql, params) > 0;
    },
    /** The row with initial values for columns it doesn't name. */
    complete: (row: NewRow<C>) =>
      Object.fromEntries(all.map((name) => [name, valueOf(row, name)])) as RowOf<C>,
    /** Stores a new row. */
    insert: store('INSERT'),
    /** Stores a row, replacing rows with the same unique key. */
    replace: store('INSERT OR REPLACE'),
    /** Changes some columns; returns how many rows that changed. */
    update<K extends Name>(names: readonly K[], rest: string) {
      const sql = `UPDATE ${table} SET ${names.map((name) => `${sqlName(name)} = ?`).join(', ')} ${rest}`;
      const write = writerOf(names);
      return (writer: Writer, values: Readonly<Pick<RowOf<C>, K>>, ...params: SqlValue[]): number =>
        writer.run(sql, [...write(values), ...params]);
    },
  };
}

const sqlName = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
