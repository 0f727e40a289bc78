import { Type, type Static } from 'typebox';
import { KEY_SCOPES } from '../choices.ts';
import { choice, flag, list, object, orNull, text, time, Timestamp } from './common.ts';

/** Body of `POST /api/v1/session`. */
export const SessionBody = Type.Object({
  publicKey: Type.Optional(
    text(
      "The browser's public key (P-256, SPKI, in base64url), with which it can sign in again after a restart. Absent: it can't.",
      { pattern: '^[A-Za-z0-9_-]{1,200}$', expected: 'a P-256 key as SPKI in base64url' },
    ),
  ),
});
export type SessionBody = Static<typeof SessionBody>;

/**
 * Answer of `POST /api/v1/session`: a key that works until the service stops or the key it was opened with ends. A session
 * opened with a key of scope `chat` may do what that key may; any other may do everything, in all workspaces.
 */
export const Session = Type.Object({
  apiKey: text(
    'The session’s key. It works until the service stops or the key it was opened with ends.',
    'session_…',
  ),
  workspaceId: text('The workspace to open first.', '9a3e5f71-2c4d-4b8a-a6f0-1d2e3c4b5a69'),
  scope: choice(KEY_SCOPES, 'The scope of the session, as for keys.'),
  serverKey: text(
    'The public key with which the service proves its identity (P-256, SPKI, in base64url).',
    'MFkw…',
  ),
  browserId: orNull(
    Type.String(),
    'Id with which the browser signs in again; null: it sent no key, or the key could not be stored.',
  ),
});
export type Session = Static<typeof Session>;

export const SignedInBrowser = object('A signed-in browser. It stays signed in when the service restarts.', {
  id: text('Unique id.', '01jd3v6k2q8x'),
  name: text(`A name from its user agent, such as "Firefox on Linux"; empty: unknown.`, 'Firefox on Linux'),
  key: object(
    'The key it signed in with: the local key (also for links that the service prints) or another one. The sign-in ends with that key.',
    { id: Type.String(), name: Type.String(), kind: choice(['local', 'person']) },
  ),
  createdAt: Timestamp,
  lastUsedAt: time('Accurate to the hour.'),
  current: flag('Whether this browser sent the request.'),
});
export type SignedInBrowser = Static<typeof SignedInBrowser>;

/** Answer of `GET /api/v1/sessions`, which needs the scope `admin`: most recently used first. `DELETE`, which signs out all others, returns the same. */
export const SessionList = Type.Object({
  sessions: list(SignedInBrowser, 'Most recently used first.'),
});

/** Answer of `DELETE /api/v1/sessions/:sessionId`, which signs one browser out. */
export const SessionAnswer = Type.Object({ session: SignedInBrowser });

/**
 * Answer of `POST /api/v1/page-link`, which needs the scope `admin`: a link that opens the chat page signed in, once. That
 * session ends with the key that created the link.
 */
export const PageLink = Type.Object({
  pageUrl: text('The link. It works once.', 'http://127.0.0.1:4141/#token=page_…'),
});
export type PageLink = Static<typeof PageLink>;
