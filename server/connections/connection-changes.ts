/**
 * Making, changing and removing connections. A connection is a row, and a secret under its id with its key and headers.
 * They can't be written at once, so the row says which of them belong to it, and comes last when there is more to tell, first
 * when there is less: a crash in between leaves a connection without a key, never one with another's, nor a key that would
 * go to an address it wasn't given for. What belongs to no row is swept at the next start.
 */
import type { CreateConnectionBody, UpdateConnectionBody } from '../../shared/api/connection.ts';
import { MAX_CONNECTION_HEADERS, MAX_CONNECTIONS } from '../../shared/limits.ts';
import { readName } from '../lib/clean-name.ts';
import { AppError, invalidField } from '../errors.ts';
import { checkHeaders, requireAllAnew } from '../secrets/header-values.ts';
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
import {
  connectionOfSecret,
  hasAny,
  NO_CREDENTIALS,
  readCredentials,
  secretNameOf,
  staying,
  withGiven,
  writeCredentials,
  type Credentials,
} from './credentials.ts';
import { isSameServer, readBaseUrl, usualNameOf, type Place } from './places.ts';
import { slugFor } from '../lib/slug.ts';

/** What {@link createConnectionChanges} works with. */
export interface ConnectionChangeDeps {
  store: Store;
  secrets: Pick<Secrets, 'read' | 'write' | 'remove' | 'names'>;
  clock: () => Date;
  newId: () => string;
}

/** Changes are made one after the other, since each is made of several steps. Null: there is no such connection. */
export interface ConnectionChanges {
  /** Resolves with the new one's id. Rejects with AppError `invalid_request`, or `conflict` when there are too many. */
  create(body: CreateConnectionBody): Promise<string>;
  /** False: there is none. Rejects with AppError `invalid_request`. */
  update(id: string, change: UpdateConnectionBody): Promise<boolean>;
  /** Resolves with what was removed, key and all. */
  remove(id: string): Promise<StoredConnection | null>;
  /** Removes keys and headers that an earlier process left without a connection. */
  sweepSecrets(): Promise<void>;
  /** Resolves when what is under way has come to its end. */
  settled(): Promise<void>;
}

/** Makes the part of the connection service that changes them. */
export function createConnectionChanges(deps: ConnectionChangeDeps): ConnectionChanges {
  const { store, secrets, clock, newId } = deps;
  const sequence = createSequence();
  const find = (id: string): StoredConnection | null => store.read((reader) => findConnection(reader, id));

  async function create(body: CreateConnectionBody): Promise<string> {
    const { provider, name, baseUrl = null } = body;
    checkHeaders(body.headers ?? {}, { max: MAX_CONNECTION_HEADERS });
    const credentials = withGiven(NO_CREDENTIALS, body);
    const owned = ownedOf(credentials);
    const place: Place = { provider, baseUrl: readBaseUrl(provider, baseUrl) };
    const wanted = name === undefined ? usualNameOf(place) : readName(name);
    const id = newId();
    requireRoom(store.read(countConnections));
    if (hasAny(owned)) await secrets.write(secretNameOf(id), writeCredentials(credentials));
    try {
      await store.write((writer) => {
        requireRoom(countConnections(writer));
        createConnection(writer, {
          ...place,
          id,
          name: wanted,
          slug: slugFor(wanted, 'models', (slug) => findConnectionPlace(writer, slug) !== null),
          ...owned,
          createdAt: clock().toISOString(),
        });
      });
    } catch (error) {
      if (hasAny(owned)) await secrets.remove(secretNameOf(id)).catch(() => false);
      throw error;
    }
    return id;
  }

  async function update(id: string, change: UpdateConnectionBody): Promise<boolean> {
    const before = find(id);
    if (before === null) return false;
    checkHeaders(change.headers ?? {}, { max: MAX_CONNECTION_HEADERS });
    const after: StoredConnection = {
      ...before,
      name: change.name === undefined ? before.name : readName(change.name),
      baseUrl: change.baseUrl === undefined ? before.baseUrl : readBaseUrl(before.provider, change.baseUrl),
    };
    const hasMoved = !isSameServer(before, after);
    if (hasMoved || change.apiKey !== undefined || change.headers !== undefined) {
      const credentials = await credentialsAfter(before, change, hasMoved);
      Object.assign(after, ownedOf(credentials));
      if (hasAny(before) || hasAny(after)) await changeSecret(before, after, { credentials, hasMoved });
    }
    await write(after);
    return true;
  }

  const write = (row: StoredConnection): Promise<void> =>
    store.write((writer) => updateConnection(writer, row.id, row));

  /** What a change leaves and gives. Rejects with AppError where what is kept would go to another server. */
  async function credentialsAfter(
    before: StoredConnection,
    change: UpdateConnectionBody,
    hasMoved: boolean,
  ): Promise<Credentials> {
    if (hasMoved) {
      requireAllAnew(before.headerNames, change.headers ?? {});
      const kept = await readCredentials(secrets, { ...before, headerNames: [] });
      const isKept = kept.state === 'locked' || kept.apiKey !== null;
      if (isKept && change.apiKey === undefined) throw invalidField('apiKey', KEY_IS_FOR_ANOTHER);
      return withGiven(NO_CREDENTIALS, change);
    }
    const kept = await readCredentials(secrets, staying(before, change));
    if (kept.state === 'locked') {
      throw new AppError('conflict', `What is kept of the connection can’t be had. ${kept.reason}`);
    }
    const credentials = withGiven(kept, change);
    if (Object.keys(credentials.headers).length <= MAX_CONNECTION_HEADERS) return credentials;
    throw invalidField('headers', `A connection can’t have more than ${MAX_CONNECTION_HEADERS} headers.`);
  }

  /** Writes the secret, and before it the row, where that must not use any more what was kept. */
  async function changeSecret(
    before: StoredConnection,
    after: StoredConnection,
    { credentials, hasMoved }: { credentials: Credentials; hasMoved: boolean },
  ): Promise<void> {
    // The old ones must not go to the new address, nor the new ones to the old.
    const between: StoredConnection = {
      ...after,
      hasKey: !hasMoved && before.hasKey && after.hasKey,
      headerNames: hasMoved ? [] : after.headerNames.filter((name) => before.headerNames.includes(name)),
    };
    const isLess =
      hasMoved || between.hasKey !== before.hasKey || between.headerNames.length < before.headerNames.length;
    if (isLess) await write(between);
    if (!hasAny(after)) {
      await removeSecret(before.id);
      return;
    }
    try {
      await secrets.write(secretNameOf(before.id), writeCredentials(credentials));
    } catch (error) {
      if (isLess) await write(before);
      throw error;
    }
  }

  async function remove(id: string): Promise<StoredConnection | null> {
    const connection = find(id);
    if (connection === null) return null;
    await store.write((writer) => {
      deleteConnection(writer, id);
      // Else it would count again as soon as another connection came to the same name.
      dropDefaultModels(writer, connection.slug);
    });
    if (hasAny(connection)) await removeSecret(id);
    return { ...connection, hasKey: false, headerNames: [] };
  }

  async function removeSecret(id: string): Promise<void> {
    try {
      await secrets.remove(secretNameOf(id));
    } catch (error) {
      throw new AppError('storage_unavailable', KEY_STAYS, { cause: error });
    }
  }

  async function sweepSecrets(): Promise<void> {
    for (const name of await secrets.names()) {
      const id = connectionOfSecret(name);
      if (id === null) continue;
      const connection = find(id);
      if (connection === null || !hasAny(connection)) await secrets.remove(name);
      // A key that stands alone is never opened for this: no system's key store is to be asked at each start.
      else if (connection.headerNames.length > 0) await sweepValues(connection);
    }
  }

  /** Removes what the row of a connection doesn't name any more. */
  async function sweepValues(connection: StoredConnection): Promise<void> {
    const name = secretNameOf(connection.id);
    const [reading, used] = [await secrets.read(name), await readCredentials(secrets, connection)];
    if (reading.state !== 'present' || used.state !== 'present') return;
    const text = writeCredentials(used);
    if (text !== reading.text) await secrets.write(name, text);
  }

  return {
    create: (body) => sequence.run(() => create(body)),
    update: (id, change) => sequence.run(() => update(id, change)),
    remove: (id) => sequence.run(() => remove(id)),
    sweepSecrets: () => sequence.run(sweepSecrets),
    settled: () => sequence.settled(),
  };
}

const KEY_STAYS =
  'The connection no longer uses its key and headers, but they could not be taken off the disk; that is done at the next start.';
const KEY_IS_FOR_ANOTHER =
  '"apiKey" must be given when the address is that of another server: the key to use there, or null.';
const TOO_MANY = `There are ${MAX_CONNECTIONS} connections already, which is as many as there can be; remove one first.`;

const ownedOf = ({ apiKey, headers }: Credentials): Pick<StoredConnection, 'hasKey' | 'headerNames'> => ({
  hasKey: apiKey !== null,
  headerNames: Object.keys(headers),
});

function requireRoom(count: number): void {
  if (count >= MAX_CONNECTIONS) throw new AppError('conflict', TOO_MANY);
}
