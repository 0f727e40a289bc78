/** Adding, changing and removing tool servers. A server is a row and a secret with its environment or headers. */
import type { CreateMcpServerBody, UpdateMcpServerBody } from '../../shared/api/mcp.ts';
import { DEFAULT_AGENT_TYPE, MAX_MCP_SERVERS } from '../../shared/limits.ts';
import { readName } from '../lib/clean-name.ts';
import { slugFor } from '../lib/slug.ts';
import { AppError } from '../errors.ts';
import { createRowSecrets } from '../secrets/row-secrets.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { createSequence } from '../lib/sequence.ts';
import {
  countMcpServers,
  createMcpServer,
  deleteMcpServer,
  findMcpServer,
  hasMcpSlug,
  updateMcpServer,
  type StoredMcpServer,
} from '../store/mcp-repository.ts';
import type { Store } from '../store/types.ts';
import { applyChange, checkSecrets, readPlace, secretField } from './read-server.ts';
import { SERVER_SECRETS } from './server-secrets.ts';

/** Dependencies of {@link createMcpChanges}. */
export interface McpChangeDeps {
  store: Store;
  secrets: Pick<Secrets, 'read' | 'write' | 'remove' | 'names'>;
  clock: () => Date;
  newId: () => string;
}

export type McpChanges = ReturnType<typeof createMcpChanges>;

/** Creates the part of the tool-server service that changes servers, one after the other. */
export function createMcpChanges({ store, secrets, clock, newId }: McpChangeDeps) {
  const sequence = createSequence();
  const rows = createRowSecrets<StoredMcpServer>(SERVER_SECRETS, secrets);
  const find = (id: string): StoredMcpServer | null => store.read((reader) => findMcpServer(reader, id));

  async function create(body: CreateMcpServerBody): Promise<string> {
    const place = readPlace(body);
    const name = readName(body.name);
    const values = body[secretField(body.transport)] ?? {};
    checkSecrets(body.transport, values);
    const id = newId();
    requireRoom(store.read(countMcpServers));
    await rows.create(id, values, () =>
      store.write((writer) => {
        requireRoom(countMcpServers(writer));
        createMcpServer(writer, {
          ...place,
          id,
          name,
          slug: slugFor(name, 'tools', (slug) => hasMcpSlug(writer, slug)),
          secretNames: Object.keys(values),
          enabled: body.enabled ?? true,
          agents: body.agents ?? [DEFAULT_AGENT_TYPE],
          createdAt: clock().toISOString(),
        });
      }),
    );
    return id;
  }

  async function update(id: string, change: UpdateMcpServerBody): Promise<boolean> {
    const before = find(id);
    if (before === null) return false;
    const changed = await applyChange(secrets, before, change);
    const write = (server: StoredMcpServer): Promise<void> =>
      store.write((writer) => updateMcpServer(writer, server));
    await rows.change({ ...changed, write });
    return true;
  }

  async function remove(id: string): Promise<StoredMcpServer | null> {
    const server = find(id);
    if (server === null) return null;
    await store.write((writer) => deleteMcpServer(writer, server));
    if (server.secretNames.length > 0) await rows.remove(id);
    return { ...server, secretNames: [] };
  }

  return {
    /** Resolves with the new one's id. Rejects with AppError `invalid_request`, or `conflict` when there are too many. */
    create: (body: CreateMcpServerBody) => sequence.run(() => create(body)),
    /** False: there is none. Rejects with AppError `invalid_request`, or `conflict` when its values are locked. */
    update: (id: string, change: UpdateMcpServerBody) => sequence.run(() => update(id, change)),
    /** Resolves with what was removed, secrets and all; null: there is none. */
    remove: (id: string) => sequence.run(() => remove(id)),
    /** Removes values that an earlier process left without a server. */
    sweepSecrets: () => sequence.run(() => rows.sweep(find)),
    /** Resolves when changes under way are done. */
    settled: () => sequence.settled(),
  };
}

const TOO_MANY = `There are ${MAX_MCP_SERVERS} tool servers already, which is the most there can be; remove one first.`;

function requireRoom(count: number): void {
  if (count >= MAX_MCP_SERVERS) throw new AppError('conflict', TOO_MANY);
}
