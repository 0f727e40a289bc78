import { AppError } from '../errors.ts';
import { pageHolder } from '../lib/slots.ts';
import type { Browsers } from './browsers.ts';
import { WINDOW_CALLER, type Caller } from './caller.ts';
import type { KeyRing } from './key-ring.ts';
import { digestOf, isKeyText } from './keys.ts';
import type { Sessions } from './sessions.ts';

const PAGE_TOKEN: Caller = {
  kind: 'page_token',
  name: WINDOW_CALLER,
  scope: 'chat',
  reach: false,
  approve: false,
  workspaceId: null,
};

/** What was sent as `Bearer`, or null when the header is absent or of another scheme. */
export function bearerOf(header: string | undefined): string | null {
  if (header === undefined) return null;
  if (header.startsWith('Bearer ')) return header.slice(7).trimStart();
  return /^bearer(?: +(\S.*)?)?$/i.exec(header)?.[1] ?? null;
}

export type Authenticator = ReturnType<typeof createAuthenticator>;

/** Finds out who sends a request. `clock` gives the time in milliseconds. */
export function createAuthenticator(deps: {
  keys: KeyRing;
  sessions: Sessions;
  browsers: Pick<Browsers, 'check'>;
  clock: () => number;
}) {
  const { keys, sessions, browsers, clock } = deps;
  const countBadKey = createBadKeyLimit();
  return {
    /** For a request that lasts: whose it is, and, whenever it is asked, whether the key in its header is still in force. */
    watch(header: string | undefined): { holder: string; isInForce: () => boolean } {
      const credential = bearerOf(header) ?? '';
      const digest = digestOf(credential);
      const owner = sessions.ownerOf(credential);
      const isPage = owner !== null && sessions.find(digest)?.scope === 'admin';
      return {
        holder: isPage ? pageHolder(digest) : (owner?.keyDigest ?? digest),
        isInForce: () => (keys.find(digest, clock()) ?? sessions.find(digest)) !== null,
      };
    },
    /**
     * The caller behind an `Authorization` header. Throws `unauthorized`, or `too_many_requests` for a bad key after too
     * many others. A page token counts only where `tokensAllowed`.
     */
    identify(header: string | undefined, tokensAllowed: boolean): Caller {
      const credential = bearerOf(header);
      // Sending no key isn't guessing, so it doesn't count as a bad one.
      if (credential === null || credential === '') throw new AppError('unauthorized');
      const nowMs = clock();
      if (isKeyText(credential)) {
        const digest = digestOf(credential);
        const caller = keys.find(digest, nowMs) ?? sessions.find(digest);
        if (caller !== null) return caller;
      } else if (tokensAllowed && (sessions.isToken(credential) || browsers.check(credential) !== null)) {
        return PAGE_TOKEN;
      }
      const retryAfterSeconds = countBadKey(nowMs);
      if (retryAfterSeconds > 0) throw new AppError('too_many_requests', undefined, { retryAfterSeconds });
      throw new AppError('unauthorized', 'This API key is unknown or no longer valid. Send another one.');
    },
  };
}

/** This many bad keys in {@link BAD_KEY_WINDOW_MS} get a 401; further ones get a 429 and don't count. */
const MOST_BAD_KEYS = 20;
const BAD_KEY_WINDOW_MS = 60_000;

/** Slows down guessing. The function counts a bad key and returns 0, or the seconds to wait. Good keys never get here. */
function createBadKeyLimit(): (nowMs: number) => number {
  const times: number[] = [];
  return (nowMs) => {
    while (times[0] !== undefined && times[0] <= nowMs - BAD_KEY_WINDOW_MS) times.shift();
    const [oldest] = times;
    if (times.length >= MOST_BAD_KEYS && oldest !== undefined) {
      return Math.max(1, Math.ceil((oldest + BAD_KEY_WINDOW_MS - nowMs) / 1000));
    }
    times.push(nowMs);
    return 0;
  };
}
