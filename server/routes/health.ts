import { Health, HealthQuery } from '../../shared/api/health.ts';
import type { Challenges } from '../auth/challenges.ts';
import type { Identity } from '../auth/identity.ts';
import { addressOf, type App } from '../plugins/route.ts';

/** What the health route works with. */
export interface HealthRouteDeps {
  version: string;
  identity: Identity;
  challenges: Challenges;
}

/**
 * `GET /health`: open to all on this computer; says that the service is up and which version, and with a nonce proves that
 * it is the one that connection.json, or a browser, knows.
 */
export function setupHealthRoute(app: App, { version, identity, challenges }: HealthRouteDeps): void {
  app.get(
    '/health',
    { schema: { querystring: HealthQuery, response: { 200: Health } } },
    async (request, reply) => {
      const { nonce } = request.query;
      if (nonce === undefined) return reply.send({ status: 'ok', version });
      const address = addressOf(request);
      return reply.header('cache-control', 'no-store').send({
        status: 'ok',
        version,
        signature: identity.prove(nonce, address),
        challenge: challenges.issue(address),
      });
    },
  );
}
