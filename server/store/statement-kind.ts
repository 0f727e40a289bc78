/** What a statement does, judged by its text. `forbidden`: it may not be run at all. */
export type StatementKind = 'read' | 'write' | 'forbidden';

const READS = /^\s*(?:(?:select|values|explain|with)\b|pragma\s+\w+\s*$)/i;
const WRITES_AFTER_WITH = /\b(?:insert\s+(?:or|into)|replace\s+into|update\s+\w+\s+set|delete\s+from)\b/i;
/** Transactions are the store's; the rest would reach out of the one database. */
const FORBIDDEN = /^\s*(?:begin|commit|end|rollback|savepoint|release|attach|detach|vacuum)\b/i;
/** Would come out differently when replayed. */
const NOT_REPLAYABLE = /\brandom(?:blob)?\s*\(|'now'|\bcurrent_(?:time|date|timestamp)\b/i;

/** What a statement does. */
export function kindOf(sql: string): StatementKind {
  const writes = !READS.test(sql) || (/^\s*with\b/i.test(sql) && WRITES_AFTER_WITH.test(sql));
  if (FORBIDDEN.test(sql) || (writes && NOT_REPLAYABLE.test(sql))) return 'forbidden';
  return writes ? 'write' : 'read';
}

const COUNTS_ROWS = /^\s*(?:insert|update|delete|replace)\b/i;

/** Whether SQLite says how many rows it changed. */
export const countsRows = (sql: string): boolean => COUNTS_ROWS.test(sql);
