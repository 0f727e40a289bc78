import { terminalColumns, isForPeople, localTime, say, styled, withoutControls } from './terminal.ts';
import { fit, padTo, widthOf } from './text-width.ts';

/** A column of a list. */
export interface ListColumn<Row> {
  heading: string;
  /** For programs: the whole value. */
  value: (row: Row) => string;
  /** For people, if different. */
  shown?: (row: Row) => string;
  /** It gets the room that the others leave, and is cut to it. Only one column of a list may do this. */
  isFlexible?: boolean;
}

/** A column of times: in ISO for programs, as people here read them otherwise. */
export const timeColumn = <Row>(
  heading: string,
  timeOf: (row: Row) => string | null,
  absent = '',
): ListColumn<Row> => ({
  heading,
  value: (row) => timeOf(row) ?? '',
  shown(row) {
    const time = timeOf(row);
    return time === null ? absent : localTime(time);
  },
});

const GAP = 2;
const LEAST_FLEXIBLE = 10;

/** Prints rows: in columns that fit the terminal, or for programs as lines with tabs, whole and without a heading. */
export function sayTable<Row>(rows: readonly Row[], columns: readonly ListColumn<Row>[]): void {
  const clean = (text: string): string => withoutControls(text).replace(/[\n\t]+/g, ' ');
  if (!isForPeople()) {
    for (const row of rows) say(columns.map(({ value }) => clean(value(row))).join('\t'));
    return;
  }
  const cells = rows.map((row) => columns.map(({ value, shown = value }) => clean(shown(row))));
  const widths = columns.map(({ heading }, index) =>
    Math.max(widthOf(heading), ...cells.map((row) => widthOf(row[index] ?? ''))),
  );
  const flexible = columns.findIndex(({ isFlexible }) => isFlexible);
  if (flexible !== -1) {
    const others = widths.reduce((sum, width, index) => sum + (index === flexible ? 0 : width + GAP), 0);
    widths[flexible] = Math.max(LEAST_FLEXIBLE, Math.min(widths[flexible] ?? 0, terminalColumns() - others));
  }
  const formatRow = (row: readonly string[]): string =>
    row
      .map((cell, index) => padTo(fit(cell, widths[index] ?? 0), widths[index] ?? 0))
      .join(' '.repeat(GAP))
      .trimEnd();
  say(styled('dim', formatRow(columns.map(({ heading }) => heading))));
  for (const row of cells) say(formatRow(row));
}
