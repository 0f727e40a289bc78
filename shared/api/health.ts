import { Type, type Static } from 'typebox';
import { text } from './common.ts';

/** Query of `GET /health`. */
export const HealthQuery = Type.Object({
  nonce: Type.Optional(
    text('16 to 64 random bytes in base64url. The service signs them to prove its identity.', {
      pattern: '^[A-Za-z0-9_-]{22,86}$',
      expected: '16 to 64 random bytes in base64url',
    }),
  ),
});

/** Answer of `GET /health`: the service is up, and which version it is. */
export const Health = Type.Object({
  status: Type.Literal('ok', { description: 'Always `ok`.' }),
  version: text('The version of Parley.', '0.1.0'),
  signature: Type.Optional(
    text('Proves that this is the Parley of `connection.json`; see the operation. Absent without a nonce.'),
  ),
  challenge: Type.Optional(
    text('What a browser signs to sign in again. Valid once, for a minute. Absent without a nonce.'),
  ),
});
export type Health = Static<typeof Health>;
