import { writtenText } from './copy-written.ts';

/** A cell for CSV: quoted if it contains a delimiter. */
const asCell = (text: string): string => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A table as CSV (RFC 4180, with a line feed at the end of each line but the last). */
export const tableAsCsv = (table: HTMLTableElement): string =>
  [...table.rows]
    .map((row) => [...row.cells].map((cell) => asCell(writtenText(cell).text)).join(','))
    .join('\n');
