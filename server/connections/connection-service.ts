/**
 * Connections to model servers, apart from HTTP. A connection is a row, and a key under its id in the secrets. They can't
 * be written at once, so the row says whether a key belongs to it, and comes last when there is more to tell, first when
 * there is less: a crash in between leaves a connection without a key, never one with another's, nor a key that would go
 * to an address it wasn't given for. Keys that belong to no row are swept at the next start.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Model } from '../../shared/api/catalog.ts';
import type {
  Connection,
  ConnectionTest,
  CreateConnectionBody,
  FoundServer,
  TestConnectionBody,
  UpdateConnectionBody,
} from '../../shared/api/connection.ts';
import { MAX_CONNECTIONS } from '../../shared/limits.ts';
import { cleanName } from '../clean-name.ts';
import { AppError } from '../errors.ts';
import type { Secrets } from '../secrets/secrets.ts';
import {
  countConnections,
  createConnection,
  deleteConnection,
  findConnection,
  findConnectionPlace,
  listConnections,
  updateConnection,
  type StoredConnection,
} from '../store/connection-repository.ts';
import type { Store } from '../store/types.ts';
import { ASK_LIMITS, type AskLimits } from './ask.ts';
import { connectionOfKey, keyNameOf, readKey } from './connection-key.ts';
import { findServers, LOCAL_SERVERS, type LocalServer } from './found-servers.ts';
import { listModels } from './known-models.ts';
import { createModelLists } from './model-lists.ts';
import { isSameServer, PROVIDER_TITLES, readBaseUrl, type Place } from './providers.ts';
import { slugFor } from './slug.ts';
import { createConnectionTester } from './tester.ts';

/** What may differ from how model servers are dealt with elsewhere. */
export interface ConnectionOptions {
  /** How long a server is waited for, and how much is taken from it; what is absent is as in {@link ASK_LIMITS}. */
  limits?: Partial<AskLimits>;
  /** The servers that are looked for on this computer; {@link LOCAL_SERVERS} unless given. */
  localServers?: readonly LocalServer[];
}

/** What {@link createConnectionService} works with. */
export interface ConnectionServiceDeps extends ConnectionOptions {
  store: Store;
  secrets: Pick<Secrets, 'read' | 'write' | 'remove' | 'names'>;
  clock: () => Date;
  newId: () => string;
}

/**
 * Managing connections. Nothing is told before it is on disk; what writes rejects with AppError when the disk or the key
 * store refuses. Null: there is no such connection.
 */
export interface ConnectionService {
  /** All connections, oldest first. */
  list(): Promise<Connection[]>;
  /** Rejects with AppError `invalid_request`, or `conflict` when there are too many. */
  create(body: CreateConnectionBody): Promise<Connection>;
  /** Rejects with AppError `invalid_request`, also when it moves to another server and nothing is said of its key. */
  update(id: string, change: UpdateConnectionBody): Promise<Connection | null>;
  /** Removes a connection and its key. Chats keep the names of its models. */
  remove(id: string): Promise<Connection | null>;
  /** Lists the models of its server anew. Rejects with AppError `conflict`, in words, when the server lists none. */
  refresh(id: string): Promise<Connection | null>;
  /** Tests a connection, or what could become one. Rejects with AppError `invalid_request`; null as everywhere. */
  test(body: TestConnectionBody): Promise<ConnectionTest | null>;
  /** Model servers that run on this computer and aren't connected. */
  found(): Promise<FoundServer[]>;
  /** All models there are to choose from. */
  models(): Promise<Model[]>;
  /** Removes keys that an earlier process left without a connection, and lists anew what is old. Never rejects. */
  tidy(): Promise<void>;
  /** Ends what is under way with servers, and resolves when changes have come to their end. */
  close(): Promise<void>;
}

/** Makes the connection service of a store. */
export function createConnectionService(deps: ConnectionServiceDeps): ConnectionService {
  const { store, secrets, clock, newId, localServers = LOCAL_SERVERS } = deps;
  const closing = new AbortController();
  const limits: AskLimits = { ...ASK_LIMITS, ...deps.limits, signal: closing.signal };
  const lists = createModelLists({ store, secrets, clock, limits });
  const tester = createConnectionTester({ store, secrets, limits });
  let last: Promise<unknown> = Promise.resolve();

  /** Changes are made one after the other, since each is made of several steps. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  }

  const find = (id: string): StoredConnection | null => store.read((reader) => findConnection(reader, id));

  async function asConnection({ hasKey, models, ...connection }: StoredConnection): Promise<Connection> {
    const { state } = await readKey(secrets, { id: connection.id, hasKey });
    return {
      ...connection,
      key: state === 'absent' ? 'none' : state,
      models: models.map(({ id, contextTokens }) => ({
        name: `${connection.slug}/${id}`,
        id,
        contextTokens,
      })),
    };
  }

  /** What is stored under the id by now, which was there a moment ago. */
  async function stored(id: string): Promise<Connection | null> {
    const connection = find(id);
    return connection && asConnection(connection);
  }

  async function create({
    provider,
    name,
    baseUrl = null,
    apiKey = null,
  }: CreateConnectionBody): Promise<Connection> {
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
          slug: slugFor(wanted, (slug) => findConnectionPlace(writer, slug) !== null),
          hasKey: apiKey !== null,
          createdAt: clock().toISOString(),
        });
      });
    } catch (error) {
      if (apiKey !== null) await secrets.remove(keyNameOf(id)).catch(() => false);
      throw error;
    }
    const made = await stored(id);
    if (made === null) throw new AppError('storage_unavailable');
    return made;
  }

  async function update(id: string, change: UpdateConnectionBody): Promise<Connection | null> {
    const before = find(id);
    if (before === null) return null;
    const { apiKey } = change;
    const after: StoredConnection = {
      ...before,
      name: change.name === undefined ? before.name : readName(change.name),
      baseUrl: change.baseUrl === undefined ? before.baseUrl : readBaseUrl(before.provider, change.baseUrl),
      hasKey: apiKey === undefined ? before.hasKey : apiKey !== null,
    };
    const hasMoved = !isSameServer(before, after);
    if (hasMoved && before.hasKey && apiKey === undefined) throw keyIsForAnother();
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
    return stored(id);
  }

  async function remove(id: string): Promise<Connection | null> {
    const connection = find(id);
    if (connection === null) return null;
    await store.write((writer) => deleteConnection(writer, id));
    if (connection.hasKey) await removeKey(id);
    return asConnection({ ...connection, hasKey: false });
  }

  async function removeKey(id: string): Promise<void> {
    try {
      await secrets.remove(keyNameOf(id));
    } catch (error) {
      throw new AppError('storage_unavailable', KEY_STAYS, { cause: error });
    }
  }

  /** The connection with the models of its server, if that lists them soon; else they come later. */
  async function withModels(connection: Connection | null): Promise<Connection | null> {
    if (connection === null) return null;
    const refreshing = lists.refresh(connection.id).catch(() => undefined);
    await Promise.race([refreshing, delay(LISTING_WAIT_MS, undefined, { ref: false })]);
    return stored(connection.id);
  }

  async function refresh(id: string): Promise<Connection | null> {
    const refreshed = await lists.refresh(id);
    if (refreshed.state === 'failed') throw new AppError('conflict', refreshed.found.message);
    return stored(id);
  }

  async function sweepKeys(): Promise<void> {
    for (const name of await secrets.names()) {
      const id = connectionOfKey(name);
      if (id !== null && find(id)?.hasKey !== true) await secrets.remove(name);
    }
  }

  return {
    async list() {
      const connections = store.read(listConnections);
      await store.settled();
      return Promise.all(connections.map(asConnection));
    },
    async create(body) {
      const made = await inTurn(() => create(body));
      return (await withModels(made)) ?? made;
    },
    async update(id, change) {
      const updated = await inTurn(() => update(id, change));
      const canListMore = change.baseUrl !== undefined || change.apiKey !== undefined;
      return canListMore ? withModels(updated) : updated;
    },
    remove: (id) => inTurn(() => remove(id)),
    async models() {
      const models = store.read(listModels);
      await store.settled();
      return models;
    },
    refresh,
    test: (body) => tester.test(body),
    async found() {
      return findServers(localServers, store.read(listConnections), closing.signal);
    },
    async tidy() {
      await Promise.allSettled([lists.refreshOld(), inTurn(sweepKeys)]);
    },
    async close() {
      closing.abort();
      await last;
    },
  };
}

/** How long a change waits for the models that the server lists. */
const LISTING_WAIT_MS = 3_000;
const KEY_STAYS =
  'The connection no longer uses its key, but the key could not be taken off the disk; that is done at the next start.';
const TOO_MANY = `There are ${MAX_CONNECTIONS} connections already, which is as many as there can be; remove one first.`;

function requireRoom(count: number): void {
  if (count >= MAX_CONNECTIONS) throw new AppError('conflict', TOO_MANY);
}

function keyIsForAnother(): AppError {
  const message =
    '"apiKey" must be given when the address is that of another server: the key to use there, or null.';
  return new AppError('invalid_request', message, { details: [{ path: '/apiKey', message }] });
}

function defaultName({ provider, baseUrl }: Place): string {
  return provider === 'openai_compatible' && baseUrl !== null
    ? new URL(baseUrl).host
    : PROVIDER_TITLES[provider];
}

function readName(text: string): string {
  const name = cleanName(text);
  if (name !== null) return name;
  const message = '"name" must hold more than white space.';
  throw new AppError('invalid_request', message, { details: [{ path: '/name', message }] });
}
