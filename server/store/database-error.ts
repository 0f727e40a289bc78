/** What sql.js throws, told apart: a refusal leaves the database as it was; anything else may have broken it. */

/** SQLite refused a statement; the database is as it was before it. */
export class SqlError extends Error {
  override name = 'SqlError';
}

/** The database in memory can't be trusted any more (a trap, no memory, a damaged file); it has to be loaded from disk again. */
export class DatabaseLostError extends Error {
  override name = 'DatabaseLostError';
}

/** Messages of SQLite errors after which the database in memory can't be trusted. */
const LOST =
  /^(out of memory|database disk image is malformed|disk I\/O error|database or disk is full|file is not a database|malformed database schema)/;

/** SQLite's own refusals are plain Errors. A RuntimeError, RangeError or TypeError came from inside the instance. */
export const isRefusal = (error: unknown): error is Error =>
  error instanceof Error && Object.getPrototypeOf(error) === Error.prototype;

/** What sql.js threw, as one of the two errors above. */
export function translateError(error: unknown): SqlError | DatabaseLostError {
  if (error instanceof SqlError || error instanceof DatabaseLostError) return error;
  if (typeof error === 'string') return new SqlError(error);
  if (isRefusal(error) && !LOST.test(error.message)) return new SqlError(error.message, { cause: error });
  return new DatabaseLostError('The database in memory was lost.', { cause: error });
}
