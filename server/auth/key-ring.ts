/** The API keys in force, held in memory so that no request waits for the store. */
import { timingSafeEqual } from 'node:crypto';
import {
  createKey,
  findKey,
  listKeys,
  revokeKey,
  updateKeyLastUsed,
  updateKeyWebhook,
  type KeyScope,
  type StoredKey,
} from '../store/key-repository.ts';
import type { Store } from '../store/types.ts';
import type { Caller } from './caller.ts';
import { createKeyText, digestOf, shownPrefixOf } from './keys.ts';

/** How precisely a key's last use is stored. */
const LAST_USED_PRECISION_MS = 60_000;

/** What a new key may do. */
export interface NewKey {
  kind: StoredKey['kind'];
  name: string;
  scope: KeyScope;
  /** Whether turns that it starts may use tools that reach out; a key of scope `admin` always may, others not unless given. */
  reach?: boolean;
  /** Whether it may answer tools' questions; a key of scope `admin` always may, others not unless given. */
  approve?: boolean;
  /** The workspace it is bound to; null: it may use all. */
  workspaceId: string | null;
  /** ISO time; null: never. */
  expiresAt: string | null;
}

/** The keys of a store. */
export interface KeyRing {
  /** The caller behind the key of that digest; null when there is none, or it expired or was revoked. */
  find(digest: string, nowMs: number): Caller | null;
  /** Every key there ever was, as stored. */
  list(): StoredKey[];
  /** Creates a key; resolves with its text, which can't be retrieved again, once the digest is on disk. */
  create(key: NewKey): Promise<{ text: string; stored: StoredKey }>;
  /**
   * Revokes a key, at once for requests and for good once this resolves with the key as it then is; a key revoked
   * before stays as it is. Null: there is none of that id. When the store refuses, the key stays in force.
   */
  revoke(id: string): Promise<StoredKey | null>;
  /** Sets where the ends of its turns are reported; resolves with the key as it then is. Null: it isn't in force. */
  setWebhook(id: string, webhook: StoredKey['webhook']): Promise<StoredKey | null>;
}

interface Entry {
  id: string;
  caller: Caller;
  digest: Buffer;
  expiresAtMs: number;
  lastUsedMs: number;
}

/** Reads the store's keys. `newId` makes their ids. */
export function createKeyRing(deps: { store: Store; clock: () => Date; newId: () => string }): KeyRing {
  const { store, clock, newId } = deps;
  const entries = new Map<string, Entry>();
  const add = (key: StoredKey): void => {
    if (key.revokedAt !== null) return;
    entries.set(key.digest, {
      id: key.id,
      caller: {
        kind: 'key',
        name: key.name,
        scope: key.scope,
        reach: key.reach,
        approve: key.approve,
        workspaceId: key.workspaceId,
        ...(key.webhook !== null && { notifies: key.id }),
      },
      digest: Buffer.from(key.digest),
      expiresAtMs: key.expiresAt === null ? Infinity : Date.parse(key.expiresAt),
      lastUsedMs: key.lastUsedAt === null ? 0 : Date.parse(key.lastUsedAt),
    });
  };
  for (const key of store.read(listKeys)) add(key);

  /** Nobody waits for this, and if the disk refuses, other writes report it. */
  const noteUse = (entry: Entry, nowMs: number): void => {
    entry.lastUsedMs = nowMs;
    setImmediate(() => {
      const usedAt = new Date(nowMs).toISOString();
      store.write((writer) => updateKeyLastUsed(writer, entry.id, usedAt)).catch(() => undefined);
    });
  };

  return {
    find(digest, nowMs) {
      const entry = entries.get(digest);
      if (entry === undefined || !timingSafeEqual(entry.digest, Buffer.from(digest))) return null;
      // An unreadable expiry is NaN, so the comparison fails and the key isn't valid.
      if (!(nowMs < entry.expiresAtMs)) return null;
      if (nowMs - entry.lastUsedMs >= LAST_USED_PRECISION_MS) noteUse(entry, nowMs);
      return entry.caller;
    },
    list: () => store.read(listKeys),
    async create(key) {
      const text = createKeyText();
      const isAdmin = key.scope === 'admin';
      const stored: StoredKey = {
        ...key,
        reach: isAdmin || key.reach === true,
        approve: isAdmin || key.approve === true,
        id: newId(),
        prefix: shownPrefixOf(text),
        digest: digestOf(text),
        createdAt: clock().toISOString(),
        lastUsedAt: null,
        revokedAt: null,
        webhook: null,
      };
      await store.write((writer) => createKey(writer, stored));
      add(stored);
      return { text, stored };
    },
    async setWebhook(id, webhook) {
      const changed = await store.write((writer) =>
        updateKeyWebhook(writer, id, webhook) ? findKey(writer, id) : null,
      );
      if (changed !== null) add(changed);
      return changed;
    },
    async revoke(id) {
      const revoked = [...entries].filter(([, entry]) => entry.id === id);
      for (const [digest] of revoked) entries.delete(digest);
      const revokedAt = clock().toISOString();
      try {
        return await store.write((writer) => {
          revokeKey(writer, id, revokedAt);
          return findKey(writer, id);
        });
      } catch (error) {
        for (const [digest, entry] of revoked) entries.set(digest, entry);
        throw error;
      }
    },
  };
}
