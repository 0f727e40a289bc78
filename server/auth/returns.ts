/**
 * Coming back after a restart. Session keys live in memory and end with the process; a page that was signed in must not
 * ask its person for a fresh link because of that. With each session it is given a return token, of which the store
 * keeps the digest, and which buys nothing but another session.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { deleteReturn, deleteReturnsBefore, listReturns, updateReturn } from '../store/return-repository.ts';
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
  /** A new token; resolves when its digest is on disk. Rejects when the store refuses. */
  create(): Promise<string>;
  /** Whether the text is a token in force. Using it prolongs it. */
  isKnown(text: string): boolean;
}

/** Reads the tokens of a store. */
export function createReturns({ store, clock }: { store: Store; clock: () => Date }): Returns {
  const ends = new Map(
    store.read(listReturns).map(({ digest, expiresAt }) => [digest, Date.parse(expiresAt)]),
  );

  const keep = (digest: string): Promise<void> => {
    const now = clock().getTime();
    const expiresAtMs = now + LIFETIME_MS;
    // Put in anew, so that the first is always the one that ends first.
    ends.delete(digest);
    ends.set(digest, expiresAtMs);
    const [oldest] = ends.keys();
    const surplus = ends.size > MAX_TOKENS && oldest !== undefined ? oldest : null;
    if (surplus !== null) ends.delete(surplus);
    return store.write((writer) => {
      updateReturn(writer, { digest, expiresAt: new Date(expiresAtMs).toISOString() });
      if (surplus !== null) deleteReturn(writer, surplus);
      deleteReturnsBefore(writer, new Date(now).toISOString());
    });
  };

  return {
    async create() {
      const token = `return_${randomBytes(32).toString('base64url')}`;
      await keep(digestOf(token));
      return token;
    },
    isKnown(text) {
      if (!TOKEN_PATTERN.test(text)) return false;
      const digest = digestOf(text);
      const known = [...ends.keys()].find((other) =>
        timingSafeEqual(Buffer.from(other), Buffer.from(digest)),
      );
      const expiresAtMs = known === undefined ? undefined : ends.get(known);
      const now = clock().getTime();
      if (expiresAtMs === undefined || !(now < expiresAtMs)) return false;
      // Nobody waits for this, and a token that isn't prolonged works on until its end.
      if (expiresAtMs - now < LIFETIME_MS - PROLONG_AFTER_MS) keep(digest).catch(() => undefined);
      return true;
    },
  };
}
