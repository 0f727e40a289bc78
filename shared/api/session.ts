import { Type, type Static } from 'typebox';

/**
 * Answer of `POST /api/v1/session`: a key that works in all workspaces until the service stops, the workspace that a page
 * opens first, and a token that buys the next session after a restart, sent as the bearer of the same request. What was
 * bought with an API key ends with that key.
 */
export const Session = Type.Object({
  apiKey: Type.String(),
  workspaceId: Type.String(),
  /** Null: the disk refused to keep one. */
  returnToken: Type.Union([Type.String(), Type.Null()]),
});
export type Session = Static<typeof Session>;

/**
 * Answer of `POST /api/v1/page-link`, which needs the scope `admin`: a link that opens the chat page signed in, once. The
 * session it opens ends with the key that asked for the link, if a key did.
 */
export const PageLink = Type.Object({ pageUrl: Type.String() });
export type PageLink = Static<typeof PageLink>;
