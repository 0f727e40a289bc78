/** Creates, changes and removes connections. A connection is a row and a secret with its key and headers. */
import type { CreateConnectionBody, UpdateConnectionBody } from '../../shared/api/connection.ts';
import { MAX_CONNECTION_HEADERS, MAX_CONNECTIONS } from '../../shared/limits.ts';
import { readName } from '../lib/clean-name.ts';
import { AppError, invalidField } from '../errors.ts';
import { createRowSecrets, valuesAfter, valuesSetBy } from '../secrets/row-secrets.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { createSequence } from '../lib/sequence.ts';
import {
  countConnections,
  createConnection,
  deleteConnection,
  findConnection,
  findConnectionPlace,
  updateConnection,
  type StoredConnection,
} from '../store/connection-repository.ts';
import type { Store } from '../store/types.ts';
import { dropDefaultModels } from '../store/workspace-repository.ts';
import { CREDENTIALS, givenCredentials } from './credentials.ts';
import { isSameServer, readBaseUrl, usualNameOf, type Place } from './places.ts';
import { slugFor } from '../lib/slug.ts';

/** Dependencies of {@link createConnectionChanges}. */
export interface ConnectionChangeDeps {
  store: Store;
  secrets: Pick<Secrets, 'read' | 'write' | 'remove' | 'names'>;
  clock: () => Date;
  newId: () => string;
}

export type ConnectionChanges = ReturnType<typeof createConnectionChanges>;

/** Creates the part of the connection service that changes connections, one after the other. */
export function createConnectionChanges({ store, secrets, clock, newId }: ConnectionChangeDeps) {
  const sequence = createSequence();
  const rows = createRowSecrets<StoredConnection>(CREDENTIALS, secrets);
  const find = (id: string): StoredConnection | null => store.read((reader) => findConnection(reader, id));

  async function create(body: CreateConnectionBody): Promise<string> {
    const { provider, name, baseUrl = null, firstWordSeconds = null } = body;
    const values = valuesSetBy(givenCredentials(body));
    const place: Place = { provider, baseUrl: readBaseUrl(provider, baseUrl) };
    const wanted = name === undefined ? usualNameOf(place) : readName(name);
    const row = { ...place, id: newId(), name: wanted, hasKey: false, headerNames: [], firstWordSeconds };
    requireRoom(store.read(countConnections));
    await rows.create(row.id, values, () =>
      store.write((writer) => {
        requireRoom(countConnections(writer));
        createConnection(writer, {
          ...CREDENTIALS.withNames(row, Object.keys(values)),
          slug: slugFor(wanted, 'models', (slug) => findConnectionPlace(writer, slug) !== null),
          createdAt: clock().toISOString(),
        });
      }),
    );
    return row.id;
  }

  async function update(id: string, change: UpdateConnectionBody): Promise<boolean> {
    const before = find(id);
    if (before === null) return false;
    const given = givenCredentials(change);
    let after: StoredConnection = {
      ...before,
      name: change.name === undefined ? before.name : readName(change.name),
      baseUrl: change.baseUrl === undefined ? before.baseUrl : readBaseUrl(before.provider, change.baseUrl),
      firstWordSeconds:
        change.firstWordSeconds === undefined ? before.firstWordSeconds : change.firstWordSeconds,
    };
    const hasMoved = !isSameServer(before, after);
    const values = await valuesAfter(CREDENTIALS, secrets, before, given, hasMoved);
    if (values !== null) after = CREDENTIALS.withNames(after, Object.keys(values));
    if (after.headerNames.length > MAX_CONNECTION_HEADERS) {
      throw invalidField('headers', `A connection can’t have more than ${MAX_CONNECTION_HEADERS} headers.`);
    }
    const write = (row: StoredConnection): Promise<void> =>
      store.write((writer) => updateConnection(writer, row.id, row));
    await rows.change({ before, after, values, hasMoved, write });
    return true;
  }

  async function remove(id: string): Promise<StoredConnection | null> {
    const connection = find(id);
    if (connection === null) return null;
    await store.write((writer) => {
      deleteConnection(writer, id);
      // Otherwise these defaults would apply again as soon as another connection got the same slug.
      dropDefaultModels(writer, connection.slug);
    });
    if (CREDENTIALS.namesOf(connection).length > 0) await rows.remove(id);
    return CREDENTIALS.withNames(connection, []);
  }

  return {
    /** Resolves with the new one's id. Rejects with AppError `invalid_request`, or `conflict` when there are too many. */
    create: (body: CreateConnectionBody) => sequence.run(() => create(body)),
    /** False: there is none. Rejects with AppError `invalid_request`, or `conflict` when its values are locked. */
    update: (id: string, change: UpdateConnectionBody) => sequence.run(() => update(id, change)),
    /** Resolves with what was removed, key and all; null: there is none. */
    remove: (id: string) => sequence.run(() => remove(id)),
    /** Removes keys and headers that an earlier process left without a connection. */
    sweepSecrets: () => sequence.run(() => rows.sweep(find)),
    /** Resolves when changes under way are done. */
    settled: () => sequence.settled(),
  };
}

const TOO_MANY = `There are ${MAX_CONNECTIONS} connections already, which is the most there can be; remove one first.`;

function requireRoom(count: number): void {
  if (count >= MAX_CONNECTIONS) throw new AppError('conflict', TOO_MANY);
}
