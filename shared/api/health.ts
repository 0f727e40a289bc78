import { Type, type Static } from 'typebox';

/** Answer of `GET /health`: the service is up, and which version it is. */
export const Health = Type.Object({ status: Type.Literal('ok'), version: Type.String() });
export type Health = Static<typeof Health>;
