/**
 * Adding, changing and removing tool servers. A server is a row, and a secret under its id with the values of its environment
 * or headers. They can't be written at once, so the row says which names have a value, and names fewer of them until the
 * secret is written: a crash in between leaves a server without some of its values, never values that would go where they
 * weren't given for. Secrets that belong to no row are swept at the next start.
 */
import type { CreateMcpServerBody, UpdateMcpServerBody } from '../../shared/api/mcp.ts';
import { DEFAULT_AGENT_TYPE, MAX_MCP_SERVERS } from '../../shared/limits.ts';
import { readName } from '../lib/clean-name.ts';
import { slugFor } from '../lib/slug.ts';
import { AppError } from '../errors.ts';
import type { SecretValues } from '../secrets/mask.ts';
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
import { parseValues, secretNameOf, serverOfSecret, writeValues } from './server-secrets.ts';

/** What {@link createMcpChanges} works with. */
export interface McpChangeDeps {
  store: Store;
  secrets: Pick<Secrets, 'read' | 'write' | 'remove' | 'names'>;
  clock: () => Date;
  newId: () => string;
}

/** Changes are made one after the other, since each is made of several steps. Null: there is no such server. */
export interface McpChanges {
  /** Resolves with the new one's id. Rejects with AppError `invalid_request`, or `conflict` when there are too many. */
  create(body: CreateMcpServerBody): Promise<string>;
  /** Resolves with how it was and is. Rejects with AppError `invalid_request`. */
  update(id: string, change: UpdateMcpServerBody): Promise<ChangedServer | null>;
  /** Resolves with what was removed, secrets and all. */
  remove(id: string): Promise<StoredMcpServer | null>;
  /** Removes values that an earlier process left without a server. */
  sweepSecrets(): Promise<void>;
  /** Resolves when what is under way has come to its end. */
  settled(): Promise<void>;
}

/** Makes the part of the tool-server service that changes them. */
export function createMcpChanges({ store, secrets, clock, newId }: McpChangeDeps): McpChanges {
  const sequence = createSequence();
  const find = (id: string): StoredMcpServer | null => store.read((reader) => findMcpServer(reader, id));

  async function create(body: CreateMcpServerBody): Promise<string> {
    const place = readPlace(body);
    const name = readName(body.name);
    const values: SecretValues = body[secretField(body.transport)] ?? {};
    checkSecrets(body.transport, values);
    const secretNames = Object.keys(values);
    const id = newId();
    requireRoom(store.read(countMcpServers));
    if (secretNames.length > 0) await secrets.write(secretNameOf(id), writeValues(values));
    try {
      await store.write((writer) => {
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
      });
    } catch (error) {
      if (secretNames.length > 0) await secrets.remove(secretNameOf(id)).catch(() => false);
      throw error;
    }
    return id;
  }

  async function update(id: string, change: UpdateMcpServerBody): Promise<ChangedServer | null> {
    const before = find(id);
    if (before === null) return null;
    const changed = await applyChange(secrets, before, change);
    const { after, values, hasMoved } = changed;
    const write = (server: StoredMcpServer): Promise<void> =>
      store.write((writer) => updateMcpServer(writer, server));
    if (values !== null) {
      const kept = hasMoved ? [] : after.secretNames.filter((name) => before.secretNames.includes(name));
      if (hasMoved || kept.length < before.secretNames.length) await write({ ...after, secretNames: kept });
      try {
        if (after.secretNames.length > 0) await secrets.write(secretNameOf(id), writeValues(values));
        else await removeSecrets(id);
      } catch (error) {
        if (after.secretNames.length > 0) await write(before);
        throw error;
      }
    }
    await write(after);
    return changed;
  }

  async function remove(id: string): Promise<StoredMcpServer | null> {
    const server = find(id);
    if (server === null) return null;
    await store.write((writer) => deleteMcpServer(writer, server));
    if (server.secretNames.length > 0) await removeSecrets(id);
    return { ...server, secretNames: [] };
  }

  async function removeSecrets(id: string): Promise<void> {
    try {
      await secrets.remove(secretNameOf(id));
    } catch (error) {
      throw new AppError('storage_unavailable', SECRETS_STAY, { cause: error });
    }
  }

  async function sweepSecrets(): Promise<void> {
    for (const name of await secrets.names()) {
      const id = serverOfSecret(name);
      if (id === null) continue;
      const names = find(id)?.secretNames ?? [];
      if (names.length === 0) await secrets.remove(name);
      else await sweepValues(name, names);
    }
  }

  /** Removes the values of names that a server hasn't got any more. */
  async function sweepValues(name: string, names: readonly string[]): Promise<void> {
    const reading = await secrets.read(name);
    if (reading.state !== 'present') return;
    const values = [...parseValues(reading.text)];
    const kept = values.filter(([key]) => names.includes(key));
    if (kept.length < values.length) await secrets.write(name, writeValues(Object.fromEntries(kept)));
  }

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
const TOO_MANY = `There are ${MAX_MCP_SERVERS} tool servers already, which is as many as there can be; remove one first.`;

function requireRoom(count: number): void {
  if (count >= MAX_MCP_SERVERS) throw new AppError('conflict', TOO_MANY);
}
