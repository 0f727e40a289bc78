/**
 * The values of a tool server's environment variables or headers. They stand together in one secret under the server's id;
 * its row says of which names values belong to it.
 */
import type { SecretValues } from '../secrets/mask.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { StoredMcpServer } from '../store/mcp-repository.ts';

const PREFIX = 'mcp:';

/** What is known of a server's values. `locked`: they can't be had here and now; the reason says why. */
export type ServerSecrets = { state: 'present'; values: SecretValues } | { state: 'locked'; reason: string };

/** The name of the secret that holds the values of the server of this id. */
export const secretNameOf = (serverId: string): string => `${PREFIX}${serverId}`;

/** The id of the server whose values the secret of this name holds; null: it is another's. */
export const serverOfSecret = (name: string): string | null =>
  name.startsWith(PREFIX) ? name.slice(PREFIX.length) : null;

/** The values of the names that a server has; nothing is read for one that has none. */
export async function readServerSecrets(
  secrets: Pick<Secrets, 'read'>,
  { id, secretNames }: Pick<StoredMcpServer, 'id' | 'secretNames'>,
): Promise<ServerSecrets> {
  if (secretNames.length === 0) return { state: 'present', values: {} };
  const reading = await secrets.read(secretNameOf(id));
  if (reading.state === 'locked') return { state: 'locked', reason: reading.reason };
  const kept = reading.state === 'present' ? parseValues(reading.text) : new Map<string, string>();
  const missing = secretNames.find((name) => !kept.has(name));
  if (missing !== undefined) {
    return { state: 'locked', reason: `The value of ${missing} is no longer there; enter it again.` };
  }
  return { state: 'present', values: pick(kept, secretNames) };
}

/** A server and its values, which belong together: it may move while they are read. Null: there is no such server. */
export async function openServerSecrets<T extends Omit<StoredMcpServer, 'tools'>>(
  secrets: Pick<Secrets, 'read'>,
  find: () => T | null,
): Promise<{ server: T; secrets: ServerSecrets } | null> {
  for (;;) {
    const server = find();
    if (server === null) return null;
    const read = await readServerSecrets(secrets, server);
    const now = find();
    if (now !== null && whatIsReached(now) === whatIsReached(server)) return { server, secrets: read };
  }
}

/** The text of the secret that holds these values. */
export const writeValues = (values: SecretValues): string => JSON.stringify(values);

/** The names and values that the text of a secret holds. */
export function parseValues(text: string): Map<string, string> {
  return new Map(Object.entries(JSON.parse(text) as Record<string, string>));
}

const pick = (kept: ReadonlyMap<string, string>, names: readonly string[]): SecretValues =>
  Object.fromEntries(names.flatMap((name) => (kept.has(name) ? [[name, kept.get(name) ?? '']] : [])));

const whatIsReached = ({
  id,
  transport,
  command,
  args,
  url,
  secretNames,
}: Omit<StoredMcpServer, 'tools'>): string =>
  JSON.stringify([id, transport, command, args, url, secretNames]);
