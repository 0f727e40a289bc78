/** Under which name the key of a connection is kept, and what is known of it. */
import type { SecretReading, Secrets } from '../secrets/secrets.ts';
import type { StoredConnection } from '../store/connection-repository.ts';

const PREFIX = 'connection:';

/** The name of the secret that is the key of the connection of this id. */
export const keyNameOf = (connectionId: string): string => `${PREFIX}${connectionId}`;

/** The id of the connection whose key the secret of this name is; null: it is another's. */
export const connectionOfKey = (name: string): string | null =>
  name.startsWith(PREFIX) ? name.slice(PREFIX.length) : null;

/** A connection's key; nothing is read for one that has none. */
export function readKey(
  secrets: Pick<Secrets, 'read'>,
  { id, hasKey }: Pick<StoredConnection, 'id' | 'hasKey'>,
): Promise<SecretReading> {
  return hasKey ? secrets.read(keyNameOf(id)) : Promise.resolve({ state: 'absent' });
}

/**
 * A connection and its key, which belong together: a key must never go to an address that it wasn't given for, and the
 * connection may move while its key is read. Null: there is no such connection.
 */
export async function openConnection<T extends Pick<StoredConnection, 'id' | 'baseUrl' | 'hasKey'>>(
  secrets: Pick<Secrets, 'read'>,
  find: () => T | null,
): Promise<{ connection: T; key: SecretReading } | null> {
  for (;;) {
    const connection = find();
    if (connection === null) return null;
    const key = await readKey(secrets, connection);
    const now = find();
    const isSame =
      now?.id === connection.id && now.baseUrl === connection.baseUrl && now.hasKey === connection.hasKey;
    if (isSame) return { connection, key };
  }
}
