import type { Tokens } from 'marked';
import { inlineText } from './markdown-inline.ts';
import { styled } from './terminal.ts';
import { widthOf, wrap } from './text-width.ts';

const SEPARATOR = ' │ ';
const LEAST_COLUMN = 4;

/** A table whose cells wrap if it would be wider than that. */
export function tableLines({ header, rows, align }: Tokens.Table, columns: number): string[] {
  const cells = [header, ...rows].map((row, index) =>
    row.map(({ tokens }) => inlineText(tokens, index === 0 ? ['bold'] : [])),
  );
  const natural = header.map((_cell, column) =>
    Math.max(LEAST_COLUMN, ...cells.map((row) => widthOf(row[column] ?? ''))),
  );
  const widths = narrowed(natural, columns - SEPARATOR.length * (header.length - 1));
  const [head = [], ...body] = cells.map((row) => rowLines(row, widths, align));
  const rule = widths.map((width) => '─'.repeat(width)).join('─┼─');
  return [...head, styled('dim', rule), ...body.flat()];
}

/** Takes from the widest columns until they fit, or can't get narrower. */
function narrowed(natural: readonly number[], room: number): number[] {
  const widths = [...natural];
  for (let excess = widths.reduce((sum, width) => sum + width, 0) - room; excess > 0; excess -= 1) {
    const widest = widths.indexOf(Math.max(...widths));
    if ((widths[widest] ?? 0) <= LEAST_COLUMN) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

function rowLines(row: readonly string[], widths: readonly number[], align: Tokens.Table['align']): string[] {
  const wrapped = widths.map((width, column) => wrap(row[column] ?? '', width));
  const height = Math.max(...wrapped.map(({ length }) => length));
  return Array.from({ length: height }, (_row, line) =>
    widths
      .map((width, column) => {
        const text = wrapped[column]?.[line] ?? '';
        const room = ' '.repeat(Math.max(0, width - widthOf(text)));
        return align[column] === 'right' ? room + text : text + room;
      })
      .join(styled('dim', SEPARATOR))
      .trimEnd(),
  );
}
