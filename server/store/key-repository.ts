import type { KeyScope, Webhook } from '../../shared/api/key.ts';
import { defineTable, flag, json, plain, text, type RowOf } from './table.ts';
import type { Writer } from './types.ts';

/** API keys: never the keys themselves. */
const KEYS = defineTable('keys', {
  id: text(),
  /** `local` is the one key that is made at first start for local tools. */
  kind: plain<'local' | 'person'>(),
  name: text(),
  /** The key's first characters, to tell keys apart. */
  prefix: text(),
  /** SHA-256 of the whole key, in hex. */
  digest: text(),
  scope: plain<KeyScope>(),
  /** Whether turns it starts may use tools that reach out. */
  reach: flag(),
  /** Whether it may approve calls. */
  approve: flag(),
  /** The workspace it is bound to; null: it may use all. */
  workspaceId: plain<string | null>(),
  createdAt: text(),
  /** Null: never used. Kept to the minute. */
  lastUsedAt: plain<string | null>(),
  /** Null: never expires. */
  expiresAt: plain<string | null>(),
  /** Null: in force. */
  revokedAt: plain<string | null>(),
  /** Where to report the ends of turns it started; null: nowhere. */
  webhook: json<Webhook | null>(null),
});

/** An API key as it is stored. */
export type StoredKey = RowOf<typeof KEYS.columns>;

/** An admin key has both of these rights, whatever is stored. */
const WITH_RIGHTS = KEYS.as((key) => (key.scope === 'admin' ? { ...key, reach: true, approve: true } : key));

/** Every key there ever was, oldest first, revoked ones included. */
export const listKeys = WITH_RIGHTS.list('ORDER BY created_at, id');

/** The key of that id, in force or not, or null. */
export const findKey = WITH_RIGHTS.first<[id: string]>('WHERE id = ?');

/** Stores a new key. */
export const createKey = KEYS.insert;

/** Notes when a key was last used. */
export function updateKeyLastUsed(writer: Writer, id: string, lastUsedAt: string): void {
  writer.run('UPDATE keys SET last_used_at = ? WHERE id = ?', [lastUsedAt, id]);
}

const saveWebhook = KEYS.update(['webhook'], 'WHERE id = ? AND revoked_at IS NULL');

/** Sets where the ends of a key's turns are reported; false: there is no such key, or it was revoked. */
export const updateKeyWebhook = (writer: Writer, id: string, webhook: Webhook | null): boolean =>
  saveWebhook(writer, { webhook }, id) === 1;

/** Revokes a key; its record stays. */
export function revokeKey(writer: Writer, id: string, revokedAt: string): void {
  writer.run('UPDATE keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL', [revokedAt, id]);
}
