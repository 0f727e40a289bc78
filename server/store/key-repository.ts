import type { Reader, Writer } from './types.ts';

/** `chat`: the v1 endpoints and their additions. `admin`: keys, settings and workspaces too. */
export type KeyScope = 'chat' | 'admin';

/** An API key as it is stored: never the key itself. */
export interface StoredKey {
  id: string;
  /** `local` is the one key that is made at first start for local tools. */
  kind: 'local' | 'person';
  name: string;
  /** The key's first characters, to tell keys apart. */
  prefix: string;
  /** SHA-256 of the whole key, in hex. */
  digest: string;
  scope: KeyScope;
  /** Whether turns that it starts may use tools that reach out. */
  reach: boolean;
  /** Whether it may answer tools' questions. */
  approve: boolean;
  /** The workspace it is bound to; null: it may use all. */
  workspaceId: string | null;
  createdAt: string;
  /** Null: never used. Kept to the minute. */
  lastUsedAt: string | null;
  /** Null: never expires. */
  expiresAt: string | null;
  /** Null: in force. */
  revokedAt: string | null;
}

type Row = Omit<StoredKey, 'reach' | 'approve'> & { reach: number; approve: number };

const COLUMNS = `id, kind, name, prefix, digest, scope, reach, approve, workspace_id AS workspaceId, created_at AS createdAt,
  last_used_at AS lastUsedAt, expires_at AS expiresAt, revoked_at AS revokedAt`;

/** Every key there ever was, oldest first, revoked ones included. */
export function listKeys(reader: Reader): StoredKey[] {
  return reader.all<Row>(`SELECT ${COLUMNS} FROM keys ORDER BY created_at, id`).map(toKey);
}

/** The key of that id, in force or not, or null. */
export function findKey(reader: Reader, id: string): StoredKey | null {
  const row = reader.get<Row>(`SELECT ${COLUMNS} FROM keys WHERE id = ?`, [id]);
  return row && toKey(row);
}

/** Whoever may do everything may do these two as well, whatever is stored. */
const toKey = (row: Row): StoredKey => ({
  ...row,
  reach: row.scope === 'admin' || row.reach === 1,
  approve: row.scope === 'admin' || row.approve === 1,
});

/** Stores a new key. */
export function createKey(writer: Writer, key: StoredKey): void {
  writer.run(
    `INSERT INTO keys (id, kind, name, prefix, digest, scope, reach, approve, workspace_id, created_at, last_used_at,
      expires_at, revoked_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      key.id,
      key.kind,
      key.name,
      key.prefix,
      key.digest,
      key.scope,
      key.reach ? 1 : 0,
      key.approve ? 1 : 0,
      key.workspaceId,
      key.createdAt,
      key.lastUsedAt,
      key.expiresAt,
      key.revokedAt,
    ],
  );
}

/** Notes when a key was last used. */
export function updateKeyLastUsed(writer: Writer, id: string, lastUsedAt: string): void {
  writer.run('UPDATE keys SET last_used_at = ? WHERE id = ?', [lastUsedAt, id]);
}

/** Takes a key out of force; what it was stays on record. */
export function revokeKey(writer: Writer, id: string, revokedAt: string): void {
  writer.run('UPDATE keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL', [revokedAt, id]);
}
