/**
 * Signing a page in. A link carries a one-time token in its fragment, which never reaches a server's log; the page
 * exchanges it for a key that lives in memory and ends with the process, so that it is worthless to a program that gets
 * the port later.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { WINDOW_CALLER, type Caller } from './caller.ts';
import { createKeyText, digestOf } from './keys.ts';

const TOKEN_PREFIX = 'page_';
const TOKEN_PATTERN = /^page_[A-Za-z0-9_-]{43}$/;
/** Limits for a process that runs for months; beyond them, the oldest are dropped. */
const MAX_TOKENS = 1_000;
const MAX_SESSIONS = 10_000;

/** What a session depends on. The sessions of one browser share it. */
export interface Tie {
  /** The browser that can come back; null: there is none. */
  readonly browserId: string | null;
  /** The key that it ends with; null: none, as for windows of the desktop app, and while the local key is being replaced. */
  keyDigest: string | null;
}

/** One-time page tokens and session keys. */
export interface Sessions {
  /** A new token that one page may exchange; it is in force as long as the key of that digest. */
  createToken(keyDigest: string): string;
  /** Whether the text is a token that can still be exchanged. */
  isToken(text: string): boolean;
  /** Uses the token up; returns the digest of the key that it depends on, or null when the token is invalid. */
  exchange(token: string): string | null;
  /** The text of a new session key. */
  open(tie: Tie): string;
  /** What the session of that key depends on; null for every other text. */
  tieOf(sessionKey: string): Tie | null;
  /** The caller behind the session key of that digest, or null. */
  find(digest: string): Caller | null;
  /** Ends the sessions of a browser. */
  end(browserId: string): void;
  /** Ends all sessions that don't depend on this, and all tokens. Windows of the desktop app stay signed in. */
  endOthers(tie: Tie | null): void;
}

/** What is kept of a secret. */
interface Kept<T> {
  digest: Buffer;
  value: T;
}

/**
 * A session may do what the key that it hangs on may; with a key of scope `admin`, which could make itself any other key, or
 * with none, everything in all workspaces. `findKey` tells a key in force by its digest. `onUse` is told of each use.
 */
export function createSessions(deps: {
  findKey: (keyDigest: string) => Caller | null;
  onUse: (tie: Tie) => void;
}): Sessions {
  const { findKey, onUse } = deps;
  const tokens = new Map<string, Kept<string>>();
  const sessions = new Map<string, Kept<Tie>>();
  const admin: Caller = {
    kind: 'session',
    name: WINDOW_CALLER,
    scope: 'admin',
    reach: true,
    approve: true,
    workspaceId: null,
  };
  const remember = <T>(kept: Map<string, Kept<T>>, secret: string, limit: number, value: T): void => {
    const [oldest] = kept.keys();
    if (kept.size >= limit && oldest !== undefined) kept.delete(oldest);
    const digest = digestOf(secret);
    kept.set(digest, { digest: Buffer.from(digest), value });
  };
  const read = <T>(kept: Map<string, Kept<T>>, digest: string): T | null => {
    const found = kept.get(digest);
    return found !== undefined && timingSafeEqual(found.digest, Buffer.from(digest)) ? found.value : null;
  };
  const keyOf = (token: string): string | null => {
    const keyDigest = TOKEN_PATTERN.test(token) ? read(tokens, digestOf(token)) : null;
    return keyDigest !== null && findKey(keyDigest) !== null ? keyDigest : null;
  };

  return {
    createToken(keyDigest) {
      const token = TOKEN_PREFIX + randomBytes(32).toString('base64url');
      remember(tokens, token, MAX_TOKENS, keyDigest);
      return token;
    },
    isToken: (text) => keyOf(text) !== null,
    exchange(token) {
      const keyDigest = keyOf(token);
      tokens.delete(digestOf(token));
      return keyDigest;
    },
    open(tie) {
      const key = createKeyText();
      remember(sessions, key, MAX_SESSIONS, tie);
      return key;
    },
    tieOf: (sessionKey) => read(sessions, digestOf(sessionKey)),
    find(digest) {
      const tie = read(sessions, digest);
      if (tie === null) return null;
      const key = tie.keyDigest === null ? admin : findKey(tie.keyDigest);
      if (key === null) return null;
      onUse(tie);
      return key.scope === 'admin' ? admin : { ...key, kind: 'session', name: WINDOW_CALLER };
    },
    end(browserId) {
      for (const [digest, { value }] of sessions) if (value.browserId === browserId) sessions.delete(digest);
    },
    endOthers(tie) {
      tokens.clear();
      for (const [digest, { value }] of sessions) {
        if (value !== tie && value.keyDigest !== null) sessions.delete(digest);
      }
    },
  };
}
