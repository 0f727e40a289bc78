/**
 * Signing a page in. A link carries a one-time token in its fragment, which never reaches a server's log; the page
 * exchanges it for a key that lives in memory and ends with the process.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { WINDOW_CALLER, type Caller } from './caller.ts';
import { createKeyText, digestOf } from './keys.ts';

const TOKEN_PREFIX = 'page_';
const TOKEN_PATTERN = /^page_[A-Za-z0-9_-]{43}$/;
/** Bounds for what a process that runs for months could gather; the oldest give way. */
const MAX_TOKENS = 1_000;
const MAX_SESSIONS = 10_000;

/** One-time page tokens and the session keys they were exchanged for. */
export interface Sessions {
  /** A new token that one page may exchange; the session it buys is in force as long as the key of that digest, if any. */
  createToken(keyDigest: string | null): string;
  /** Whether the text is a token that can still be exchanged. */
  isToken(text: string): boolean;
  /**
   * The text of a new session key, for somebody who needs no token; one that was opened with a key is in force as long as
   * that key is.
   */
  open(keyDigest: string | null): string;
  /** Unties a session from the key of that digest, if it was opened with that one: it has put another in its place. */
  release(sessionKey: string, keyDigest: string): void;
  /** Uses the token up; the text of a new session key, or null when the token is worthless. */
  exchange(token: string): string | null;
  /** The digest of the key that a session or a token hangs on; null for every other text. */
  keyOf(text: string): string | null;
  /** The caller behind the session key of that digest, or null. */
  find(digest: string): Caller | null;
}

/** What is kept of a secret. */
interface Kept {
  digest: Buffer;
  keyDigest: string | null;
}

/** Session keys have the scope `admin` and work in all workspaces. `isKeyInForce` is asked by a key's digest. */
export function createSessions(isKeyInForce: (keyDigest: string) => boolean): Sessions {
  const tokens = new Map<string, Kept>();
  const sessions = new Map<string, Kept>();
  const caller: Caller = {
    kind: 'session',
    name: WINDOW_CALLER,
    scope: 'admin',
    reach: true,
    approve: true,
    workspaceId: null,
  };
  const remember = (
    kept: Map<string, Kept>,
    secret: string,
    limit: number,
    keyDigest: string | null,
  ): void => {
    const [oldest] = kept.keys();
    if (kept.size >= limit && oldest !== undefined) kept.delete(oldest);
    const digest = digestOf(secret);
    kept.set(digest, { digest: Buffer.from(digest), keyDigest });
  };
  const holds = (kept: Map<string, Kept>, digest: string): boolean => {
    const found = kept.get(digest);
    if (found === undefined || !timingSafeEqual(found.digest, Buffer.from(digest))) return false;
    return found.keyDigest === null || isKeyInForce(found.keyDigest);
  };
  const isToken = (text: string): boolean => TOKEN_PATTERN.test(text) && holds(tokens, digestOf(text));

  const open = (keyDigest: string | null): string => {
    const key = createKeyText();
    remember(sessions, key, MAX_SESSIONS, keyDigest);
    return key;
  };

  return {
    isToken,
    open,
    createToken(keyDigest) {
      const token = TOKEN_PREFIX + randomBytes(32).toString('base64url');
      remember(tokens, token, MAX_TOKENS, keyDigest);
      return token;
    },
    exchange(token) {
      if (!isToken(token)) return null;
      const digest = digestOf(token);
      const keyDigest = tokens.get(digest)?.keyDigest ?? null;
      tokens.delete(digest);
      return open(keyDigest);
    },
    keyOf(text) {
      const digest = digestOf(text);
      return (sessions.get(digest) ?? tokens.get(digest))?.keyDigest ?? null;
    },
    release(sessionKey, keyDigest) {
      const found = sessions.get(digestOf(sessionKey));
      if (found?.keyDigest === keyDigest) found.keyDigest = null;
    },
    find: (digest) => (holds(sessions, digest) ? caller : null),
  };
}
