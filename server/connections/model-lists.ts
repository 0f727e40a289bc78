/**
 * Stores the models that connections' servers list: refreshed on request, and at the start of the service if older than
 * a day.
 */
import { openRow } from '../secrets/row-secrets.ts';
import type { Secrets } from '../secrets/secrets.ts';
import {
  findConnection,
  listConnections,
  updateListedModels,
  type StoredConnection,
} from '../store/connection-repository.ts';
import type { Store } from '../store/types.ts';
import type { RequestLimits } from '../net/request-json.ts';
import { CREDENTIALS, credentialsOf } from './credentials.ts';
import { explain, type Finding } from './findings.ts';
import { listServerModels } from './list-models.ts';

const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/** The lists of models of all connections in a store. */
export function createModelLists(deps: {
  store: Store;
  secrets: Pick<Secrets, 'read'>;
  clock: () => Date;
  limits: RequestLimits;
}) {
  const { store, secrets, clock, limits } = deps;
  const isOld = ({ modelsListedAt }: StoredConnection): boolean =>
    modelsListedAt === null || clock().getTime() - Date.parse(modelsListedAt) > MAX_AGE_MS;

  /**
   * Asks the connection's server and stores what it lists; resolves when that is on disk, with why it lists none. Null: it
   * does, or there is no such connection.
   */
  async function refresh(id: string): Promise<Finding | null> {
    const opened = await openRow(CREDENTIALS, secrets, () =>
      store.read((reader) => findConnection(reader, id)),
    );
    if (opened === null) return null;
    const { row: connection, kept } = opened;
    if (kept.state === 'locked') return { finding: 'key_needed', message: kept.reason };
    const { provider, baseUrl } = connection;
    const server = { provider, baseUrl, ...credentialsOf(kept.values) };
    const listing = await listServerModels(server, limits);
    if (listing.state === 'not_listed') return explain(server, listing.answer);
    const listedAt = clock().toISOString();
    await store.write((writer) => updateListedModels(writer, connection, listing.models, listedAt));
    return null;
  }

  return {
    refresh,
    /** Asks all servers that weren't asked within a day; failures are ignored, since nobody waits for this. */
    async refreshOld(): Promise<void> {
      const old = store.read(listConnections).filter(isOld);
      for (const { id } of old) await refresh(id).catch(() => undefined);
    },
  };
}
