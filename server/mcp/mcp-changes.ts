/**
 * Adding, changing and removing tool servers. A server is a row and a secret with the values of its environment or
 * headers; the row lists the names that have a value.
 */
import type { CreateMcpServerBody, UpdateMcpServerBody } from '../../shared/api/mcp.ts';
import { DEFAULT_AGENT_TYPE, MAX_MCP_SERVERS } from '../../shared/limits.ts';
import { readName } from '../lib/clean-name.ts';
import { slugFor } from '../lib/slug.ts';
import { AppError } from '../errors.ts';
import type { SecretValues } from '../secrets/mask.ts';
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
import { applyChange, type ChangedServer } from './change-server.ts';
import { checkSecrets, readPlace, secretField } from './read-server.ts';
import { onlyOf, PREFIX, writeValues } from './server-secrets.ts';

/** Dependencies of {@link createMcpChanges}. */
export interface McpChangeDeps {
  store: Store;
  secrets: Pick<Secrets, 'read' | 'write' | 'remove' | 'names'>;
  clock: () => Date;
  newId: () => string;
}

/** Changes run one after the other, since each has several steps. Null: there is no such server. */
export interface McpChanges {
  /** Resolves with the new one's id. Rejects with AppError `invalid_request`, or `conflict` when there are too many. */
  create(body: CreateMcpServerBody): Promise<string>;
  /** Resolves with the server before and after. Rejects with AppError `invalid_request`. */
  update(id: string, change: UpdateMcpServerBody): Promise<ChangedServer | null>;
  /** Resolves with what was removed, secrets and all. */
  remove(id: string): Promise<StoredMcpServer | null>;
  /** Removes values that an earlier process left without a server. */
  sweepSecrets(): Promise<void>;
  /** Resolves when changes under way are done. */
  settled(): Promise<void>;
}

/** Creates the part of the tool-server service that changes servers. */
export function createMcpChanges({ store, secrets, clock, newId }: McpChangeDeps): McpChanges {
  const sequence = createSequence();
  const rows = createRowSecrets({ secrets, prefix: PREFIX, staysWords: SECRETS_STAY });
  const find = (id: string): StoredMcpServer | null => store.read((reader) => findMcpServer(reader, id));

  async function create(body: CreateMcpServerBody): Promise<string> {
    const place = readPlace(body);
    const name = readName(body.name);
    const values: SecretValues = body[secretField(body.transport)] ?? {};
    checkSecrets(body.transport, values);
    const secretNames = Object.keys(values);
    const id = newId();
    requireRoom(store.read(countMcpServers));
    await rows.create(id, secretNames.length > 0 ? writeValues(values) : null, () =>
      store.write((writer) => {
        requireRoom(countMcpServers(writer));
        createMcpServer(writer, {
          ...place,
          id,
          name,
          slug: slugFor(name, 'tools', (slug) => hasMcpSlug(writer, slug)),
          secretNames,
          enabled: body.enabled ?? true,
          agents: body.agents ?? [DEFAULT_AGENT_TYPE],
          createdAt: clock().toISOString(),
        });
      }),
    );
    return id;
  }

  async function update(id: string, change: UpdateMcpServerBody): Promise<ChangedServer | null> {
    const before = find(id);
    if (before === null) return null;
    const changed = await applyChange(secrets, before, change);
    const { after, values, hasMoved } = changed;
    const write = (server: StoredMcpServer): Promise<void> =>
      store.write((writer) => updateMcpServer(writer, server));
    if (values === null) {
      await write(after);
      return changed;
    }
    const secretNames = hasMoved ? [] : after.secretNames.filter((name) => before.secretNames.includes(name));
    const isLess = hasMoved || secretNames.length < before.secretNames.length;
    const text = after.secretNames.length > 0 ? writeValues(values) : null;
    await rows.change({ before, between: isLess ? { ...after, secretNames } : null, after, text, write });
    return changed;
  }

  async function remove(id: string): Promise<StoredMcpServer | null> {
    const server = find(id);
    if (server === null) return null;
    await store.write((writer) => deleteMcpServer(writer, server));
    if (server.secretNames.length > 0) await rows.remove(id);
    return { ...server, secretNames: [] };
  }

  const sweepSecrets = (): Promise<void> =>
    rows.sweep((id) => {
      const names = find(id)?.secretNames ?? [];
      return names.length === 0 ? null : (text) => onlyOf(names, text);
    });

  return {
    create: (body) => sequence.run(() => create(body)),
    update: (id, change) => sequence.run(() => update(id, change)),
    remove: (id) => sequence.run(() => remove(id)),
    sweepSecrets: () => sequence.run(sweepSecrets),
    settled: () => sequence.settled(),
  };
}

const SECRETS_STAY =
  'The tool server no longer uses these values, but they could not be taken off the disk; that is done at the next start.';
const TOO_MANY = `There are ${MAX_MCP_SERVERS} tool servers already, which is the most there can be; remove one first.`;

function requireRoom(count: number): void {
  if (count >= MAX_MCP_SERVERS) throw new AppError('conflict', TOO_MANY);
}
