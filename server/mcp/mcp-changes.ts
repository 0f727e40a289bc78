/** Adds, changes and removes tool servers. */
import type { CreateMcpServerBody, UpdateMcpServerBody } from '../../shared/api/mcp.ts';
import { MAX_MCP_SERVERS } from '../../shared/limits.ts';
import { createSecretRows, type RowStorage, type SecretRowDeps } from '../connections/secret-rows.ts';
import { readName } from '../lib/clean-name.ts';
import { slugFor } from '../lib/slug.ts';
import {
  countMcpServers,
  createMcpServer,
  deleteMcpServer,
  findMcpServer,
  hasMcpSlug,
  updateMcpServer,
  type StoredMcpServer,
} from '../store/mcp-repository.ts';
import { applyChange, checkSecrets, newServer, secretField } from './read-server.ts';
import { SERVER_SECRETS } from './server-secrets.ts';

const SERVERS: RowStorage<StoredMcpServer> = {
  max: MAX_MCP_SERVERS,
  title: 'tool servers',
  count: countMcpServers,
  find: findMcpServer,
  create: createMcpServer,
  update: updateMcpServer,
  remove: deleteMcpServer,
};

/** Creates the part of the tool-server service that changes servers. */
export function createMcpChanges(deps: SecretRowDeps) {
  const { secrets, clock, newId } = deps;
  const rows = createSecretRows(SERVER_SECRETS, SERVERS, deps);
  return {
    ...rows,
    /** Resolves with the new one's id. Rejects with AppError `invalid_request`, or `conflict` when there are too many. */
    async create(body: CreateMcpServerBody): Promise<string> {
      const { transport } = body;
      const server = newServer(body);
      const name = readName(body.name);
      const values = body[secretField(transport)] ?? {};
      checkSecrets(transport, values);
      const id = newId();
      await rows.create(id, values, (reader) => ({
        ...server,
        id,
        name,
        slug: slugFor(name, 'tools', (slug) => hasMcpSlug(reader, slug)),
        createdAt: clock().toISOString(),
      }));
      return id;
    },
    /** False: there is none. Rejects with AppError `invalid_request`, or `conflict` when its values are locked. */
    update: (id: string, change: UpdateMcpServerBody): Promise<boolean> =>
      rows.update(id, (before) => applyChange(secrets, before, change)),
  };
}
