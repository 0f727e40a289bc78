import { Type, type Static } from 'typebox';

/** Answer of `POST /api/v1/session`: a key that works until the service stops, and the workspace it is bound to. */
export const Session = Type.Object({ apiKey: Type.String(), workspaceId: Type.String() });
export type Session = Static<typeof Session>;
