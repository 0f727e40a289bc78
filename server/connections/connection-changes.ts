/** Creates, changes and removes connections. A connection is a row and a secret with its key and headers. */
import type { CreateConnectionBody, UpdateConnectionBody } from '../../shared/api/connection.ts';
import { MAX_CONNECTION_HEADERS, MAX_CONNECTIONS } from '../../shared/limits.ts';
import { readName } from '../lib/clean-name.ts';
import { AppError, invalidField } from '../errors.ts';
import { checkHeaders, requireAllAnew } from '../secrets/header-values.ts';
import { createRowSecrets } from '../secrets/row-secrets.ts';
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
  hasAny,
  NO_CREDENTIALS,
  onlyOf,
  readCredentials,
  PREFIX,
  staying,
  withGiven,
  writeCredentials,
  type Credentials,
} from './credentials.ts';
import { isSameServer, readBaseUrl, usualNameOf, type Place } from './places.ts';
import { slugFor } from '../lib/slug.ts';

/** Dependencies of {@link createConnectionChanges}. */
export interface ConnectionChangeDeps {
  store: Store;
  secrets: Pick<Secrets, 'read' | 'write' | 'remove' | 'names'>;
  clock: () => Date;
  newId: () => string;
}

/** Changes run one after the other, since each has several steps. Null: there is no such connection. */
export interface ConnectionChanges {
  /** Resolves with the new one's id. Rejects with AppError `invalid_request`, or `conflict` when there are too many. */
  create(body: CreateConnectionBody): Promise<string>;
  /** False: there is none. Rejects with AppError `invalid_request`. */
  update(id: string, change: UpdateConnectionBody): Promise<boolean>;
  /** Resolves with what was removed, key and all. */
  remove(id: string): Promise<StoredConnection | null>;
  /** Removes keys and headers that an earlier process left without a connection. */
  sweepSecrets(): Promise<void>;
  /** Resolves when changes under way are done. */
  settled(): Promise<void>;
}

/** Creates the part of the connection service that changes connections. */
export function createConnectionChanges(deps: ConnectionChangeDeps): ConnectionChanges {
  const { store, secrets, clock, newId } = deps;
  const sequence = createSequence();
  const rows = createRowSecrets({ secrets, prefix: PREFIX, staysWords: KEY_STAYS });
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
    await rows.create(id, hasAny(owned) ? writeCredentials(credentials) : null, () =>
      store.write((writer) => {
        requireRoom(countConnections(writer));
        createConnection(writer, {
          ...place,
          id,
          name: wanted,
          slug: slugFor(wanted, 'models', (slug) => findConnectionPlace(writer, slug) !== null),
          ...owned,
          createdAt: clock().toISOString(),
        });
      }),
    );
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
      if (hasAny(before) || hasAny(after)) {
        const text = hasAny(after) ? writeCredentials(credentials) : null;
        await rows.change({ before, between: betweenOf(before, after, hasMoved), after, text, write });
        return true;
      }
    }
    await write(after);
    return true;
  }

  const write = (row: StoredConnection): Promise<void> =>
    store.write((writer) => updateConnection(writer, row.id, row));

  /** The credentials after a change. Rejects with AppError if kept ones would go to another server. */
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
      throw new AppError('conflict', `The connection’s key can’t be read. ${kept.reason}`);
    }
    const credentials = withGiven(kept, change);
    if (Object.keys(credentials.headers).length <= MAX_CONNECTION_HEADERS) return credentials;
    throw invalidField('headers', `A connection can’t have more than ${MAX_CONNECTION_HEADERS} headers.`);
  }

  async function remove(id: string): Promise<StoredConnection | null> {
    const connection = find(id);
    if (connection === null) return null;
    await store.write((writer) => {
      deleteConnection(writer, id);
      // Otherwise these defaults would apply again as soon as another connection got the same slug.
      dropDefaultModels(writer, connection.slug);
    });
    if (hasAny(connection)) await rows.remove(id);
    return { ...connection, hasKey: false, headerNames: [] };
  }

  const sweepSecrets = (): Promise<void> =>
    rows.sweep((id) => {
      const connection = find(id);
      if (connection === null || !hasAny(connection)) return null;
      // A key without headers is never opened for this: the system's key store must not be asked at each start.
      return connection.headerNames.length === 0 ? 'all' : (text) => onlyOf(connection, text);
    });

  return {
    create: (body) => sequence.run(() => create(body)),
    update: (id, change) => sequence.run(() => update(id, change)),
    remove: (id) => sequence.run(() => remove(id)),
    sweepSecrets: () => sequence.run(sweepSecrets),
    settled: () => sequence.settled(),
  };
}

const KEY_STAYS =
  'The connection no longer uses its key and headers, but they could not be deleted from the disk; the next start does that.';
const KEY_IS_FOR_ANOTHER =
  '"apiKey" must be given when the address is that of another server: the key to use there, or null.';
const TOO_MANY = `There are ${MAX_CONNECTIONS} connections already, which is the most there can be; remove one first.`;

const ownedOf = ({ apiKey, headers }: Credentials): Pick<StoredConnection, 'hasKey' | 'headerNames'> => ({
  hasKey: apiKey !== null,
  headerNames: Object.keys(headers),
});

/** What a connection may use until its secret is written; null: as much as before. */
function betweenOf(
  before: StoredConnection,
  after: StoredConnection,
  hasMoved: boolean,
): StoredConnection | null {
  // The old ones must not go to the new address, nor the new ones to the old.
  const hasKey = !hasMoved && before.hasKey && after.hasKey;
  const headerNames = hasMoved ? [] : after.headerNames.filter((name) => before.headerNames.includes(name));
  const isLess = hasMoved || hasKey !== before.hasKey || headerNames.length < before.headerNames.length;
  return isLess ? { ...after, hasKey, headerNames } : null;
}

function requireRoom(count: number): void {
  if (count >= MAX_CONNECTIONS) throw new AppError('conflict', TOO_MANY);
}
