/** Creates, changes and removes connections. */
import type { CreateConnectionBody, UpdateConnectionBody } from '../../shared/api/connection.ts';
import { MAX_CONNECTION_HEADERS, MAX_CONNECTIONS } from '../../shared/limits.ts';
import { invalidField } from '../errors.ts';
import { readName } from '../lib/clean-name.ts';
import { slugFor } from '../lib/slug.ts';
import { valuesAfter, valuesSetBy } from '../secrets/row-secrets.ts';
import {
  countConnections,
  createConnection,
  deleteConnection,
  findConnection,
  findConnectionAccess,
  updateConnection,
  type StoredConnection,
} from '../store/connection-repository.ts';
import { dropDefaultModels } from '../store/workspace-repository.ts';
import { CREDENTIALS, givenCredentials } from './credentials.ts';
import { mayShareKey, readBaseUrl, usualNameOf, type ServerAddress } from './server-address.ts';
import { createSecretRows, type RowStorage, type SecretRowDeps } from './secret-rows.ts';

const CONNECTIONS: RowStorage<StoredConnection> = {
  max: MAX_CONNECTIONS,
  title: 'connections',
  count: countConnections,
  find: findConnection,
  create: createConnection,
  update: (writer, row) => updateConnection(writer, row.id, row),
  remove(writer, { id, slug }) {
    deleteConnection(writer, id);
    // Otherwise these defaults would apply again as soon as another connection got the same slug.
    dropDefaultModels(writer, slug);
  },
};

/** Creates the part of the connection service that changes connections. */
export function createConnectionChanges(deps: SecretRowDeps) {
  const { secrets, clock, newId } = deps;
  const rows = createSecretRows(CREDENTIALS, CONNECTIONS, deps);
  return {
    ...rows,
    /** Resolves with the new one's id. Rejects with AppError `invalid_request`, or `conflict` when there are too many. */
    async create(body: CreateConnectionBody): Promise<string> {
      const { provider, baseUrl = null, firstWordSeconds = null } = body;
      const server: ServerAddress = { provider, baseUrl: readBaseUrl(provider, baseUrl) };
      const name = body.name === undefined ? usualNameOf(server) : readName(body.name);
      const id = newId();
      await rows.create(id, valuesSetBy(givenCredentials(body)), (reader) => ({
        ...server,
        id,
        name,
        firstWordSeconds,
        slug: slugFor(name, 'models', (slug) => findConnectionAccess(reader, slug) !== null),
        hasKey: false,
        headerNames: [],
        models: [],
        modelsListedAt: null,
        createdAt: clock().toISOString(),
      }));
      return id;
    },
    /** False: there is none. Rejects with AppError `invalid_request`, or `conflict` when its values are locked. */
    update: (id: string, change: UpdateConnectionBody): Promise<boolean> =>
      rows.update(id, async (before) => {
        const { name, baseUrl, firstWordSeconds = before.firstWordSeconds } = change;
        let after: StoredConnection = {
          ...before,
          name: name === undefined ? before.name : readName(name),
          baseUrl: baseUrl === undefined ? before.baseUrl : readBaseUrl(before.provider, baseUrl),
          firstWordSeconds,
        };
        const hasMoved = !mayShareKey(before, after);
        const values = await valuesAfter(CREDENTIALS, secrets, before, givenCredentials(change), hasMoved);
        if (values !== null) after = CREDENTIALS.withNames(after, Object.keys(values));
        if (after.headerNames.length > MAX_CONNECTION_HEADERS)
          throw invalidField(
            'headers',
            `A connection can’t have more than ${MAX_CONNECTION_HEADERS} headers.`,
          );
        return { before, after, values, hasMoved };
      }),
  };
}
