import { Type, type Static } from 'typebox';
import { KEY_SCOPES } from '../choices.ts';
import { described, orNull, Timestamp } from './common.ts';

/** Body of `POST /api/v1/session`. */
export const SessionBody = Type.Object({
  publicKey: Type.Optional(
    Type.String({
      description:
        "The browser's public key (P-256, SPKI, in base64url), with which it can sign in again after a restart. Absent: it can't.",
      pattern: '^[A-Za-z0-9_-]{1,200}$',
      expected: 'a P-256 key as SPKI in base64url',
    }),
  ),
});
export type SessionBody = Static<typeof SessionBody>;

/**
 * Answer of `POST /api/v1/session`: a key that works until the service stops or the key it was opened with ends. A session
 * opened with a key of scope `chat` may do what that key may; any other may do everything, in all workspaces.
 */
export const Session = Type.Object({
  apiKey: Type.String({
    description: 'The session’s key. It works until the service stops or the key it was opened with ends.',
    examples: ['session_…'],
  }),
  workspaceId: Type.String({
    examples: ['9a3e5f71-2c4d-4b8a-a6f0-1d2e3c4b5a69'],
    description: 'The workspace to open first.',
  }),
  scope: Type.Enum([...KEY_SCOPES], { description: 'The scope of the session, as for keys.' }),
  serverKey: Type.String({
    examples: ['MFkw…'],
    description: 'The public key with which the service proves its identity (P-256, SPKI, in base64url).',
  }),
  browserId: orNull(Type.String(), {
    description:
      'Id with which the browser signs in again; null: it sent no key, or the key could not be stored.',
  }),
});
export type Session = Static<typeof Session>;

export const SignedInBrowser = Type.Object(
  {
    id: Type.String({ description: 'Unique id.', examples: ['01jd3v6k2q8x'] }),
    name: Type.String({
      examples: ['Firefox on Linux'],
      description: `A name from its user agent, such as "Firefox on Linux"; empty: unknown.`,
    }),
    key: Type.Object(
      { id: Type.String(), name: Type.String(), kind: Type.Enum(['local', 'person']) },
      {
        description:
          'The key it signed in with: the local key (also for links that the service prints) or another one. The sign-in ends with that key.',
      },
    ),
    createdAt: Timestamp,
    lastUsedAt: described(Timestamp, 'Accurate to the hour.'),
    current: Type.Boolean({ description: 'Whether this browser sent the request.' }),
  },
  { description: 'A signed-in browser. It stays signed in when the service restarts.' },
);
export type SignedInBrowser = Static<typeof SignedInBrowser>;

/** Answer of `GET /api/v1/sessions`, which needs the scope `admin`: most recently used first. `DELETE`, which signs out all others, returns the same. */
export const SessionList = Type.Object({
  sessions: Type.Array(SignedInBrowser, { description: 'Most recently used first.' }),
});
export type SessionList = Static<typeof SessionList>;

/** Answer of `DELETE /api/v1/sessions/:sessionId`, which signs one browser out. */
export const SessionAnswer = Type.Object({ session: SignedInBrowser });
export type SessionAnswer = Static<typeof SessionAnswer>;

/**
 * Answer of `POST /api/v1/page-link`, which needs the scope `admin`: a link that opens the chat page signed in, once. That
 * session ends with the key that created the link.
 */
export const PageLink = Type.Object({
  pageUrl: Type.String({
    description: 'The link. It works once.',
    examples: ['http://127.0.0.1:4141/#token=page_…'],
  }),
});
export type PageLink = Static<typeof PageLink>;
