/**
 * Making, changing and removing connections. A connection is a row, and a key under its id in the secrets. They can't be
 * written at once, so the row says whether a key belongs to it, and comes last when there is more to tell, first when
 * there is less: a crash in between leaves a connection without a key, never one with another's, nor a key that would go
 * to an address it wasn't given for. Keys that belong to no row are swept at the next start.
 */
import type { CreateConnectionBody, UpdateConnectionBody } from '../../shared/api/connection.ts';
import { MAX_CONNECTIONS } from '../../shared/limits.ts';
import { readName } from '../clean-name.ts';
import { AppError, invalidField } from '../errors.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { createSequence } from '../sequence.ts';
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
import { connectionOfKey, keyNameOf, readKey } from './connection-key.ts';
import { isSameServer, PROVIDER_TITLES, readBaseUrl, type Place } from './providers.ts';
import { slugFor } from './slug.ts';

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
  /** Removes keys that an earlier process left without a connection. */
  sweepKeys(): Promise<void>;
  /** Resolves when what is under way has come to its end. */
  settled(): Promise<void>;
}

/** Makes the part of the connection service that changes them. */
export function createConnectionChanges(deps: ConnectionChangeDeps): ConnectionChanges {
  const { store, secrets, clock, newId } = deps;
  const sequence = createSequence();
  const find = (id: string): StoredConnection | null => store.read((reader) => findConnection(reader, id));

  async function create({
    provider,
    name,
    baseUrl = null,
    apiKey = null,
  }: CreateConnectionBody): Promise<string> {
    const place: Place = { provider, baseUrl: readBaseUrl(provider, baseUrl) };
    const wanted = name === undefined ? defaultName(place) : readName(name);
    const id = newId();
    requireRoom(store.read(countConnections));
    if (apiKey !== null) await secrets.write(keyNameOf(id), apiKey);
    try {
      await store.write((writer) => {
        requireRoom(countConnections(writer));
        createConnection(writer, {
          ...place,
          id,
          name: wanted,
          slug: slugFor(wanted, 'models', (slug) => findConnectionPlace(writer, slug) !== null),
          hasKey: apiKey !== null,
          createdAt: clock().toISOString(),
        });
      });
    } catch (error) {
      if (apiKey !== null) await secrets.remove(keyNameOf(id)).catch(() => false);
      throw error;
    }
    return id;
  }

  async function update(id: string, change: UpdateConnectionBody): Promise<boolean> {
    const before = find(id);
    if (before === null) return false;
    const { apiKey } = change;
    const after: StoredConnection = {
      ...before,
      name: change.name === undefined ? before.name : readName(change.name),
      baseUrl: change.baseUrl === undefined ? before.baseUrl : readBaseUrl(before.provider, change.baseUrl),
      hasKey: apiKey === undefined ? before.hasKey : apiKey !== null,
    };
    const hasMoved = !isSameServer(before, after);
    if (hasMoved && apiKey === undefined) {
      const { state } = await readKey(secrets, before);
      if (state !== 'absent') throw invalidField('apiKey', KEY_IS_FOR_ANOTHER);
      after.hasKey = false;
    }
    const write = (row: StoredConnection): Promise<void> =>
      store.write((writer) => updateConnection(writer, id, row));
    if (typeof apiKey === 'string') {
      // The old key must not go to the new address, nor the new one to the old.
      if (hasMoved) await write({ ...after, hasKey: false });
      try {
        await secrets.write(keyNameOf(id), apiKey);
      } catch (error) {
        if (hasMoved) await write(before);
        throw error;
      }
    }
    await write(after);
    if (apiKey === null && before.hasKey) await removeKey(id);
    return true;
  }

  async function remove(id: string): Promise<StoredConnection | null> {
    const connection = find(id);
    if (connection === null) return null;
    await store.write((writer) => {
      deleteConnection(writer, id);
      // Else it would count again as soon as another connection came to the same name.
      dropDefaultModels(writer, connection.slug);
    });
    if (connection.hasKey) await removeKey(id);
    return { ...connection, hasKey: false };
  }

  async function removeKey(id: string): Promise<void> {
    try {
      await secrets.remove(keyNameOf(id));
    } catch (error) {
      throw new AppError('storage_unavailable', KEY_STAYS, { cause: error });
    }
  }

  async function sweepKeys(): Promise<void> {
    for (const name of await secrets.names()) {
      const id = connectionOfKey(name);
      if (id !== null && find(id)?.hasKey !== true) await secrets.remove(name);
    }
  }

  return {
    create: (body) => sequence.run(() => create(body)),
    update: (id, change) => sequence.run(() => update(id, change)),
    remove: (id) => sequence.run(() => remove(id)),
    sweepKeys: () => sequence.run(sweepKeys),
    settled: () => sequence.settled(),
  };
}

const KEY_STAYS =
  'The connection no longer uses its key, but the key could not be taken off the disk; that is done at the next start.';
const KEY_IS_FOR_ANOTHER =
  '"apiKey" must be given when the address is that of another server: the key to use there, or null.';
const TOO_MANY = `There are ${MAX_CONNECTIONS} connections already, which is as many as there can be; remove one first.`;

function requireRoom(count: number): void {
  if (count >= MAX_CONNECTIONS) throw new AppError('conflict', TOO_MANY);
}

function defaultName({ provider, baseUrl }: Place): string {
  return provider === 'openai_compatible' && baseUrl !== null
    ? new URL(baseUrl).host
    : PROVIDER_TITLES[provider];
}
