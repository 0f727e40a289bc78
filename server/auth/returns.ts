/**
 * Coming back after a restart. Session keys live in memory and end with the process; a page that was signed in must not
 * ask its person for a fresh link because of that. With each session it is given a return token, of which the store
 * keeps the digest, and which buys nothing but another session.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import {
  deleteReturn,
  deleteReturnsBefore,
  listReturns,
  updateReturn,
  type StoredReturn,
} from '../store/return-repository.ts';
import type { Store } from '../store/types.ts';
import { digestOf } from './keys.ts';

const TOKEN_PATTERN = /^return_[A-Za-z0-9_-]{43}$/;
/** A page that is away for longer needs a fresh link. */
const LIFETIME_MS = 14 * 24 * 60 * 60_000;
/** Using a token prolongs it, but not every time, since that is a write. */
const PROLONG_AFTER_MS = 60 * 60_000;
/** As many pages as may be signed in at a time; the one that ends first gives way. */
const MAX_TOKENS = 200;

/** The return tokens of a store. */
export interface Returns {
  /**
   * A new token; resolves when its digest is on disk. Rejects when the store refuses. One that was bought with a key is in
   * force as long as that key is.
   */
  create(keyDigest: string | null): Promise<string>;
  /** Whether the text is a token in force. Using it prolongs it. */
  isKnown(text: string): boolean;
  /** The digest of the key that a token was bought with; null for every other text. */
  keyOf(text: string): string | null;
}

/** Reads the tokens of a store. `isKeyInForce` is asked by a key's digest. */
export function createReturns(deps: {
  store: Store;
  clock: () => Date;
  isKeyInForce: (keyDigest: string) => boolean;
}): Returns {
  const { store, clock, isKeyInForce } = deps;
  const tokens = new Map(store.read(listReturns).map((stored) => [stored.digest, stored]));

  const keep = (digest: string, keyDigest: string | null): Promise<void> => {
    const now = clock().getTime();
    const kept = { digest, keyDigest, expiresAt: new Date(now + LIFETIME_MS).toISOString() };
    // Put in anew, so that the first is always the one that ends first.
    tokens.delete(digest);
    tokens.set(digest, kept);
    const [oldest] = tokens.keys();
    const surplus = tokens.size > MAX_TOKENS && oldest !== undefined ? oldest : null;
    if (surplus !== null) tokens.delete(surplus);
    return store.write((writer) => {
      updateReturn(writer, kept);
      if (surplus !== null) deleteReturn(writer, surplus);
      deleteReturnsBefore(writer, new Date(now).toISOString());
    });
  };

  const find = (text: string): StoredReturn | null => {
    if (!TOKEN_PATTERN.test(text)) return null;
    const digest = digestOf(text);
    const found = tokens.get(digest);
    return found !== undefined && timingSafeEqual(Buffer.from(found.digest), Buffer.from(digest))
      ? found
      : null;
  };

  return {
    async create(keyDigest) {
      const token = `return_${randomBytes(32).toString('base64url')}`;
      await keep(digestOf(token), keyDigest);
      return token;
    },
    isKnown(text) {
      const found = find(text);
      if (found === null) return false;
      const leftMs = Date.parse(found.expiresAt) - clock().getTime();
      if (!(leftMs > 0) || (found.keyDigest !== null && !isKeyInForce(found.keyDigest))) return false;
      // Nobody waits for this, and a token that isn't prolonged works on until its end.
      if (leftMs < LIFETIME_MS - PROLONG_AFTER_MS) keep(found.digest, found.keyDigest).catch(() => undefined);
      return true;
    },
    keyOf: (text) => find(text)?.keyDigest ?? null,
  };
}
