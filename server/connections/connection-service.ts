/** Connections to model servers, apart from HTTP. */
import type { Model } from '../../shared/api/catalog.ts';
import type {
  Connection,
  ConnectionTest,
  CreateConnectionBody,
  FoundServer,
  TestConnectionBody,
  UpdateConnectionBody,
} from '../../shared/api/connection.ts';
import { AppError, found } from '../errors.ts';
import { KEY, openRow, readValues } from '../secrets/row-secrets.ts';
import {
  findConnection,
  listConnections,
  updateListedModels,
  type StoredConnection,
} from '../store/connection-repository.ts';
import { readSettled } from '../store/read-settled.ts';
import { withTimeout } from '../lib/with-timeout.ts';
import { REQUEST_LIMITS, type RequestLimits } from '../net/request-json.ts';
import type { FindRoute } from '../net/route.ts';
import { createConnectionChanges } from './connection-changes.ts';
import { CREDENTIALS, credentialsOf } from './credentials.ts';
import { findServers, LOCAL_SERVERS, type LocalServer } from './found-servers.ts';
import { listModels } from './known-models.ts';
import { explainAnswer, type Finding } from './findings.ts';
import { listServerModels } from './list-models.ts';
import type { SecretRowDeps } from './secret-rows.ts';
import { testConnection } from './tester.ts';

/** Options for connections. */
export interface ConnectionOptions {
  /** How long to wait for a server, and how much to read from it; missing ones are as in {@link REQUEST_LIMITS}. */
  limits?: Partial<RequestLimits>;
  /** The servers to look for on this computer; {@link LOCAL_SERVERS} unless given. */
  localServers?: readonly LocalServer[];
}

export type ConnectionService = ReturnType<typeof createConnectionService>;

/** Manages a store's connections. Results are on disk; writes reject with AppError when disk or key store refuse. Null: no such connection. */
export function createConnectionService(
  deps: ConnectionOptions &
    SecretRowDeps & { findRoute: FindRoute; onChanged?: (slug: string, isRemoved: boolean) => void },
) {
  const { store, secrets, clock, findRoute, onChanged, localServers = LOCAL_SERVERS } = deps;
  const closing = new AbortController();
  const limits: RequestLimits = { ...REQUEST_LIMITS, findRoute, ...deps.limits, signal: closing.signal };
  const changes = createConnectionChanges(deps);
  const find = (id: string): StoredConnection | null => store.read((reader) => findConnection(reader, id));

  async function asConnection(stored: StoredConnection): Promise<Connection> {
    const { hasKey, models, firstWordSeconds, ...connection } = stored;
    const kept = await readValues(CREDENTIALS, secrets, stored);
    const isLost = kept.state === 'present' && !Object.hasOwn(kept.values, KEY);
    return {
      ...connection,
      key: hasKey && !isLost ? kept.state : 'none',
      headers: connection.headerNames.length > 0 ? kept.state : 'none',
      ...(firstWordSeconds !== null && { firstWordSeconds }),
      models: models.map(({ id, contextTokens }) => ({
        name: `${connection.slug}/${id}`,
        id,
        contextTokens,
      })),
    };
  }

  /** The connection of that id as it is stored now; it was there a moment ago. */
  async function stored(id: string): Promise<Connection | null> {
    const connection = find(id);
    return connection && asConnection(connection);
  }

  /** Stores what the connection's server lists; resolves, on disk, with why it lists none. Null: it does, or there is no connection. */
  async function refreshModels(id: string): Promise<Finding | null> {
    const opened = await openRow(CREDENTIALS, secrets, () => find(id));
    if (opened === null) return null;
    const { row: connection, kept } = opened;
    if (kept.state === 'locked') return { finding: 'key_needed', message: kept.reason };
    const { provider, baseUrl } = connection;
    const server = { provider, baseUrl, ...credentialsOf(kept.values) };
    const listing = await listServerModels(server, limits);
    if (listing.state === 'not_listed') return explainAnswer(server, listing.answer);
    const listedAt = clock().toISOString();
    await store.write((writer) => updateListedModels(writer, connection, listing.models, listedAt));
    return null;
  }

  /** Asks all servers that weren't asked within a day; failures are ignored, since nobody waits for this. */
  async function refreshOldModels(): Promise<void> {
    const since = new Date(clock().getTime() - LIST_MAX_AGE_MS).toISOString();
    const old = store.read(listConnections).filter(({ modelsListedAt: at }) => at === null || at < since);
    for (const { id } of old) await refreshModels(id).catch(() => undefined);
  }

  /** The connection with its server's models if they are listed soon; otherwise they follow later. */
  async function withModels(id: string): Promise<Connection | null> {
    await withTimeout(
      LISTING_WAIT_MS,
      refreshModels(id).catch(() => undefined),
    );
    return stored(id);
  }

  return {
    /** All connections, oldest first. */
    async list(): Promise<Connection[]> {
      const connections = await readSettled(store, listConnections);
      return Promise.all(connections.map(asConnection));
    },
    /** Rejects with AppError `invalid_request`, or `conflict` when there are too many. */
    create: async (body: CreateConnectionBody): Promise<Connection> =>
      found(await withModels(await changes.create(body)), 'connection_not_found'),
    /** Rejects with AppError `invalid_request`, also when it moves to another server and its key isn't mentioned. */
    async update(id: string, change: UpdateConnectionBody): Promise<Connection | null> {
      if (!(await changes.update(id, change))) return null;
      const { baseUrl, apiKey, headers } = change;
      const canListMore = [baseUrl, apiKey, headers].some((given) => given !== undefined);
      if (!canListMore) return stored(id);
      onChanged?.(find(id)?.slug ?? '', false);
      return withModels(id);
    },
    /** Removes a connection and its key, which ends its models' replies. Chats keep the names of its models. */
    async remove(id: string): Promise<Connection | null> {
      const removed = await changes.remove(id);
      if (removed !== null) onChanged?.(removed.slug, true);
      return removed && asConnection(removed);
    },
    /** All models there are to choose from. */
    models: (): Promise<Model[]> => readSettled(store, listModels),
    /** Lists the models of its server again. Rejects with AppError `conflict`, in words, when the server lists none. */
    async refresh(id: string): Promise<Connection | null> {
      const problem = await refreshModels(id);
      if (problem !== null) throw new AppError('conflict', problem.message);
      return stored(id);
    },
    /** Tests a connection, stored or not. Rejects with AppError `invalid_request`. */
    test: (body: TestConnectionBody): Promise<ConnectionTest | null> =>
      testConnection({ store, secrets, limits }, body),
    /** Model servers that run on this computer and aren't connected. */
    found: async (): Promise<FoundServer[]> =>
      findServers(localServers, store.read(listConnections), closing.signal),
    /** Removes keys that an earlier process left without a connection, and refreshes old lists of models. Never rejects. */
    async tidy(): Promise<void> {
      await Promise.allSettled([refreshOldModels(), changes.sweepSecrets()]);
    },
    /** Cancels requests to servers, and resolves when changes under way are done. */
    async close(): Promise<void> {
      closing.abort();
      await changes.settled();
    },
  };
}

/** A list of models is refreshed on request, and at the start of the service if it is older. */
const LIST_MAX_AGE_MS = 24 * 60 * 60 * 1000;
/** How long a change waits for the server's list of models. */
const LISTING_WAIT_MS = 3_000;
