import { Type, type Static } from 'typebox';

/**
 * Answer of `POST /api/v1/session`: a key that works in all workspaces until the service stops, and the workspace that a
 * page opens first.
 */
export const Session = Type.Object({ apiKey: Type.String(), workspaceId: Type.String() });
export type Session = Static<typeof Session>;
