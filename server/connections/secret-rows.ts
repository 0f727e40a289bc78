/** Creates, changes and removes rows with their secrets (secrets/row-secrets.ts): connections and tool servers. */
import { AppError } from '../errors.ts';
import { createSequence } from '../lib/sequence.ts';
import type { SecretValues } from '../secrets/mask.ts';
import type { SecretKind } from '../secrets/row-secrets.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { Reader, Store, Writer } from '../store/types.ts';

/** What changes of rows with secrets work with. */
export interface SecretRowDeps {
  store: Store;
  secrets: Pick<Secrets, 'read' | 'write' | 'remove' | 'names'>;
  clock: () => Date;
  newId: () => string;
}

/** How the rows of one kind are stored. */
export interface RowStorage<Row> {
  /** The most there can be, and what they are called. */
  max: number;
  title: string;
  count: (reader: Reader) => number;
  find: (reader: Reader, id: string) => Row | null;
  create: (writer: Writer, row: Row) => void;
  update: (writer: Writer, row: Row) => void;
  remove: (writer: Writer, row: Row) => void;
}

/** A change of a row and its values. */
export interface RowChange<Row> {
  before: Row;
  after: Row;
  /** All values afterwards; null: nothing changes about them. */
  values: SecretValues | null;
  /** The old values must not go to the new address, nor the new ones to the old. */
  hasMoved: boolean;
}

const STAYS_ON_DISK =
  'These values are no longer used, but they could not be deleted from the disk; the next start does that.';

/** Changes rows of one kind, one after the other. */
export function createSecretRows<Row extends { id: string }>(
  { prefix, namesOf, withNames, format }: SecretKind<Row>,
  storage: RowStorage<Row>,
  { store, secrets }: Pick<SecretRowDeps, 'store' | 'secrets'>,
) {
  const sequence = createSequence();
  const find = (id: string): Row | null => store.read((reader) => storage.find(reader, id));
  const write = (row: Row): Promise<void> => store.write((writer) => storage.update(writer, row));

  function requireBelowMax(reader: Reader): void {
    const { max, title } = storage;
    if (storage.count(reader) < max) return;
    const words = `There are ${max} ${title} already, which is the most there can be; remove one first.`;
    throw new AppError('conflict', words);
  }

  async function removeSecret(id: string): Promise<void> {
    try {
      await secrets.remove(prefix + id);
    } catch (error) {
      throw new AppError('storage_unavailable', STAYS_ON_DISK, { cause: error });
    }
  }

  async function create(id: string, values: SecretValues, toRow: (reader: Reader) => Row): Promise<void> {
    store.read(requireBelowMax);
    const hasValues = Object.keys(values).length > 0;
    if (hasValues) await secrets.write(prefix + id, format(values));
    try {
      await store.write((writer) => {
        requireBelowMax(writer);
        storage.create(writer, withNames(toRow(writer), Object.keys(values)));
      });
    } catch (error) {
      if (hasValues) await secrets.remove(prefix + id).catch(() => false);
      throw error;
    }
  }

  async function change({ before, after, values, hasMoved }: RowChange<Row>): Promise<void> {
    const had = namesOf(before);
    const has = namesOf(after);
    if (values !== null && had.length + has.length > 0) {
      // What the row may use until the secret is written.
      const names = hasMoved ? [] : has.filter((name) => had.includes(name));
      const isLess = names.length < had.length;
      if (isLess) await write(withNames(after, names));
      if (has.length === 0) await removeSecret(before.id);
      else {
        try {
          await secrets.write(prefix + before.id, format(values));
        } catch (error) {
          if (isLess) await write(before);
          throw error;
        }
      }
    }
    await write(after);
  }

  return {
    /** Writes the secret, if there are values, and the row after it. Rejects with AppError `conflict` when there are too many. */
    create: (id: string, values: SecretValues, toRow: (reader: Reader) => Row): Promise<void> =>
      sequence.run(() => create(id, values, toRow)),
    /** Makes the change that `apply` returns; false: no such row. The row stays as before when its new values could not be kept. */
    update: (id: string, apply: (before: Row) => Promise<RowChange<Row>>): Promise<boolean> =>
      sequence.run(async () => {
        const before = find(id);
        if (before !== null) await change(await apply(before));
        return before !== null;
      }),
    /** Resolves with what was removed, secrets and all; null: there is none. */
    remove: (id: string): Promise<Row | null> =>
      sequence.run(async () => {
        const row = find(id);
        if (row === null) return null;
        await store.write((writer) => storage.remove(writer, row));
        if (namesOf(row).length > 0) await removeSecret(id);
        return withNames(row, []);
      }),
    /** Removes secrets that an earlier process left without a row that has values. */
    sweepSecrets: (): Promise<void> =>
      sequence.run(async () => {
        for (const name of await secrets.names()) {
          if (!name.startsWith(prefix)) continue;
          const row = find(name.slice(prefix.length));
          if (row === null || namesOf(row).length === 0) await secrets.remove(name);
        }
      }),
    /** Resolves when changes under way are done. */
    settled: (): Promise<void> => sequence.settled(),
  };
}
