/**
 * Rows of the store with values that are secret: the key and headers of a connection, the environment or headers of a
 * tool server. The values of a row are one secret under its id. The two can't be written at once, so the row lists the
 * names whose values belong to it. It is written last when values are added, first when they are removed: a crash in
 * between leaves a row without some of its values, but never with another's, and never sends values to a server they
 * weren't given for. Secrets without a row are removed at the next start.
 */
import { AppError, invalidField } from '../errors.ts';
import { namesHeader, type GivenHeaders } from './header-values.ts';
import type { SecretValues } from './mask.ts';
import type { Secrets } from './secrets.ts';

/** The name of a connection's key among its values. No header has an empty name. */
export const KEY = '';

/** The values of a row. `locked`: they can't be read at the moment; the reason says why. */
export type ValuesReading = { state: 'present'; values: SecretValues } | { state: 'locked'; reason: string };

/** One kind of rows with secrets. */
export interface SecretKind<Row extends { id: string }> {
  /** What the names of these secrets begin with, e.g. `mcp:`; the id follows. */
  prefix: string;
  /** The names whose values belong to the row. */
  namesOf: (row: Row) => readonly string[];
  /** The row with the values of these names instead. */
  withNames: <R extends Row>(row: R, names: readonly string[]) => R;
  /** Where the values are sent: if it changes, they must be read again. */
  addressOf: (row: Row) => unknown;
  /** Whether a name is the same in either case, as those of headers are. */
  ignoresCase: (row: Row) => boolean;
  parse: (text: string) => SecretValues;
  format: (values: SecretValues) => string;
}

/** The values of a row; nothing is read for one that has none. A lost key is left out, other lost values lock the rest. */
export async function readValues<Row extends { id: string }>(
  { prefix, namesOf, parse }: SecretKind<Row>,
  secrets: Pick<Secrets, 'read'>,
  row: Row,
): Promise<ValuesReading> {
  const names = namesOf(row);
  if (names.length === 0) return { state: 'present', values: {} };
  const reading = await secrets.read(prefix + row.id);
  if (reading.state === 'locked') return reading;
  const kept = reading.state === 'present' ? parse(reading.text) : {};
  const isKept = (name: string): boolean => Object.hasOwn(kept, name);
  const lost = names.find((name) => name !== KEY && !isKept(name));
  if (lost !== undefined) {
    return { state: 'locked', reason: `The value of ${lost} is no longer there; enter it again.` };
  }
  return {
    state: 'present',
    values: Object.fromEntries(names.filter(isKept).map((name) => [name, kept[name] ?? ''])),
  };
}

/**
 * A row with the values that belong to it. It may move while they are read, and they must never go to an address that
 * they weren't given for. Null: there is no such row.
 */
export async function openRow<Row extends { id: string }, R extends Row>(
  kind: SecretKind<Row>,
  secrets: Pick<Secrets, 'read'>,
  find: () => R | null,
): Promise<{ row: R; kept: ValuesReading } | null> {
  const what = (row: R): string => JSON.stringify([row.id, kind.addressOf(row), kind.namesOf(row)]);
  for (;;) {
    const row = find();
    if (row === null) return null;
    const kept = await readValues(kind, secrets, row);
    const now = find();
    if (now !== null && what(now) === what(row)) return { row, kept };
  }
}

/** The row with only those of its values that a request doesn't name. */
export function withoutGiven<Row extends { id: string }, R extends Row>(
  { namesOf, withNames, ignoresCase }: SecretKind<Row>,
  row: R,
  given: GivenHeaders,
): R {
  const isGiven = (name: string): boolean =>
    ignoresCase(row) ? namesHeader(Object.keys(given), name) : Object.hasOwn(given, name);
  return withNames(
    row,
    namesOf(row).filter((name) => !isGiven(name)),
  );
}

/** The values that a request sets. */
export const valuesSetBy = (given: GivenHeaders): SecretValues =>
  Object.fromEntries(Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== null));

/**
 * The values of a row after a change; null: nothing changes about them. A row that moves to another server takes none
 * along. Rejects with AppError `invalid_request` if the request doesn't mention all of them then, and with `conflict` if
 * those that stay are locked.
 */
export async function valuesAfter<Row extends { id: string }>(
  kind: SecretKind<Row>,
  secrets: Pick<Secrets, 'read'>,
  before: Row,
  given: GivenHeaders,
  hasMoved: boolean,
): Promise<SecretValues | null> {
  if (hasMoved) {
    const kept = await readValues(kind, secrets, before);
    const names = kept.state === 'locked' ? kind.namesOf(before) : Object.keys(kept.values);
    const missing = names.find((name) => !namesHeader(Object.keys(given), name));
    if (missing === undefined) return valuesSetBy(given);
    if (missing === KEY) throw invalidField('apiKey', KEY_IS_FOR_ANOTHER);
    throw invalidField(
      'headers',
      `"headers" must include "${missing}" again, or null: the address is on another server.`,
    );
  }
  if (Object.keys(given).length === 0) return null;
  const kept = await readValues(kind, secrets, withoutGiven(kind, before, given));
  if (kept.state === 'locked') throw new AppError('conflict', `${CANNOT_BE_READ} ${kept.reason}`);
  return { ...kept.values, ...valuesSetBy(given) };
}

const KEY_IS_FOR_ANOTHER =
  '"apiKey" must be given when the address is that of another server: the key to use there, or null.';
const CANNOT_BE_READ = 'The stored values can’t be read.';
