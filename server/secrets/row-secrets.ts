/**
 * Rows of the store that each have a secret under their id. The two can't be written at once, so the row says which
 * parts of the secret belong to it. It is written last when values are added, first when they are removed: a crash in
 * between leaves a row without some of its values, but never with another's, and never sends values to a server they
 * weren't given for. Secrets without a row are removed at the next start.
 */
import { AppError } from '../errors.ts';
import type { SecretValues } from './mask.ts';
import type { Secrets } from './secrets.ts';

/** A change of a row and its secret. */
export interface RowChange<Row extends { id: string }> {
  before: Row;
  /**
   * The row for the time when the old values must not be used any more and the new ones aren't written yet; null: not
   * needed.
   */
  between: Row | null;
  after: Row;
  /** What is kept afterwards; null: nothing. */
  text: string | null;
  /** Stores a row. */
  write: (row: Row) => Promise<void>;
}

/** Creates the secrets of one kind of rows. The caller must make changes one after the other. */
export function createRowSecrets({
  secrets,
  prefix,
  staysWords,
}: {
  secrets: Pick<Secrets, 'read' | 'write' | 'remove' | 'names'>;
  /** What the names of these secrets begin with, e.g. `mcp:`. */
  prefix: string;
  /** The log line for a secret without a row that could not be removed from disk. */
  staysWords: string;
}) {
  const nameOf = (id: string): string => `${prefix}${id}`;

  /** Removes the secret of a row that is gone. Rejects with AppError `storage_unavailable`. */
  async function remove(id: string): Promise<void> {
    try {
      await secrets.remove(nameOf(id));
    } catch (error) {
      throw new AppError('storage_unavailable', staysWords, { cause: error });
    }
  }

  return {
    remove,
    /** Writes a secret, if there is one, and the row after it. Rejects as either does, and leaves neither then. */
    async create(id: string, text: string | null, writeRow: () => Promise<void>): Promise<void> {
      if (text !== null) await secrets.write(nameOf(id), text);
      try {
        await writeRow();
      } catch (error) {
        if (text !== null) await secrets.remove(nameOf(id)).catch(() => false);
        throw error;
      }
    },
    /** Rejects as the parts do; the row is as before when its new values could not be kept. */
    async change<Row extends { id: string }>({
      before,
      between,
      after,
      text,
      write,
    }: RowChange<Row>): Promise<void> {
      if (between !== null) await write(between);
      if (text === null) await remove(before.id);
      else {
        try {
          await secrets.write(nameOf(before.id), text);
        } catch (error) {
          if (between !== null) await write(before);
          throw error;
        }
      }
      await write(after);
    },
    /**
     * Removes secrets without a row. `keepOf` says what happens to a row's secret: it is removed (null), stays (`all`),
     * or becomes the result of the function.
     */
    async sweep(keepOf: (id: string) => null | 'all' | ((text: string) => string)): Promise<void> {
      const names = await secrets.names();
      for (const name of names.filter((one) => one.startsWith(prefix))) {
        const keep = keepOf(name.slice(prefix.length));
        if (keep === 'all') continue;
        if (keep === null) {
          await secrets.remove(name);
          continue;
        }
        const reading = await secrets.read(name);
        if (reading.state !== 'present') continue;
        const text = keep(reading.text);
        if (text !== reading.text) await secrets.write(name, text);
      }
    },
  };
}

/** The values of these names; `locked` when one of them is lost. */
export function valuesOf(
  kept: SecretValues,
  names: readonly string[],
): { state: 'present'; values: SecretValues } | { state: 'locked'; reason: string } {
  const missing = names.find((name) => !Object.hasOwn(kept, name));
  if (missing !== undefined) {
    return { state: 'locked', reason: `The value of ${missing} is no longer there; enter it again.` };
  }
  return { state: 'present', values: Object.fromEntries(names.map((name) => [name, kept[name] ?? ''])) };
}

/**
 * A row with the secret that belongs to it, even if the row changes while that is read. `whatIsReached` returns what
 * must not have changed. Null: there is no such row.
 */
export async function readTogether<Row, Kept>(
  find: () => Row | null,
  read: (row: Row) => Promise<Kept>,
  whatIsReached: (row: Row) => unknown,
): Promise<{ row: Row; kept: Kept } | null> {
  for (;;) {
    const row = find();
    if (row === null) return null;
    const kept = await read(row);
    const now = find();
    if (now !== null && JSON.stringify(whatIsReached(now)) === JSON.stringify(whatIsReached(row)))
      return { row, kept };
  }
}
