import { Type, type Static } from 'typebox';

/** Query of `GET /health`. */
export const HealthQuery = Type.Object({
  /** 16 to 64 random bytes in base64url: asks the service to prove who it is. */
  nonce: Type.Optional(
    Type.String({ pattern: '^[A-Za-z0-9_-]{22,86}$', description: '16 to 64 random bytes in base64url' }),
  ),
});
export type HealthQuery = Static<typeof HealthQuery>;

/** Answer of `GET /health`: the service is up, and which version it is. */
export const Health = Type.Object({
  status: Type.Literal('ok'),
  version: Type.String(),
  /** Of `serverProofText` (shared/proof.ts), by the key in connection.json; absent without a nonce. */
  signature: Type.Optional(Type.String()),
  /** What a browser signs to come back; good once, for a minute. Absent without a nonce. */
  challenge: Type.Optional(Type.String()),
});
export type Health = Static<typeof Health>;
