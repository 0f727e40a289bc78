import { Health, HealthQuery } from '../../shared/api/health.ts';
import type { Challenges } from '../auth/challenges.ts';
import type { Identity } from '../auth/identity.ts';
import type { App } from '../plugins/endpoints.ts';
import { ownAddressOf } from '../plugins/request-path.ts';

/** Dependencies of the health route. */
export interface HealthRouteDeps {
  version: string;
  identity: Identity;
  challenges: Challenges;
}

/**
 * `GET /health`: needs no key; says that the service is up and in which version, and with a nonce proves that it is the one
 * that connection.json, or a browser, knows.
 */
export function setupHealthRoute(app: App, { version, identity, challenges }: HealthRouteDeps): void {
  app.get(
    '/health',
    {
      schema: {
        operationId: 'getHealth',
        summary: 'Check that the service is up',
        tags: ['Service'],
        description:
          'Needs no key. If Parley was killed, `connection.json` is still there and another program may have the port. Send a `nonce` to make the service prove its identity before you send it a key. `signature` signs three lines: `parley-server-1`, the nonce and the address (ECDSA on P-256 with SHA-256, `r` and `s` concatenated, in base64url). Check it with `publicKey` in `connection.json` (SPKI in base64url).',
        querystring: HealthQuery,
        response: { 200: Health },
      },
    },
    async (request, reply) => {
      const { nonce } = request.query;
      if (nonce === undefined) return reply.send({ status: 'ok', version });
      const address = ownAddressOf(request);
      return reply.header('cache-control', 'no-store').send({
        status: 'ok',
        version,
        signature: identity.prove(nonce, address),
        challenge: challenges.issue(address),
      });
    },
  );
}
