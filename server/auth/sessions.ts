/**
 * Signing a page in. A link carries a one-time token in its fragment, which never reaches a server's log; the page
 * exchanges it for a key that lives in memory and ends with the process, so that it is worthless to a program that gets
 * the port later.
 */
import { randomBytes } from 'node:crypto';
import { WINDOW_CALLER, type Caller } from './caller.ts';
import { createKeyText, digestOf } from './keys.ts';

const TOKEN_PREFIX = 'page_';
const TOKEN_PATTERN = /^page_[A-Za-z0-9_-]{43}$/;
/** How many tokens, and how many sessions, may depend on one key; beyond that, its oldest are dropped. */
const MAX_OF_KEY = 500;

/** What a session depends on. The sessions of one browser share it. */
export interface SessionOwner {
  /** The browser that can come back; null: there is none. */
  readonly browserId: string | null;
  /** The key that it ends with; null: none, as for windows of the desktop app, and while the local key is being replaced. */
  keyDigest: string | null;
}

export type Sessions = ReturnType<typeof createSessions>;

/**
 * One-time page tokens and session keys. A session may do what the key that it depends on may; with a key of scope
 * `admin`, which could make itself any other key, or with none, everything in all workspaces. `findKey` finds a key in
 * force by its digest. `onUse` is called at each use.
 */
export function createSessions(deps: {
  findKey: (keyDigest: string) => Caller | null;
  onUse: (owner: SessionOwner) => void;
}) {
  const { findKey, onUse } = deps;
  /** By digest: the digest of the key that a token depends on, and what a session depends on. */
  const tokens = new Map<string, string>();
  const sessions = new Map<string, SessionOwner>();
  const admin: Caller = {
    kind: 'session',
    name: WINDOW_CALLER,
    scope: 'admin',
    reach: true,
    approve: true,
    workspaceId: null,
  };
  const remember = <T>(
    kept: Map<string, T>,
    secret: string,
    value: T,
    keyOf: (value: T) => string | null,
  ): void => {
    const key = keyOf(value);
    const own = [...kept].filter(([, other]) => keyOf(other) === key);
    for (const [digest] of own.slice(0, Math.max(0, own.length - MAX_OF_KEY + 1))) kept.delete(digest);
    kept.set(digestOf(secret), value);
  };
  const keyOf = (token: string): string | null => {
    const keyDigest = TOKEN_PATTERN.test(token) ? tokens.get(digestOf(token)) : undefined;
    return keyDigest !== undefined && findKey(keyDigest) !== null ? keyDigest : null;
  };

  return {
    /** A new token that one page may exchange; it is in force as long as the key of that digest. */
    createToken(keyDigest: string): string {
      const token = TOKEN_PREFIX + randomBytes(32).toString('base64url');
      remember(tokens, token, keyDigest, (digest) => digest);
      return token;
    },
    /** Whether the text is a token that can still be exchanged. */
    isToken: (text: string): boolean => keyOf(text) !== null,
    /** Uses the token up; returns the digest of the key that it depends on, or null when the token is invalid. */
    exchange(token: string): string | null {
      const keyDigest = keyOf(token);
      tokens.delete(digestOf(token));
      return keyDigest;
    },
    /** The text of a new session key. */
    open(owner: SessionOwner): string {
      const key = createKeyText();
      remember(sessions, key, owner, (other) => other.keyDigest);
      return key;
    },
    /** What the session of that key depends on; null for every other text. */
    ownerOf: (sessionKey: string): SessionOwner | null => sessions.get(digestOf(sessionKey)) ?? null,
    /** The caller behind the session key of that digest, or null. */
    find(digest: string): Caller | null {
      const owner = sessions.get(digest);
      if (owner === undefined) return null;
      const key = owner.keyDigest === null ? admin : findKey(owner.keyDigest);
      if (key === null) return null;
      onUse(owner);
      return key.scope === 'admin' ? admin : { ...key, kind: 'session', name: WINDOW_CALLER };
    },
    /** Ends the sessions of a browser. */
    end(browserId: string): void {
      for (const [digest, owner] of sessions) if (owner.browserId === browserId) sessions.delete(digest);
    },
    /** Ends all sessions that don't depend on this, and all tokens. Windows of the desktop app stay signed in. */
    endOthers(kept: SessionOwner | null): void {
      tokens.clear();
      for (const [digest, owner] of sessions) {
        if (owner !== kept && owner.keyDigest !== null) sessions.delete(digest);
      }
    },
  };
}
