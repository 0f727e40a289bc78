import { Type, type Static } from 'typebox';
import { described, Timestamp } from './common.ts';
import { KEY_SCOPES } from './key.ts';

/** Body of `POST /api/v1/session`. */
export const SessionBody = Type.Object({
  publicKey: Type.Optional(
    Type.String({
      description:
        "A browser's key (P-256, SPKI, in base64url), which lets it come back after a restart; absent: it can't.",
      pattern: '^[A-Za-z0-9_-]{1,200}$',
      expected: 'a P-256 key as SPKI in base64url',
    }),
  ),
});
export type SessionBody = Static<typeof SessionBody>;

/**
 * Answer of `POST /api/v1/session`: a key that works until the service stops, or what it was opened with ends. Opened with a
 * key of scope `chat` it may do what that key may, else all, in all workspaces.
 */
export const Session = Type.Object({
  apiKey: Type.String({
    description: 'The session’s key, which works until the service stops or what it was opened with ends.',
    examples: ['session_…'],
  }),
  workspaceId: Type.String({
    examples: ['9a3e5f71-2c4d-4b8a-a6f0-1d2e3c4b5a69'],
    description: 'The workspace that a page opens first.',
  }),
  scope: Type.Enum([...KEY_SCOPES], { description: 'As of a key.' }),
  serverKey: Type.String({
    examples: ['MFkw…'],
    description: 'The key that the service proves itself with (P-256, SPKI, in base64url).',
  }),
  browserId: Type.Union([Type.String(), Type.Null()], {
    description: 'What the browser comes back as; null: it gave no key, or the disk refused to keep it.',
  }),
});
export type Session = Static<typeof Session>;

export const SignedInBrowser = Type.Object(
  {
    id: Type.String({ description: 'What it is told apart by.', examples: ['01jd3v6k2q8x'] }),
    name: Type.String({
      examples: ['Firefox on Linux'],
      description: `Such as "Firefox on Linux", by what it said of itself; empty: it can't be told.`,
    }),
    key: Type.Object(
      { id: Type.String(), name: Type.String(), kind: Type.Enum(['local', 'person']) },
      {
        description:
          'What it signed in with, and ends with: the local key, as for the links that the service prints, or another key.',
      },
    ),
    createdAt: Timestamp,
    lastUsedAt: described(Timestamp, 'To the hour.'),
    current: Type.Boolean({ description: 'Whether it is the one that asks.' }),
  },
  { description: 'A browser that is signed in, and comes back by itself after a restart of the service.' },
);
export type SignedInBrowser = Static<typeof SignedInBrowser>;

/** Answer of `GET /api/v1/sessions`, which needs the scope `admin`: latest used first. So answers `DELETE`, which signs all out but the one that asks. */
export const SessionList = Type.Object({
  sessions: Type.Array(SignedInBrowser, { description: 'Latest used first.' }),
});
export type SessionList = Static<typeof SessionList>;

/** Answer of `DELETE /api/v1/sessions/:sessionId`, which signs one browser out. */
export const SessionAnswer = Type.Object({ session: SignedInBrowser });
export type SessionAnswer = Static<typeof SessionAnswer>;

/**
 * Answer of `POST /api/v1/page-link`, which needs the scope `admin`: a link that opens the chat page signed in, once. The
 * session it opens ends with the key that asked for the link.
 */
export const PageLink = Type.Object({
  pageUrl: Type.String({
    description: 'The link. It works once.',
    examples: ['http://127.0.0.1:4141/#token=page_…'],
  }),
});
export type PageLink = Static<typeof PageLink>;
