/**
 * The values of a tool server's environment variables or headers. They are stored together in one secret under the
 * server's id; its row lists the names whose values belong to it.
 */
import type { SecretValues } from '../secrets/mask.ts';
import { readTogether, valuesOf } from '../secrets/row-secrets.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { StoredMcpServer } from '../store/mcp-repository.ts';

/** Prefix of the names of tool servers' secrets; the id follows. */
export const PREFIX = 'mcp:';

/** What is known about a server's values. `locked`: they can't be read at the moment; the reason says why. */
export type ServerSecrets = { state: 'present'; values: SecretValues } | { state: 'locked'; reason: string };

/** The values of the names that a server has; nothing is read for one that has none. */
export async function readServerSecrets(
  secrets: Pick<Secrets, 'read'>,
  { id, secretNames }: Pick<StoredMcpServer, 'id' | 'secretNames'>,
): Promise<ServerSecrets> {
  if (secretNames.length === 0) return { state: 'present', values: {} };
  const reading = await secrets.read(PREFIX + id);
  if (reading.state === 'locked') return { state: 'locked', reason: reading.reason };
  return valuesOf(reading.state === 'present' ? parseValues(reading.text) : {}, secretNames);
}

/** A server with the values that belong to it, even if it moves while they are read. Null: there is no such server. */
export async function openServerSecrets<T extends Omit<StoredMcpServer, 'tools'>>(
  secrets: Pick<Secrets, 'read'>,
  find: () => T | null,
): Promise<{ server: T; secrets: ServerSecrets } | null> {
  const opened = await readTogether(
    find,
    (server) => readServerSecrets(secrets, server),
    ({ id, transport, command, args, url, secretNames }) => [id, transport, command, args, url, secretNames],
  );
  return opened && { server: opened.row, secrets: opened.kept };
}

/** The text of the secret that holds these values. */
export const writeValues = (values: SecretValues): string => JSON.stringify(values);

/** A secret's text reduced to the values of these names. */
export const onlyOf = (names: readonly string[], text: string): string =>
  writeValues(Object.fromEntries(Object.entries(parseValues(text)).filter(([name]) => names.includes(name))));

const parseValues = (text: string): SecretValues => JSON.parse(text) as Record<string, string>;
