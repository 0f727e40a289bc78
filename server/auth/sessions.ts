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
  /** A new token that one page may exchange. */
  createToken(): string;
  /** Whether the text is a token that can still be exchanged. */
  isToken(text: string): boolean;
  /** The text of a new session key, for somebody who needs no token. */
  open(): string;
  /** Uses the token up; the text of a new session key, or null when the token is worthless. */
  exchange(token: string): string | null;
  /** The caller behind the session key of that digest, or null. */
  find(digest: string): Caller | null;
}

/** Session keys have the scope `admin` and work in all workspaces. */
export function createSessions(): Sessions {
  const tokens = new Map<string, Buffer>();
  const sessions = new Map<string, Buffer>();
  const caller: Caller = { kind: 'session', name: WINDOW_CALLER, scope: 'admin', workspaceId: null };
  const remember = (digests: Map<string, Buffer>, secret: string, limit: number): void => {
    const [oldest] = digests.keys();
    if (digests.size >= limit && oldest !== undefined) digests.delete(oldest);
    const digest = digestOf(secret);
    digests.set(digest, Buffer.from(digest));
  };
  const holds = (digests: Map<string, Buffer>, digest: string): boolean => {
    const stored = digests.get(digest);
    return stored !== undefined && timingSafeEqual(stored, Buffer.from(digest));
  };
  const isToken = (text: string): boolean => TOKEN_PATTERN.test(text) && holds(tokens, digestOf(text));

  const open = (): string => {
    const key = createKeyText();
    remember(sessions, key, MAX_SESSIONS);
    return key;
  };

  return {
    isToken,
    open,
    createToken() {
      const token = TOKEN_PREFIX + randomBytes(32).toString('base64url');
      remember(tokens, token, MAX_TOKENS);
      return token;
    },
    exchange(token) {
      if (!isToken(token)) return null;
      tokens.delete(digestOf(token));
      return open();
    },
    find: (digest) => (holds(sessions, digest) ? caller : null),
  };
}
