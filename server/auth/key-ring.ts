/** The API keys in force, held in memory so that no request waits for the store. */
import {
  createKey,
  findKey,
  listKeys,
  revokeKey,
  updateKeyLastUsed,
  updateKeyWebhook,
  type StoredKey,
} from '../store/key-repository.ts';
import type { Store } from '../store/types.ts';
import type { Caller } from './caller.ts';
import { createKeyText, digestOf, SHOWN_CHARACTERS } from './keys.ts';

/** How precisely a key's last use is stored. */
const LAST_USED_PRECISION_MS = 60_000;

/** A new key. Without scope `admin`, it may reach out and approve only if that is given. */
export type NewKey = Pick<StoredKey, 'kind' | 'name' | 'scope' | 'workspaceId' | 'expiresAt'> &
  Partial<Pick<StoredKey, 'reach' | 'approve'>>;

export type KeyRing = ReturnType<typeof createKeyRing>;

interface Entry {
  id: string;
  caller: Caller;
  expiresAtMs: number;
  lastUsedMs: number;
}

/** The keys of a store. `newId` makes their ids. */
export function createKeyRing(deps: { store: Store; clock: () => Date; newId: () => string }) {
  const { store, clock, newId } = deps;
  /** Those in force, by digest. */
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
        ...(key.kind === 'person' && { keyId: key.id }),
        ...(key.webhook !== null && { notifies: key.id }),
      },
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
    /** The caller behind the key of that digest; null when there is none, or it expired or was revoked. */
    find(digest: string, nowMs: number): Caller | null {
      const entry = entries.get(digest);
      // An unreadable expiry is NaN, so the comparison fails and the key isn't valid.
      if (entry === undefined || !(nowMs < entry.expiresAtMs)) return null;
      if (nowMs - entry.lastUsedMs >= LAST_USED_PRECISION_MS) noteUse(entry, nowMs);
      return entry.caller;
    },
    /** Every key there ever was, as stored. */
    list: (): StoredKey[] => store.read(listKeys),
    /** Creates a key; resolves with its text, which can't be retrieved again, once the digest is on disk. */
    async create(key: NewKey): Promise<{ text: string; stored: StoredKey }> {
      const text = createKeyText();
      const isAdmin = key.scope === 'admin';
      const stored: StoredKey = {
        ...key,
        reach: isAdmin || key.reach === true,
        approve: isAdmin || key.approve === true,
        id: newId(),
        prefix: text.slice(0, SHOWN_CHARACTERS),
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
    /** Sets where the ends of its turns are reported; resolves with the key as it then is. Null: it isn't in force. */
    async setWebhook(id: string, webhook: StoredKey['webhook']): Promise<StoredKey | null> {
      const changed = await store.write((writer) =>
        updateKeyWebhook(writer, id, webhook) ? findKey(writer, id) : null,
      );
      if (changed !== null) add(changed);
      return changed;
    },
    /**
     * Revokes a key, at once for requests and for good once this resolves with the key as it then is; a key revoked
     * before stays as it is. Null: there is none of that id. When the store refuses, the key stays in force.
     */
    async revoke(id: string): Promise<StoredKey | null> {
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
